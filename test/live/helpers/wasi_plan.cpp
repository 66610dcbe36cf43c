// SPDX-License-Identifier: BSL-1.0
/// Prints the WASI plan of a random policy over directories that exist: `wasi_plan RUNTIME SEED DIRECTORY...`, and after a
/// line `verdicts` its answers about those and about what lies in them: 0 or 1, the right, the place.
#include "backend/proof.hpp"

#include <cordon/backend/wasi.hpp>

#include <iostream>

namespace {

using namespace cordon;

/// Rights that people give, near misses of what a directory can be opened for, and anything.
rights random_rights(dice& d) {
  constexpr rights usual[]{verb::hide,
                           verb::read,
                           verb::run,
                           verb::write,
                           verb::write,
                           verb::everything,
                           verb::write - right::remove,
                           rights(right::read)};
  return d.percent(85) ? d.one_of(usual) : rights::from_bits(d.below(256));
}

} // namespace

int main(int count, char** words) {
  wasi::runtime by{};
  if (count < 4 || !from_name(wasi::runtime_names, words[1], by)) {
    std::cerr << "usage: wasi_plan RUNTIME SEED DIRECTORY...\n";
    return 2;
  }
  dice d(std::stoull(words[2]));
  loaded_policy p;
  const diagnostic filled = p.write<axis_id::files>([&](auto& out) {
    for (int i = 3; i < count; ++i)
      if (d.percent(45)) out.add({words[i], random_rights(d).bits(), {}});
  });
  const auto made = wasi::compile(p, {by});
  if (filled.code != diagnostic_code::ok || made.error.code != diagnostic_code::ok) return 1;
  std::cout << proof::text_of(made.rules) << "verdicts\n";
  for (int i = 3; i < count; ++i)
    for (const char* const within : {"", "/f", "/e", "/new"})
      for (std::size_t r = 0; r < right_names.size(); ++r) {
        const std::string place = std::string(words[i]) + within;
        std::cout << wasi::permits(made.rules, static_cast<right>(r), place) << ' ' << right_names[r] << ' ' << place
                  << '\n';
      }
}
