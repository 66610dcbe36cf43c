// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/profile.hpp>

namespace policy_profile_test {

using namespace cordon;

namespace {

/// Do the laws of a meet hold on the chain, for every three values?
template <class T, std::size_t N> constexpr bool is_chain(const std::array<std::string_view, N>&) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) {
      const T a = static_cast<T>(i), b = static_cast<T>(j);
      if (meet(a, b) != meet(b, a) || meet(a, a) != a || within(a, b) != (meet(a, b) == a)) return false;
      if (!within(a, b) && !within(b, a)) return false;
      for (std::size_t k = 0; k < N; ++k) {
        const T c = static_cast<T>(k);
        if (meet(meet(a, b), c) != meet(a, meet(b, c)) || (within(c, a) && within(c, b)) != within(c, meet(a, b)))
          return false;
      }
    }
  return true;
}

template <class T, std::size_t N> constexpr bool names_lead_back(const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    T found{};
    if (!from_name(names, names[i], found) || found != static_cast<T>(i) || name(found) != names[i]) return false;
  }
  return true;
}

constexpr bool is_level(std::string_view text) {
  level l{};
  return from_name(level_names, text, l);
}

} // namespace

TEST_CASE("profile: each enumeration is totally ordered, with a meet") {
  HOLDS(is_chain<profile>(profile_names));
  HOLDS(is_chain<level>(level_names));
  HOLDS(is_chain<fallback>(fallback_names));
}

TEST_CASE("profile: the meet is the stricter end") {
  HOLDS(meet(profile::worktree, profile::wasi) == profile::wasi);
  HOLDS(meet(profile::os_hardened, profile::unrestricted) == profile::os_hardened);
  HOLDS(meet(level::process_exec, level::network) == level::process_exec);
  HOLDS(meet(level::none, level::read_only) == level::none);
  HOLDS(meet(fallback::off, fallback::enforce) == fallback::enforce);
  HOLDS(within(profile::os_hardened, profile::worktree));
  HOLDS(!within(level::network, level::workspace_write));
  HOLDS(!within(fallback::off, fallback::warn));
}

TEST_CASE("profile: names match exactly and read back") {
  HOLDS(names_lead_back<profile>(profile_names));
  HOLDS(names_lead_back<level>(level_names));
  HOLDS(names_lead_back<fallback>(fallback_names));
  HOLDS(name(profile::os_hardened) == "os_hardened");
  HOLDS(name(level::workspace_write) == "workspace_write");
  HOLDS(name(fallback::enforce) == "enforce");
  HOLDS(!is_level("Network"));
  HOLDS(!is_level("network "));
  HOLDS(!is_level(""));
}

} // namespace policy_profile_test
