// SPDX-License-Identifier: BSL-1.0
/// Keeps the numbers of closed standard streams from reuse.
#pragma once

#include <array>

namespace cordon::shim {

/// While it lives, closed ones among stdin, stdout and stderr are open on a pipe end that allows neither reading nor
/// writing. Their users still get EBADF. But a file that is opened meanwhile does not become a program's stream, and
/// gets no data meant for one.
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
