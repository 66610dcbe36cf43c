// SPDX-License-Identifier: BSL-1.0
#include "../../common/decide.hpp"
#include "../places.hpp"
#include "../text.hpp"
#include "attempt.hpp"

#include <cordon/format/place.hpp>
#include <cordon/run/reasons.hpp>

namespace cordon::shim {
namespace {

/// Signalled when the user or the system ends this process: the program ends first.
[[nodiscard]] HANDLE interruption() {
  static const windows_shim::handle event(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
  return event.get();
}

BOOL WINAPI on_control(DWORD what) {
  ::SetEvent(interruption());
  // For these events Windows ends the process when this returns, and access lists would not be restored.
  if (what == CTRL_CLOSE_EVENT || what == CTRL_LOGOFF_EVENT || what == CTRL_SHUTDOWN_EVENT) ::Sleep(4000);
  return TRUE;
}

} // namespace

std::shared_ptr<void> hold_for_run() { return nullptr; }

void check_supported(const run_request& request) {
  check_no_gateway(request);
  check_no_input_pipe(request);
  check_no_publishing(request);
  if (!request.session.empty()) throw refused::because<reasons::session_elsewhere>();
}

std::unique_ptr<attempt> make_attempt(attempt_input input) {
  windows_shim::machine on;
  if (input.request.owns_process) {
    on.interrupted = interruption();
    ::SetConsoleCtrlHandler(on_control, TRUE);
  }
  return std::make_unique<windows_shim::attempt>(input.policy, input.request, input.result,
                                                 input.selected.result == selection::confined, std::move(on));
}

std::string place_to_run_in(run_request& request) {
  const std::filesystem::path directory = request.directory
                                              ? std::filesystem::path(windows_shim::wide(*request.directory))
                                              : std::filesystem::current_path();
  DWORD error = 0;
  std::string place = windows_shim::real_place(directory, error);
  if (place.empty())
    throw refused::because<reasons::path_unknown>(windows_shim::narrow(directory.wstring()),
                                                  windows_shim::words_of(error));
  return place;
}

/// Only a file that exists has an access list: the program can create the missing ones, which is a gap.
resolved_policy resolve_here(const run_request& request) {
  std::vector<project_setting> there = request.settings.places;
  std::erase_if(there, [](const project_setting& s) { return s.missing != placeholder::none; });
  return {with_protected(windows_shim::resolve(request.policy), there)};
}

/// Writes paths with slashes, and removes the extension of the program.
std::vector<std::string> words_for_guard(const std::vector<std::string>& argv) {
  std::vector<std::string> words;
  for (const std::string& a : argv) words.push_back(written_place(a));
  for (const std::string_view ending : {".exe", ".EXE", ".com", ".COM"})
    if (std::string& program = words.front(); program.ends_with(ending)) program.resize(program.size() - ending.size());
  return words;
}

} // namespace cordon::shim
