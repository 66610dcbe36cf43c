// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"

#include "../common/decide.hpp"
#include "../common/gaps.hpp"
#include "../common/trusted_files.hpp"
#include "places.hpp"
#include "prepared.hpp"
#include "program.hpp"
#include "text.hpp"

#include <cordon/backend/appcontainer.hpp>
#include <cordon/format/place.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>

#include <sddl.h>
#include <shlobj.h>

namespace cordon::windows_shim {
namespace {

/// Nanoseconds of a monotonic clock.
[[nodiscard]] std::uint64_t now() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

/// The directory of Windows: hardly a program starts without it.
[[nodiscard]] std::wstring system_root() {
  wchar_t windows[MAX_PATH];
  return {windows, std::min<UINT>(::GetWindowsDirectoryW(windows, MAX_PATH), MAX_PATH)};
}

/// Environment variables are case-insensitive on Windows; policies have them in capitals.
[[nodiscard]] std::vector<std::string> with_names_in_capitals(std::vector<std::string> variables) {
  for (std::string& v : variables)
    for (char& c : v) {
      if (c == '=') break;
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
  return variables;
}

/// Reports each limit with its grade and the mechanism that enforces it.
void state_limits(const limits& wanted, const appcontainer::job& job, report& r) {
  const bool held = holds(job);
  for (std::size_t i = 0; i < limit_names.size(); ++i) {
    const auto l = static_cast<limit>(i);
    if (!wanted.has(l)) continue;
    const bool ours = l == limit::timeout || l == limit::output,
               of_job = l == limit::memory || l == limit::cpu || l == limit::processes;
    // A job counts only user time, not kernel time.
    const std::string_view of_held = l == limit::cpu ? "best_effort" : "enforced";
    const std::string_view grade = ours ? "enforced" : of_job && held ? of_held : "none";
    r.limits.push_back({l, wanted[l], grade, ours ? "cordon" : of_job ? "job object" : ""});
  }
}

void check(const diagnostic& d) {
  switch (d.code) {
  case errc::ok: return;
  case errc::bad_path:
    throw refused(std::string(d.subject) + " has no name on Windows, and less than all of it means more");
  case errc::duplicate_place: throw refused(std::string(d.subject) + " is one place with another one on Windows");
  default: throw refused("the policy is too large");
  }
}

/// The seven numbers of a container's SID, S-1-15-2-...
[[nodiscard]] bool read_package(PSID sid, appcontainer::target& to) {
  constexpr std::size_t numbers = std::size(appcontainer::target{}.package);
  if (sid == nullptr || *::GetSidSubAuthorityCount(sid) != numbers + 1) return false;
  for (std::size_t i = 0; i < numbers; ++i) to.package[i] = *::GetSidSubAuthority(sid, static_cast<DWORD>(i + 1));
  return true;
}

void report_restored(report& r, const restored& what) {
  for (const std::wstring& object : what.failed)
    r.gaps.push_back({gap_kind::tightened, "appcontainer.journal:" + narrow(object),
                      "its access list is still as a run left it; the next run tries again to put it back"});
  for (const std::wstring& object : what.changed)
    r.gaps.push_back(
        {gap_kind::tightened, "appcontainer.changed:" + narrow(object),
         "another process has changed its access list meanwhile: only the container's entries were removed"});
}

} // namespace

std::filesystem::path machine::own_journals() {
  PWSTR data = nullptr;
  if (FAILED(::SHGetKnownFolderPath(FOLDERID_LocalAppData, 0, nullptr, &data))) return {};
  const std::filesystem::path own = std::filesystem::path(data) / L"cordon";
  ::CoTaskMemFree(data);
  return own;
}

attempt::attempt(const loaded_policy& policy, run_request& request, report& r, bool confined, machine on)
    : policy_(policy),
      request_(request),
      told_(r),
      confined_(confined),
      on_(std::move(on)),
      how_{},
      output_sink_(policy.limits, request, r) {
  const auto names = policy.environment();
  for (std::uint32_t i = 0; i < names.size() && !policy.is_any<axis_id::environment>(); ++i)
    if (const std::string_view name = names.place(i);
        std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; }))
      throw refused("the policy names the variable " + std::string(name) +
                    "; on Windows names are the same ones in any case, and policies have them in capitals");
  auto made = appcontainer::compile(policy, {.system_drive = system_drive()});
  if (confined) {
    check(made.error);
    shim::append_gaps(r.gaps, made.gaps);
    r.mechanisms = {
        {"appcontainer", made.rules.made_for.less_privileged ? "less privileged" : "",
         "each start sees container, policies, integrity and privileges in the program before it runs"},
        {"access lists", std::to_string(made.rules.acls.size()), "each was read again after it was written"},
        {"job object", "", "each start sees that the program is in it, and its limits"}};
    state_later(r.gaps, request.globs);
    shim::state_writable(r.gaps, policy, request.trusted_files);
    shim::check_gaps(r, request.accepted_gaps);
  }
  rules_ = std::move(made.rules);
  how_ = confinement_of(rules_, random_container_name());
  if (!confined) how_.limits.processes = policy.limits.has(limit::processes) ? how_.limits.processes : 0;
  state_limits(policy.limits, how_.limits, r);
  environment_ = shim::environment(
      policy, with_names_in_capitals(request.environment ? *request.environment : shim::own_environment()), {},
      confined);
  r.added_environment = environment_.added();
  r.dropped_environment = environment_.dropped();
}

attempt::~attempt() {
  if (program_ && !gone_) {
    end(ending::interrupted, killed);
    ::WaitForSingleObject(program_.process.get(), INFINITE);
  }
  program_ = {};
  input_writes_ = {};
  if (writer_.joinable()) writer_.join();
  if (!files_) return;
  const turn alone;
  files_.reset();
}

void attempt::give_input(command& what) {
  switch (request_.in.from) {
  case input::source::bytes: {
    pipe_ends p = pipe_ends::make(false);
    input_ = std::move(p.theirs), input_writes_ = std::move(p.ours);
    break;
  }
  case input::source::file: {
    input_ = handle(::CreateFileW(wide(request_.in.text).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  nullptr, OPEN_EXISTING, 0, nullptr));
    if (!input_) throw refused(request_.in.text + ": " + words_of(::GetLastError()));
    break;
  }
  case input::source::caller: {
    const HANDLE own = ::GetStdHandle(STD_INPUT_HANDLE);
    const DWORD type = own == nullptr ? static_cast<DWORD>(FILE_TYPE_UNKNOWN) : ::GetFileType(own);
    // A console is not passed on: its input may be meant for another program. The program reads nothing.
    HANDLE copy = nullptr;
    if ((type == FILE_TYPE_DISK || type == FILE_TYPE_PIPE) &&
        ::DuplicateHandle(::GetCurrentProcess(), own, ::GetCurrentProcess(), &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) !=
            FALSE)
      input_ = handle(copy);
    break;
  }
  case input::source::nothing: break;
  }
  if (!input_)
    input_ = handle(
        ::CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr));
  what.stdio[0] = input_.get();
}

DWORD attempt::give_files(const container& own) {
  local<LPWSTR> account;
  if (!read_package(own.sid(), rules_.made_for) || ::ConvertSidToStringSidW(own.sid(), account.out()) == FALSE)
    return ERROR_INVALID_SID;
  what_.environment = with_folder(std::move(what_.environment), own.folder(), system_root());
  announced_ = announce(own.name());
  if (!announced_) return ERROR_ALREADY_EXISTS;
  const turn alone;
  files_.emplace(*lists_, on_.journals / (own.name() + L".journal"), account.get());
  return files_->give(grants_of(rules_, [](std::string_view place) { return path_at(place).wstring(); }));
}

void attempt::start(const std::function<void(const report&)>& before_start) {
  report& r = told_;
  const std::string search = shim::value_of(environment_.data(), "PATH");
  const found_program found = find_program(request_.argv.front(), search, r.directory);
  if (found.how != ending::exited) {
    r.ended.how = found.how;
    r.ended.why = found.why;
    return;
  }
  r.program = found.place;
  if (r.profile != profile::unrestricted) shim::check_start(policy_, found.place, r.directory);
  if (confined_ && rules_.view(rules_.acls).find("/") != no_slot)
    throw refused("the policy grants /, which would change the access lists of whole drives; name places on them");

  if (confined_) {
    std::filesystem::create_directories(on_.journals);
    DWORD error = 0;
    const std::string journals = real_place(on_.journals, error);
    const rights there = rights::from_bits(policy_.files().lookup(journals));
    if (journals.empty() || !(there & (right::write | right::create | right::remove)).empty())
      throw refused("the policy lets the program write " + journals +
                    ", where cordon keeps what access lists were before a run; take it out of what is granted");
  }

  command& what = what_;
  what.program = path_at(found.place).wstring();
  for (const std::string& a : request_.argv) what.argv.push_back(wide(a));
  for (const std::string& v : environment_.all()) what.environment.push_back(wide(v));
  what.environment.push_back(L"SystemRoot=" + system_root());
  what.directory = path_at(r.directory).wstring();
  for (const std::string& v : environment_.all()) r.environment.push_back(v.substr(0, v.find('=')));
  std::vector<std::string> added{"SystemRoot"};
  if (confined_) added.insert(added.end(), {"LOCALAPPDATA", "TEMP", "TMP"}); // with_folder
  for (const std::string& name : added) {
    r.added_environment.push_back(name);
    if (std::find(r.environment.begin(), r.environment.end(), name) == r.environment.end())
      r.environment.push_back(name);
  }
  if (before_start) before_start(r);

  give_input(what);
  output_.emplace();
  what.stdio[1] = output_->theirs(stream::output), what.stdio[2] = output_->theirs(stream::error);
  if (confined_) {
    lists_ = on_.lists();
    const turn alone;
    report_restored(r, recover(*lists_, on_.journals, on_.calls));
    how_.give = [this](const container& own) { return give_files(own); };
  }
  try {
    program_ = launch(what, how_, confined_ ? on_.steps : plain_stages(), on_.calls);
  } catch (const std::invalid_argument& e) { throw refused(e.what()); }
  output_->begin();
  input_ = {};
  if (!program_) {
    if (program_.why.at == L"process" && !confined_) {
      r.ended.how = ending::not_executable;
      r.ended.why = found.place + ": cannot be executed: " + words_of(program_.why.error);
      return;
    }
    const bool of_files = program_.why.at == L"files" && files_;
    throw refused(
        "cannot start the program: stage " + narrow(program_.why.at) + ": " +
        (of_files ? "the access list of " + narrow(files_->failed_at()) + " cannot be changed: " : "") +
        (of_files && program_.why.error == granted::in_use ? "another run has closed it, or this one would: " : "") +
        (program_.why.error == ERROR_PROC_NOT_FOUND              ? "this system has no such call"
         : program_.why.error == ERROR_ACCESS_DISABLED_BY_POLICY ? "it was accepted, and is not in force"
                                                                 : words_of(program_.why.error)));
  }
  if (input_writes_)
    writer_ = std::thread([to = std::move(input_writes_), text = request_.in.text] {
      DWORD n = 0;
      for (std::string_view left = text; !left.empty(); left.remove_prefix(n))
        if (::WriteFile(to.get(), left.data(), static_cast<DWORD>(std::min(left.size(), std::size_t{1} << 20)), &n,
                        nullptr) == FALSE)
          return;
    });
  start_ = now();
  if (policy_.limits.has(limit::timeout)) deadline_ = start_ + policy_.limits[limit::timeout];
}

void attempt::end(ending how, int number) {
  if (!program_) return;
  if (!std::exchange(decided_, true)) told_.ended.how = how, told_.ended.number = number;
  deadline_ = never;
  ::TerminateJobObject(program_.job.get(), 1);
}

void attempt::finish() {
  gone_ = true;
  DWORD status = 0;
  ::GetExitCodeProcess(program_.process.get(), &status);
  outcome& o = told_.ended;
  o.wall = now() - start_;
  JOBOBJECT_BASIC_ACCOUNTING_INFORMATION used{};
  constexpr std::uint64_t unit = 100; // nanoseconds
  if (::QueryInformationJobObject(program_.job.get(), JobObjectBasicAccountingInformation, &used, sizeof used,
                                  nullptr) != FALSE)
    o.cpu = static_cast<std::uint64_t>(used.TotalUserTime.QuadPart + used.TotalKernelTime.QuadPart) * unit;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION most{};
  if (::QueryInformationJobObject(program_.job.get(), JobObjectExtendedLimitInformation, &most, sizeof most, nullptr) !=
      FALSE)
    o.memory = most.PeakProcessMemoryUsed;
  // The kernel ends a job whose time is used up with this status ("JOBOBJECT_END_OF_JOB_TIME_INFORMATION").
  const bool no_time = policy_.limits.has(limit::cpu) && status == ERROR_NOT_ENOUGH_QUOTA &&
                       static_cast<std::uint64_t>(used.TotalUserTime.QuadPart) * unit >= policy_.limits[limit::cpu];
  if (!std::exchange(decided_, true)) {
    o.how = no_time ? ending::cpu_limit : ending::exited;
    o.number = no_time ? killed : static_cast<int>(status);
  }
  // The remaining processes of the tree may hold the pipes. So may a process outside the tree that has got a handle.
  ::TerminateJobObject(program_.job.get(), 1);
  deadline_ = now() + patience;
}

bool attempt::advance() {
  if (!program_) return true;
  if (on_.interrupted != nullptr && ::WaitForSingleObject(on_.interrupted, 0) == WAIT_OBJECT_0) {
    ::ResetEvent(on_.interrupted);
    cancel();
  }
  if (!gone_ && ::WaitForSingleObject(program_.process.get(), 0) == WAIT_OBJECT_0) finish();
  else if (now() >= deadline_) {
    if (!gone_) end(ending::timed_out, 0);
    else deadline_ = now() + patience, output_->give_up();
  }
  try {
    for (const shim::capture::piece& p : output_->take()) {
      if (output_sink_.receive(p.from, p.bytes)) continue;
      end(ending::output_quota, 0);
      if (told_.ended.how == ending::exited) told_.ended.how = ending::output_quota, told_.ended.number = 0;
    }
  } catch (...) {
    end(ending::interrupted, killed);
    throw;
  }
  return gone_ && output_->is_over();
}

bool attempt::wait_for(std::uint32_t milliseconds) {
  if (!program_) return true;
  DWORD limit = milliseconds;
  if (deadline_ != never) {
    const std::uint64_t t = now(), left = deadline_ > t ? (deadline_ - t) / 1'000'000 + 1 : 0;
    if (left < limit) limit = static_cast<DWORD>(left);
  }
  std::vector<HANDLE> all{output_->event()};
  if (!gone_) all.push_back(program_.process.get());
  if (!gone_ && on_.interrupted != nullptr) all.push_back(on_.interrupted);
  const DWORD said = ::WaitForMultipleObjects(static_cast<DWORD>(all.size()), all.data(), FALSE, limit);
  return said != WAIT_TIMEOUT || limit != milliseconds;
}

progress attempt::so_far() const { return {now() - start_, told_.ended.output_bytes, 0}; }

void attempt::tell() {
  told_.sees_errors = true;
  told_.denials = output_sink_.take_denials();
  if (!files_) return;
  const turn alone;
  report_restored(told_, files_->take_back());
}

} // namespace cordon::windows_shim
