// SPDX-License-Identifier: BSL-1.0
/// The canonical form of a policy as cordon JSON: reading it gives the same policy and prints the same bytes.
#pragma once

#include "../policy/heap.hpp"
#include "axis_json.hpp"

#include <string>

namespace cordon::format {

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

/// Writes the policy as a value, without the axes that are any. Keys are in the order of the format, and presets are
/// expanded; see `can_be_json`. O(n log n).
template <class S> void write_json(json_string_writer& to, const basic_policy<S>& p) {
  using namespace detail;
  const auto put = [&to](std::string_view key, auto&& write, const auto& value) {
    to.key(key);
    write(to, value);
  };
  to.object(json_layout::lines, [&] {
    to.member_number("cordon", 1);
    to.member("profile", name(p.profile));
    if (p.level != level::network) to.member("level", name(p.level));
    if (!p.template is_any<axis_id::capabilities>())
      put("capabilities", list_or_none_json, places(p.capabilities(), 1));
    if (!p.template is_any<axis_id::workspace>()) put("workspace", grants_json, p.workspace());
    if (!p.template is_any<axis_id::files>()) put("files", grants_json, p.files());
    to.list("presets", json_layout::one_line, [] {});
    if (!p.template is_any<axis_id::hosts>()) put("network", network_json, p.hosts());
    if (!p.template is_any<axis_id::sockets>()) put("sockets", sockets_json, p.sockets());
    if (p.abilities != default_abilities) put("abilities", abilities_json, p.abilities);
    if (p.syscalls != syscalls::inherit || !p.template is_any<axis_id::calls>()) put("syscalls", syscalls_json<S>, p);
    if (!(p.limits == limits())) put("limits", limits_json, p.limits);
    if (!p.template is_any<axis_id::environment>()) put("environment", environment_json, p.environment());
    if (!p.interpreters || !p.template is_any<axis_id::executables>()) put("guard", guard_json<S>, p);
    to.member("fallback", name(p.fallback));
  });
}

/// The policy as a JSON document.
template <class S> [[nodiscard]] std::string write_json(const basic_policy<S>& p) {
  return json_of([&](json_string_writer& to) {
    write_json(to, p);
    to.end_line();
  });
}

} // namespace cordon::format
