// SPDX-License-Identifier: BSL-1.0
/// Measures making filters from lists of names: ours against libseccomp's init, rule_add and export, in one run.
///   seccomp [--check] [Google Benchmark's options]
/// --check exits with 1 below 40 times the speed for the list of refusals and 150 for the list of permissions.
#include "../test/backend/seccomp/lists.hpp"

#include "cordon/backend/seccomp/compile.hpp"

#include <benchmark/benchmark.h>
#include <seccomp.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace {

namespace seccomp = cordon::seccomp;
using names = std::span<const std::string_view>;

struct job {
  names calls;
  bool denies;
  double times_at_least; ///< the speed of libseccomp
};
constexpr job refusals{lists::denied, true, 40}, permissions{lists::allowed, false, 150};

seccomp::program ours(const job& j) {
  using namespace seccomp;
  const number_set numbers = numbers_of(arch::x86_64, j.calls);
  return compile(j.denies ? listing{arch::x86_64, numbers, not_permitted, pass}
                          : listing{arch::x86_64, numbers, pass, not_permitted});
}

/// Instructions, or 0 if libseccomp failed. Level 2 is its binary tree.
std::size_t theirs(const job& j, std::uint32_t level, int file) {
  const std::uint32_t refuse = SCMP_ACT_ERRNO(1), allow = SCMP_ACT_ALLOW;
  scmp_filter_ctx filter = seccomp_init(j.denies ? allow : refuse);
  bool done = filter != nullptr && seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, level) == 0;
  for (const std::string_view name : j.calls)
    done =
        done && seccomp_rule_add(filter, j.denies ? refuse : allow, seccomp_syscall_resolve_name(name.data()), 0) == 0;
  done = done && lseek(file, 0, SEEK_SET) == 0 && seccomp_export_bpf(filter, file) == 0;
  seccomp_release(filter);
  return done ? static_cast<std::size_t>(lseek(file, 0, SEEK_CUR)) / sizeof(seccomp::insn) : 0;
}

void run_ours(benchmark::State& state, const job& j) {
  for (auto _ : state) {
    const seccomp::program made = ours(j);
    benchmark::DoNotOptimize(made.code().data());
    benchmark::ClobberMemory();
  }
  state.counters["instructions"] = static_cast<double>(ours(j).size());
}

void run_theirs(benchmark::State& state, const job& j, std::uint32_t level) {
  const int file = memfd_create("filter", 0);
  std::size_t instructions = 0;
  for (auto _ : state) instructions = theirs(j, level, file);
  if (instructions == 0) state.SkipWithError("libseccomp refuses");
  state.counters["instructions"] = static_cast<double>(instructions);
  close(file);
}

/// Keeps the best time of each benchmark.
class best : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      const std::string name = run.run_name.function_name;
      const double time = run.GetAdjustedCPUTime();
      const auto [at, fresh] = times.try_emplace(name, time);
      if (!fresh && time < at->second) at->second = time;
    }
  }
  std::map<std::string, double> times;
};

} // namespace

int main(int count, char** words) {
  bool check = false;
  // Interleave the benchmarks: other load on the machine affects both alike.
  std::string interleaved = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> kept{words[0], interleaved.data()};
  for (char* const word : std::span{words, static_cast<std::size_t>(count)}.subspan(1))
    if (std::strcmp(word, "--check") == 0) check = true;
    else kept.push_back(word);
  int kept_count = static_cast<int>(kept.size());

  const struct {
    const char* name;
    const job& what;
  } jobs[]{{"refusals_37", refusals}, {"permissions_250", permissions}};
  for (const auto& [name, what] : jobs) {
    const std::string stem = name;
    const auto set_up = [](benchmark::internal::Benchmark* b) { b->Repetitions(12)->MinTime(0.03); };
    set_up(benchmark::RegisterBenchmark((stem + "_cordon").c_str(), run_ours, what));
    set_up(benchmark::RegisterBenchmark((stem + "_libseccomp").c_str(), run_theirs, what, 1U));
    set_up(benchmark::RegisterBenchmark((stem + "_libseccomp_tree").c_str(), run_theirs, what, 2U));
  }
  benchmark::Initialize(&kept_count, kept.data());
  best reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);

  int status = 0;
  for (const auto& [name, what] : jobs) {
    const std::string stem = name;
    const auto own = reporter.times.find(stem + "_cordon"), peer = reporter.times.find(stem + "_libseccomp");
    if (own == reporter.times.end() || peer == reporter.times.end()) continue;
    const double times = peer->second / own->second;
    std::printf("%s: %.0f times as fast as libseccomp (at least %.0f)\n", name, times, what.times_at_least);
    if (check && times < what.times_at_least) status = 1;
  }
  return status;
}
