// SPDX-License-Identifier: BSL-1.0
/// Random filter specs and calls, close to the values that matter.
#pragma once

#include "cordon/backend/seccomp/filter_spec.hpp"
#include "cordon/backend/seccomp/insn.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

class chance {
  using arch = cordon::seccomp::arch;
  using filter_spec = cordon::seccomp::filter_spec;

public:
  explicit chance(std::uint32_t seed) : random_(seed) {}

  filter_spec some_demand() {
    filter_spec d{.cpu = static_cast<arch>(below(3))};
    d.strict = coin();
    d.lifted = static_cast<std::uint16_t>(coin() ? 0 : below(0x800));
    d.spawn = coin();
    d.network = coin();
    d.connect = coin();
    d.udp = coin();
    d.listen = coin();
    d.unix_sockets = coin();
    d.unix_streams = coin();
    d.own = coin();
    d.pid_namespace = coin();
    d.ipc_namespace = coin();
    d.set_id = coin();
    for (std::uint32_t i = coin() ? 0 : below(40); i > 0; --i) d.denied.insert(below(512));
    return d;
  }

  /// One change that removes permissions.
  filter_spec narrower(filter_spec d) {
    switch (below(12)) {
    case 0: d.strict = true; break;
    case 1: d.lifted = static_cast<std::uint16_t>(d.lifted & below(0x800)); break;
    case 2: d.network = false; break;
    case 3: d.connect = d.udp = d.listen = false; break;
    case 4: d.unix_sockets = false; break;
    case 5: d.pid_namespace = false; break;
    case 6: d.ipc_namespace = false; break;
    case 7: d.spawn = false; break;
    case 8: d.set_id = false; break;
    case 9: d.unix_streams = false; break;
    case 10: d.own = false; break;
    default: d.denied.insert(below(500));
    }
    return d;
  }

  cordon::seccomp::data some_call(arch cpu) {
    cordon::seccomp::data in{static_cast<std::int32_t>(number(cpu)), audit_arch(cpu)};
    if (below(50) == 0) in.arch = of(std::array{0x40000003U, 0x40000028U, 0xC000003EU, 0xC00000B7U, 0xC00000F3U, 0U});
    in.instruction_pointer = random_();
    for (std::uint64_t& a : in.args) a = argument();
    return in;
  }

private:
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  bool coin() { return random_() % 2 != 0; }
  template <std::size_t N> std::uint32_t of(const std::array<std::uint32_t, N>& values) { return values[below(N)]; }

  /// Half of all calls are among the few whose arguments the filter checks.
  std::uint32_t number(arch cpu) {
    constexpr std::array<std::string_view, 25> looking{"clone",         "unshare",        "ioctl",
                                                       "socket",        "socketpair",     "sendmsg",
                                                       "sendto",        "sendmmsg",       "prlimit64",
                                                       "setpriority",   "ioprio_set",     "sched_setaffinity",
                                                       "sched_setattr", "sched_setparam", "sched_setscheduler",
                                                       "chmod",         "fchmod",         "fchmodat",
                                                       "fchmodat2",     "creat",          "open",
                                                       "openat",        "openat2",        "mknod",
                                                       "mknodat"};
    if (coin()) return static_cast<std::uint32_t>(cordon::seccomp::number_of(cpu, looking[below(25)]));
    switch (below(8)) {
    case 0: return static_cast<std::uint32_t>(random_());
    case 1: return 0x40000000 | below(600);
    case 2: return 500 + below(60);
    default: return below(475);
    }
  }

  std::uint64_t argument() {
    constexpr std::array<std::uint32_t, 42> known{
        0,          1,         2,        3,        4,          5,          6,          10,         16,
        17,         40,        58,       132,      0x800,      0x801,      0x80002,    0x80001,    0x541C,
        0x5412,     0x5413,    0x541D,   0x5423,   0x40086602, 0x401C5820, 0x20000000, 0x24004000, 0x10000,
        0x10000011, 0x1200011, 0x3D0F00, 0x20000,  0x2000000,  0x4000000,  0x40000000, 0x80,       0xFFFFFFFF,
        0x40,       0x241,     0x400000, 0x800001, 0x9ED,      0x5ED};
    std::uint64_t value = of(known);
    if (below(6) == 0) value = random_();
    if (below(4) == 0) value ^= 1ULL << below(32);
    if (below(3) == 0) value |= random_() << 32;
    return value;
  }

  std::mt19937_64 random_;
};
