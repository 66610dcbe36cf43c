// SPDX-License-Identifier: BSL-1.0
/// The profile of an AppContainer: its SID, folder and registry. The functions are looked up at run time: on a system
/// without them only containers fail.
#pragma once

#include <string>
#include <utility>

#include <windows.h>

namespace cordon::windows_shim {

/// The functions of userenv.dll; null: not available.
struct profile_calls {
  HRESULT(WINAPI* create)(PCWSTR name, PCWSTR shown, PCWSTR about, PSID_AND_ATTRIBUTES, DWORD, PSID*) = nullptr;
  HRESULT(WINAPI* remove)(PCWSTR name) = nullptr;
  HRESULT(WINAPI* folder)(PCWSTR sid, PWSTR*) = nullptr;

  /// Loads them only from the system's directory.
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

  /// Returns: 0, ERROR_PROC_NOT_FOUND if the function is missing, ERROR_ALREADY_EXISTS, or another error.
  [[nodiscard]] DWORD create(const std::wstring& name);
  [[nodiscard]] PSID sid() const { return sid_; }
  [[nodiscard]] const std::wstring& name() const { return name_; }
  /// The folder that its programs may write, or an empty text.
  [[nodiscard]] std::wstring folder() const;

private:
  profile_calls by_;
  std::wstring name_;
  PSID sid_ = nullptr;
};

/// A unique name: 128 random bits. Throws: std::runtime_error if none are available.
[[nodiscard]] std::wstring random_container_name();

} // namespace cordon::windows_shim
