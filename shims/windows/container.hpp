// SPDX-License-Identifier: BSL-1.0
/// The profile of an AppContainer: its SID, its folder, its registry. The calls are looked for when they are needed: a
/// system without them runs everything else of this program, and no container.
#pragma once

#include <string>
#include <utility>

#include <windows.h>

namespace cordon::windows_shim {

/// The calls of userenv.dll; null: not there.
struct profile_calls {
  HRESULT(WINAPI* create)(PCWSTR name, PCWSTR shown, PCWSTR about, PSID_AND_ATTRIBUTES, DWORD, PSID*) = nullptr;
  HRESULT(WINAPI* remove)(PCWSTR name) = nullptr;
  HRESULT(WINAPI* folder)(PCWSTR sid, PWSTR*) = nullptr;

  /// Of the system's directory alone.
  [[nodiscard]] static profile_calls of_system();
};

class container {
public:
  explicit container(const profile_calls& by = profile_calls::of_system()) : by_(by) {}
  container(container&& other) noexcept
      : by_(other.by_), name_(std::exchange(other.name_, {})), sid_(std::exchange(other.sid_, nullptr)) {}
  container& operator=(container&& other) noexcept {
    std::swap(by_, other.by_);
    std::swap(name_, other.name_);
    std::swap(sid_, other.sid_);
    return *this;
  }
  ~container(); ///< removes the profile

  /// 0, ERROR_PROC_NOT_FOUND where there is no such call, ERROR_ALREADY_EXISTS, or another error.
  [[nodiscard]] DWORD create(const std::wstring& name);
  [[nodiscard]] PSID sid() const { return sid_; }
  [[nodiscard]] const std::wstring& name() const { return name_; }
  /// Where its programs may write, or an empty text.
  [[nodiscard]] std::wstring folder() const;

private:
  profile_calls by_;
  std::wstring name_;
  PSID sid_ = nullptr;
};

/// A name that nobody has: 128 random bits. Throws std::runtime_error where there are none.
[[nodiscard]] std::wstring random_container_name();

} // namespace cordon::windows_shim
