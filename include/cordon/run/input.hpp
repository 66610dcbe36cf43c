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

  /// The end of the file at once.
  [[nodiscard]] static input nothing() { return {source::nothing, {}}; }
  [[nodiscard]] static input of(std::string bytes) { return {source::bytes, std::move(bytes)}; }
  /// Opened by the caller, with the caller's rights.
  [[nodiscard]] static input file(std::string name) { return {source::file, std::move(name)}; }
};

} // namespace cordon
