// SPDX-License-Identifier: BSL-1.0
/// Every enumerator of a public enumeration has a name of its own.
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/backend/backends.hpp>
#include <cordon/backend/container/call_rules.hpp>
#include <cordon/backend/mounts/planned_mount.hpp>
#include <cordon/backend/seccomp/disposition.hpp>
#include <cordon/backend/seccomp/insn.hpp>
#include <cordon/gap/file_type.hpp>
#include <cordon/gap/gap_type.hpp>
#include <cordon/guard/guard.hpp>
#include <cordon/guard/host_tool.hpp>
#include <cordon/host/host.hpp>
#include <cordon/host/refusal.hpp>
#include <cordon/policy/glob.hpp>
#include <cordon/policy/limit_text.hpp>
#include <cordon/policy/preset.hpp>
#include <cordon/query/query.hpp>

namespace policy_enumeration_names_test {

using namespace cordon;

namespace {

/// Have the first `count` enumerators different names that are not empty?
template <class Enum> constexpr bool has_names(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view one = name(static_cast<Enum>(i));
    if (one.empty()) return false;
    for (std::size_t k = 0; k < i; ++k)
      if (name(static_cast<Enum>(k)) == one) return false;
  }
  return true;
}

/// Have all these values different names that are not empty?
template <class Enum> constexpr bool have_names(std::initializer_list<Enum> all) {
  for (const Enum& a : all) {
    if (name(a).empty()) return false;
    for (const Enum* b = all.begin(); b != &a; ++b)
      if (name(*b) == name(a)) return false;
  }
  return true;
}

/// Has each of the first `count` bits a name of its own, and no other value one?
template <class Enum> constexpr bool has_bit_names(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view one = name(static_cast<Enum>(1U << i));
    if (one.empty()) return false;
    for (std::size_t k = 0; k < i; ++k)
      if (name(static_cast<Enum>(1U << k)) == one) return false;
  }
  return name(static_cast<Enum>(0)).empty() && name(static_cast<Enum>(3)).empty();
}

} // namespace

TEST_CASE("names: every enumerator has a name of its own, also the last") {
  HOLDS(has_names<axis_id>(9) && name(axis_id::executables) == "executables");
  HOLDS(has_names<platform>(4) && name(platform::openbsd) == "openbsd");
  HOLDS(has_names<preset_places::documents>(3) && name(preset_places::documents::other) == "other");
  HOLDS(has_names<glob::flaw>(8) && name(glob::flaw::too_many) == "too_many");
  HOLDS(has_names<glob::start>(3) && name(glob::start::root) == "root");
  HOLDS(has_names<file_type>(5) && name(file_type::absent) == "absent");
  HOLDS(has_names<gap_extent>(4) && name(gap_extent::beneath) == "beneath");
  HOLDS(has_names<host::asking>(3) && name(host::asking::host) == "host");
  HOLDS(has_names<host::address_class>(3) && name(host::address_class::mapped_ipv4) == "mapped_ipv4");
  HOLDS(has_names<host::refusal>(6) && name(host::refusal::unreadable) == "unreadable");
  HOLDS(has_names<host::family>(2) && name(host::family::v6) == "v6");
  HOLDS(has_names<host::shape>(5) && name(host::shape::block) == "block");
  HOLDS(has_names<host::ruling>(3) && name(host::ruling::malformed) == "malformed");
  HOLDS(has_names<host::cause>(7) && name(host::cause::localhost) == "localhost");
  HOLDS(has_names<host::name_flaw>(4) && name(host::name_flaw::too_long) == "too_long");
  HOLDS(has_names<axis>(13) && name(axis::fallback) == "fallback");
  HOLDS(has_names<diagnostic_code>(18) && name(diagnostic_code::not_empty) == "not_empty");
  HOLDS(has_names<profile>(4) && name(profile::os_hardened) == "os_hardened");
  HOLDS(has_names<level>(5) && name(level::network) == "network");
  HOLDS(has_names<fallback>(3) && name(fallback::enforce) == "enforce");
  HOLDS(has_names<syscalls>(2) && name(syscalls::strict) == "strict");
  HOLDS(has_names<right>(8) && name(right::connect) == "connect");
  HOLDS(has_names<limit>(7) && name(limit::output) == "output");
  HOLDS(has_names<ability>(11) && name(ability::reboot) == "reboot");
  HOLDS(has_names<ruling>(3) && name(ruling::malformed) == "malformed");
  HOLDS(has_names<clause_function>(16) && name(clause_function::can_start) == "can_start");
}

TEST_CASE("names: no enumeration here has more enumerators than names") {
  HOLDS(axis_id_names.size() == part_count);
  HOLDS(name(axis_id::denied_hosts) == "denied_hosts");
  HOLDS(name(platform::linux_) == "linux");
}

TEST_CASE("names: every enumerator of the backends has a name of its own") {
  HOLDS(has_names<seccomp::arch>(3) && name(seccomp::arch::riscv64) == "riscv64");
  HOLDS(has_names<seccomp::disposition>(seccomp::disposition_count));
  HOLDS(name(seccomp::disposition::new_mode_3) == "new_mode_3");
  HOLDS(has_names<seccomp::call_class>(seccomp::call_class_count));
  HOLDS(name(seccomp::call_class::open_how) == "open_how" && name(seccomp::call_class::clone3) == "clone3");
  HOLDS(have_names({seccomp::op::load, seccomp::op::mask, seccomp::op::jump, seccomp::op::if_equal,
                    seccomp::op::if_above, seccomp::op::if_at_least, seccomp::op::if_any_bit, seccomp::op::give}));
  HOLDS(name(seccomp::op::give) == "give" && name(seccomp::op(0)).empty());
  HOLDS(has_names<namespaces::network_mode>(3) && name(namespaces::network_mode::host) == "host");
  HOLDS(has_names<container::network_mode>(3) && name(container::network_mode::engine) == "engine");
  HOLDS(has_names<container::form>(3) && name(container::form::kubernetes) == "kubernetes");
  HOLDS(has_names<container::compare>(3) && name(container::compare::masked_equal) == "masked_equal");
  HOLDS(has_names<mounts::mount_method>(5) && name(mounts::mount_method::way) == "way");
  HOLDS(have_names({mounts::mount_access::hidden, mounts::mount_access::read_only_noexec,
                    mounts::mount_access::writable_noexec, mounts::mount_access::read_only,
                    mounts::mount_access::writable}));
  HOLDS(name(mounts::mount_access::writable) == "writable" && name(mounts::mount_access(2)).empty());
  HOLDS(has_names<wasi::runtime>(3) && name(wasi::runtime::library) == "library");
  HOLDS(has_names<wasi::access>(3) && name(wasi::access::read_write) == "read_write");
}

TEST_CASE("names: every bit of the backends' access masks has a name of its own") {
  HOLDS(has_bit_names<landlock::access>(17) && name(landlock::RESOLVE_UNIX) == "RESOLVE_UNIX");
  HOLDS(has_bit_names<landlock::scope>(2) && name(landlock::SIGNAL) == "SIGNAL");
  HOLDS(has_bit_names<unveil::permission>(4) && name(unveil::C) == "c");
  HOLDS(has_bit_names<unveil::promise>(7) && name(unveil::INET) == "inet dns");
  HOLDS(has_bit_names<seatbelt::operation>(10) && name(seatbelt::XATTR) == "XATTR");
  HOLDS(have_names({appcontainer::read_data, appcontainer::write_data, appcontainer::append_data, appcontainer::read_ea,
                    appcontainer::write_ea, appcontainer::execute, appcontainer::delete_child,
                    appcontainer::read_attributes, appcontainer::write_attributes, appcontainer::remove_object,
                    appcontainer::read_control, appcontainer::synchronize}));
  HOLDS(name(appcontainer::synchronize) == "synchronize" && name(appcontainer::access(3)).empty());
}

TEST_CASE("names: every enumerator of the guard has a name of its own") {
  HOLDS(has_names<guard_code>(6) && name(guard_code::host_refused) == "host_refused");
  HOLDS(has_names<guard::meaning>(4) && name(guard::meaning::last) == "last");
  HOLDS(has_names<guard::spelling>(9) && name(guard::spelling::cmd) == "cmd");
  HOLDS(has_names<guard::host_shape>(11) && name(guard::host_shape::socat) == "socat");
  HOLDS(has_names<guard::schemes>(2) && name(guard::schemes::web) == "web");
}

} // namespace policy_enumeration_names_test
