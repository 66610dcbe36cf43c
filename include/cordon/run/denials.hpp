// SPDX-License-Identifier: BSL-1.0
/// What a program says on stderr about acts that were refused. No proof: programs say what they like, and the machine
/// refuses things too; so every one of them is told as inferred.
#pragma once

#include "redact.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

class denial_finder {
public:
  static constexpr std::size_t most = 32, longest = 400; ///< lines, bytes of each

  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') end_line();
      else if (line_.size() < longest) line_ += c;
    }
  }
  /// The first of the lines, without what looks like a secret in them.
  [[nodiscard]] std::vector<std::string> take() {
    end_line();
    return std::move(lines_);
  }

private:
  void end_line() {
    // Words of strerror(3) for what rules answer, and of tools that put it in their own.
    constexpr std::array<std::string_view, 14> words{"Permission denied",
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
                                                     "EPERM"};
    bool denied = false;
    for (const std::string_view w : words) denied |= line_.find(w) != line_.npos;
    if (denied && lines_.size() < most) lines_.push_back(redact(std::string_view(line_)));
    line_.clear();
  }

  std::string line_;
  std::vector<std::string> lines_;
};

} // namespace cordon
