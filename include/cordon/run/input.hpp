// SPDX-License-Identifier: BSL-1.0
/// Where a program's stdin comes from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace cordon {

/// What the program reads from stdin.
struct input {
  /// Where stdin comes from.
  enum class source : std::uint8_t { caller, nothing, bytes, file, pipe };

  source from = source::caller; ///< where stdin comes from
  std::string text{};           ///< the bytes, or the file name
  /// True: if the caller's stdin is a pipe, cordon relays it; otherwise the program could open the pipe for writing.
  /// Bytes that cordon has read and the program has not are lost to the caller's next reader. os_hardened always
  /// relays.
  bool relayed = false;

  /// End of file at once.
  [[nodiscard]] static input nothing() { return {source::nothing, {}}; }
  /// The program reads these bytes, then the end of the file.
  [[nodiscard]] static input of(std::string bytes) { return {source::bytes, std::move(bytes)}; }
  /// The caller opens the file, with the caller's rights.
  [[nodiscard]] static input file(std::string name) { return {source::file, std::move(name)}; }
  /// The caller writes while the program runs (`process_run::write_input`). Linux alone; elsewhere such a run is refused.
  [[nodiscard]] static input pipe() { return {source::pipe, {}}; }
};

} // namespace cordon
