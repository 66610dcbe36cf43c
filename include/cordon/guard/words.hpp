// SPDX-License-Identifier: BSL-1.0
/// The words of a command line, with what `env -S` splits in the place of its value.
#pragma once

#include "split_text.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace cordon::guard {

/// A word and the index of the argument that it stands in.
struct word {
  std::string_view text{};
  std::size_t argument = 0;
};

/// The arguments up to the first split, then the words that are kept here, then the other arguments. The room is ample:
/// Linux cuts the line behind `#!`, for which -S was made, at 255 bytes (BINPRM_BUF_SIZE in
/// include/uapi/linux/binfmts.h).
class words {
public:
  static constexpr std::size_t most = 64, most_bytes = 1024;

  constexpr explicit words(std::span<const std::string_view> argv) : argv_(argv) {}
  words(const words&) = delete; // words point into the text here
  words& operator=(const words&) = delete;
  ~words() = default;

  [[nodiscard]] constexpr std::size_t size() const { return before_ + kept_size_ + argv_.size() - behind_; }
  [[nodiscard]] constexpr word operator[](std::size_t i) const {
    if (i < before_) return {argv_[i], i};
    if (i - before_ < kept_size_) return kept_[i - before_];
    const std::size_t argument = i - before_ - kept_size_ + behind_;
    return {argv_[argument], argument};
  }
  /// Did a split find no room? Then the words are not all that will be run.
  [[nodiscard]] constexpr bool is_cut() const { return cut_; }

  /// Puts the words of `text` in the place of those from `from` to before `end`. Only at or behind the last split.
  constexpr void split(std::size_t from, std::size_t end, std::string_view text) {
    if (!is_split_) before_ = behind_ = from;
    is_split_ = true;
    const std::size_t argument = (*this)[end - 1].argument;
    while (before_ + kept_size_ < end && !cut_) keep({argv_[behind_], behind_}), ++behind_;
    if (cut_) return;
    const std::array<word, most> old = kept_;
    const std::size_t old_size = kept_size_;
    kept_size_ = from - before_;
    split_text pieces(text);
    for (;;) {
      const std::size_t first = bytes_;
      if (!pieces.next([&](char c) { keep(c); }) || cut_) break;
      keep({std::string_view(text_.data() + first, bytes_ - first), argument});
    }
    for (std::size_t i = end - before_; i < old_size; ++i) keep(old[i]);
  }

private:
  constexpr void keep(word w) {
    if (kept_size_ < most) kept_[kept_size_++] = w;
    else cut_ = true;
  }
  constexpr void keep(char c) {
    if (bytes_ < most_bytes) text_[bytes_++] = c;
    else cut_ = true;
  }

  std::span<const std::string_view> argv_;
  std::size_t before_ = 0, behind_ = 0, kept_size_ = 0, bytes_ = 0;
  bool is_split_ = false, cut_ = false;
  std::array<word, most> kept_{};
  std::array<char, most_bytes> text_{};
};

} // namespace cordon::guard
