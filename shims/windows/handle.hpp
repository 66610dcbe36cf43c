// SPDX-License-Identifier: BSL-1.0
/// What Windows hands out and wants back.
#pragma once

#include <utility>

#include <windows.h>

namespace cordon::windows_shim {

/// A kernel object's handle. Neither null nor INVALID_HANDLE_VALUE is one.
class handle {
public:
  handle() = default;
  explicit handle(HANDLE h) : h_(h == INVALID_HANDLE_VALUE ? nullptr : h) {}
  handle(handle&& other) noexcept : h_(std::exchange(other.h_, nullptr)) {}
  handle& operator=(handle&& other) noexcept {
    std::swap(h_, other.h_);
    return *this;
  }
  ~handle() {
    if (h_ != nullptr) ::CloseHandle(h_);
  }

  [[nodiscard]] HANDLE get() const { return h_; }
  [[nodiscard]] explicit operator bool() const { return h_ != nullptr; }

private:
  HANDLE h_ = nullptr;
};

/// Memory of LocalAlloc: what conversions of SIDs and descriptors return.
template <class T> class local {
public:
  local() = default;
  explicit local(T p) : p_(p) {}
  local(local&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  local& operator=(local&& other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~local() { ::LocalFree(p_); }

  [[nodiscard]] T get() const { return p_; }
  [[nodiscard]] T* out() { return &p_; }

private:
  T p_ = nullptr;
};

} // namespace cordon::windows_shim
