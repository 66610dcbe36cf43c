// SPDX-License-Identifier: BSL-1.0
/// A filter_spec in the format of container runtimes: lists of names with one action, and rules with conditions on
/// arguments, all of which must hold. Baseline allows what no rule refuses; strict refuses what no rule allows. A rule
/// cannot check one argument twice (libseccomp). So a set of values is refused value by value, and its complement is
/// allowed by blocks.
#pragma once

#include "../seccomp/argument_checks.hpp"
#include "../seccomp/lookup.hpp"

#include <array>
#include <span>

namespace cordon::container {

enum class compare : std::uint8_t { equal, greater, masked_equal };

/// `masked_equal`: the argument's bits of `mask` are `value`.
struct condition {
  std::uint32_t argument = 0;
  compare how = compare::equal;
  std::uint64_t value = 0, mask = 0;
};

/// Without network, `unix_sockets` allows unix sockets only.
struct call_lists {
  const seccomp::filter_spec& asked;
  bool unix_sockets;

  [[nodiscard]] constexpr seccomp::disposition decide(const seccomp::call& c) const {
    using seccomp::disposition, seccomp::call_class;
    // clone3 fails with ENOSYS even if it is denied: only that makes a libc fall back.
    const int number = c.numbers[static_cast<std::size_t>(asked.cpu)];
    if (c.what != call_class::clone3 && asked.denied.has(static_cast<std::uint32_t>(number)))
      return disposition::refuse;
    if (unix_sockets && c.what == call_class::socket) return disposition::socket_kind;
    if (unix_sockets && c.what == call_class::peer) return disposition::allow;
    return seccomp::disposition_of(asked, c.what);
  }

  /// Calls `f(name)` for the calls of this architecture that get this decision by number alone. O(calls).
  template <class F> constexpr void each_name(seccomp::disposition wanted, F&& f) const {
    each_call([&](const seccomp::call& c, seccomp::disposition d) {
      if (d == wanted) f(c.name);
    });
  }

  /// Calls `f(name, conditions)` for each rule about arguments. If the conditions hold, strict allows the call and
  /// baseline refuses it. O(calls).
  template <class F> constexpr void each_rule(F&& f) const {
    each_call([&](const seccomp::call& c, seccomp::disposition d) {
      if (static_cast<std::size_t>(d) < seccomp::plain_dispositions) return;
      const auto out = [&](std::initializer_list<condition> all) {
        f(c.name, std::span<const condition>(all.begin(), all.size()));
      };
      if (asked.strict) passes(d, out);
      else refusals(d, out);
    });
  }

private:
  using values = std::span<const std::uint32_t>;

  [[nodiscard]] static constexpr condition masked(std::uint32_t argument, std::uint32_t mask, std::uint32_t value) {
    return {argument, compare::masked_equal, value, mask};
  }
  /// The kernel ignores the upper half of these arguments.
  [[nodiscard]] static constexpr condition is(std::uint32_t argument, std::uint32_t value) {
    return masked(argument, 0xFFFFFFFF, value);
  }

  template <class F> constexpr void each_call(F&& f) const {
    for (const seccomp::call& c : seccomp::calls)
      if (c.numbers[static_cast<std::size_t>(asked.cpu)] >= 0) f(c, decide(c));
  }

  [[nodiscard]] static constexpr bool has(values all, std::uint32_t wanted) {
    for (const std::uint32_t v : all)
      if (v == wanted) return true;
    return false;
  }
  /// Calls `f(condition)` for the small values that are not in the list, which must ascend, and for all values above
  /// it.
  template <class F> static constexpr void outside(std::uint32_t argument, values all, F&& f) {
    for (std::uint32_t v = 0; v < all.back(); ++v)
      if (!has(all, v)) f(condition{argument, compare::equal, v, 0});
    f(condition{argument, compare::greater, all.back(), 0});
  }
  /// Calls `f(mask, value)` for the blocks of numbers that contain none of the values.
  template <class F> static constexpr void blocks_without(values all, std::uint32_t mask, std::uint32_t value, F&& f) {
    bool holds = false;
    for (const std::uint32_t v : all) holds = holds || (v & mask) == value;
    if (!holds) return f(mask, value);
    if (mask == 0xFFFFFFFF) return;
    const std::uint32_t bit = mask == 0 ? 0x80000000 : ~mask ^ (~mask >> 1);
    blocks_without(all, mask | bit, value, f);
    blocks_without(all, mask | bit, value | bit, f);
  }
  template <class F> static constexpr void each_bit(std::uint32_t bits, F&& f) {
    for (std::uint32_t bit = 1; bit != 0; bit <<= 1)
      if ((bits & bit) != 0) f(bit);
  }

  [[nodiscard]] constexpr bool raw() const { return asked.network && asked.lifts(ability::raw_socket); }
  [[nodiscard]] constexpr bool is_family(std::uint32_t v) const {
    using namespace seccomp::constants;
    return (asked.network && (v == af_inet || v == af_inet6)) || (unix_sockets && v == af_unix) ||
           (raw() && v == af_packet);
  }
  [[nodiscard]] constexpr bool is_pair(std::uint32_t type) const {
    using namespace seccomp::constants;
    using seccomp::constants::stream; // runs have streams as well
    return type == stream || type == seqpacket || (unix_sockets && type == dgram);
  }

  template <class Out> constexpr void passes(seccomp::disposition d, const Out& out) const {
    using namespace seccomp::constants;
    using seccomp::disposition;
    using seccomp::constants::stream; // runs have streams as well
    const std::uint32_t made = asked.lifts(ability::namespaces) ? 0 : new_namespaces;
    switch (d) {
    case disposition::clone_flags:
      return out({masked(0, asked.spawn ? made : made | thread, asked.spawn ? 0 : thread)});
    case disposition::unshare_flags: return out({masked(0, new_namespaces | new_time, 0)});
    case disposition::send_flags_2: return out({masked(2, fast_open, 0)});
    case disposition::send_flags_3: return out({masked(3, fast_open, 0)});
    case disposition::ioctl_request:
      return blocks_without(requests, 0, 0,
                            [&](std::uint32_t mask, std::uint32_t value) { out({masked(1, mask, value)}); });
    case disposition::socketpair_kind:
      for (const std::uint32_t type : {stream, dgram, seqpacket})
        if (is_pair(type)) out({is(0, af_unix), masked(1, kind_bits, type)});
      return;
    case disposition::socket_kind: break;
    // The others need no rule: a container has a pid namespace, and the engine handles set-user-ID files.
    default: return;
    }
    for (const std::uint32_t family : {af_unix, af_packet})
      if (is_family(family)) out({is(0, family)});
    for (const std::uint32_t family : {af_inet, af_inet6}) {
      if (!is_family(family)) continue;
      for (const std::uint32_t protocol : {0U, tcp})
        out({is(0, family), masked(1, kind_bits, stream), is(2, protocol)});
      for (const std::uint32_t protocol : {0U, udp}) out({is(0, family), masked(1, kind_bits, dgram), is(2, protocol)});
      if (raw()) out({is(0, family), masked(1, kind_bits, seccomp::constants::raw)});
    }
  }

  template <class Out> constexpr void refusals(seccomp::disposition d, const Out& out) const {
    using namespace seccomp::constants;
    using seccomp::disposition;
    using seccomp::constants::stream; // runs have streams as well
    const auto bits = [&](std::uint32_t argument, std::uint32_t all) {
      each_bit(all, [&](std::uint32_t bit) { out({masked(argument, bit, bit)}); });
    };
    const auto alone = [&](condition c) { out({c}); };
    switch (d) {
    case disposition::clone_flags:
      if (!asked.spawn) out({masked(0, thread, 0)});
      return bits(0, asked.lifts(ability::namespaces) ? 0 : new_namespaces);
    case disposition::unshare_flags: return bits(0, new_namespaces | new_time);
    case disposition::send_flags_2: return bits(2, fast_open);
    case disposition::send_flags_3: return bits(3, fast_open);
    case disposition::ioctl_request:
      for (const std::uint32_t request : requests) out({is(1, request)});
      return;
    case disposition::socketpair_kind:
      outside(0, std::array{af_unix}, alone);
      for (std::uint32_t type = 0; type <= kind_bits; ++type)
        if (!is_pair(type)) out({masked(1, kind_bits, type)});
      return;
    case disposition::socket_kind: break;
    default: return;
    }
    std::array<std::uint32_t, 4> families{};
    std::size_t count = 0;
    for (const std::uint32_t family : {af_unix, af_inet, af_inet6, af_packet})
      if (is_family(family)) families[count++] = family;
    outside(0, values(families.data(), count), alone);
    for (const std::uint32_t family : {af_inet, af_inet6}) {
      if (!is_family(family)) continue;
      for (std::uint32_t type = 0; type <= kind_bits; ++type)
        if (type != stream && type != dgram && !(type == seccomp::constants::raw && raw()))
          out({is(0, family), masked(1, kind_bits, type)});
      outside(2, std::array{0U, tcp}, [&](condition c) { out({is(0, family), masked(1, kind_bits, stream), c}); });
      outside(2, std::array{0U, udp}, [&](condition c) { out({is(0, family), masked(1, kind_bits, dgram), c}); });
    }
  }
};

} // namespace cordon::container
