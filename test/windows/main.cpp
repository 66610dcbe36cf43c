// SPDX-License-Identifier: BSL-1.0
/// The test program, which is also its own child, and the acts of the child.
#include "child.hpp"
#include "filed_lists.hpp"

#include <windows/launch/command_line.hpp>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cwchar>

using namespace windows_tests;

namespace {

/// The acts of the child.
int act(int argc, wchar_t** argv) {
  const std::wstring what = argc > 0 ? argv[0] : L"";
  const auto say = [](const std::string& text) {
    DWORD n = 0;
    ::WriteFile(::GetStdHandle(STD_OUTPUT_HANDLE), text.data(), static_cast<DWORD>(text.size()), &n, nullptr);
  };
  if (what == L"exit") ::ExitProcess(static_cast<UINT>(std::wcstoul(argv[1], nullptr, 10)));
  if (what == L"args")
    for (int i = 1; i < argc; ++i) say(hex(argv[i]));
  if (what == L"touch") std::ofstream(std::filesystem::path(argv[1])) << "x";
  if (what == L"env")
    for (const wchar_t* e = ::GetEnvironmentStringsW(); *e != L'\0'; e += std::wcslen(e) + 1) say(hex(e));
  if (what == L"write")
    for (int i = 1; i < argc; ++i) {
      DWORD n = 0;
      auto* const h = reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(std::wcstoull(argv[i], nullptr, 10)));
      say(::WriteFile(h, "x", 1, &n, nullptr) != FALSE ? "written\n" : "not written\n");
    }
  if (what == L"parent" || what == L"leave") {
    std::wstring line = command_line(std::vector<std::wstring>{this_program(), L"--child", L"sleep"});
    STARTUPINFOW start{};
    start.cb = sizeof start;
    PROCESS_INFORMATION made{};
    if (::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start, &made) != FALSE)
      say(std::to_string(made.dwProcessId) + "\n");
    if (what == L"leave") ::ExitProcess(3);
    ::Sleep(60'000);
  }
  if (what == L"flood") {
    const std::string out(1000, 'o'), err(1000, 'e');
    for (long left = std::wcstol(argv[1], nullptr, 10); left > 0; left -= 1000) {
      say(out);
      DWORD n = 0;
      ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), err.data(), 1000, &n, nullptr);
    }
    ::ExitProcess(7);
  }
  if (what == L"grant") {
    filed_lists lists;
    lists.top = argv[1];
    lists.calls_left = static_cast<int>(std::wcstol(argv[2], nullptr, 10));
    granted g(lists, lists.top / "cordon.killed.journal", L"S-1-15-2-1");
    if (g.give(three_grants()) != 0 || !g.take_back().failed.empty()) return 1;
  }
  if (what == L"cat") {
    char bytes[4096];
    DWORD n = 0;
    while (::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), bytes, sizeof bytes, &n, nullptr) != FALSE && n > 0)
      say(std::string(bytes, n));
  }
  if (what == L"both") {
    say("out\n");
    DWORD n = 0;
    ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), "Access is denied.\n", 18, &n, nullptr);
  }
  if (what == L"endless")
    for (;;) say(std::string(1000, 'y'));
  if (what == L"sleep") ::Sleep(60'000);
  return 0;
}

} // namespace

int wmain(int argc, wchar_t** argv) {
  if (argc > 1 && std::wstring_view(argv[1]) == L"--child") return act(argc - 2, argv + 2);
  doctest::Context context;
  return context.run();
}
