// SPDX-License-Identifier: BSL-1.0
/// The gap types of a view made of mounts, with a private network or the host's. The caller gives the id,
/// `backend.gap_type`.
#pragma once

#include "../../gap/plan.hpp"
#include "mount.hpp"

namespace cordon::mounts {

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
[[nodiscard]] constexpr gap_type partial(std::string_view what) {
  return {what,
          gap_kind::tightened,
          changes,
          gap_extent::entry,
          {},
          "a mount is writable or read-only: without all of write, create, remove and attributes it is read-only",
          right::write | right::attributes};
}
[[nodiscard]] constexpr gap_type mount_point(std::string_view what) {
  return {what,
          gap_kind::tightened,
          right::create | right::remove,
          gap_extent::place,
          {},
          "a mount point cannot be removed or renamed, nor created again if the directory around it is not granted"};
}
[[nodiscard]] constexpr gap_type private_tree(std::string_view what) {
  return {what,
          gap_kind::tightened,
          verb::everything,
          gap_extent::beneath,
          {},
          "the run has a private /proc and /dev: processes, devices and shared memory of the machine are not shown"};
}
[[nodiscard]] constexpr gap_type connect(std::string_view what) {
  return {what,
          gap_kind::unenforced,
          right::connect,
          gap_extent::beneath,
          {},
          "a unix socket that can be read can be connected to, even through a read-only mount"};
}
[[nodiscard]] constexpr gap_type run(std::string_view what) {
  return {what,       gap_kind::unenforced,
          right::run, gap_extent::entry,
          {},         "this mechanism has no noexec mounts: a file that can be read can be run"};
}

[[nodiscard]] constexpr gap_type spawn(std::string_view what) {
  return {what,
          gap_kind::unenforced,
          {},
          gap_extent::place,
          process_feature::spawn,
          "new processes can be started; only a filter of system calls or a limit denies them"};
}
[[nodiscard]] constexpr gap_type machine(std::string_view what) {
  return {what,
          gap_kind::unenforced,
          {},
          gap_extent::place,
          process_feature::listen | process_feature::any_port | process_feature::loopback,
          "if any host may be reached, the network is the machine's: its ports, its local servers and the abstract "
          "unix sockets of other programs are open too"};
}
[[nodiscard]] constexpr gap_type inside(std::string_view what) {
  return {what,
          gap_kind::tightened,
          {},
          gap_extent::place,
          process_feature::listen | process_feature::any_port | process_feature::loopback,
          "the network is private: its ports cannot be reached from outside, and it reaches no server outside"};
}

} // namespace cordon::mounts
