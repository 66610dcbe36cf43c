// SPDX-License-Identifier: BSL-1.0
/// Checks of arguments, with all combinations of the relevant values.
#include "effort.hpp"
#include "model.hpp"

#include "cordon/backend/seccomp/compile.hpp"
#include "cordon/backend/seccomp/evaluate.hpp"

#include <doctest/doctest.h>

namespace seccomp_argument_checks_test {

using namespace cordon::seccomp;
using cordon::ability;

namespace {

constexpr std::uint64_t garbage = 0xDEADBEEF00000000;

data call_of(const filter_spec& d, std::string_view name, std::array<std::uint64_t, 6> args) {
  return {number_of(d.cpu, name), audit_arch(d.cpu), 0, args};
}

/// Program and model agree, with and without random bits in the halves of the registers that the kernel ignores.
bool agree(const filter_spec& d, const program& made, std::string_view name, std::array<std::uint64_t, 6> args) {
  data in = call_of(d, name, args);
  const bool plain = evaluate(made.code(), in) == model::expected(d, in);
  for (std::uint64_t& a : in.args) a |= garbage;
  return plain && evaluate(made.code(), in) == model::expected(d, in);
}

} // namespace

TEST_CASE("seccomp arguments: every socket family, type and protocol agrees with the model") {
  for (unsigned mix = 0; mix < 128; ++mix) {
    filter_spec d{.network = (mix & 1) != 0,
                  .udp = (mix & 2) != 0,
                  .unix_sockets = (mix & 4) != 0,
                  .unix_streams = (mix & 32) != 0,
                  .own = (mix & 64) != 0};
    if (mix & 8) d.lifted = cordon::abilities{ability::raw_socket}.bits();
    d.strict = (mix & 16) != 0;
    const program made = compile(d);
    for (std::uint64_t family = 0; family < (effort(10) == 10 ? 48 : 20); ++family)
      for (const std::uint64_t flags : {0x0U, 0x800U, 0x80000U, 0x80800U, 0x10U})
        for (std::uint64_t type = 0; type < 16; ++type)
          for (const std::uint64_t protocol : {0U, 1U, 2U, 6U, 9U, 15U, 17U, 58U, 132U, 136U, 255U, 262U, 0xFFFFFFFFU})
            REQUIRE(agree(d, made, "socket", {family, type | flags, protocol}));
    for (std::uint64_t family = 0; family < 48; ++family)
      for (std::uint64_t type = 0; type < 32; ++type) REQUIRE(agree(d, made, "socketpair", {family, type | 0x80000}));
  }
}

TEST_CASE("seccomp arguments: every flag bit of clone, unshare and sendto agrees with the model") {
  for (unsigned mix = 0; mix < 16; ++mix) {
    filter_spec d{.spawn = (mix & 1) != 0, .network = (mix & 2) != 0, .connect = (mix & 4) != 0};
    if (mix & 8) d.lifted = cordon::abilities{ability::namespaces}.bits();
    const program made = compile(d);
    for (unsigned bit = 0; bit < 64; ++bit)
      for (const std::uint64_t more : {0x0U, 0x11U, 0x10000U, 0x3D0F00U}) {
        const std::uint64_t flags = 1ULL << bit | more;
        for (const std::string_view name : {"clone", "unshare"}) REQUIRE(agree(d, made, name, {flags}));
        for (const std::string_view name : {"sendto", "sendmsg", "sendmmsg"})
          for (std::size_t at = 0; at < 6; ++at) {
            std::array<std::uint64_t, 6> args{};
            args[at] = flags;
            REQUIRE(agree(d, made, name, args));
          }
      }
  }
}

TEST_CASE("seccomp arguments: ioctl requests near the refused ones agree with the model") {
  const filter_spec d;
  const program made = compile(d);
  for (const std::uint64_t middle : {0x5412U, 0x541CU, 0x5423U, 0x40086602U, 0x401C5820U, 0x80086601U, 0x5401U})
    for (std::uint64_t request = middle - 20; request < middle + 20; ++request) {
      REQUIRE(agree(d, made, "ioctl", {0, request}));
      REQUIRE(agree(d, made, "ioctl", {request, 0x5413, request}));
    }
}

TEST_CASE("seccomp arguments: every file mode, with and without set-user-ID, agrees with the model") {
  for (const bool set_id : {true, false})
    for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64}) {
      const filter_spec d{.cpu = cpu, .set_id = set_id};
      const program made = compile(d);
      for (const std::string_view name : {"chmod", "fchmod", "fchmodat", "fchmodat2", "creat", "mknod", "mknodat"})
        for (std::uint64_t mode = 0; number_of(cpu, name) >= 0 && mode < 0x10000; mode += 7)
          for (std::size_t at = 0; at < 4; ++at) {
            std::array<std::uint64_t, 6> args{};
            args[at] = mode;
            REQUIRE(agree(d, made, name, args));
          }
      for (const std::string_view name : {"open", "openat", "openat2"})
        for (unsigned bit = 0; number_of(cpu, name) >= 0 && bit < 32; ++bit)
          for (const std::uint64_t more : {0x0U, 0x1U, 0x241U, 0x410002U, 0x80000U})
            for (std::uint64_t mode = 0; mode < 010000; mode += 0101)
              for (std::size_t at = 0; at < 3; ++at) {
                std::array<std::uint64_t, 6> args{};
                args[at] = 1ULL << bit | more;
                args[at + 1] = mode;
                REQUIRE(agree(d, made, name, args));
              }
    }
}

TEST_CASE("seccomp arguments: limits and priorities of other processes need a PID namespace") {
  for (const bool hidden : {false, true}) {
    const filter_spec d{.pid_namespace = hidden};
    const program made = compile(d);
    for (const std::uint64_t which : {0U, 1U, 2U, 3U, 4U, 1000U, 0xFFFFFFFFU})
      for (const std::uint64_t who : {0U, 1U, 2U, 1000U, 0xFFFFFFFFU})
        for (const std::string_view name : {"prlimit64", "setpriority", "ioprio_set", "sched_setaffinity",
                                            "sched_setattr", "sched_setparam", "sched_setscheduler"})
          REQUIRE(agree(d, made, name, {which, who}));
  }
}

} // namespace seccomp_argument_checks_test
