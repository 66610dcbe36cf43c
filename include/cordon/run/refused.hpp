// SPDX-License-Identifier: BSL-1.0
/// The exception for runs that cordon or the policy refuses.
#pragma once

#include <stdexcept>

namespace cordon {

/// Why a program is not started; the text contains the remedy.
class refused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace cordon
