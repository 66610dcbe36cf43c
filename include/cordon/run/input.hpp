// SPDX-License-Identifier: BSL-1.0
/// Where a program's stdin comes from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace cordon {

struct input {
  enum class source : std::uint8_t { caller, nothing, bytes, file };

  source from = source::caller;
  std::string text{}; ///< the bytes, or the file name
  /// True: if the caller's stdin is a pipe, cordon relays it; otherwise the program could open the pipe for writing.
  /// Bytes that cordon has read and the program has not are lost to the caller's next reader. os_hardened always
  /// relays.
  bool relayed = false;

  /// End of file at once.
  [[nodiscard]] static input nothing() { return {source::nothing, {}}; }
  [[nodiscard]] static input of(std::string bytes) { return {source::bytes, std::move(bytes)}; }
  /// The caller opens the file, with the caller's rights.
  [[nodiscard]] static input file(std::string name) { return {source::file, std::move(name)}; }
};

} // namespace cordon
