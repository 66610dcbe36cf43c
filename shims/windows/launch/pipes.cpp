// SPDX-License-Identifier: BSL-1.0
#include "pipes.hpp"

#include <algorithm>
#include <system_error>

namespace cordon::windows_shim {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(static_cast<int>(::GetLastError()), std::system_category(), what);
}

} // namespace

pipe_ends pipe_ends::make(bool written) {
  HANDLE from = nullptr, to = nullptr;
  if (::CreatePipe(&from, &to, nullptr, 64 << 10) == FALSE) fail("no pipe");
  return written ? pipe_ends{handle(from), handle(to)} : pipe_ends{handle(to), handle(from)};
}

captured::captured()
    : pipes_{pipe_ends::make(), pipe_ends::make()},
      event_(::CreateEventW(nullptr, FALSE, FALSE, nullptr)),
      all_([event = event_.get()] { ::SetEvent(event); }) {
  if (!event_) fail("no event");
}

captured::~captured() {
  for (pipe_ends& p : pipes_) p.theirs = {};
  all_.stop_listening();
  while (!all_.has_ended()) {
    give_up();
    ::Sleep(1);
  }
  for (std::atomic<HANDLE>& r : readers_)
    if (const HANDLE h = r) ::CloseHandle(h);
}

void captured::begin() {
  for (pipe_ends& p : pipes_) p.theirs = {};
  const auto from = [this](std::size_t which) {
    return [this, which](char* to, std::size_t room) { return read(which, to, room); };
  };
  all_.begin(from(0), from(1));
}

std::size_t captured::read(std::size_t which, char* to, std::size_t room) {
  if (readers_[which] == nullptr) {
    HANDLE own = nullptr;
    ::DuplicateHandle(::GetCurrentProcess(), ::GetCurrentThread(), ::GetCurrentProcess(), &own, 0, FALSE,
                      DUPLICATE_SAME_ACCESS);
    readers_[which] = own;
  }
  const HANDLE pipe = pipes_[which].ours.get();
  for (;;) {
    const bool last = given_up_;
    DWORD there = 0;
    if (last &&
        (left_[which] == 0 || ::PeekNamedPipe(pipe, nullptr, 0, nullptr, &there, nullptr) == FALSE || there == 0))
      return 0;
    const std::size_t most = last ? std::min(room, left_[which]) : room;
    DWORD n = 0;
    if (::ReadFile(pipe, to, static_cast<DWORD>(most), &n, nullptr) == FALSE) {
      if (::GetLastError() == ERROR_OPERATION_ABORTED) continue;
      return 0;
    }
    if (last) left_[which] -= n;
    return n;
  }
}

void captured::give_up() {
  given_up_ = true;
  for (const std::atomic<HANDLE>& r : readers_)
    if (const HANDLE h = r) ::CancelSynchronousIo(h);
}

} // namespace cordon::windows_shim
