// SPDX-License-Identifier: BSL-1.0
/// Keeps the beginning and the end of a program's output, and counts the bytes between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cordon {

/// How many bytes of a stream are kept.
struct captured_size {
  static constexpr std::size_t everything = SIZE_MAX; ///< keep all bytes
  std::size_t head = std::size_t{256} << 10;          ///< bytes from the start of the stream
  std::size_t tail = std::size_t{256} << 10;          ///< bytes from its end
};

/// Buffers a stream as it arrives. Uses at most twice the bytes that it keeps, plus 64 KiB.
class captured_output {
public:
  explicit captured_output(captured_size keep = {}) : keep_(keep) {} ///< Keeps that many bytes.

  /// Adds bytes. O(n).
  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::span<char> to = room();
      const std::size_t n = least_of(to.size(), bytes.size());
      std::memcpy(to.data(), bytes.data(), n);
      commit(n);
      bytes.remove_prefix(n);
    }
  }

  /// Returns: the buffer for the next bytes, so that the caller can read(2) into it; never empty. Throws:
  /// std::bad_alloc.
  [[nodiscard]] std::span<char> room() {
    if (head_size_ < keep_.head) {
      if (head_room_ - head_size_ < least_at_once && head_room_ < keep_.head) grow();
      return {head_.get() + head_size_, least_of(head_room_ - head_size_, most_at_once)};
    }
    if (ring_.get() == nullptr) ring_.resize(ring_room());
    return {ring_.get() + ring_at_, least_of(ring_room() - ring_at_, most_at_once)};
  }
  /// Reports that the caller has written `count` bytes into `room()`.
  void commit(std::size_t count) {
    written_ += count;
    if (head_size_ < keep_.head) head_size_ += count;
    else ring_at_ = (ring_at_ + count) % ring_room();
  }

  /// All bytes of the stream so far.
  [[nodiscard]] std::uint64_t written() const { return written_; }
  /// Bytes between head and tail that were dropped.
  [[nodiscard]] std::uint64_t left_out() const { return written_ - head_size_ - tail_size(); }
  /// The first bytes; valid until the next `add` or `commit`.
  [[nodiscard]] std::string_view head() const { return {head_.get(), head_size_}; }
  /// The last bytes, without those in the head.
  [[nodiscard]] std::string tail() const {
    const std::size_t size = tail_size(), before_end = least_of(size, ring_at_);
    std::string text;
    if (size > before_end) text.assign(ring_.get() + ring_room() - (size - before_end), size - before_end);
    if (before_end > 0) text.append(ring_.get() + ring_at_ - before_end, before_end);
    return text;
  }
  /// Head and tail. If bytes were dropped, a line between them gives their number.
  [[nodiscard]] std::string text() const {
    std::string all(head());
    if (left_out() > 0) all += "\n[cordon: " + std::to_string(left_out()) + " bytes left out]\n";
    return all += tail();
  }

private:
  static constexpr std::size_t most_at_once = std::size_t{64} << 10; // fits into a processor's cache
  static constexpr std::size_t least_at_once = 4096;

  /// Memory of realloc(3), which grows a large block by moving its pages (mremap(2)); no bytes are copied.
  class block {
  public:
    block() = default;
    block(block&& other) noexcept : start_(std::exchange(other.start_, nullptr)) {}
    block& operator=(block&& other) noexcept {
      std::free(std::exchange(start_, std::exchange(other.start_, nullptr)));
      return *this;
    }
    ~block() { std::free(start_); }
    [[nodiscard]] char* get() const { return start_; }
    void resize(std::size_t size) {
      void* const made = std::realloc(start_, size);
      if (made == nullptr) throw std::bad_alloc();
      start_ = static_cast<char*>(made);
    }

  private:
    char* start_ = nullptr;
  };

  void grow() {
    const std::size_t wanted = least_of(keep_.head, head_room_ * 2 < most_at_once ? most_at_once : head_room_ * 2);
    head_.resize(wanted);
    head_room_ = wanted;
  }
  [[nodiscard]] static constexpr std::size_t least_of(std::size_t a, std::size_t b) { return a < b ? a : b; }
  [[nodiscard]] std::size_t ring_room() const { return keep_.tail < most_at_once ? most_at_once : keep_.tail; }
  [[nodiscard]] std::size_t tail_size() const {
    const std::uint64_t after_head = written_ - head_size_;
    return after_head < keep_.tail ? static_cast<std::size_t>(after_head) : keep_.tail;
  }

  captured_size keep_;
  block head_, ring_;
  std::size_t head_size_ = 0, head_room_ = 0, ring_at_ = 0;
  std::uint64_t written_ = 0;
};

} // namespace cordon
