// SPDX-License-Identifier: BSL-1.0
/// The rules for OpenBSD, and the interpreter that returns what OpenBSD permits under them.
///
/// Sources: unveil(2), pledge(2); sys/kern/kern_unveil.c, vfs_syscalls.c, kern_exec.c, uipc_usrreq.c.
#pragma once

#include "../../policy/default_devices.hpp"
#include "../../query/query.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::unveil {

/// What the rules are compiled for.
struct target {
  /// UNVEIL_MAX_VNODES and UNVEIL_MAX_NAMES: one more path fails with E2BIG. sys/kern/kern_unveil.c
  std::uint32_t most_places = 128;
};

/// Permissions of a path. Writing, chmod, chown and utimes require "w"; creating, renaming and removing require "c";
/// lookup, reading and listing require "r".
enum permission : std::uint32_t { R = 1U << 0, W = 1U << 1, X = 1U << 2, C = 1U << 3 };
inline constexpr std::string_view permission_letters = "rwxc"; ///< the letters of unveil(2), by bit
/// Returns: the name of one bit; empty for none or several.
[[nodiscard]] constexpr std::string_view name(permission bit) {
  return std::has_single_bit(std::uint32_t{bit})
             ? permission_letters.substr(static_cast<std::size_t>(std::countr_zero(std::uint32_t{bit})), 1)
             : std::string_view();
}

/// Promises that follow from the policy.
enum promise : std::uint32_t {
  RPATH = 1U << 0,
  WPATH = 1U << 1,
  CPATH = 1U << 2,
  FATTR = 1U << 3, ///< with it "chown", which the owner of a file may do; truncate(2) of a path requires it too
  PROC = 1U << 4,
  INET = 1U << 5,
  UNIX = 1U << 6,
};
/// A promise, and its words.
struct promise_name {
  std::uint32_t bit;      ///< a `promise`
  std::string_view words; ///< for pledge(2), with blanks between
};
/// The words of all promises.
inline constexpr promise_name promise_names[]{{RPATH, "rpath"},       {WPATH, "wpath"}, {CPATH, "cpath"},
                                              {FATTR, "fattr chown"}, {PROC, "proc"},   {INET, "inet dns"},
                                              {UNIX, "unix"}};
/// Returns: the promises of pledge(2) behind one bit, such as `inet dns`; empty for none or several.
[[nodiscard]] constexpr std::string_view name(promise bit) {
  for (const promise_name& p : promise_names)
    if (p.bit == bit) return p.words;
  return {};
}

/// Promises of every program: execute unveiled files; terminals and locks; names of accounts, without which no shell
/// starts; code that is mapped later, as runtimes and plug-ins do.
inline constexpr std::string_view every_promise = "stdio exec flock getpw prot_exec tty";
/// Promises of the launcher between pledge and execve.
inline constexpr std::string_view launcher_promises = "stdio exec";

/// Paths that every process sees in addition to the policy's: its devices, and the loader's hints of libraries.
struct default_place {
  std::string_view place;    ///< the path, and everything beneath it
  std::uint32_t permissions; ///< bits of `permission`
};
/// Those paths.
inline constexpr auto default_places = [] {
  std::array<default_place, machine_devices.size() + 1> all{};
  for (std::size_t i = 0; i < machine_devices.size(); ++i) {
    const default_device& d = machine_devices[i];
    all[i] = {d.place, (d.allowed.has(right::read) ? R : 0U) | (d.allowed.has(right::write) ? W : 0U)};
  }
  all.back() = {"/var/run/ld.so.hints", R};
  return all;
}();

/// Files that getpw may read, whatever is unveiled: pledge_namei, sys/kern/kern_pledge.c.
inline constexpr std::string_view account_files[]{"/etc/group", "/etc/netid", "/etc/pwd.db"};

/// The rules: unveiled paths, and promises.
template <class Storage_> struct rules {
  using storage = Storage_;   ///< what holds the lists
  Storage_ places{};          ///< path -> permissions, for the place and everything beneath it
  std::uint32_t promises = 0; ///< of the program, in addition to `every_promise`

  /// A list of the rules as a step function.
  [[nodiscard]] static constexpr step_function<path_tree> view(const Storage_& s) {
    return {s.all_slots(), s.size(), s.text()};
  }
  /// Calls `f(list)` for each list of the rules, so that a proof can drop an entry.
  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) { f(r.places); }
  /// Calls `f(loosen)` for each rule that is no list. `loosen()` drops that rule: a proof must notice.
  template <class F> constexpr void each_switch(F&& f) {
    for (const promise_name& p : promise_names)
      if ((promises & p.bit) != 0) f([&] { promises &= ~p.bit; });
  }
};

namespace detail {

/// Returns whether the most specific unveil has all `wanted` permissions, and the process the promises. The kernel uses
/// only the nearest unveil: one above does not add what it lacks.
template <class S>
[[nodiscard]] constexpr bool has(const rules<S>& r, std::string_view place, std::uint32_t wanted,
                                 std::uint32_t promised) {
  return (r.view(r.places).lookup(place) & wanted) == wanted && (r.promises & promised) == promised;
}

[[nodiscard]] constexpr bool is_account_file(std::string_view place) {
  for (const std::string_view file : account_files)
    if (file == place) return true;
  return false;
}

} // namespace detail

/// Returns whether OpenBSD allows the operation at the path under these rules. O(log n + depth).
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place) {
  switch (what) {
  case right::read: return detail::is_account_file(place) || detail::has(r, place, R, RPATH);
  case right::list: return detail::has(r, place, R, RPATH);
  case right::run: return detail::has(r, place, X, 0);
  case right::write: return detail::has(r, place, W, WPATH);
  case right::create:
  case right::remove: return detail::has(r, place, C, CPATH);
  case right::attributes: return detail::has(r, place, W, FATTR);
  case right::connect: return detail::has(r, place, W, UNIX);
  }
  return false;
}

/// May a process under the rules do this?
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, process_feature which) {
  if (which == process_feature::own_sockets) return false;
  return (r.promises & (which == process_feature::spawn ? PROC : INET)) != 0;
}

/// Calls `f(place)` for every path at which the rules may change. O(n).
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  for (std::uint32_t i = 0; i < r.places.size(); ++i) f(r.view(r.places).place(i));
  for (const std::string_view file : account_files) f(file);
}

} // namespace cordon::unveil
