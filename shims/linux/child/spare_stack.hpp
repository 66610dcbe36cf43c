// SPDX-License-Identifier: BSL-1.0
/// A stack for one short-lived child. The process keeps one stack for the next launch of any thread. More exist only
/// while several threads launch at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <sys/mman.h>
#include <utility>

// The functions of a child that ends in exec never return. AddressSanitizer's marks for their frames would then affect
// the next child. Weak: defined only in programs built with AddressSanitizer.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" void __asan_unpoison_memory_region(const volatile void*, std::size_t) __attribute__((weak));

namespace cordon::linux_shim {

class spare_stack {
public:
  static constexpr std::size_t guard = 64 * 1024; // the largest page size
  static constexpr std::size_t size = 128 * 1024; // cordon's code needs 6 KiB; the rest is for the caller's hook

  spare_stack() noexcept : memory_(kept.exchange(nullptr, std::memory_order_acquire)) {
    if (!memory_) memory_ = allocate();
    if (memory_ && __asan_unpoison_memory_region) __asan_unpoison_memory_region(base(), size);
  }
  ~spare_stack() {
    if (memory_) memory_ = kept.exchange(memory_, std::memory_order_release);
    if (memory_) ::munmap(memory_, guard + size);
  }
  spare_stack(const spare_stack&) = delete;
  spare_stack& operator=(const spare_stack&) = delete;

  explicit operator bool() const noexcept { return memory_ != nullptr; }
  void* base() const noexcept { return static_cast<std::byte*>(memory_) + guard; }
  void* top() const noexcept { return static_cast<std::byte*>(memory_) + guard + size; }

private:
  static inline std::atomic<void*> kept{nullptr};

  static void* allocate() noexcept {
    void* all = ::mmap(nullptr, guard + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    if (::mprotect(all, guard, PROT_NONE) == 0) return all;
    ::munmap(all, guard + size);
    return nullptr;
  }

  void* memory_;
};

} // namespace cordon::linux_shim
