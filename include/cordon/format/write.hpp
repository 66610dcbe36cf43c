// SPDX-License-Identifier: BSL-1.0
/// The canonical form of a policy as cordon JSON: reading it gives the same policy and prints the same bytes.
#pragma once

#include "../host/canonical_patterns.hpp"
#include "../policy/heap.hpp"
#include "../policy/limit_text.hpp"
#include "../query/query.hpp"
#include "utf8.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace cordon::format {

/// A JSON string; invalid UTF-8 is replaced. Controls that JSON allows unescaped (DEL, C1, marks of direction) are
/// escaped too, since a terminal obeys them.
[[nodiscard]] inline std::string as_json(std::string_view text) {
  if (!utf8::is_text(text)) return as_json(as_utf8(text));
  std::string quoted = boost::json::serialize(boost::json::string_view(text.data(), text.size()));
  if (utf8::is_printable(quoted)) return quoted;
  std::string out;
  const auto put = [&](std::string_view piece) { out += piece; };
  for (std::string_view rest = quoted; !rest.empty();) {
    const std::string_view character = rest.substr(0, utf8::character_size(rest));
    if (utf8::is_control(character)) {
      put("\\u");
      utf8::write_code_point(character, put);
    } else put(character);
    rest.remove_prefix(character.size());
  }
  return out;
}

/// True if JSON can express the policy. It cannot if a path or the content of a variable is not UTF-8; notation can.
template <class S> [[nodiscard]] bool can_be_json(const basic_policy<S>& p) {
  return cordon::detail::each_part([&]<axis_id P>() {
    if (is_of_hosts(P)) return true;
    const auto all = p.template view<P>();
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (!utf8::is_text(all.place(i)) || (P == axis_id::environment && !utf8::is_text(all[i].payload))) return false;
    return true;
  });
}

/// Rights as `read,list`, or `hide`.
[[nodiscard]] inline std::string text_of(rights r) {
  std::string out;
  for_each(r, [&](right one) { out += (out.empty() ? "" : ",") + std::string(name(one)); });
  return out.empty() ? "hide" : out;
}

[[nodiscard]] inline std::string duration_text(std::uint64_t nanoseconds) {
  const limit_text::unit u = limit_text::longest_whole_unit(nanoseconds);
  return std::to_string(nanoseconds / u.factor) + std::string(u.spelling);
}

/// `[a, b]` of texts that are already JSON.
inline std::string json_array(const std::vector<std::string>& items, std::string_view separator = ", ") {
  std::string out;
  for (const std::string& i : items) out += (out.empty() ? "" : std::string(separator)) + i;
  return "[" + out + "]";
}

namespace detail {

inline std::string list_or_none(const std::vector<std::string>& items) {
  return items.empty() ? "\"none\"" : json_array(items);
}

inline std::string rights_json(rights r) {
  if (r.empty()) return "\"hide\"";
  std::vector<std::string> words;
  for_each(r, [&](right one) { words.push_back(as_json(name(one))); });
  return json_array(words);
}

inline std::string grants_json(step_function<path_tree> v) {
  if (v.empty()) return "\"none\"";
  std::vector<std::uint32_t> order(v.size());
  for (std::uint32_t i = 0; i < v.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return v.place(a) < v.place(b); });
  std::string out;
  for (const std::uint32_t i : order)
    out += (out.empty() ? "[\n    " : ",\n    ") + std::string("{\"path\": ") + as_json(v.place(i)) +
           ", \"rights\": " + rights_json(rights::from_bits(v[i].value)) + "}";
  return out + "\n  ]";
}

/// The places of a set with that value, sorted as JSON strings. An entry's value always differs from the one above it.
template <class Tree> std::vector<std::string> places(step_function<Tree> v, std::uint32_t value) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < v.size(); ++i)
    if (v[i].value == value) out.push_back(as_json(v.place(i)));
  std::sort(out.begin(), out.end());
  return out;
}

inline std::string network_json(const host_axis& hosts) {
  std::vector<std::string> allowed, denied;
  const diagnostic d = each_canonical_pattern<heap>(hosts, [&](bool is_denied, std::string_view pattern) {
    (is_denied ? denied : allowed).push_back(as_json(pattern));
  });
  if (d.code != errc::ok || allowed.empty()) return "\"none\"";
  std::sort(allowed.begin(), allowed.end());
  std::sort(denied.begin(), denied.end());
  return "{\"allowed_domains\": " + json_array(allowed) +
         (denied.empty() ? "" : ", \"denied_domains\": " + json_array(denied)) + "}";
}

inline std::string sockets_json(step_function<socket_tree> v) {
  std::vector<std::string> listen, unix_paths;
  bool loopback = false;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    const std::string_view place = v.place(i);
    if (place == sockets::loopback) loopback = true;
    else if (place != sockets::listening) unix_paths.push_back(as_json(place));
    else
      for (std::size_t k = 0; k < host::port_grant_of(v[i]).allowed.size(); ++k) {
        const host::port_range r = host::port_grant_of(v[i]).allowed[k];
        host::pattern_text text;
        host::print_range(r, text);
        listen.push_back(r.first == r.last ? std::string(text.view()) : as_json(text.view()));
      }
  }
  std::sort(unix_paths.begin(), unix_paths.end());
  std::string out;
  const auto put = [&](const char* key, const std::string& value) {
    out += (out.empty() ? "{\"" : ", \"") + std::string(key) + "\": " + value;
  };
  if (!listen.empty()) put("listen", json_array(listen));
  if (loopback) put("loopback", "true");
  if (!unix_paths.empty()) put("unix", json_array(unix_paths));
  return out.empty() ? "\"none\"" : out + "}";
}

inline std::string environment_json(step_function<environment_tree> v) {
  const bool any = v.lookup("*") == variable::passes;
  std::string set;
  for (std::uint32_t i = 0; i < v.size(); ++i)
    if (variable::is_set(v[i].value))
      set += (set.empty() ? "" : ", ") + as_json(v.place(i)) + ": " + as_json(v[i].payload);
  std::string out = "{\"pass\": " + (any ? std::string("\"any\"") : json_array(places(v, variable::passes)));
  if (!set.empty()) out += ", \"set\": {" + set + "}";
  if (const auto removed = places(v, variable::absent); !removed.empty()) out += ", \"remove\": " + json_array(removed);
  return out + "}";
}

template <class S> std::string limits_json(const basic_policy<S>& p) {
  std::string out;
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const auto l = static_cast<limit>(i);
    if (!p.limits.has(l)) continue;
    out += (out.empty() ? "{" : ", ") + as_json(name(l)) + ": ";
    out += is_duration(l) ? as_json(duration_text(p.limits[l])) : std::to_string(p.limits[l]);
  }
  return out.empty() ? out : out + "}";
}

} // namespace detail

inline std::string abilities_json(abilities a) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < ability_names.size(); ++i)
    if (a.has(static_cast<ability>(i))) words.push_back(as_json(ability_names[i]));
  return a.is_any() ? "\"any\"" : detail::list_or_none(words);
}

namespace detail {

template <class S> std::string syscalls_json(const basic_policy<S>& p) {
  const std::vector<std::string> denied = places(p.calls(), 0);
  if (denied.empty()) return as_json(name(p.syscalls));
  return "{\"mode\": " + as_json(name(p.syscalls)) + ", \"deny\": " + json_array(denied) + "}";
}

template <class S> std::string guard_json(const basic_policy<S>& p) {
  std::string out;
  if (!p.template is_any<axis_id::executables>()) out += "\"executables\": " + list_or_none(places(p.executables(), 1));
  if (!p.interpreters) out += std::string(out.empty() ? "" : ", ") + "\"interpreters\": false";
  return "{" + out + "}";
}

} // namespace detail

/// The policy as JSON, without the axes that are any. Keys are in the order of the format, and presets are expanded;
/// see `can_be_json`. O(n log n).
template <class S> [[nodiscard]] std::string write_json(const basic_policy<S>& p) {
  std::string out = "{\n  \"cordon\": 1";
  const auto put = [&](bool said, std::string_view key, const std::string& value) {
    if (said) out += ",\n  \"" + std::string(key) + "\": " + value;
  };
  using namespace detail;
  put(true, "profile", as_json(name(p.profile)));
  put(p.level != level::network, "level", as_json(name(p.level)));
  put(!p.template is_any<axis_id::capabilities>(), "capabilities", list_or_none(places(p.capabilities(), 1)));
  put(!p.template is_any<axis_id::workspace>(), "workspace", grants_json(p.workspace()));
  put(!p.template is_any<axis_id::files>(), "files", grants_json(p.files()));
  put(true, "presets", "[]");
  put(!p.template is_any<axis_id::hosts>(), "network", network_json(p.hosts()));
  put(!p.template is_any<axis_id::sockets>(), "sockets", sockets_json(p.sockets()));
  put(p.abilities != default_abilities, "abilities", abilities_json(p.abilities));
  put(p.syscalls != syscalls::inherit || !p.template is_any<axis_id::calls>(), "syscalls", syscalls_json(p));
  if (const std::string l = limits_json(p); !l.empty()) put(true, "limits", l);
  put(!p.template is_any<axis_id::environment>(), "environment", environment_json(p.environment()));
  put(!p.interpreters || !p.template is_any<axis_id::executables>(), "guard", guard_json(p));
  put(true, "fallback", as_json(name(p.fallback)));
  return out + "\n}\n";
}

} // namespace cordon::format
