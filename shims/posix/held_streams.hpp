// SPDX-License-Identifier: BSL-1.0
/// Closed standard streams, kept from being taken by others.
#pragma once

#include <array>

namespace cordon::shim {

/// For as long as it lives, those of stdin, stdout and stderr that are closed are open on what can be neither read nor
/// written: to whoever uses them it is as before (EBADF), but no file that is opened meanwhile becomes a program's stream,
/// or takes what was meant for one.
class held_streams {
public:
  held_streams() noexcept;
  held_streams(const held_streams&) = delete;
  held_streams& operator=(const held_streams&) = delete;
  ~held_streams();

private:
  std::array<bool, 3> held_{};
};

} // namespace cordon::shim
