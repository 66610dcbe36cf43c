// SPDX-License-Identifier: BSL-1.0
/// The expected result of a filter, specified a second time: by names and arguments, without kinds, intervals or code.
#pragma once

#include "cordon/backend/seccomp/filter_action.hpp"
#include "cordon/backend/seccomp/filter_spec.hpp"
#include "cordon/backend/seccomp/insn.hpp"

#include <set>
#include <string_view>

namespace model {

using namespace cordon::seccomp;
using cordon::ability;
using names = std::set<std::string_view>;

inline names of(std::string_view words) {
  names all;
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    all.insert(words.substr(0, end));
    words = end == words.npos ? std::string_view{} : words.substr(end + 1);
  }
  return all;
}

inline const names always =
    of("io_uring_setup io_uring_enter io_uring_register userfaultfd swapon swapoff open_by_handle_at name_to_handle_at "
       "fanotify_init quotactl quotactl_fd acct lookup_dcookie sethostname setdomainname syslog iopl ioperm vhangup "
       "modify_ldt move_pages migrate_pages uselib file_setattr");

struct lift {
  ability by;
  names calls;
};
inline const lift lifts[]{
    {ability::trace, of("ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp")},
    {ability::mount, of("mount umount2 pivot_root chroot open_tree open_tree_attr move_mount fsopen fsconfig fsmount "
                        "fspick mount_setattr statmount listmount")},
    {ability::namespaces, of("setns")},
    {ability::keyring, of("add_key request_key keyctl")},
    {ability::bpf, of("bpf")},
    {ability::perf, of("perf_event_open")},
    {ability::modules, of("init_module finit_module delete_module")},
    {ability::clock, of("settimeofday clock_settime clock_adjtime adjtimex")},
    {ability::reboot, of("reboot kexec_load kexec_file_load")},
};

inline const names ipc = of("shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl "
                            "mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr");

inline const names not_in_strict =
    of("_sysctl afs_syscall create_module epoll_ctl_old epoll_wait_old get_kernel_syms getpmsg nfsservctl putpmsg "
       "query_module security tuxcall vserver ustat sysfs remap_file_pages get_thread_area set_thread_area io_setup "
       "io_destroy io_submit io_cancel io_getevents io_pgetevents mbind set_mempolicy get_mempolicy "
       "set_mempolicy_home_node vmsplice fanotify_mark memfd_secret process_mrelease lsm_get_self_attr "
       "lsm_set_self_attr lsm_list_modules cachestat get_robust_list");

inline filter_action refused_unless(bool allowed) { return allowed ? pass : not_permitted; }

inline filter_action plain_socket(const filter_spec& d, std::uint32_t family, std::uint32_t type,
                                  std::uint32_t protocol) {
  type &= 0xF;
  const bool raw = d.lifts(ability::raw_socket);
  if (family == 1) return refused_unless(d.unix_sockets || (d.unix_streams && (type == 1 || type == 5)));
  if (family == 16) return refused_unless(d.own && protocol == 0);
  if (family == 17) return refused_unless(raw);
  if (family != 2 && family != 10) return not_permitted;
  if (type == 1) return refused_unless(protocol == 0 || protocol == 6);
  if (type == 2) return refused_unless(d.udp && (protocol == 0 || protocol == 17));
  return refused_unless(raw && type == 3);
}

inline filter_action of_call(const filter_spec& d, std::string_view name, const std::uint32_t (&a)[6]) {
  constexpr std::uint32_t fast_open = 0x20000000;
  const bool may_fast_open = d.network && d.connect;
  if (name == "clone3") return no_such_call;
  if (always.count(name)) return not_permitted;
  for (const lift& l : lifts)
    if (l.calls.count(name)) return refused_unless(d.lifts(l.by));
  if (ipc.count(name)) return refused_unless(d.ipc_namespace);

  if (name == "fork" || name == "vfork") return refused_unless(d.spawn);
  if (name == "clone" || name == "unshare") {
    std::uint32_t made = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;
    if (name == "unshare") made |= 0x80;
    const bool process = name == "clone" && (a[0] & 0x10000) == 0;
    return refused_unless((d.lifts(ability::namespaces) || (a[0] & made) == 0) && (d.spawn || !process));
  }
  if (name == "ioctl")
    return refused_unless(a[1] != 0x5412 && a[1] != 0x541C && a[1] != 0x541D && a[1] != 0x5423 && a[1] != 0x40086602 &&
                          a[1] != 0x401C5820);

  if (name == "socket") return d.network ? plain_socket(d, a[0], a[1], a[2]) : not_permitted;
  if (name == "socketpair") {
    const std::uint32_t type = a[1] & 0xF;
    return refused_unless(a[0] == 1 && (type == 1 || type == 5 || (type == 2 && d.network && d.unix_sockets)));
  }
  if (name == "connect" || name == "accept" || name == "accept4") return refused_unless(d.network);
  if (name == "listen" || name == "bind") return refused_unless(d.network && d.listen);
  if (name == "sendmsg") return refused_unless(may_fast_open || (a[2] & fast_open) == 0);
  if (name == "sendto" || name == "sendmmsg") return refused_unless(may_fast_open || (a[3] & fast_open) == 0);

  if (name == "prlimit64" || name == "sched_setaffinity" || name == "sched_setscheduler" || name == "sched_setparam" ||
      name == "sched_setattr")
    return refused_unless(d.pid_namespace || a[0] == 0);
  if (name == "setpriority") return refused_unless(d.pid_namespace || (a[0] != 2 && a[1] == 0));
  if (name == "ioprio_set") return refused_unless(d.pid_namespace || (a[0] != 3 && a[1] == 0));
  constexpr std::uint32_t creates = 0x400040, runs_as_owner = 04000;
  const bool made_2 = (a[1] & creates) != 0, made_3 = (a[2] & creates) != 0;
  const bool asks = name == "chmod" || name == "fchmod" || name == "creat" || name == "mknod"
                        ? (a[1] & runs_as_owner) != 0
                    : name == "fchmodat" || name == "fchmodat2" || name == "mknodat" ? (a[2] & runs_as_owner) != 0
                    : name == "open"   ? made_2 && (a[2] & runs_as_owner) != 0
                    : name == "openat" ? made_3 && (a[3] & runs_as_owner) != 0
                                       : false;
  if (asks && !d.set_id) return not_permitted;
  if (name == "openat2" && !d.set_id) return no_such_call;
  if (d.strict && (name.empty() || not_in_strict.count(name))) return no_such_call;
  return pass;
}

inline filter_action expected(const filter_spec& d, const data& in) {
  constexpr std::uint32_t machines[]{0xC000003E, 0xC00000B7, 0xC00000F3};
  if (in.arch != machines[static_cast<std::size_t>(d.cpu)]) return kill_process;
  const auto number = static_cast<std::uint32_t>(in.nr);
  if (d.cpu == arch::x86_64 && (number >= 0x40000000 || (number >= 512 && number <= 547))) return kill_process;
  const std::string_view name = name_of(d.cpu, number);
  if (d.denied.has(number) && name != "clone3") return not_permitted;
  std::uint32_t a[6];
  for (int i = 0; i < 6; ++i) a[i] = static_cast<std::uint32_t>(in.args[static_cast<std::size_t>(i)]);
  return of_call(d, name, a);
}

} // namespace model
