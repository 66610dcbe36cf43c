// SPDX-License-Identifier: BSL-1.0
/// The axes of a policy as JSON values, in canonical form. Each function writes one value.
#pragma once

#include "../detail/sort.hpp"
#include "../host/canonical_patterns.hpp"
#include "../policy/heap.hpp"
#include "../policy/limit_text.hpp"
#include "json_string.hpp"

#include <string>
#include <vector>

namespace cordon::format {

/// A duration as text with the largest unit that has no remainder, such as `90s`.
[[nodiscard]] inline std::string duration_text(std::uint64_t nanoseconds) {
  const limit_text::unit u = limit_text::longest_whole_unit(nanoseconds);
  return std::to_string(nanoseconds / u.factor) + std::string(u.spelling);
}

namespace detail {

inline void sort(std::vector<std::string>& texts) {
  const auto less = [](const std::string& a, const std::string& b) { return a < b; };
  cordon::detail::sort(texts.data(), static_cast<std::uint32_t>(texts.size()), less);
}

/// A list of values that are JSON already.
inline void list_json(json_string_writer& to, const std::vector<std::string>& items) {
  to.list(json_layout::one_line, [&] {
    for (const std::string& i : items) to.json(i);
  });
}
inline void list_or_none_json(json_string_writer& to, const std::vector<std::string>& items) {
  if (items.empty()) to.text("none");
  else list_json(to, items);
}

inline void rights_json(json_string_writer& to, rights r) {
  if (r.empty()) return to.text("hide");
  to.list(json_layout::one_line, [&] { for_each(r, [&](right one) { to.text(name(one)); }); });
}

inline void grants_json(json_string_writer& to, step_function<path_tree> v) {
  if (v.empty()) return to.text("none");
  std::vector<std::uint32_t> order(v.size());
  for (std::uint32_t i = 0; i < v.size(); ++i) order[i] = i;
  cordon::detail::sort(order.data(), v.size(), [&](auto a, auto b) { return v.place(a) < v.place(b); });
  to.list(json_layout::lines, [&] {
    for (const std::uint32_t i : order)
      to.object(json_layout::one_line, [&] {
        to.member("path", v.place(i));
        to.key("rights");
        rights_json(to, rights::from_bits(v[i].value));
      });
  });
}

/// The places of a set with that value, as JSON strings, sorted as such. An entry's value always differs from the one
/// above it.
template <class Tree> std::vector<std::string> places(step_function<Tree> v, std::uint32_t value) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < v.size(); ++i)
    if (v[i].value == value) out.push_back(as_json(v.place(i)));
  sort(out);
  return out;
}

inline void network_json(json_string_writer& to, const host_axis& hosts) {
  std::vector<std::string> allowed, denied;
  const diagnostic d = each_canonical_pattern<heap>(hosts, [&](bool is_denied, std::string_view pattern) {
    (is_denied ? denied : allowed).push_back(as_json(pattern));
  });
  if (d.code != diagnostic_code::ok || allowed.empty()) return to.text("none");
  sort(allowed);
  sort(denied);
  to.object(json_layout::one_line, [&] {
    to.key("allowed_domains");
    list_json(to, allowed);
    if (denied.empty()) return;
    to.key("denied_domains");
    list_json(to, denied);
  });
}

/// The ports of a listening socket: numbers, and ranges as texts.
inline void ports_json(json_string_writer& to, const host::ports& ports) {
  for (std::size_t k = 0; k < ports.size(); ++k) {
    if (ports[k].first == ports[k].last) {
      to.number(ports[k].first);
      continue;
    }
    host::pattern_text text;
    host::print_range(ports[k], text);
    to.text(text.view());
  }
}

inline void sockets_json(json_string_writer& to, step_function<socket_tree> v) {
  std::vector<std::string> unix_paths;
  bool own = false, listens = false, loopback = false;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    const std::string_view place = v.place(i);
    if (place == sockets::own) own = true;
    else if (place == sockets::loopback) loopback = true;
    else if (place != sockets::listening) unix_paths.push_back(as_json(place));
    else listens = listens || host::port_grant_of(v[i]).allowed.size() != 0;
  }
  if (!listens && !loopback && unix_paths.empty()) return to.text(own ? "own" : "none");
  sort(unix_paths);
  to.object(json_layout::one_line, [&] {
    if (own) to.member_flag("own", true);
    if (listens)
      to.list("listen", json_layout::one_line, [&] {
        for (std::uint32_t i = 0; i < v.size(); ++i)
          if (v.place(i) == sockets::listening) ports_json(to, host::port_grant_of(v[i]).allowed);
      });
    if (loopback) to.member_flag("loopback", true);
    if (unix_paths.empty()) return;
    to.key("unix");
    list_json(to, unix_paths);
  });
}

inline void environment_json(json_string_writer& to, step_function<environment_tree> v) {
  bool any_set = false;
  for (const auto& e : v) any_set = any_set || variable::is_set(e.value);
  to.object(json_layout::one_line, [&] {
    to.key("pass");
    if (v.lookup("*") == variable::passes) to.text("any");
    else list_json(to, places(v, variable::passes));
    if (any_set)
      to.object("set", json_layout::one_line, [&] {
        for (std::uint32_t i = 0; i < v.size(); ++i)
          if (variable::is_set(v[i].value)) to.member(v.place(i), v[i].payload);
      });
    const std::vector<std::string> removed = places(v, variable::absent);
    if (removed.empty()) return;
    to.key("remove");
    list_json(to, removed);
  });
}

inline void limits_json(json_string_writer& to, const limits& all) {
  to.object(json_layout::one_line, [&] {
    for (std::size_t i = 0; i < limit_names.size(); ++i) {
      const auto l = static_cast<limit>(i);
      if (!all.has(l)) continue;
      if (is_duration(l)) to.member(name(l), duration_text(all[l]));
      else to.member_number(name(l), all[l]);
    }
  });
}

} // namespace detail

/// Writes the abilities as JSON: `"any"`, `"none"`, or a list of names.
inline void abilities_json(json_string_writer& to, abilities a) {
  if (a.is_any()) return to.text("any");
  if (a == abilities()) return to.text("none");
  to.list(json_layout::one_line, [&] {
    for (std::size_t i = 0; i < ability_names.size(); ++i)
      if (a.has(static_cast<ability>(i))) to.text(ability_names[i]);
  });
}

namespace detail {

template <class S> void syscalls_json(json_string_writer& to, const basic_policy<S>& p) {
  const std::vector<std::string> denied = places(p.calls(), 0);
  if (denied.empty()) return to.text(name(p.syscalls));
  to.object(json_layout::one_line, [&] {
    to.member("mode", name(p.syscalls));
    to.key("deny");
    list_json(to, denied);
  });
}

template <class S> void guard_json(json_string_writer& to, const basic_policy<S>& p) {
  to.object(json_layout::one_line, [&] {
    if (!p.template is_any<axis_id::executables>()) {
      to.key("executables");
      list_or_none_json(to, places(p.executables(), 1));
    }
    if (!p.interpreters) to.member_flag("interpreters", false);
  });
}

} // namespace detail

} // namespace cordon::format
