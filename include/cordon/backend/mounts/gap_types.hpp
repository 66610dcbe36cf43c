// SPDX-License-Identifier: BSL-1.0
/// The gap types of a view made of mounts, with a private network or the host's. The caller gives the id,
/// `backend.gap_type`.
#pragma once

#include "../../gap/plan.hpp"
#include "mount.hpp"

namespace cordon::mounts {

/// With the ID `what`: a directory is hidden, since it lacks read or list.
[[nodiscard]] constexpr gap_type not_readable(std::string_view what) {
  return {what,
          gap_kind::tightened,
          verb::everything,
          gap_extent::entry,
          {},
          "a mount shows a directory's entries and lets its files be read: without both rights nothing of it is shown; "
          "a file needs only read, a unix socket only connect",
          right::read | right::connect};
}
/// With the ID `what`: a path is read-only, since it lacks one of the rights to change files.
[[nodiscard]] constexpr gap_type partial(std::string_view what) {
  return {what,
          gap_kind::tightened,
          changes,
          gap_extent::entry,
          {},
          "a mount is writable or read-only: without all of write, create, remove and attributes it is read-only",
          right::write | right::attributes};
}
/// With the ID `what`: a mount point cannot be removed, renamed or created again.
[[nodiscard]] constexpr gap_type mount_point(std::string_view what) {
  return {what,
          gap_kind::tightened,
          right::create | right::remove,
          gap_extent::place,
          {},
          "a mount point cannot be removed or renamed, nor created again if the directory around it is not granted"};
}
/// With the ID `what`: /proc and /dev are private.
[[nodiscard]] constexpr gap_type private_tree(std::string_view what) {
  return {what,
          gap_kind::tightened,
          verb::everything,
          gap_extent::beneath,
          {},
          "the run has a private /proc and /dev: processes, devices and shared memory of the machine are not shown"};
}
/// With the ID `what`: sockets that can be read can be connected to.
[[nodiscard]] constexpr gap_type connect(std::string_view what) {
  return {what,
          gap_kind::unenforced,
          right::connect,
          gap_extent::beneath,
          {},
          "a unix socket that can be read can be connected to, even through a read-only mount"};
}
/// With the ID `what`: files that can be read can be executed.
[[nodiscard]] constexpr gap_type run(std::string_view what) {
  return {what,       gap_kind::unenforced,
          right::run, gap_extent::entry,
          {},         "this mechanism has no noexec mounts: a file that can be read can be run"};
}

/// With the ID `what`: processes can be started.
[[nodiscard]] constexpr gap_type spawn(std::string_view what) {
  return {what,
          gap_kind::unenforced,
          {},
          gap_extent::place,
          process_feature::spawn,
          "new processes can be started; only a filter of system calls or a limit denies them"};
}
/// With the ID `what`: sockets among the processes of the run can be used.
[[nodiscard]] constexpr gap_type own(std::string_view what) {
  return {what,
          gap_kind::unenforced,
          {},
          gap_extent::place,
          process_feature::own_sockets,
          "processes of the run can use sockets among themselves; only a filter of system calls denies them"};
}
/// With the ID `what`: the network is the machine's, with all its ports.
[[nodiscard]] constexpr gap_type host_network(std::string_view what) {
  return {what,
          gap_kind::unenforced,
          {},
          gap_extent::place,
          process_feature::listen | process_feature::any_port | process_feature::loopback,
          "if any host may be reached, the network is the machine's: its ports, its local servers and the abstract "
          "unix sockets of other programs are open too"};
}
/// With the ID `what`: the network is private, and reaches nothing outside.
[[nodiscard]] constexpr gap_type private_network(std::string_view what) {
  return {what,
          gap_kind::tightened,
          {},
          gap_extent::place,
          process_feature::listen | process_feature::any_port | process_feature::loopback,
          "the network is private: its ports cannot be reached from outside, and it reaches no server outside"};
}

} // namespace cordon::mounts
