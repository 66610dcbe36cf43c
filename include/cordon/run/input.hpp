// SPDX-License-Identifier: BSL-1.0
/// What a program reads on its stdin.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace cordon {

struct input {
  enum class source : std::uint8_t { caller, nothing, bytes, file };

  source from = source::caller;
  std::string text{}; ///< the bytes, or the name of the file
  /// The caller's stdin goes through cordon if it is a pipe, which the program could otherwise open for writing. What
  /// cordon has read and the program has not is lost to the caller's next reader. os_hardened does so in any case.
  bool relayed = false;

  /// The end of the file at once.
  [[nodiscard]] static input nothing() { return {source::nothing, {}}; }
  [[nodiscard]] static input of(std::string bytes) { return {source::bytes, std::move(bytes)}; }
  /// Opened by the caller, with the caller's rights.
  [[nodiscard]] static input file(std::string name) { return {source::file, std::move(name)}; }
};

} // namespace cordon
