// SPDX-License-Identifier: BSL-1.0
/// Finds refused operations in a program's output.
#pragma once

#include "denial.hpp"
#include "redact.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// Finds lines on a program's stderr that report a refused operation.
class denial_finder {
public:
  static constexpr std::size_t most = 32;     ///< lines that are kept
  static constexpr std::size_t longest = 400; ///< bytes of each

  /// Adds bytes of stderr. O(n).
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') end_line();
      else if (line_.size() < longest) line_ += c;
    }
  }
  /// Returns: the first matching lines, with apparent secrets removed.
  [[nodiscard]] std::vector<denial> take() {
    end_line();
    return std::move(found_);
  }

private:
  void end_line() {
    // Texts of strerror(3) for the errors that rules return, and variants that tools print.
    constexpr std::array<std::string_view, 15> words{"Permission denied",
                                                     "permission denied",
                                                     "Operation not permitted",
                                                     "operation not permitted",
                                                     "Read-only file system",
                                                     "read-only file system",
                                                     "Network is unreachable",
                                                     "network is unreachable",
                                                     "Address family not supported",
                                                     "address family not supported",
                                                     "Could not resolve host",
                                                     "Temporary failure in name resolution",
                                                     "EACCES",
                                                     "EPERM",
                                                     "Access is denied"};
    bool denied = false;
    for (const std::string_view w : words) denied |= line_.find(w) != line_.npos;
    if (denied && found_.size() < most) found_.push_back({denial::source::inferred, redact(std::string_view(line_))});
    line_.clear();
  }

  std::string line_;
  std::vector<denial> found_;
};

} // namespace cordon
