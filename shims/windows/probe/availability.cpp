// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/availability.hpp>

#include "../access/system_lists.hpp"
#include "../launch/job.hpp"
#include "../launch/launch.hpp"
#include "../launch/pipes.hpp"
#include "../places.hpp"
#include "../text.hpp"

#include <cordon/format/place.hpp>
#include <cordon/run/reasons.hpp>

#include <filesystem>
#include <fstream>

namespace cordon {
namespace {

using namespace windows_shim;

constexpr const char *begun = "cordon-begun", *secret = "cordon-probe",
                     *remedy = "Windows 10 version 1607, Windows Server 2016, or later";
constexpr DWORD patience = 20'000; // milliseconds for a program that prints two words

struct seen {
  bool works = false;
  std::string words;
};

/// A directory for temporary files whose name cmd.exe reads literally. Throws: `refused`.
[[nodiscard]] std::filesystem::path plain_directory() {
  for (const wchar_t* variable : {L"TEMP", L"PUBLIC", L"ProgramData"}) {
    wchar_t name[MAX_PATH];
    const DWORD size = ::GetEnvironmentVariableW(variable, name, MAX_PATH);
    const std::wstring_view text(name, size < MAX_PATH ? size : 0);
    const bool plain =
        text.find_first_not_of(L"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._-~:\\") == text.npos;
    if (!text.empty() && plain && std::filesystem::is_directory(text)) return text;
  }
  throw refused::because<reasons::no_temp_name>();
}

/// A file of this account, and a program that tries to read it.
class probe {
public:
  /// Throws: if no directory is suitable.
  probe() : file_(plain_directory() / (random_container_name() + L".probe")) { std::ofstream(file_) << secret; }
  ~probe() {
    std::error_code ec;
    std::filesystem::remove(file_, ec);
  }
  probe(const probe&) = delete;
  probe& operator=(const probe&) = delete;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  /// Can a program that these steps start read the file? Throws: if the program cannot be started.
  [[nodiscard]] bool is_read(std::span<const stage> steps) const {
    wchar_t directory[MAX_PATH];
    const std::wstring system(directory, ::GetSystemDirectoryW(directory, MAX_PATH));
    command what;
    what.program = system + L"\\cmd.exe";
    // The first word that it prints shows that it has run.
    what.argv = {what.program, L"/d", L"/q", L"/c", L"echo", wide(begun) + L"&type", file_.wstring()};
    what.environment = {L"SystemRoot=" + std::filesystem::path(system).parent_path().wstring()};
    what.directory = system;
    captured output;
    what.stdio[1] = output.theirs(stream::output);
    what.stdio[2] = output.theirs(stream::error);
    confinement how;
    how.name = random_container_name();
    launched program = launch(what, how, steps);
    output.begin();
    if (!program)
      throw refused::because<reasons::probe_failed>(
          "stage " + narrow(program.why.at) + " failed: " +
          (program.why.error == ERROR_PROC_NOT_FOUND ? "this system has no such call" : words_of(program.why.error)));
    const bool late = ::WaitForSingleObject(program.process.get(), patience) == WAIT_TIMEOUT;
    ::TerminateJobObject(program.job.get(), 1);
    std::string said;
    while (!output.is_over()) {
      for (const shim::capture::piece& p : output.take()) said += p.bytes;
      if (!output.is_over()) ::WaitForSingleObject(output.event(), INFINITE);
    }
    if (late || said.find(begun) == said.npos)
      throw refused::because<reasons::probe_failed>("cmd.exe printed nothing, or did not end in time");
    return said.find(secret) != said.npos;
  }

private:
  std::filesystem::path file_;
};

/// A refusal proves something only if the same access succeeds without confinement.
[[nodiscard]] seen see_container() {
  try {
    const probe p;
    if (!p.is_read(plain_stages())) return {false, "the probe could not read its own file without a container"};
    if (p.is_read(stages())) return {false, "a program in an AppContainer read a file that it was not granted"};
    return {true, "a program in an AppContainer could not read a file of this account, and could without one"};
  } catch (const std::exception& e) { return {false, e.what()}; }
}

[[nodiscard]] seen see_lists() {
  try {
    const probe p;
    system_lists lists;
    std::wstring before, now;
    DWORD error = lists.read(p.file().wstring(), before);
    if (error == 0) error = lists.write(p.file().wstring(), before);
    if (error == 0) error = lists.read(p.file().wstring(), now);
    if (error != 0) return {false, "cannot change the access list of a file: " + words_of(error)};
    return {now == before, now == before ? "the access list of a file was read, written and read again"
                                         : "an access list differs after it was written back unchanged"};
  } catch (const std::exception& e) { return {false, e.what()}; }
}

} // namespace

availability cordon::abi_0::probe_backend(launcher_id asked) {
  if (asked == launcher_id::none) return {"none", false, {}, {}};
  if (asked != launcher_id::automatic && asked != launcher_id::appcontainer)
    return {std::string(name(asked)), false, "this version of cordon cannot run programs under it on Windows", {}};
  const seen container = see_container();
  return {"appcontainer",
          container.works,
          container.works
              ? std::string()
              : "cordon cannot confine a program in an AppContainer here: " + container.words + "; needs " + remedy,
          {}};
}

// A start also verifies every setting in the program, but not whether Windows enforces it.
availability cordon::abi_0::probe_to_start(launcher_id asked) { return probe_backend(asked); }

std::vector<ability_of_host> cordon::abi_0::examine_host() {
  const seen container = see_container(), lists = see_lists();
  const bool job = holds({.memory = 64 << 20, .user_time = 10'000'000, .processes = 4});
  return {
      {"appcontainer", container.works, container.words, container.works ? "" : remedy},
      {"job limits", job,
       job ? "a job object returns the limits that were set" : "a job object accepts limits, but does not return them",
       job ? "" : remedy},
      {"access lists", lists.works, lists.words, lists.works ? "" : "a disk with NTFS or ReFS"}};
}

} // namespace cordon
