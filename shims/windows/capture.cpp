// SPDX-License-Identifier: BSL-1.0
#include "capture.hpp"

#include <system_error>
#include <thread>

namespace cordon::windows_shim {
namespace {

void drain(HANDLE from, excerpt& to) {
  for (;;) {
    const std::span<char> room = to.room();
    DWORD n = 0;
    if (::ReadFile(from, room.data(), static_cast<DWORD>(room.size()), &n, nullptr) == FALSE || n == 0) return;
    to.commit(n);
  }
}

} // namespace

pipe_ends pipe_ends::make() {
  HANDLE from = nullptr, to = nullptr;
  if (::CreatePipe(&from, &to, nullptr, 0) == FALSE)
    throw std::system_error(static_cast<int>(::GetLastError()), std::system_category(), "no pipe");
  return {handle(from), handle(to)};
}

ended wait_for(launched program, handle output, handle error, excerpt_size keep, DWORD milliseconds) {
  ended told{0, false, excerpt(keep), excerpt(keep)};
  std::thread of_output(drain, output.get(), std::ref(told.output)), of_error(drain, error.get(), std::ref(told.error));
  told.timed_out = ::WaitForSingleObject(program.process.get(), milliseconds) == WAIT_TIMEOUT;
  if (!told.timed_out) ::GetExitCodeProcess(program.process.get(), &told.status);
  // Whoever is left of the tree may hold the pipes: his end is theirs.
  ::TerminateJobObject(program.job.get(), 1);
  ::WaitForSingleObject(program.process.get(), INFINITE);
  of_output.join();
  of_error.join();
  return told;
}

} // namespace cordon::windows_shim
