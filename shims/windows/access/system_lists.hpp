// SPDX-License-Identifier: BSL-1.0
/// Access lists of files, and journals of runs that are gone.
#pragma once

#include "../handle.hpp"
#include "../launch/container.hpp"
#include "grants.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace cordon::windows_shim {

/// Opens each object once, refuses links, and keeps the object from being renamed: the list that is written is that of
/// the object that was read.
class system_lists final : public list_store {
public:
  [[nodiscard]] unsigned long read(const std::wstring& object, std::wstring& list) override;
  [[nodiscard]] unsigned long write(const std::wstring& object, const std::wstring& list) override;
  [[nodiscard]] bool is_directory(const std::wstring& object) override;

private:
  [[nodiscard]] unsigned long open(const std::wstring& object, HANDLE& to);

  std::map<std::wstring, handle> opened_;
};

/// Announces in all sessions, while it is open, that the run of the container goes on. Returns: an empty handle if
/// another run has announced it.
[[nodiscard]] handle announce(const std::wstring& container);

/// A lock: meanwhile no other process of this account grants or restores.
class turn {
public:
  turn();
  ~turn();
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

private:
  handle mutex_;
};

/// Restores what runs left changed that ended early. Reads the journals `CONTAINER.journal` of a directory, and removes
/// their containers.
[[nodiscard]] restored recover(list_store& lists, const std::filesystem::path& journals, const profile_calls& by = {});

} // namespace cordon::windows_shim
