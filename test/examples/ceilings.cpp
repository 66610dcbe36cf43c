// SPDX-License-Identifier: BSL-1.0
/// Ceilings for the policies of users: prints what each policy allows beyond the ceiling, and what is left of it.
///   ceilings CEILING POLICY...
#include <cordon/format/excess.hpp>
#include <cordon/format/notation.hpp>
#include <cordon/run/load.hpp>

#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: ceilings CEILING POLICY...\n", stderr), 2;
  try {
    const cordon::host_policy ceiling = cordon::load_policy(argv[1]);
    bool all_within = true;
    for (int i = 2; i < argc; ++i) {
      const cordon::host_policy users = cordon::load_policy(argv[i]);
      const auto beyond = cordon::format::excess_of(users.policy, ceiling.policy);
      all_within = all_within && beyond.empty();
      std::printf("%s: %s\n%s", argv[i], beyond.empty() ? "within the ceiling" : "beyond the ceiling",
                  cordon::format::text_of(beyond).c_str());
      if (beyond.empty()) continue;
      const cordon::host_policy left = users & ceiling;
      std::printf("what is left of it:\n%s", cordon::format::write_notation(left.policy).c_str());
    }
    return all_within ? 0 : 1;
  } catch (const std::exception& e) { return std::fprintf(stderr, "%s\n", e.what()), 2; }
}
