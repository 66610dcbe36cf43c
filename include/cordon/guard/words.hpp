// SPDX-License-Identifier: BSL-1.0
/// The words of a command line, with the value of `env -S` replaced by the words that env splits it into.
#pragma once

#include "split_text.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace cordon::guard {

/// A word and the index of the argument that contains it.
struct word {
  std::string_view text{};  ///< the text of the word
  std::size_t argument = 0; ///< index of the argument that it is from
};

/// The arguments up to the first split, then the words stored here, then the other arguments. The capacity is ample:
/// Linux cuts the line after `#!`, for which -S was made, at 255 bytes (BINPRM_BUF_SIZE in
/// include/uapi/linux/binfmts.h).
class words {
public:
  static constexpr std::size_t most = 64;         ///< replaced words
  static constexpr std::size_t most_bytes = 1024; ///< text of replaced words

  /// The words of a command line, each an argument.
  constexpr explicit words(std::span<const std::string_view> argv) : argv_(argv) {}
  words(const words&) = delete; // words point into text_
  words& operator=(const words&) = delete;
  ~words() = default;

  /// The number of words. O(1).
  [[nodiscard]] constexpr std::size_t size() const { return before_ + kept_size_ + argv_.size() - behind_; }
  /// The word with that index. O(1).
  [[nodiscard]] constexpr word operator[](std::size_t i) const {
    if (i < before_) return {argv_[i], i};
    if (i - before_ < kept_size_) return kept_[i - before_];
    const std::size_t argument = i - before_ - kept_size_ + behind_;
    return {argv_[argument], argument};
  }
  /// True if a split exceeded the capacity: the words are then incomplete.
  [[nodiscard]] constexpr bool is_cut() const { return cut_; }

  /// Replaces the words [from, end) by the words of `text`. `from` must be at or after the last split.
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
