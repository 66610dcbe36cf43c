// SPDX-License-Identifier: BSL-1.0
/// Texts that explain why a host is refused.
#pragma once

#include "../format/host_text.hpp"
#include "../guard/preflight.hpp"

#include <span>
#include <string>
#include <string_view>

namespace cordon {

/// Returns: `host gist.github.com is not in allowed_domains`; empty for an allowed host.
[[nodiscard]] inline std::string text_of(const host::judged_host& h) {
  std::string out;
  host::write_refusal(h, [&](std::string_view piece) { out += piece; });
  return out;
}

/// Returns: why the host in `text`, such as `example.com:80` or a URL, is refused; empty if it is allowed.
[[nodiscard]] inline std::string host_refusal(std::string_view text, const host_axis& hosts) {
  const host::requested_host read = format::parse_requested_host(text);
  host::judged_host to = host::written_parts(text);
  to.port = read.port;
  to.why = host::refusal_of(hosts, read);
  return text_of(to);
}

/// Explains a finding; for a finding about a host, names the host.
[[nodiscard]] inline std::string reason_of(const guard_finding& found, std::span<const std::string_view> argv,
                                           const host_axis& hosts) {
  std::string reason(found.why());
  if (found.code == guard_code::host_refused)
    (void)check_hosts(argv, hosts, [&](const host::judged_host& h) { reason = text_of(h); });
  return reason;
}

} // namespace cordon
