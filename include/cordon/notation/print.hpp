// SPDX-License-Identifier: BSL-1.0
/// The canonical text of a policy in notation: parsing it gives the same policy, which prints the same bytes. It omits
/// axes that are *any*, except profile and fallback. Paths and names are in the order of the walk.
#pragma once

#include "../detail/utf8.hpp"
#include "../host/canonical_patterns.hpp"
#include "../policy/limit_text.hpp"
#include "../policy/policy.hpp"

namespace cordon::notation {

/// Writes pieces of text to a sink.
template <class Sink> class printer {
public:
  constexpr explicit printer(Sink& sink) : sink_(sink) {} ///< Writes to `sink(text)`.

  /// Writes the pieces as one line.
  template <class... Pieces> constexpr void line(const Pieces&... pieces) {
    (sink_(std::string_view(pieces)), ...), sink_("\n");
  }
  constexpr void put(std::string_view s) { sink_(s); } ///< Writes a text.

  /// Writes a word made of pieces, in quotes if a parser would otherwise misread it.
  template <class... Pieces> constexpr void word(std::string_view first, const Pieces&... more) {
    const bool plain = !first.empty() && first.front() != '#' && first.front() != '"' && first != "any" &&
                       first != "none" && is_plain(first) && (is_plain(more) && ...);
    if (plain) return put(first), (put(more), ...);
    put("\"");
    escaped(first), (escaped(more), ...);
    put("\"");
  }

  /// Writes a decimal number.
  constexpr void number(std::uint64_t n) {
    char digits[20]{};
    std::size_t at = sizeof digits;
    do digits[--at] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    put({digits + at, sizeof digits - at});
  }

  /// Writes the verb of the set, or `allow` and its rights.
  constexpr void put_rights(rights r) {
    for (const verb_row& verb : verb_table)
      if (r == verb.allowed) return put(verb.name);
    std::string_view separator = "allow ";
    for_each(r, [&](right one) { put(separator), put(name(one)), separator = ","; });
  }

  /// Writes the grants of a path axis, a line for each.
  constexpr void grants(std::string_view prefix, step_function<path_tree> v) {
    for (std::uint32_t i = 0; i < v.size(); ++i) {
      put(prefix);
      put_rights(rights::from_bits(v[i].value));
      put(" ");
      word(v.place(i));
      put("\n");
    }
  }

  /// Writes `key a b c` with the places that have that value; nothing if none has it.
  template <class Tree> constexpr void list(std::string_view key, step_function<Tree> v, std::uint32_t value) {
    bool any = false;
    for (std::uint32_t i = 0; i < v.size(); ++i) {
      if (v[i].value != value) continue;
      put(any ? std::string_view(" ") : key);
      if (!any) put(" ");
      any = true;
      word(v.place(i));
    }
    if (any) put("\n");
  }

private:
  [[nodiscard]] static constexpr bool is_plain(std::string_view text) {
    return utf8::is_printable(text) && text.find(' ') == text.npos;
  }
  constexpr void escaped(std::string_view text) {
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
      end = text.find_first_of("\"\\");
      if (end == 0) put("\\"), put(text.substr(0, end = 1));
      else utf8::write_printable(text.substr(0, end = end == text.npos ? text.size() : end), sink_);
    }
  }

  Sink& sink_;
};

namespace detail {

/// If the storage has no room for the intermediate work, prints `network none`, so that a reader never gets more than
/// the policy allows.
template <class Sink, class S> constexpr void print_hosts(printer<Sink>& out, const basic_policy<S>& p) {
  if (p.hosts().is_none()) return out.line("network none");
  const bool limited = !host_axis{p.hosts().allowed, {}}.is_any();
  const diagnostic d = each_canonical_pattern<S>(p.hosts(), [&](bool is_denied, std::string_view pattern) {
    if (is_denied || limited) out.line(is_denied ? "refuse " : "connect ", pattern);
  });
  if (d.code != diagnostic_code::ok) out.line("network none");
}

template <class Sink> constexpr void print_sockets(printer<Sink>& out, step_function<socket_tree> v) {
  if (v.empty()) return out.line("sockets none");
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    const std::string_view place = v.place(i);
    if (place == sockets::listening) {
      const host::ports all = host::port_grant_of(v[i]).allowed;
      for (std::size_t k = 0; k < all.size(); ++k) {
        host::pattern_text text;
        host::print_range(all[k], text);
        out.line("listen ", text.view());
      }
    } else if (place == sockets::own) out.line("sockets own");
    else if (place == sockets::loopback) out.line("loopback yes");
    else if (place != "*") out.put("unix "), out.word(place), out.put("\n");
  }
}

template <class Sink, class S> constexpr void print_environment(printer<Sink>& out, const basic_policy<S>& p) {
  const auto v = p.environment();
  if (v.empty()) return out.line("environment none");
  out.list("pass", v, variable::passes);
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    if (!variable::is_set(v[i].value)) continue;
    const entry e = v[i];
    out.put("set ");
    out.word(e.place, std::string_view("="), e.payload);
    out.put("\n");
  }
  out.list("remove", v, variable::absent);
}

} // namespace detail

/// Calls `sink(std::string_view)` with the pieces of the text. O(n).
template <class S, class Sink> constexpr void print(const basic_policy<S>& p, Sink&& sink) {
  printer<Sink> out(sink);
  const auto names = [&]<axis_id P>(std::string_view key) {
    if (p.template is_any<P>()) return;
    if (p.template view<P>().empty()) return out.line(key, " none");
    out.list(key, p.template view<P>(), 1);
  };
  out.line("profile ", name(p.profile));
  if (p.level != level::network) out.line("level ", name(p.level));
  names.template operator()<axis_id::capabilities>("capabilities");
  if (!p.template is_any<axis_id::workspace>()) {
    if (p.workspace().empty()) out.line("workspace none");
    out.grants("workspace ", p.workspace());
  }
  if (!p.template is_any<axis_id::files>()) {
    if (p.files().empty()) out.line("files none");
    out.grants("", p.files());
  }
  detail::print_hosts(out, p);
  detail::print_sockets(out, p.sockets());
  if (p.abilities.empty()) out.line("abilities none");
  else if (p.abilities.is_any()) out.line("abilities any");
  else if (p.abilities != default_abilities) {
    out.put("abilities");
    for (std::size_t i = 0; i < ability_names.size(); ++i)
      if (p.abilities.has(static_cast<ability>(i))) out.put(" "), out.put(ability_names[i]);
    out.put("\n");
  }
  if (p.syscalls != syscalls::inherit) out.line("syscalls ", name(p.syscalls));
  out.list("deny", p.calls(), 0);
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const auto l = static_cast<limit>(i);
    if (!p.limits.has(l)) continue;
    out.put("limit "), out.put(name(l)), out.put(" ");
    const limit_text::unit u = is_duration(l) ? limit_text::longest_whole_unit(p.limits[l]) : limit_text::unit{"", 1};
    out.number(p.limits[l] / u.factor), out.put(u.spelling), out.put("\n");
  }
  if (!p.template is_any<axis_id::environment>()) detail::print_environment(out, p);
  names.template operator()<axis_id::executables>("executables");
  if (!p.interpreters) out.line("interpreters no");
  out.line("fallback ", name(p.fallback));
}

} // namespace cordon::notation
