// SPDX-License-Identifier: BSL-1.0
/// The lists of files, and journals of runs that are gone.
#pragma once

#include "container.hpp"
#include "grants.hpp"
#include "handle.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace cordon::windows_shim {

/// Each object is opened once, is no link, and keeps its name for as long as this has it: what was read is what is
/// written.
class system_lists final : public list_store {
public:
  [[nodiscard]] unsigned long read(const std::wstring& object, std::wstring& list) override;
  [[nodiscard]] unsigned long write(const std::wstring& object, const std::wstring& list) override;
  [[nodiscard]] bool is_directory(const std::wstring& object) override;

private:
  [[nodiscard]] unsigned long open(const std::wstring& object, HANDLE& to);

  std::map<std::wstring, handle> opened_;
};

/// Says in all sessions, for as long as it is open, that the run of that container goes on. Not open where there is one already.
[[nodiscard]] handle announce(const std::wstring& container);

/// Nobody else of this account's gives or takes back meanwhile.
class turn {
public:
  turn();
  ~turn();
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

private:
  handle mutex_;
};

/// Puts back what runs have left behind that ended without doing so: journals `CONTAINER.journal` of a directory; and
/// removes their containers.
[[nodiscard]] restored recover(list_store& lists, const std::filesystem::path& journals, const profile_calls& by = {});

} // namespace cordon::windows_shim
