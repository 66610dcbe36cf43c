// SPDX-License-Identifier: BSL-1.0
/// Owners of Windows handles and of memory of LocalAlloc.
#pragma once

#include <utility>

#include <windows.h>

namespace cordon::windows_shim {

/// Owns the handle of a kernel object. Null and INVALID_HANDLE_VALUE are both empty.
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

/// Owns memory of LocalAlloc, such as the results of conversions of SIDs and descriptors.
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
