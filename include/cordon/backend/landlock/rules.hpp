// SPDX-License-Identifier: BSL-1.0
/// The rules for the kernel, and the interpreter that returns what the kernel permits under them.
#pragma once

#include "../../gap/file_type.hpp"
#include "../../policy/default_devices.hpp"
#include "../../policy/policy.hpp"
#include "access.hpp"

namespace cordon::landlock {

/// What the rules are compiled for.
struct target {
  int abi = highest_abi; ///< as the kernel reports it; 0: no Landlock
  bool mounts = false;   ///< a view of mounts enforces fewer rights inside a grant
};

/// Additive step functions over paths: a path has the union of the bits of its covering entries.
template <class Storage_> struct rules {
  using storage = Storage_; ///< what holds the lists
  int abi = 0;              ///< the ABI that the rules are compiled for
  Storage_ grants{};        ///< path -> access bits, for the place and everything beneath it
  Storage_ siblings{};      ///< directory -> access bits, for each of its children but those in `except`
  Storage_ except{};        ///< paths

  /// A list of the rules as a step function.
  [[nodiscard]] static constexpr step_function<path_tree> view(const Storage_& s) {
    return {s.all_slots(), s.size(), s.text()};
  }
  /// Calls `f(list)` for each list of the rules, so that a proof can drop an entry.
  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) {
    f(r.grants), f(r.siblings), f(r.except);
  }
};

/// Paths that every process gets, whatever the policy grants: the devices that programs expect, and /proc, without
/// which runtimes cannot find themselves. They are not part of the files axis.
struct default_place {
  std::string_view place; ///< the path, and everything beneath it
  rights allowed;         ///< what every process may do there
};
/// Those paths: devices and /proc.
inline constexpr auto default_places = [] {
  std::array<default_place, machine_devices.size() + 1> all{};
  for (std::size_t i = 0; i < machine_devices.size(); ++i)
    all[i] = {machine_devices[i].place, machine_devices[i].allowed};
  all.back() = {"/proc", right::read | right::list};
  return all;
}();

namespace detail {

/// Returns the bits of a path from `siblings`: as a child of a directory, or beneath one.
template <class S> [[nodiscard]] constexpr std::uint32_t bits_of_siblings(const rules<S>& r, std::string_view place) {
  const auto siblings = r.view(r.siblings), except = r.view(r.except);
  std::uint32_t bits = 0;
  for (std::uint32_t i = siblings.find(place); i != no_slot; i = siblings.parent(i)) {
    const std::string_view dir = siblings.place(i);
    if (dir == place) continue;
    const std::string_view child = path::next_on_the_way(place, dir.size());
    const std::uint32_t x = except.find(child);
    if (x == no_slot || except.place(x) != child) bits |= siblings[i].value;
  }
  return bits;
}

/// Returns all bits that the rules give at a path.
template <class S> [[nodiscard]] constexpr std::uint32_t bits_at(const rules<S>& r, std::string_view place) {
  const auto grants = r.view(r.grants);
  std::uint32_t bits = bits_of_siblings(r, place);
  for (std::uint32_t i = grants.find(place); i != no_slot; i = grants.parent(i)) bits |= grants[i].value;
  return bits;
}

} // namespace detail

/// Returns whether the kernel allows the operation at the path under these rules. Entries are created and removed in
/// their parent directory. Executing a file reads it; creating a file opens it for writing. Creating a directory opens
/// nothing; for any other type, `create` requires all of these. O(log n + depth).
template <class S>
[[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place,
                                     file_type there = file_type::unknown) {
  const auto holds = [&](std::uint32_t wanted, std::string_view at) {
    return (detail::bits_at(r, at) & wanted & handled(r.abi)) == (wanted & handled(r.abi));
  };
  if (r.abi == 0) return true;
  switch (what) {
  case right::run: return holds(EXECUTE | READ_FILE, place);
  case right::create:
    if (there == file_type::directory) return place != "/" && holds(MAKE_DIR, path::parent(place));
    return place != "/" && holds(MAKE_REG | MAKE_DIR | MAKE_SYM, path::parent(place)) && holds(WRITE_FILE, place);
  case right::remove: return place != "/" && holds(REMOVE_FILE | REMOVE_DIR, path::parent(place));
  default: return holds(access_of(what, r.abi), place); // without an access bit, nothing restricts the right
  }
}

/// Returns whether a grant allows both writing and executing. O(n).
template <class S> [[nodiscard]] constexpr bool runs_what_is_written(const rules<S>& r) {
  constexpr std::uint32_t both = EXECUTE | WRITE_FILE;
  const auto grants = r.view(r.grants);
  for (std::uint32_t i = 0; i < grants.size(); ++i)
    if ((grants[i].value & both) == both) return true;
  return false;
}

} // namespace cordon::landlock
