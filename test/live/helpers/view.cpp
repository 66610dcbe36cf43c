// SPDX-License-Identifier: BSL-1.0
// What a backend that makes views says of a policy file, for a program that then looks whether it is so:
//   view POLICY arguments        the arguments of bwrap, NUL behind each; what lies at each place is looked up
//   view POLICY command          the command line for a shell; nothing is looked up
//   view POLICY looked|unlooked  for each place read from stdin, NUL behind each, a line: 1 or 0 for every right, then
//                                1 or 0: is it told that the place cannot be removed
//   view POLICY FORM, FORM-text, FORM-looked, FORM-unlooked
//                                the same of a container: oci, docker or kubernetes; the text, for user 0
//   view POLICY namespaces-looked  what the namespaces backend permits, like `looked`
#include <cordon/backend/bubblewrap.hpp>
#include <cordon/backend/container.hpp>
#include <cordon/backend/namespaces.hpp>
#include <cordon/format/read.hpp>

#include <sys/stat.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <set>

using namespace cordon;
using mounts::file_type;

namespace {

file_type file_type_at(std::string_view place) {
  struct stat s {};
  if (lstat(std::string(place).c_str(), &s) != 0) return file_type::absent;
  return S_ISDIR(s.st_mode) ? file_type::directory : S_ISSOCK(s.st_mode) ? file_type::socket : file_type::file;
}

void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

template <class Rules> void answer(const plan<Rules>& made, std::string_view busy_gap, bool looks) {
  std::set<std::string> busy;
  for (std::uint32_t i = 0; i < made.gaps.size(); ++i)
    if (made.gaps[i].what == busy_gap) busy.emplace(made.gaps[i].place);
  for (std::string place; std::getline(std::cin, place, '\0');) {
    const file_type there = looks ? file_type_at(place) : file_type::unknown;
    for (std::size_t i = 0; i < right_names.size(); ++i)
      put(mounts::permits(mounts::view(made.rules.mounts), static_cast<right>(i), place, there) ? "1" : "0");
    put(busy.count(place) != 0 ? "1\n" : "0\n");
  }
}

void answer(const plan<container::rules<heap>>& made, bool looks) {
  for (std::string place; std::getline(std::cin, place, '\0');) {
    for (std::size_t i = 0; i < right_names.size(); ++i)
      put(container::permits(made.rules, static_cast<right>(i), place, looks ? file_type_at(place) : file_type::unknown)
              ? "1"
              : "0");
    put(made.gaps.has("container.mount_point", place) ? "1\n" : "0\n");
  }
}

int run_container(const std::string& file, std::string_view what) {
  const std::size_t dash = what.find('-');
  const std::string_view rest = dash == what.npos ? "" : what.substr(dash);
  container::target t;
  if (!from_name(container::form_names, what.substr(0, dash), t.form)) return 2;
  t.user = t.group = 0;
  const format::host_facts facts;
  const auto made = container::compile(format::lower_lexically(format::read_file(file, facts), facts), t);
  if (made.error.code != diagnostic_code::ok) {
    std::cerr << name(made.error.code) << "\n";
    return 1;
  }
  if (rest.empty())
    container::write(
        made.rules, [](std::string_view place) { return file_type_at(place); }, put);
  else if (rest == "-text") container::write(made.rules, put);
  else if (rest == "-looked" || rest == "-unlooked") answer(made, rest == "-looked");
  else return 2;
  return 0;
}

int run_namespaces(const std::string& file) {
  const format::host_facts facts;
  const auto made =
      namespaces::compile(format::lower_lexically(format::read_file(file, facts), facts), namespaces::target{});
  if (made.error.code != diagnostic_code::ok) return 1;
  answer(made, "namespaces.mount_point", true);
  return 0;
}

int run(const std::string& file, std::string_view what) {
  if (what == "namespaces-looked") return run_namespaces(file);
  const format::host_facts facts;
  const auto made = bubblewrap::compile(format::lower_lexically(format::read_file(file, facts), facts), {});
  if (made.error.code != diagnostic_code::ok) return 1;
  if (what == "command") bubblewrap::write(made.rules, put);
  else if (what == "arguments")
    bubblewrap::each_argument(
        made.rules, [](std::string_view place) { return bubblewrap::found{file_type_at(place)}; },
        [](std::string_view word) {
          put(word), put({"", 1});
        });
  else if (what == "looked" || what == "unlooked") answer(made, "bubblewrap.mount_point", what == "looked");
  else return run_container(file, what);
  return 0;
}

} // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  try {
    return run(words[1], words[2]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
