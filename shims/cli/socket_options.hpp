// SPDX-License-Identifier: BSL-1.0
/// The options about sockets: `--sockets`, `--listen` and `--loopback`.
#pragma once

#include "policy_options.hpp"

#include <cordon/format/document.hpp>

namespace cordon::cli {

/// Does an option name sockets?
[[nodiscard]] bool names_sockets(const policy_options& o);

/// What the options say of sockets, over those of the built-in policy; no value: any. Throws: usage_error.
[[nodiscard]] std::optional<format::socket_lists> sockets_of(const policy_options& o,
                                                             std::optional<format::socket_lists> builtin);

/// What the options leave of a policy's sockets. Throws: usage_error if they would add one.
[[nodiscard]] std::optional<format::socket_lists> narrowed_sockets(const policy_options& o,
                                                                   const loaded_policy& policy);

/// Does an option or a document name sockets of the run's own, and no other sockets with the word any?
[[nodiscard]] bool asks_for_own_sockets(const policy_options& o, const std::vector<format::document>& documents);

} // namespace cordon::cli
