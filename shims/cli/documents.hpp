// SPDX-License-Identifier: BSL-1.0
/// What the commands over policy files share.
#pragma once

#include <cordon/format/read.hpp>

#include <string>

namespace cordon::cli {

/// The policy of one file for this host, taken lexically. Throws bad_document.
[[nodiscard]] loaded_policy load(const std::string& file);

/// Why a backend makes no rules of a policy, in words.
[[nodiscard]] std::string refusal(const diagnostic& d);

} // namespace cordon::cli
