// SPDX-License-Identifier: BSL-1.0
/// What each gap means, in words for a person.
#pragma once

#include <string_view>

namespace cordon {

/// A sentence for the topic of a gap, `backend.topic`; empty for one that is not known.
[[nodiscard]] constexpr std::string_view gap_text(std::string_view what) {
  constexpr struct {
    std::string_view what, text;
  } texts[]{
      {"landlock.missing", "this kernel has no Landlock: no file rule is enforced"},
      {"landlock.attributes",
       "mode, owner, times and extended attributes of files outside the grants can be changed as far "
       "as plain permissions go"},
      {"landlock.existence", "names, sizes and times of files outside the grants can be looked up (stat, readlink)"},
      {"landlock.proc", "names and command lines of other processes can be read in /proc"},
      {"landlock.truncate", "files outside the grants can be truncated (Landlock ABI below 3)"},
      {"landlock.ioctl", "device commands are not limited (Landlock ABI below 5)"},
      {"landlock.signal", "signals to other processes of this user are not limited (Landlock ABI below 6)"},
      {"landlock.abstract", "abstract unix sockets of other processes can be reached (Landlock ABI below 6)"},
      {"landlock.connect", "unix sockets outside the grants can be reached (Landlock ABI below 9)"},
      {"landlock.refer", "entries cannot be moved between directories (Landlock ABI 1)"},
      {"landlock.shared_memory",
       "/dev/shm is shared by the whole machine and not granted: POSIX semaphores and shared memory "
       "cannot be made"},
      {"landlock.terminals", "terminals cannot be opened (/dev/tty, /dev/ptmx, /dev/pts)"},
      {"landlock.root", "a granted directory itself cannot be created, removed or renamed"},
      {"landlock.siblings", "a place beneath has fewer rights: nothing can be created or removed directly in this "
                            "directory, and what others create there later is not granted"},
      {"landlock.run_without_read", "a program that may be run but not read cannot be run"},
      {"landlock.create_without_write", "a file that may be created but not written cannot be created"},
      {"seccomp.missing", "this kernel filters no system calls: sockets and dangerous calls are open"},
      {"seccomp.baseline", "system calls that change the whole machine are refused though no axis forbids them"},
      {"seccomp.connect", "unix sockets are refused as a whole: this mechanism cannot tell one from another"},
      {"seccomp.hosts", "no host can be reached: nothing here lets some hosts through and others not"},
      {"seccomp.network", "only plain TCP and UDP sockets can be made"},
      {"seccomp.listen", "no port can be listened on"},
      {"tree.daemons", "a process that left the program's session survives if cordon itself is killed by SIGKILL"},
  };
  for (const auto& t : texts)
    if (t.what == what) return t.text;
  return {};
}

} // namespace cordon
