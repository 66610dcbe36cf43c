// SPDX-License-Identifier: BSL-1.0
/// Checks constant filters at compile time: the verdict of every number is known before the program runs.
#include "cordon/backend/seccomp/filter.hpp"

#include "cordon/backend/seccomp/evaluate.hpp"
#include "holds.hpp"
#include "lists.hpp"

#include <type_traits>

namespace seccomp_filter_test {

using namespace cordon::seccomp;
using cordon::ability;

namespace {

constexpr filter_spec baseline{};
constexpr filter_spec strict_arm{.cpu = arch::aarch64, .strict = true};
constexpr filter_spec open_riscv{
    .cpu = arch::riscv64, .network = true, .connect = true, .pid_namespace = true, .ipc_namespace = true};
constexpr filter_spec no_set_id{.set_id = false},
    strict_no_set_id{.cpu = arch::aarch64, .strict = true, .set_id = false};
constexpr listing allowed{arch::x86_64, numbers_of(arch::x86_64, lists::allowed), pass, no_such_call};

// clang-format off
/// Names of calls that are refused when all arguments are 0.
constexpr std::string_view refused_by_baseline[]{
    "accept", "accept4", "acct", "add_key", "adjtimex", "bind", "bpf", "chroot", "clock_adjtime", "clock_settime",
    "connect", "delete_module", "fanotify_init", "file_setattr", "finit_module", "fsconfig", "fsmount", "fsopen",
    "fspick", "init_module", "io_uring_enter", "io_uring_register", "io_uring_setup", "ioperm", "iopl", "kcmp",
    "kexec_file_load", "kexec_load", "keyctl", "listen", "listmount", "lookup_dcookie", "migrate_pages", "modify_ldt",
    "mount", "mount_setattr", "move_mount", "move_pages", "mq_getsetattr", "mq_notify", "mq_open", "mq_timedreceive",
    "mq_timedsend", "mq_unlink", "msgctl", "msgget", "msgrcv", "msgsnd", "name_to_handle_at", "open_by_handle_at",
    "open_tree", "open_tree_attr", "perf_event_open", "pidfd_getfd", "pivot_root", "process_madvise",
    "process_vm_readv", "process_vm_writev", "ptrace", "quotactl", "quotactl_fd", "reboot", "request_key", "semctl",
    "semget", "semop", "semtimedop", "setdomainname", "sethostname", "setns", "settimeofday", "shmat", "shmctl",
    "shmdt", "shmget", "socket", "socketpair", "statmount", "swapoff", "swapon", "syslog", "umount2", "uselib",
    "userfaultfd", "vhangup"};
/// Those of them that a network, a pid namespace and an ipc namespace allow again.
constexpr std::string_view given_back[]{
    "accept", "accept4", "bind", "connect", "listen", "mq_getsetattr", "mq_notify", "mq_open", "mq_timedreceive",
    "mq_timedsend", "mq_unlink", "msgctl", "msgget", "msgrcv", "msgsnd", "semctl", "semget", "semop", "semtimedop",
    "shmat", "shmctl", "shmdt", "shmget"};
constexpr std::string_view unknown_to_strict[]{
    "cachestat", "fanotify_mark", "get_mempolicy", "get_robust_list", "io_cancel", "io_destroy", "io_getevents",
    "io_pgetevents", "io_setup", "io_submit", "lsm_get_self_attr", "lsm_list_modules", "lsm_set_self_attr", "mbind",
    "memfd_secret", "nfsservctl", "process_mrelease", "remap_file_pages", "set_mempolicy", "set_mempolicy_home_node",
    "vmsplice"};
// clang-format on

constexpr number_set without(number_set set, const number_set& dropped) {
  for (std::size_t i = 0; i < set.words.size(); ++i) set.words[i] &= ~dropped.words[i];
  return set;
}

/// Every number from `from` on, without arguments: refused if listed, otherwise as the other parameters say.
template <std::size_t N>
constexpr bool says(const std::array<insn, N>& code, arch cpu, const number_set& refused, bool strict,
                    const number_set& unknown, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t number = from; number < to; ++number) {
    const bool clone3 = number == static_cast<std::uint32_t>(number_of(cpu, "clone3"));
    const bool x32 = cpu == arch::x86_64 && number >= 512 && number < 548;
    const bool absent = clone3 || (strict && (name_of(cpu, number).empty() || unknown.has(number)));
    const filter_action wanted = x32                   ? kill_process
                                 : refused.has(number) ? not_permitted
                                 : absent              ? no_such_call
                                                       : pass;
    if (evaluate(code, {static_cast<std::int32_t>(number), audit_arch(cpu)}) != wanted) return false;
  }
  return true;
}

template <std::size_t N>
constexpr filter_action said(const std::array<insn, N>& code, arch cpu, std::string_view name,
                             std::array<std::uint64_t, 6> args) {
  return evaluate(code, {number_of(cpu, name), audit_arch(cpu), 0, args});
}

template <std::size_t N> constexpr bool kills_foreign(const std::array<insn, N>& code, arch cpu) {
  // i386, arm, x86_64, aarch64, riscv64, big-endian s390x, none
  for (const std::uint32_t machine : {0x40000003U, 0x40000028U, 0xC000003EU, 0xC00000B7U, 0xC00000F3U, 0x80000016U, 0U})
    for (std::int32_t number = 0; number < 128; ++number)
      if (machine != audit_arch(cpu) && evaluate(code, {number, machine}) != kill_process) return false;
  return true;
}

template <std::size_t N> constexpr bool kills_x32(const std::array<insn, N>& code) {
  for (std::uint32_t number = 0; number < number_set::limit; ++number)
    if (evaluate(code, {static_cast<std::int32_t>(number | 0x40000000), audit_arch(arch::x86_64)}) != kill_process)
      return false;
  return true;
}

} // namespace

TEST_CASE("seccomp filter: the baseline on x86_64 has the expected verdict for every number") {
  constexpr number_set refused = numbers_of(arch::x86_64, refused_by_baseline);
  HOLDS(says(filter<baseline>, arch::x86_64, refused, false, {}, 0, 300));
  HOLDS(says(filter<baseline>, arch::x86_64, refused, false, {}, 300, 600));
  HOLDS(says(filter<baseline>, arch::x86_64, refused, false, {}, 600, 1030));
  HOLDS(kills_x32(filter<baseline>));
  HOLDS(kills_foreign(filter<baseline>, arch::x86_64));
}

TEST_CASE("seccomp filter: strict on aarch64 has the expected verdict for every number") {
  constexpr number_set refused = numbers_of(arch::aarch64, refused_by_baseline);
  constexpr number_set unknown = numbers_of(arch::aarch64, unknown_to_strict);
  HOLDS(says(filter<strict_arm>, arch::aarch64, refused, true, unknown, 0, 300));
  HOLDS(says(filter<strict_arm>, arch::aarch64, refused, true, unknown, 300, 600));
  HOLDS(says(filter<strict_arm>, arch::aarch64, refused, true, unknown, 600, 1030));
  HOLDS(kills_foreign(filter<strict_arm>, arch::aarch64));
}

TEST_CASE("seccomp filter: network and namespaces on riscv64 have the expected verdict for every number") {
  // A socket of family 0 and a pair of family 0 are still refused.
  constexpr number_set refused =
      without(numbers_of(arch::riscv64, refused_by_baseline), numbers_of(arch::riscv64, given_back));
  HOLDS(says(filter<open_riscv>, arch::riscv64, refused, false, {}, 0, 300));
  HOLDS(says(filter<open_riscv>, arch::riscv64, refused, false, {}, 300, 600));
  HOLDS(says(filter<open_riscv>, arch::riscv64, refused, false, {}, 600, 1030));
  HOLDS(kills_foreign(filter<open_riscv>, arch::riscv64));
}

TEST_CASE("seccomp filter: modes with set-user-ID are refused by every call") {
  constexpr auto x86 = [](std::string_view name, std::array<std::uint64_t, 6> args) {
    return said(filter<no_set_id>, arch::x86_64, name, args);
  };
  HOLDS(x86("chmod", {0, 04755}) == not_permitted && x86("chmod", {0, 0755}) == pass);
  HOLDS(x86("fchmod", {1, 06755}) == not_permitted && x86("fchmod", {04000, 0755}) == pass);
  HOLDS(x86("fchmodat", {0, 0, 04000}) == not_permitted && x86("fchmodat", {0, 04000, 0777, 04000}) == pass);
  HOLDS(x86("fchmodat2", {0, 0, 04711, 0x100}) == not_permitted && x86("fchmodat2", {0, 0, 0711, 0x100}) == pass);
  HOLDS(x86("creat", {0, 04755}) == not_permitted && x86("creat", {0, 0644}) == pass);
  HOLDS(x86("mknod", {0, 0104755}) == not_permitted && x86("mknod", {0, 0100755, 04000}) == pass);
  HOLDS(x86("mknodat", {0, 0, 0104755}) == not_permitted && x86("mknodat", {0, 0, 010644}) == pass);
  // A directory passes on its group by the other bit, and mkdir drops both.
  HOLDS(x86("chmod", {0, 02775}) == pass && x86("fchmodat", {0, 0, 02775}) == pass && x86("mkdir", {0, 06755}) == pass);
  // The mode counts only together with O_CREAT or O_TMPFILE.
  HOLDS(x86("open", {0, 0x41, 04755}) == not_permitted && x86("open", {0, 0x410001, 04755}) == not_permitted);
  HOLDS(x86("open", {0, 0, 04755}) == pass && x86("open", {0, 0x10000, 04755}) == pass &&
        x86("open", {0, 0x41}) == pass);
  HOLDS(x86("openat", {0, 0, 0x41, 04755}) == not_permitted && x86("openat", {0, 0, 0x410001, 04755}) == not_permitted);
  HOLDS(x86("openat", {0, 0, 0x80000, 04755}) == pass && x86("openat", {0, 0x41, 0x241, 0666}) == pass);
  HOLDS(x86("openat2", {}) == no_such_call);

  constexpr auto arm = [](std::string_view name, std::array<std::uint64_t, 6> args) {
    return said(filter<strict_no_set_id>, arch::aarch64, name, args);
  };
  HOLDS(arm("openat", {0, 0, 0x41, 04755}) == not_permitted && arm("openat", {0, 0, 0x41, 0755}) == pass);
  HOLDS(arm("fchmod", {1, 04755}) == not_permitted && arm("openat2", {}) == no_such_call);

  constexpr auto lifted = [](std::string_view name, std::array<std::uint64_t, 6> args) {
    return said(filter<baseline>, arch::x86_64, name, args);
  };
  HOLDS(lifted("chmod", {0, 04755}) == pass && lifted("openat", {0, 0, 0x41, 04755}) == pass);
  HOLDS(lifted("openat2", {}) == pass);
}

TEST_CASE("seccomp filter: a constant list of 250 names is small") {
  HOLDS(filter<allowed>.size() <= 92);
  HOLDS(evaluate(filter<allowed>, {0, audit_arch(arch::x86_64)}) == pass);
  HOLDS(evaluate(filter<allowed>, {101, audit_arch(arch::x86_64)}) == no_such_call);
  HOLDS(kills_x32(filter<allowed>));
}

TEST_CASE("seccomp filter: a constant filter equals the one compiled at run time") {
  const auto same = [](auto code, const program& made) {
    CHECK(code.size() == made.size());
    for (std::size_t i = 0; i < made.size(); ++i) CHECK(code[i] == made.code()[i]);
  };
  same(std::span{filter<baseline>}, compile(baseline));
  same(std::span{filter<strict_arm>}, compile(strict_arm));
  same(std::span{filter<open_riscv>}, compile(open_riscv));
  same(std::span{filter<allowed>}, compile(allowed));
}

TEST_CASE("seccomp filter: filters are trivially copyable") {
  HOLDS(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(filter<baseline>)>>);
  HOLDS(sizeof(filter<baseline>) == 8 * filter<baseline>.size());
  HOLDS(valid(filter<baseline>) && valid(filter<strict_arm>) && valid(filter<open_riscv>) && valid(filter<allowed>));
}

} // namespace seccomp_filter_test
