// SPDX-License-Identifier: BSL-1.0
/// Access lists that outlive the process that changes them.
#pragma once

#include <windows/access/grants.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <windows.h>

namespace windows_tests {

using namespace cordon::windows_shim;

/// Access lists in files of a directory: they outlive a process, which is killed at a selectable call.
struct filed_lists final : list_store {
  std::filesystem::path top;
  int calls_left = -1;

  void call() {
    if (calls_left-- == 0) ::TerminateProcess(::GetCurrentProcess(), 99);
  }
  unsigned long read(const std::wstring& object, std::wstring& list) override {
    call();
    std::ifstream file(top / object);
    std::string text;
    if (!std::getline(file, text)) return ERROR_FILE_NOT_FOUND;
    list.assign(text.begin(), text.end());
    return 0;
  }
  unsigned long write(const std::wstring& object, const std::wstring& list) override {
    call();
    std::ofstream(top / object) << std::string(list.begin(), list.end()) << "\n";
    return 0;
  }
  bool is_directory(const std::wstring&) override { return true; }
};

inline std::vector<grant> three_grants() {
  return {
      {L"a", {L"(A;;FR;;;S-1-15-2-1)"}, {}, false}, {L"b", {L"(A;;FA;;;S-1-15-2-1)"}, {}, false}, {L"c", {}, {}, true}};
}

} // namespace windows_tests
