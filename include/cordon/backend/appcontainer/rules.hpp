// SPDX-License-Identifier: BSL-1.0
/// The rules for Windows, and the interpreter that returns what Windows permits under them.
#pragma once

#include "../../detail/ascii.hpp"
#include "../../gap/file_type.hpp"
#include "../../query/process_feature.hpp"
#include "access.hpp"
#include "name.hpp"

namespace cordon::appcontainer {

/// What the rules are compiled for.
struct target {
  char drive = 0;              ///< the drive of all paths; 0: each path names its drive, `/C:/work`
  char system_drive = 'C';     ///< the drive of the system directories
  bool less_privileged = true; ///< leave ALL APPLICATION PACKAGES out of the container
  bool gateway = false;        ///< a gateway on loopback filters hosts, and only its port is open there
  bool loopback = false;       ///< the container may be exempted from the isolation of loopback
  std::uint32_t package[7]{1, 2, 3, 4, 5, 6, 7}; ///< the container's SID after S-1-15-2; random in a run
};

/// Where two flags stand above two sets of rights in one number.
inline constexpr unsigned flags = 2 * rights::width;

/// One access control list: the rights on this object, those that it passes on, and whether it inherits.
struct acl {
  rights self{};         ///< on the object itself
  rights below{};        ///< on what is beneath it
  bool isolated = false; ///< protected: inherits no entries of the container
  bool present =
      false; ///< the path must exist or is created empty, so that what any process later creates there inherits

  /// Both sets of rights in one value of a step function.
  [[nodiscard]] constexpr std::uint32_t value() const {
    return self.bits() << rights::width | below.bits() | (isolated ? 1U << flags : 0U) | (present ? 2U << flags : 0U);
  }
  /// The list of such a value; the inverse of `value`.
  [[nodiscard]] static constexpr acl from(std::uint32_t v) {
    return {rights::from_bits(v >> rights::width), rights::from_bits(v), (v >> flags & 1) != 0, (v >> flags & 2) != 0};
  }
};

/// What the job object allows; 0: no limit.
struct job {
  std::uint64_t memory = 0;    ///< bytes committed by all processes together
  std::uint64_t user_time = 0; ///< 100 ns, of all processes together
  std::uint32_t processes = 0; ///< at one time

  /// Does a job object have a field for the limit?
  [[nodiscard]] static constexpr bool can_hold(limit l) {
    return l == limit::memory || l == limit::cpu || l == limit::processes;
  }
};

/// The rules: the access control lists of the container's files, and the limits of its job.
template <class Storage_> struct rules {
  using storage = Storage_;        ///< what holds the lists
  target made_for{};               ///< the target that the rules are compiled for
  bool spawn = false;              ///< else PROCESS_CREATION_CHILD_PROCESS_RESTRICTED
  bool internet = false;           ///< capability internetClient
  bool server = false;             ///< capabilities internetClientServer and privateNetworkClientServer
  bool gateway = false;            ///< exempted from loopback isolation for the gateway's port
  bool loopback = false;           ///< exempted for all of loopback
  cordon::appcontainer::job job{}; ///< the job object that holds the process tree
  Storage_ acls{};                 ///< path -> acl

  /// The list in `s`, as a function of paths.
  [[nodiscard]] static constexpr step_function<ntfs_tree> view(const Storage_& s) {
    return {s.all_slots(), s.size(), s.text()};
  }
  /// Calls `f` with each list of the rules, for a proof that drops an entry.
  template <class Rules, class F> static constexpr void each_list(Rules& r, F&& f) { f(r.acls); }
  /// Calls `f(loosen)` for each rule that is no list; `loosen()` drops that rule, for a proof.
  template <class F> constexpr void each_switch(F&& f) {
    for (bool rules::*const one : {&rules::spawn, &rules::internet, &rules::server, &rules::gateway, &rules::loopback})
      if (this->*one) f([&] { this->*one = false; });
  }
};

/// Directories that every container may read, less privileged ones too. Their lists grant read and execute to ALL
/// APPLICATION PACKAGES and ALL RESTRICTED APPLICATION PACKAGES, inherit nothing from the drive, and only
/// TrustedInstaller may change them (icacls on Windows 10 1607 and later).
inline constexpr std::string_view system_directories[]{"/Windows", "/Program Files", "/Program Files (x86)"};
inline constexpr rights system_rights = verb::run; ///< what every process may do with the files of Windows itself

namespace detail {

/// Returns the system directory that contains the path, or an empty text.
[[nodiscard]] constexpr std::string_view system_directory(const target& t, std::string_view place) {
  if (t.drive == 0) {
    if (place.size() < 4 || ascii::lower(place[1]) != ascii::lower(t.system_drive) || place[2] != ':') return {};
    place.remove_prefix(3);
  } else if (ascii::lower(t.drive) != ascii::lower(t.system_drive)) return {};
  for (const std::string_view d : system_directories)
    if (ntfs_tree::covers(d, place)) return d;
  return {};
}

} // namespace detail

/// Calls `f(place)` for each of the system directories, in the target's notation.
template <class F> constexpr void each_system_directory(const target& t, F&& f) {
  if (t.drive != 0 && ascii::lower(t.drive) != ascii::lower(t.system_drive)) return;
  for (const std::string_view d : system_directories) {
    char text[32]{'/', t.system_drive, ':'};
    std::size_t n = t.drive == 0 ? 3 : 0;
    for (const char c : d) text[n++] = c;
    f(std::string_view(text, n));
  }
}

namespace detail {

/// Access masks of an object, as a directory and as a file.
struct masks {
  std::uint32_t directory = 0, file = 0;

  constexpr void add(rights r) {
    directory |= directory_access(r);
    file |= file_access(r);
  }
  [[nodiscard]] constexpr bool allow(right what) const {
    const auto has = [](std::uint32_t mask, std::uint32_t wanted) { return (mask & wanted) == wanted; };
    switch (what) {
    case right::read: return has(file, read_data);
    case right::list: return has(directory, read_data);
    case right::run: return has(file, execute);
    case right::write: return has(file, write_data | append_data);
    case right::create: return has(directory, add_entry);
    case right::remove: return has(directory, remove_object) || has(file, remove_object);
    case right::attributes: return has(directory, write_attributes) || has(file, write_attributes);
    // A process may connect to a unix socket if it may write to the file ("AF_UNIX comes to Windows", Windows Command
    // Line blog, 2017).
    case right::connect: return has(file, write_data);
    }
    return false;
  }
};

/// Returns what the lists grant the container at the path; with `passed_on`, what the path passes on to entries created
/// in it.
template <class S>
[[nodiscard]] constexpr masks masks_at(const rules<S>& r, std::string_view place, bool passed_on = false) {
  const auto acls = r.view(r.acls);
  masks m;
  for (std::uint32_t i = acls.find(place); i != no_slot; i = acls.parent(i)) {
    const acl a = acl::from(acls[i].value);
    m.add(!passed_on && acls.place(i).size() == place.size() ? a.self : a.below);
    if (a.isolated) break;
  }
  return m;
}

/// Returns whether the path may be moved away and created again.
template <class S> [[nodiscard]] constexpr bool replaceable(const rules<S>& r, std::string_view place) {
  return !is_top(place, r.made_for.drive) && masks_at(r, place).allow(right::remove) &&
         masks_at(r, path::parent(place)).allow(right::create);
}

} // namespace detail

/// Returns whether Windows allows the operation at the path under these rules. If `there` is unknown, a process may
/// first have moved a part of the path away and created it again, with the rights that its directory passes on. If
/// `there` is known, checks the path as it is. Ignores the directories above (every token may bypass traverse
/// checking). For `create`, the list of the parent directory decides. O(depth * log n).
template <class S>
[[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place,
                                     file_type there = file_type::unknown) {
  if (!detail::system_directory(r.made_for, place).empty()) return system_rights.has(what);
  if (there != file_type::unknown)
    return detail::masks_at(r, what == right::create ? path::parent(place) : place).allow(what);
  if (is_top(place, r.made_for.drive) && (what == right::create || what == right::remove)) return false;
  const auto acls = r.view(r.acls);
  const std::uint32_t i = acls.find(place);
  const bool own = i != no_slot && acls.place(i).size() == place.size();
  // A path that must exist cannot be created, unless entries may be created in it.
  const acl mine = acl::from(own ? acls[i].value : 0);
  const bool taken = mine.present && !mine.below.has(right::create);
  if (what != right::create) {
    if (detail::masks_at(r, place).allow(what)) return true;
  } else if (!taken && detail::masks_at(r, path::parent(place)).allow(what)) return true;
  for (std::string_view a = place; !is_top(a, r.made_for.drive); a = path::parent(a))
    if (detail::replaceable(r, a) && detail::masks_at(r, path::parent(a), true).allow(what)) return true;
  return false;
}

/// May a process under the rules do this?
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, process_feature which) {
  switch (which) {
  case process_feature::spawn: return r.spawn;
  case process_feature::any_host: return r.internet || r.server;
  case process_feature::some_host: return r.internet || r.server || r.gateway;
  case process_feature::listen:
  case process_feature::any_port: return r.server;
  case process_feature::loopback: return r.loopback;
  case process_feature::own_sockets: break;
  }
  return false;
}

/// Calls `f(directory, moves)` for each directory above a path that may not be removed: moving the directory would move
/// the path with it. O(components * depth * log n).
template <class S, class F> constexpr void each_guarded_ancestor(const rules<S>& r, F&& f) {
  const auto acls = r.view(r.acls);
  for (std::uint32_t i = 0; i < acls.size(); ++i) {
    if (detail::masks_at(r, acls.place(i)).allow(right::remove)) continue;
    for (std::string_view at = acls.place(i); !is_top(at, r.made_for.drive);) {
      at = path::parent(at);
      f(at, permits(r, right::remove, at));
    }
  }
}

/// Calls `f(place)` for every path at which the verdicts may change.
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  const auto acls = r.view(r.acls);
  for (std::uint32_t i = 0; i < acls.size(); ++i) f(acls.place(i));
  each_system_directory(r.made_for, f);
}

} // namespace cordon::appcontainer
