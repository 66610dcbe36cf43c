// SPDX-License-Identifier: BSL-1.0
/// The rules for a WASI runtime, and the interpreter that returns what the runtime permits under them.
#pragma once

#include "../../policy/policy.hpp"
#include "../../query/process_feature.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace cordon::wasi {

/// Runtimes whose configuration is compiled.
enum class runtime : std::uint8_t {
  wasmtime, ///< the command: `--dir HOST::GUEST` always opens for writing, and ignores a third part (src/common.rs)
  node,     ///< node:wasi: preopens open for writing
  library,  ///< wasmtime as a library: each preopen is FsPerms::ReadOnly or ReadWrite (DirPerms and FilePerms till 47).
            ///< From 24.0.11, 36.0.12, 45.0.3 and 46.0.1 on: before, a link into a preopen for writing carried a file
            ///< out of one for reading (RUSTSEC-2026-0188)
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> runtime_names{"wasmtime", "node", "library"};
/// Returns: the name of the runtime in targets.
[[nodiscard]] constexpr std::string_view name(runtime r) { return runtime_names[static_cast<std::size_t>(r)]; }

/// What the rules are compiled for.
struct target {
  wasi::runtime runtime = runtime::wasmtime; ///< the runtime
};

/// How a directory is opened, with everything beneath. Preview 1 has rights for each descriptor, but a module that
/// opens a file chooses them, and no runtime's configuration removes any (uvwasi, src/fd_table.c).
enum access : std::uint32_t { closed, read_only, read_write };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> access_names{"closed", "read_only", "read_write"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(access a) { return access_names[static_cast<std::size_t>(a)]; }

inline constexpr rights rights_read = right::read | right::list; ///< the rights that reading is about
/// The rights that an opening for writing gives.
inline constexpr rights rights_written = rights_read | right::write | right::create | right::remove | right::attributes;

/// Returns the rights on what is beneath a directory with that access.
[[nodiscard]] constexpr rights rights_of(std::uint32_t a) {
  return a == read_write ? rights_written : a == read_only ? rights_read : rights{};
}

/// Returns the most access that a directory may have if everything beneath it has these rights.
[[nodiscard]] constexpr access access_for(rights r, runtime by) {
  if (rights_written <= r) return read_write;
  return by == runtime::library && rights_read <= r ? read_only : closed;
}

/// The rules: the directories that a module finds opened.
template <class Storage_> struct rules {
  using storage = Storage_;                  ///< what holds the lists
  wasi::runtime runtime = runtime::wasmtime; ///< the runtime that the rules are compiled for
  Storage_ preopens{};                       ///< directory -> access
  Storage_ siblings{};                       ///< directory -> access of each directory in it but those in `except`
  Storage_ except{};                         ///< paths

  /// A list of the rules as a step function.
  [[nodiscard]] static constexpr step_function<path_tree> view(const Storage_& s) {
    return {s.all_slots(), s.size(), s.text()};
  }
  /// Calls `f(list)` for each list of the rules, so that a proof can drop an entry.
  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) {
    f(r.preopens), f(r.siblings), f(r.except);
  }
};

/// Returns which of the rights on a directory's content a module has on the opened directory itself. It is not a file,
/// and `.` can be neither created nor removed (EINVAL). node uses the path instead and removes it (seen with 20.20).
[[nodiscard]] constexpr rights rights_itself(std::uint32_t a, runtime by) {
  const rights itself = right::list | right::attributes;
  return rights_of(a) & (by == runtime::node ? itself | right::remove : itself);
}

/// Returns whether the runtime allows the operation at the path under these rules. A module may use any of its
/// preopens; they may overlap. O(log n + depth).
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place) {
  const auto preopens = r.view(r.preopens), siblings = r.view(r.siblings), except = r.view(r.except);
  const auto through = [&](std::string_view directory, std::uint32_t a) {
    return (directory == place ? rights_itself(a, r.runtime) : rights_of(a)).has(what);
  };
  for (std::uint32_t i = preopens.find(place); i != no_slot; i = preopens.parent(i))
    if (through(preopens.place(i), preopens[i].value)) return true;
  for (std::uint32_t i = siblings.find(place); i != no_slot; i = siblings.parent(i)) {
    if (siblings.place(i) == place) continue;
    const std::string_view child = path::next_on_the_way(place, siblings.place(i).size());
    const std::uint32_t x = except.find(child);
    if ((x == no_slot || except.place(x) != child) && through(child, siblings[i].value)) return true;
  }
  return false;
}

/// Preview 1 can neither start a program nor create a socket.
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>&, process_feature) { return false; }

/// Calls `f(place)` for every path at which the verdicts may change.
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  for (const S* const list : {&r.preopens, &r.siblings, &r.except})
    for (std::uint32_t i = 0; i < list->size(); ++i) f(r.view(*list).place(i));
}

} // namespace cordon::wasi
