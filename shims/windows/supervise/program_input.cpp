// SPDX-License-Identifier: BSL-1.0
#include "program_input.hpp"

#include "../launch/pipes.hpp"
#include "../text.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace cordon::windows_shim {
namespace {

[[nodiscard]] handle open_to_read(const wchar_t* name) {
  return handle(
      ::CreateFileW(name, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr));
}

/// Returns: the caller's stdin, or an empty handle. A console is not passed on: its input may be meant for another
/// program.
[[nodiscard]] handle callers_input() {
  const HANDLE own = ::GetStdHandle(STD_INPUT_HANDLE);
  const DWORD type = own == nullptr ? static_cast<DWORD>(FILE_TYPE_UNKNOWN) : ::GetFileType(own);
  HANDLE copy = nullptr;
  if ((type == FILE_TYPE_DISK || type == FILE_TYPE_PIPE) &&
      ::DuplicateHandle(::GetCurrentProcess(), own, ::GetCurrentProcess(), &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) !=
          FALSE)
    return handle(copy);
  return {};
}

void write_all(HANDLE to, std::string_view text) {
  DWORD n = 0;
  for (; !text.empty(); text.remove_prefix(n))
    if (::WriteFile(to, text.data(), static_cast<DWORD>(std::min(text.size(), std::size_t{1} << 20)), &n, nullptr) ==
        FALSE)
      return;
}

} // namespace

void program_input::open(const input& in, command& what) {
  switch (in.from) {
  case input::source::bytes: {
    pipe_ends p = pipe_ends::make(false);
    theirs_ = std::move(p.theirs);
    ours_ = std::move(p.ours);
    break;
  }
  case input::source::file:
    theirs_ = open_to_read(wide(in.text).c_str());
    if (!theirs_) throw refused::because<reasons::input_not_opened>(in.text, words_of(::GetLastError()));
    break;
  case input::source::caller: theirs_ = callers_input(); break;
  case input::source::nothing:
  case input::source::pipe: break; // refused before: check_no_input_pipe
  }
  if (!theirs_) theirs_ = open_to_read(L"NUL");
  what.stdio[0] = theirs_.get();
}

void program_input::begin(const std::string& text) {
  if (!ours_) return;
  writer_ = std::thread([to = std::move(ours_), text] { write_all(to.get(), text); });
}

void program_input::end() {
  ours_ = {};
  if (writer_.joinable()) writer_.join();
}

} // namespace cordon::windows_shim
