// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"

#include "../../common/decide.hpp"
#include "../../common/gaps.hpp"
#include "../launch/prepared.hpp"
#include "../places.hpp"
#include "../text.hpp"
#include "launch_failure.hpp"
#include "limits.hpp"
#include "program.hpp"
#include "variables.hpp"

#include <cordon/format/place.hpp>
#include <cordon/run/reasons.hpp>

#include <iterator>
#include <utility>
#include <vector>

namespace cordon::windows_shim {
namespace {

void check(const diagnostic& d) {
  switch (d.code) {
  case diagnostic_code::ok: return;
  case diagnostic_code::bad_path: throw refused::because<reasons::policy_not_here>(d.subject);
  case diagnostic_code::duplicate_place: throw refused::because<reasons::policy_place_twice>(d.subject);
  default: throw refused::because<reasons::policy_too_large>("access lists");
  }
}

/// The seven numbers of a container's SID, S-1-15-2-...
[[nodiscard]] bool read_package(PSID sid, appcontainer::target& to) {
  constexpr std::size_t numbers = std::size(appcontainer::target{}.package);
  if (sid == nullptr || *::GetSidSubAuthorityCount(sid) != numbers + 1) return false;
  for (std::size_t i = 0; i < numbers; ++i) to.package[i] = *::GetSidSubAuthority(sid, static_cast<DWORD>(i + 1));
  return true;
}

/// What all processes of a job have used.
struct job_usage {
  std::uint64_t user = 0, cpu = 0, memory = 0; ///< nanoseconds; peak bytes of the largest process
};

[[nodiscard]] job_usage usage_of(HANDLE job) {
  constexpr std::uint64_t unit = 100; // nanoseconds
  job_usage used;
  JOBOBJECT_BASIC_ACCOUNTING_INFORMATION times{};
  if (::QueryInformationJobObject(job, JobObjectBasicAccountingInformation, &times, sizeof times, nullptr) != FALSE)
    used.cpu = static_cast<std::uint64_t>(times.TotalUserTime.QuadPart + times.TotalKernelTime.QuadPart) * unit;
  used.user = static_cast<std::uint64_t>(times.TotalUserTime.QuadPart) * unit;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION most{};
  if (::QueryInformationJobObject(job, JobObjectExtendedLimitInformation, &most, sizeof most, nullptr) != FALSE)
    used.memory = most.PeakProcessMemoryUsed;
  return used;
}

} // namespace

attempt::attempt(const loaded_policy& policy, run_request& request, report& r, bool confined, machine on)
    : policy_(policy),
      request_(request),
      report_(r),
      confined_(confined),
      on_(std::move(on)),
      how_{},
      run_(policy.limits, request, r) {
  check_variable_names(policy);
  auto made = appcontainer::compile(policy, {.system_drive = system_drive()});
  if (confined) state_plan(made);
  rules_ = std::move(made.rules);
  how_ = confinement_of(rules_, random_container_name());
  if (!confined) how_.limits.processes = policy.limits.has(limit::processes) ? how_.limits.processes : 0;
  state_limits(policy.limits, how_.limits, r.limits);
  environment_ = shim::environment(
      policy, with_names_in_capitals(request.environment ? *request.environment : shim::own_environment()), {},
      confined);
  r.added_environment = environment_.added();
  r.dropped_environment = environment_.dropped();
}

void attempt::state_plan(const plan<appcontainer::rules<heap>>& made) {
  check(made.error);
  shim::append_gaps(report_.gaps, made.gaps);
  report_.mechanisms = {
      {"appcontainer", made.rules.made_for.less_privileged ? "less privileged" : "",
       "each start sees container, policies, integrity and privileges in the program before it runs"},
      {"access lists", std::to_string(made.rules.acls.size()), "each was read again after it was written"},
      {"job object", "", "each start sees that the program is in it, and its limits"}};
  shim::state_run_gaps(report_.gaps, policy_, request_);
  shim::check_gaps(report_, request_.accepted_gaps);
}

attempt::~attempt() {
  if (program_ && !gone_) {
    end(ending::interrupted, shim::captured_run::killed);
    ::WaitForSingleObject(program_.process.get(), INFINITE);
  }
  program_ = {};
  input_.end();
  files_.end();
}

void attempt::check_changes() const {
  if (rules_.view(rules_.acls).find("/") != no_slot) throw refused::because<reasons::policy_grants_root>();
  std::filesystem::create_directories(on_.journals);
  DWORD error = 0;
  const std::string journals = real_place(on_.journals, error);
  const rights there = rights::from_bits(policy_.files().lookup(journals));
  if (journals.empty() || !(there & (right::write | right::create | right::remove)).empty())
    throw refused::because<reasons::policy_writes_journals>(journals);
}

void attempt::lay_out(const std::string& program) {
  what_.program = path_at(program).wstring();
  for (const std::string& a : request_.argv) what_.argv.push_back(wide(a));
  what_.environment = variables_of(environment_);
  what_.directory = path_at(report_.directory).wstring();
}

DWORD attempt::give_files(const container& own) {
  if (!read_package(own.sid(), rules_.made_for)) return ERROR_INVALID_SID;
  what_.environment = with_folder(std::move(what_.environment), own.folder(), system_root());
  return files_.give(own, on_.journals,
                     grants_of(rules_, [](std::string_view place) { return path_at(place).wstring(); }));
}

void attempt::launch_program() {
  input_.open(request_.in, what_);
  output_.emplace();
  what_.stdio[1] = output_->theirs(stream::output);
  what_.stdio[2] = output_->theirs(stream::error);
  if (confined_) {
    files_.begin(on_, report_);
    how_.give = [this](const container& own) { return give_files(own); };
  }
  try {
    program_ = launch(what_, how_, confined_ ? on_.steps : plain_stages(), on_.calls);
  } catch (const std::invalid_argument& e) { throw refused::because<reasons::start_failed>(e.what()); }
  output_->begin();
  input_.forget_childs_end();
}

void attempt::report_failure(const std::string& program) {
  if (program_.why.at != L"process" || confined_)
    throw refused::because<reasons::stage_failed>(narrow(program_.why.at),
                                                  describe_failure(program_.why, files_.failed_at()));
  shim::report_not_executable(program, 0, words_of(program_.why.error), report_);
}

void attempt::start(const callback<void(const report&)>& before_start) {
  const shim::found_program found =
      find_program(request_.argv.front(), shim::value_of(environment_.data(), "PATH"), report_.directory);
  if (!shim::accept_program(found, policy_, report_)) return;
  if (confined_) check_changes();
  lay_out(found.real);
  state_variables(environment_, confined_, report_);
  if (before_start) before_start(report_);
  launch_program();
  if (!program_) return report_failure(found.real);
  input_.begin(request_.in.text);
  run_.begin();
  if (policy_.limits.has(limit::timeout))
    deadline_ = shim::deadline_after(run_.start(), policy_.limits[limit::timeout]);
}

void attempt::end(ending how, int number) {
  if (!program_ || gone_) return;
  run_.decide(how, number);
  deadline_ = shim::never;
  ::TerminateJobObject(program_.job.get(), 1);
}

void attempt::finish() {
  gone_ = true;
  DWORD status = 0;
  ::GetExitCodeProcess(program_.process.get(), &status);
  run_.stop_clock();
  const job_usage used = usage_of(program_.job.get());
  report_.ended.cpu = used.cpu;
  report_.ended.memory = used.memory;
  // The kernel ends a job whose time is used up with this status ("JOBOBJECT_END_OF_JOB_TIME_INFORMATION").
  const bool no_time =
      policy_.limits.has(limit::cpu) && status == ERROR_NOT_ENOUGH_QUOTA && used.user >= policy_.limits[limit::cpu];
  if (no_time) run_.decide(ending::cpu_limit, shim::captured_run::killed);
  else run_.decide(ending::exited, static_cast<int>(status));
  // The remaining processes of the tree may hold the pipes. So may a process outside the tree that has got a handle.
  ::TerminateJobObject(program_.job.get(), 1);
  deadline_ = shim::now() + shim::captured_run::patience;
}

void attempt::take_events() {
  if (on_.interrupted != nullptr && ::WaitForSingleObject(on_.interrupted, 0) == WAIT_OBJECT_0) {
    ::ResetEvent(on_.interrupted);
    cancel();
  }
  if (!gone_ && ::WaitForSingleObject(program_.process.get(), 0) == WAIT_OBJECT_0) return finish();
  if (shim::now() < deadline_) return;
  if (!gone_) return end(ending::timed_out, 0);
  deadline_ = shim::now() + shim::captured_run::patience;
  output_->give_up();
}

bool attempt::advance() {
  if (!program_) return true;
  take_events();
  run_.pass_on([this] { return output_->take(); }, [this](ending how, int number) { end(how, number); });
  return gone_ && output_->is_over();
}

bool attempt::wait_for(std::uint32_t milliseconds) {
  if (!program_) return true;
  DWORD limit = milliseconds;
  if (deadline_ != shim::never) {
    const std::uint64_t t = shim::now(), left = deadline_ > t ? (deadline_ - t) / 1'000'000 + 1 : 0;
    if (left < limit) limit = static_cast<DWORD>(left);
  }
  std::vector<HANDLE> all{output_->event()};
  if (!gone_) all.push_back(program_.process.get());
  if (!gone_ && on_.interrupted != nullptr) all.push_back(on_.interrupted);
  const DWORD said = ::WaitForMultipleObjects(static_cast<DWORD>(all.size()), all.data(), FALSE, limit);
  return said != WAIT_TIMEOUT || limit != milliseconds;
}

void attempt::complete_report() {
  run_.complete_report();
  files_.take_back(report_);
}

} // namespace cordon::windows_shim
