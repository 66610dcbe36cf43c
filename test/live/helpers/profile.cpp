// SPDX-License-Identifier: BSL-1.0
// Prints what macOS or OpenBSD would get for a policy file, then, as comments, what cordon's own interpreter says:
//   profile FILE GATEWAY_PORT PRIVATE_LINKS     a sandbox profile, verdicts at every place where it may change
//   profile --unveil FILE                       calls, verdicts at the places of standard input (separated by NUL)
// A verdict is `;; RIGHT PLACE-IN-HEX yes|no` or `;; FACILITY - yes|no`; with --unveil it starts with `##`.
#include <cordon/backend/seatbelt.hpp>
#include <cordon/backend/unveil.hpp>
#include <cordon/format/read.hpp>
#include <cordon/verify/plan.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>

namespace {

using namespace cordon;

std::string in_hex(const std::string& text) {
  std::string out;
  for (const char c : text) {
    constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    out += {digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

loaded_policy policy_of(const char* file) {
  const format::host_facts facts{};
  return format::lower_lexically(format::read_file(file, facts), facts);
}

template <class Rules, class Places> void print(const Rules& rules, const Places& places, const char* comment) {
  write(rules, [](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stdout); });
  const auto say = [&](std::string_view what, const std::string& place, bool yes) {
    std::printf("%s %.*s %s %s\n", comment, static_cast<int>(what.size()), what.data(), place.c_str(),
                yes ? "yes" : "no");
  };
  for (const std::string& place : places)
    for (unsigned i = 0; i < right_names.size(); ++i)
      say(right_names[i], in_hex(place), permits(rules, static_cast<right>(i), place));
  for (unsigned i = 0; i < process_feature_names.size(); ++i)
    say(process_feature_names[i], "-", permits(rules, static_cast<process_feature>(i)));
}

int print_profile(const char* file, seatbelt::target t) {
  const loaded_policy p = policy_of(file);
  const auto made = seatbelt::compile(p, t);
  if (made.error.code != diagnostic_code::ok) return 1;
  print(made.rules, verifying::places_of(p, made.rules), ";;");
  return 0;
}

int print_unveil(const char* file) {
  const auto made = unveil::compile(policy_of(file), unveil::target{});
  if (made.error.code != diagnostic_code::ok) return 1;
  std::set<std::string> places;
  for (std::string place; std::getline(std::cin, place, '\0');) places.insert(place);
  print(made.rules, places, "##");
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--unveil") return print_unveil(argv[2]);
    if (argc == 4)
      return print_profile(argv[1], {static_cast<std::uint16_t>(std::atoi(argv[2])), std::atoi(argv[3]) != 0});
  } catch (const std::exception& e) { std::fprintf(stderr, "%s\n", e.what()); }
  return 2;
}
