// SPDX-License-Identifier: BSL-1.0
/// Prints the AppContainer plan of a policy and what its interpreter says, for another evaluator to judge:
/// `acl FILE [DRIVE]` for a document, `acl --random SEED` for a policy out of the small world of the tests.
#include "backend/proof.hpp"

#include <cordon/backend/appcontainer.hpp>
#include <cordon/format/read.hpp>

#include <cstdio>
#include <iostream>

namespace {

using namespace cordon;

/// Everything after a line `verdicts DRIVE` (`*`: places name theirs): 0 or 1, the right, the place.
template <class S> int print(const basic_policy<S>& p, const appcontainer::target& t) {
  const auto made = compile(p, t);
  if (made.error.code != diagnostic_code::ok) {
    std::cerr << name(made.error.code) << " " << made.error.subject << "\n";
    return 1;
  }
  std::cout << proof::text_of(made.rules) << "verdicts " << (t.drive == 0 ? '*' : t.drive) << "\n";
  for (const std::string& place : verifying::places_of(p, made.rules))
    for (std::size_t i = 0; i < right_names.size(); ++i)
      std::cout << permits(made.rules, static_cast<right>(i), place) << ' ' << right_names[i] << ' ' << place << '\n';
  return 0;
}

/// Random rights at nested places: deeper, and with more that overlaps, than the world of the other tests.
loaded_policy deep_policy(dice& d, bool drives) {
  loaded_policy p;
  const diagnostic made = p.write<axis_id::files>([&](auto& out) {
    std::set<std::string> places;
    const char* const names[]{"a", "b", "c d", ".e", "f\xe2\x80\xae"};
    for (std::uint32_t n = 1 + d.below(10); n != 0; --n) {
      std::string place = drives ? d.percent(70) ? "/C:" : "/D:" : "";
      for (std::uint32_t depth = 1 + d.below(5); depth != 0; --depth) place += "/" + std::string(d.one_of(names));
      places.insert(place);
    }
    if (d.percent(20)) places.insert("/");
    if (d.percent(20)) places.insert(drives ? "/C:/Windows/x" : "/Windows/x");
    if (drives && d.percent(20)) places.insert("/C:");
    constexpr std::uint32_t usual[]{0, 3, 7, 0x7F};
    for (const std::string& place : places) out.add({place, d.percent(60) ? d.one_of(usual) : d.below(256), {}});
  });
  if (made.code != diagnostic_code::ok) std::abort();
  return p;
}

} // namespace

int main(int count, char** words) {
  if (count < 3 && (count < 2 || words[1][0] == '-'))
    return std::fputs("usage: acl FILE [DRIVE] | --random SEED\n", stderr), 2;
  try {
    const std::string what = words[1];
    if (what != "--random") {
      const format::host_facts facts;
      return print(format::lower_lexically(format::read_file(what, facts), facts),
                   {.drive = count > 2 ? words[2][0] : '\0'});
    }
    dice d(std::stoull(words[2]));
    if (d.percent(30)) return print(proof::random_policy(d), {.drive = 'C'});
    const bool drives = d.percent(40);
    return print(deep_policy(d, drives), {.drive = drives ? '\0' : 'C'});
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 2;
  }
}
