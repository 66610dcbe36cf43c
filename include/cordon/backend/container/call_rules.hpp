// SPDX-License-Identifier: BSL-1.0
/// A filter_spec in the format of container runtimes: lists of names with one action, and rules with conditions on
/// arguments, all of which must hold. Baseline allows what no rule refuses; strict refuses what no rule allows. A rule
/// cannot check one argument twice (libseccomp). So a set of values is refused value by value, and its complement is
/// allowed by blocks.
#pragma once

#include "../seccomp/argument_table.hpp"
#include "../seccomp/lookup.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace cordon::container {

/// How a rule compares an argument.
enum class compare : std::uint8_t { equal, greater, masked_equal };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> compare_names{"equal", "greater", "masked_equal"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(compare c) { return compare_names[static_cast<std::size_t>(c)]; }

/// `masked_equal`: the argument's bits of `mask` are `value`.
struct condition {
  std::uint32_t argument = 0;   ///< the index of the argument, from 0
  compare how = compare::equal; ///< the comparison
  std::uint64_t value = 0;      ///< what the argument is compared with
  std::uint64_t mask = 0;       ///< the bits that count, if the comparison is masked
};

/// Without network, `unix_sockets` allows unix sockets only.
struct call_lists {
  const seccomp::filter_spec& asked; ///< what the filter must do
  bool unix_sockets;                 ///< may named unix sockets be made?

  /// The decision about one call.
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
           (raw() && v == af_packet) || (asked.network && asked.own && v == af_netlink);
  }
  [[nodiscard]] constexpr bool is_pair(std::uint32_t type) const {
    using namespace seccomp::constants;
    return type == sock_stream || type == sock_seqpacket || (unix_sockets && type == sock_dgram);
  }

  template <class Out> constexpr void passes(seccomp::disposition d, const Out& out) const {
    using namespace seccomp::constants;
    using seccomp::disposition;
    const std::uint32_t made = asked.lifts(ability::namespaces) ? 0 : new_namespaces;
    if (const seccomp::refused_argument r = refused_argument_of(d); r.any()) {
      if (r.values.empty()) return out({masked(r.argument, r.bits, 0)});
      return blocks_without(r.values, 0, 0,
                            [&](std::uint32_t mask, std::uint32_t value) { out({masked(r.argument, mask, value)}); });
    }
    switch (d) {
    case disposition::clone_flags:
      return out({masked(0, asked.spawn ? made : made | thread, asked.spawn ? 0 : thread)});
    case disposition::socketpair_kind:
      for (const std::uint32_t type : {sock_stream, sock_dgram, sock_seqpacket})
        if (is_pair(type)) out({is(0, af_unix), masked(1, kind_bits, type)});
      return;
    case disposition::socket_kind: break;
    // The others need no rule: a container has a pid namespace, and the engine handles set-user-ID files.
    default: return;
    }
    for (const std::uint32_t family : {af_unix, af_packet})
      if (is_family(family)) out({is(0, family)});
    if (is_family(af_netlink)) out({is(0, af_netlink), is(2, netlink_route)});
    for (const std::uint32_t family : {af_inet, af_inet6}) {
      if (!is_family(family)) continue;
      for (const std::uint32_t protocol : {0U, tcp})
        out({is(0, family), masked(1, kind_bits, sock_stream), is(2, protocol)});
      for (const std::uint32_t protocol : {0U, udp})
        out({is(0, family), masked(1, kind_bits, sock_dgram), is(2, protocol)});
      if (raw()) out({is(0, family), masked(1, kind_bits, seccomp::constants::sock_raw)});
    }
  }

  template <class Out> constexpr void refusals(seccomp::disposition d, const Out& out) const {
    using namespace seccomp::constants;
    using seccomp::disposition;
    const auto bits = [&](std::uint32_t argument, std::uint32_t all) {
      each_bit(all, [&](std::uint32_t bit) { out({masked(argument, bit, bit)}); });
    };
    const auto alone = [&](condition c) { out({c}); };
    if (const seccomp::refused_argument r = refused_argument_of(d); r.any()) {
      for (const std::uint32_t value : r.values) out({is(r.argument, value)});
      return bits(r.argument, r.bits);
    }
    switch (d) {
    case disposition::clone_flags:
      if (!asked.spawn) out({masked(0, thread, 0)});
      return bits(0, asked.lifts(ability::namespaces) ? 0 : new_namespaces);
    case disposition::socketpair_kind:
      outside(0, std::array{af_unix}, alone);
      for (std::uint32_t type = 0; type <= kind_bits; ++type)
        if (!is_pair(type)) out({masked(1, kind_bits, type)});
      return;
    case disposition::socket_kind: break;
    default: return;
    }
    std::array<std::uint32_t, 5> families{};
    std::size_t count = 0;
    for (const std::uint32_t family : {af_unix, af_inet, af_inet6, af_netlink, af_packet})
      if (is_family(family)) families[count++] = family;
    outside(0, values(families.data(), count), alone);
    if (is_family(af_netlink)) outside(2, std::array{netlink_route}, [&](condition c) { out({is(0, af_netlink), c}); });
    for (const std::uint32_t family : {af_inet, af_inet6}) {
      if (!is_family(family)) continue;
      for (std::uint32_t type = 0; type <= kind_bits; ++type)
        if (type != sock_stream && type != sock_dgram && !(type == seccomp::constants::sock_raw && raw()))
          out({is(0, family), masked(1, kind_bits, type)});
      outside(2, std::array{0U, tcp}, [&](condition c) { out({is(0, family), masked(1, kind_bits, sock_stream), c}); });
      outside(2, std::array{0U, udp}, [&](condition c) { out({is(0, family), masked(1, kind_bits, sock_dgram), c}); });
    }
  }
};

} // namespace cordon::container
