// SPDX-License-Identifier: BSL-1.0
// Measures what a filter costs the program under it: each system call, and the installation. Ratios are medians over
// rounds. In each, every filter gets a new process, in random order, since a filter cannot be removed.
//
//     syscall_cost [--check] [ROUNDS]
//
// The goals: an allowed call takes at most 1.03 times as long as under a filter of one instruction. Installing the
// baseline takes at most 1.10 times as long as libseccomp's fastest filter with the same results. --check fails if none
// of three measurements meets them (on a busy machine single ones vary), or if the kernel's cache lacks such a call.
#include "turns.hpp"

#include <cordon/backend/seccomp/compile.hpp>
#include <cordon/backend/seccomp/evaluate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace cordon::seccomp;
using instructions = std::vector<insn>;

constexpr arch native =
#if defined(__x86_64__)
    arch::x86_64;
#elif defined(__aarch64__)
    arch::aarch64;
#else
    arch::riscv64;
#endif

constexpr double call_goal = 1.03, install_goal = 1.10;

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "syscall_cost: %s\n", what);
  std::exit(1);
}

double now() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

instructions ours(const filter_spec& d) {
  const program made = compile(d);
  return {made.code().begin(), made.code().end()};
}

using comparisons = std::vector<scmp_arg_cmp>;
void each_bit(comparisons& refused, unsigned argument, std::uint32_t bits) {
  for (std::uint32_t bit = 1; bit != 0; bit <<= 1)
    if ((bits & bit) != 0) refused.push_back({argument, SCMP_CMP_MASKED_EQ, bit, bit});
}

/// The arguments that the baseline checks, as rules of libseccomp: any match refuses the call.
comparisons refusals(disposition what) {
  using namespace constants;
  comparisons all;
  switch (what) {
  case disposition::clone_flags: each_bit(all, 0, new_namespaces); break;
  case disposition::unshare_flags: each_bit(all, 0, new_namespaces | new_time); break;
  case disposition::ioctl_request:
    for (const std::uint32_t request : requests) all.push_back({1, SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, request});
    break;
  case disposition::socketpair_kind:
    all.push_back({0, SCMP_CMP_NE, af_unix, 0});
    for (std::uint32_t kind = 0; kind <= kind_bits; ++kind)
      if (kind != sock_stream && kind != sock_seqpacket) all.push_back({1, SCMP_CMP_MASKED_EQ, kind_bits, kind});
    break;
  case disposition::send_flags_2: each_bit(all, 2, fast_open); break;
  case disposition::send_flags_3: each_bit(all, 3, fast_open); break;
  case disposition::own_process: all.push_back({0, SCMP_CMP_NE, 0, 0}); break;
  case disposition::own_priority:
  case disposition::own_io_priority:
    all.push_back({0, SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, what == disposition::own_priority ? prio_user : ioprio_user});
    all.push_back({1, SCMP_CMP_NE, 0, 0});
    break;
  default: stop("the rules for libseccomp lack an argument check of the baseline");
  }
  return all;
}

bool add_rules(scmp_filter_ctx filter, int number, disposition what) {
  if (what == disposition::allow) return true;
  if (what == disposition::absent || what == disposition::refuse)
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(what == disposition::absent ? 38 : 1), number, 0) == 0;
  const comparisons all = refusals(what);
  return std::all_of(all.begin(), all.end(), [&](const scmp_arg_cmp& one) {
    return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(1), number, 1, &one) == 0;
  });
}

/// The baseline as libseccomp makes it. Level 1 compares the numbers one after the other, level 2 in a binary tree.
instructions theirs(std::uint32_t level) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  bool done = filter != nullptr && seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, level) == 0;
  done = done && seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
  for (std::uint32_t number = 0; number < number_set::limit; ++number)
    done =
        done && add_rules(filter, static_cast<int>(number), disposition_of({.cpu = native}, class_of(native, number)));
  const int file = ::memfd_create("filter", 0);
  done = done && file >= 0 && seccomp_export_bpf(filter, file) == 0;
  seccomp_release(filter);
  if (!done) stop("libseccomp refuses");
  instructions code(static_cast<std::size_t>(::lseek(file, 0, SEEK_CUR)) / sizeof(insn));
  const std::size_t size = code.size() * sizeof(insn);
  if (::pread(file, code.data(), size, 0) != static_cast<ssize_t>(size)) stop("libseccomp's filter cannot be read");
  ::close(file);
  return code;
}

/// Both return the same result for every number, whatever the check of its arguments finds.
bool same_answers(const instructions& a, const instructions& b) {
  constexpr std::array<std::uint64_t, 12> words{0,      1,      2,       3,          5,          0x80,
                                                0x5412, 0x541C, 0x80001, 0x10000000, 0x20000000, 0x40086602};
  data in{0, audit_arch(native)};
  for (std::uint32_t number = 0; number < number_set::limit; ++number)
    for (const std::uint64_t first : words)
      for (const std::uint64_t second : words) {
        in.nr = static_cast<std::int32_t>(number);
        in.args = {first, second, second, second};
        if (evaluate(a, in) != evaluate(b, in)) return false;
      }
  return true;
}

/// Evaluates the program with only the number and the machine known, and stops at any other word. A call that passes is
/// in the kernel's cache (kernel/seccomp.c, seccomp_is_const_allow, since Linux 5.11).
instructions as_cached(instructions code) {
  for (insn& i : code)
    if (static_cast<op>(i.code) == op::load && i.k != offset_of_number && i.k != offset_of_arch)
      i = {static_cast<std::uint16_t>(op::give), 0, 0, kill_process.encoded()};
  return code;
}

/// Prints how many of the calls that pass with any arguments are in the cache, on every machine. Returns: whether all
/// are.
bool all_cached(const char* name, filter_spec d) {
  std::size_t pass_always = 0, found = 0;
  for (const arch cpu : {arch::x86_64, arch::aarch64, arch::riscv64}) {
    d.cpu = cpu;
    const instructions code = as_cached(ours(d));
    for (const call& c : calls) {
      const int number = number_of(cpu, c.name);
      if (number < 0 || disposition_of(d, c.what) != disposition::allow) continue;
      ++pass_always;
      found += evaluate(code, {number, audit_arch(cpu)}) == pass;
    }
  }
  std::printf("  %-44s %zu of %zu\n", name, found, pass_always);
  return found == pass_always && found > 0;
}

/// Nanoseconds.
struct costs {
  double install, pass, look, open;
};

/// Nanoseconds of one call, in the least disturbed of a few batches.
template <class F> double least(F&& call) {
  constexpr int batches = 16, calls_each = 256;
  double best = 1e18;
  for (int batch = 0; batch < batches; ++batch) {
    const double from = now();
    for (int i = 0; i < calls_each; ++i) call();
    best = std::min(best, (now() - from) / calls_each);
  }
  return best;
}

struct candidate {
  const char* name;
  instructions code;      ///< none: the process runs unfiltered
  double call_goal = 0;   ///< the highest ratio to one instruction; 0: none
  bool is_judged = false; ///< at its installation
  std::vector<costs> rounds{};
};

/// In the child. Returns its exit status.
int measure(const candidate& f, costs& out) {
  const struct {
    unsigned short length;
    const insn* code;
  } loaded{static_cast<unsigned short>(f.code.size()), f.code.data()}; // struct sock_fprog
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 1;
  const double from = now();
  if (!f.code.empty() && ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &loaded) != 0) return 1;
  out.install = now() - from;
  out.pass = least([] { ::syscall(SYS_getppid); }); // the vDSO does not answer this one
  out.look = least([] { ::syscall(SYS_ioctl, -1, 0); });
  out.open = least([] { ::syscall(SYS_openat, -1, "file", 0); });
  return 0;
}

void run(candidate& f, costs& shared) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(measure(f, shared));
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) stop("a filter cannot be installed here");
  f.rounds.push_back(shared);
}

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}
double median(const candidate& f, double costs::*what) {
  std::vector<double> all;
  for (const costs& c : f.rounds) all.push_back(c.*what);
  return median(all);
}

/// Ratio of two filters in the same rounds: other load on the machine affects both.
double ratio(const candidate& f, const candidate& base, double costs::*what) {
  std::vector<double> all;
  for (std::size_t i = 0; i < f.rounds.size(); ++i) all.push_back(f.rounds[i].*what / (base.rounds[i].*what));
  return median(all);
}

/// Prints one line. Returns: whether the ratio meets the goal; 0: no goal.
bool line(const candidate& f, const candidate& base, double costs::*what, double goal) {
  const double times = ratio(f, base, what);
  std::printf("  %-44s %9.1f ns  %.3f", f.name, median(f, what), times);
  if (goal != 0) std::printf("  (at most %.2f)", goal);
  std::puts("");
  return goal == 0 || times <= goal;
}

void take_turns(std::vector<candidate>& all, int rounds) {
  static void* const page = ::mmap(nullptr, sizeof(costs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) stop("no memory");
  for (candidate& f : all) f.rounds.clear();
  in_turns(all, rounds, [](candidate& f) { run(f, *static_cast<costs*>(page)); });
}

/// Are all within their goals?
bool report(const std::vector<candidate>& all, const candidate& one_instruction, const candidate& peer) {
  bool good = true;
  std::puts("a call that passes (getppid)");
  for (const candidate& f : all) good &= line(f, one_instruction, &costs::pass, f.call_goal);
  std::puts("a call that is looked at (ioctl of no file)");
  for (const candidate& f : all) line(f, one_instruction, &costs::look, 0);
  std::puts("a file that is opened (openat beneath no directory)");
  for (const candidate& f : all) line(f, one_instruction, &costs::open, 0);
  std::puts("installation");
  for (const candidate& f : all)
    if (!f.code.empty()) good &= line(f, peer, &costs::install, f.is_judged ? install_goal : 0);
  return good;
}

} // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const int rounds = argc > 1 + check ? std::atoi(argv[1 + check]) : 300;
  if (rounds < 1) stop("usage: syscall_cost [--check] [ROUNDS]");

  const filter_spec baseline{.cpu = native}, strict{.cpu = native, .strict = true};
  const filter_spec network{.cpu = native, .network = true, .connect = true};
  const filter_spec run{.cpu = native, .pid_namespace = true, .ipc_namespace = true, .set_id = false};
  std::vector<candidate> all{{"no filter", {}},
                             {"one instruction", {{static_cast<std::uint16_t>(op::give), 0, 0, pass.encoded()}}},
                             {"cordon's baseline", ours(baseline), call_goal, true},
                             {"cordon's network", ours(network), call_goal},
                             {"cordon's strict", ours(strict), call_goal},
                             {"cordon run's, in namespaces", ours(run), call_goal},
                             {"libseccomp's baseline", theirs(1)},
                             {"libseccomp's baseline, binary tree", theirs(2)}};
  const candidate &one_instruction = all[1], &own = all[2], &chain = all[6], &tree = all[7];
  if (!same_answers(own.code, chain.code) || !same_answers(own.code, tree.code))
    stop("libseccomp's filter answers otherwise");
  std::puts("instructions");
  for (const candidate& f : all) std::printf("  %-44s %zu\n", f.name, f.code.size());
  std::puts("calls that pass with any arguments: in the kernel's cache");
  bool in_cache = all_cached("cordon's baseline", baseline);
  in_cache &= all_cached("cordon's network", network);
  in_cache &= all_cached("cordon's strict", strict);
  in_cache &= all_cached("cordon run's, in namespaces", run);

  bool quick = false;
  for (int left = check ? 3 : 1; left > 0 && !quick; --left) {
    take_turns(all, rounds);
    const bool chain_is_quicker = median(chain, &costs::install) < median(tree, &costs::install);
    quick = report(all, one_instruction, chain_is_quicker ? chain : tree);
  }
  return check && !(quick && in_cache) ? 1 : 0;
}
