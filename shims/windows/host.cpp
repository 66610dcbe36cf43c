// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "../common/links/written_roots.hpp"

#include "handle.hpp"
#include "places.hpp"
#include "text.hpp"

#include <cordon/backend/appcontainer.hpp>
#include <cordon/format/place.hpp>
#include <cordon/run/reasons.hpp>

#include <cstdio>
#include <filesystem>

#include <aclapi.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

namespace cordon::shim {
namespace {

using namespace windows_shim;

/// Is `sid` the account, or the owner of the files that it creates?
[[nodiscard]] bool is_own(PSID sid) {
  HANDLE token = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token) == FALSE) return false;
  const handle owned(token);
  for (const TOKEN_INFORMATION_CLASS what : {TokenUser, TokenOwner}) {
    alignas(void*) unsigned char answer[512];
    DWORD size = 0;
    // Both begin with the SID.
    if (::GetTokenInformation(token, what, answer, sizeof answer, &size) != FALSE &&
        ::EqualSid(*reinterpret_cast<PSID*>(answer), sid) != FALSE)
      return true;
  }
  return false;
}

} // namespace

arguments begin_process(int, char**) {
  // Write the same bytes as on other systems.
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  // The C library's arguments are in the code page, with wildcards expanded.
  arguments all;
  int count = 0;
  const local<LPWSTR*> words(::CommandLineToArgvW(::GetCommandLineW(), &count));
  for (int i = 0; i < count; ++i) all.push_back(narrow(words.get()[i]));
  return all;
}

platform this_platform() { return platform::windows; }

std::string own_program() {
  wchar_t name[32768]; // the longest path
  const DWORD size = ::GetModuleFileNameW(nullptr, name, static_cast<DWORD>(std::size(name)));
  return size == 0 || size == std::size(name) ? std::string() : narrow({name, size});
}

std::string missing_resource() { return {}; }

std::string home_place() {
  wchar_t name[MAX_PATH];
  const DWORD size = ::GetEnvironmentVariableW(L"USERPROFILE", name, MAX_PATH);
  DWORD error = 0;
  return size == 0 || size >= MAX_PATH ? std::string() : real_place(name, error);
}

std::string home_of_account(long long) { return {}; }
std::string account_home() { return {}; }
std::vector<std::string> closed_below(std::string_view) { return {}; }

std::optional<long long> caller() { return 0; }

std::string place_of_file(const std::string& name) {
  DWORD error = 0;
  std::string place = real_place(wide(name), error);
  if (place.empty()) throw refused::because<reasons::path_unknown>(name, words_of(error));
  return place;
}

judged_name way_to(std::string name, const std::string& directory) {
  return {std::move(name), place_of_file(directory)};
}

long long owner(const std::string& place) {
  const std::wstring name = path_at(place).wstring();
  PSID sid = nullptr;
  local<PSECURITY_DESCRIPTOR> list;
  if (::GetNamedSecurityInfoW(name.c_str(), SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &sid, nullptr, nullptr, nullptr,
                              list.out()) != ERROR_SUCCESS ||
      sid == nullptr)
    return -1;
  if (is_own(sid)) return 0;
  const auto* const bytes = static_cast<const unsigned char*>(sid);
  unsigned long long hash = 1469598103934665603ULL; // a hash that only distinguishes accounts
  for (DWORD i = 0; i < ::GetLengthSid(sid); ++i) hash = (hash ^ bytes[i]) * 1099511628211ULL;
  return static_cast<long long>(hash >> 1 | 1);
}

// Windows does not start scripts by their first line.
std::vector<std::string> interpreters_of(std::string_view) { return {}; }

std::optional<std::vector<std::string>> names_in(std::string_view directory) {
  constexpr std::size_t most = 512;
  std::vector<std::string> names;
  std::error_code ec;
  for (std::filesystem::directory_iterator at(path_at(directory), ec), end; !ec && at != end; at.increment(ec)) {
    if (names.size() == most) return std::nullopt;
    names.push_back(narrow(at->path().filename().c_str()));
  }
  if (ec) return std::nullopt;
  return names;
}

std::vector<std::string> open_places() {
  std::vector<std::string> all;
  appcontainer::each_system_directory({.system_drive = system_drive()}, [&](std::string_view place) {
    DWORD error = 0;
    if (std::string real = real_place(path_at(place), error); !real.empty()) all.push_back(std::move(real));
  });
  return all;
}

// The list of written roots is kept in a state directory, which Windows lacks.
written_roots read_written_roots() { return {}; }
void remember_roots(const loaded_policy&, const std::optional<project_choice>&) {}
std::string place_of_roots() { return {}; }

bool is_first_within(const std::string&, std::uint32_t) { return true; }

std::string host_name() {
  wchar_t name[256];
  DWORD size = 256;
  return ::GetComputerNameExW(ComputerNameDnsHostname, name, &size) != FALSE ? narrow({name, size}) : std::string();
}

void write_on(stream to, std::string_view bytes) {
  const HANDLE own = ::GetStdHandle(to == stream::output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
  for (DWORD n = 0; !bytes.empty(); bytes.remove_prefix(n))
    if (::WriteFile(own, bytes.data(), static_cast<DWORD>(bytes.size()), &n, nullptr) == FALSE || n == 0) return;
}

void end_by_signal(int) {} // the exit status is all that a process leaves

bool writes_to_terminal() {
  DWORD mode = 0;
  return ::GetConsoleMode(::GetStdHandle(STD_OUTPUT_HANDLE), &mode) != FALSE;
}

bool is_watched() {
  const HANDLE console = ::GetStdHandle(STD_ERROR_HANDLE);
  DWORD mode = 0;
  constexpr DWORD sequences = 0x4; // ENABLE_VIRTUAL_TERMINAL_PROCESSING
  return ::GetConsoleMode(console, &mode) != FALSE && ::SetConsoleMode(console, mode | sequences) != FALSE;
}

} // namespace cordon::shim
