// SPDX-License-Identifier: BSL-1.0
/// What is said about a refused host, as text.
#pragma once

#include "../format/host_text.hpp"
#include "../guard/preflight.hpp"

#include <span>
#include <string>
#include <string_view>

namespace cordon {

/// `host gist.github.com is not in allowed_domains`; empty for a host that is allowed.
[[nodiscard]] inline std::string text_of(const host::judged_host& h) {
  std::string out;
  host::write_refusal(h, [&](std::string_view piece) { out += piece; });
  return out;
}

/// Why the host of a question, such as `example.com:80` or a URL, is refused; empty if it is allowed.
[[nodiscard]] inline std::string host_refusal(std::string_view text, const host_axis& hosts) {
  const host::requested_host read = format::parse_requested_host(text);
  host::judged_host to = host::written_parts(text);
  to.port = read.port;
  to.why = host::refusal_of(hosts, read);
  return text_of(to);
}

/// What a finding means, with the host where it is about one.
[[nodiscard]] inline std::string reason_of(const guard_finding& found, std::span<const std::string_view> argv,
                                           const host_axis& hosts) {
  std::string reason(found.why());
  if (found.code == guard_code::host_refused)
    (void)check_hosts(argv, hosts, [&](const host::judged_host& h) { reason = text_of(h); });
  return reason;
}

} // namespace cordon
