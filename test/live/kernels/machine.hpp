// SPDX-License-Identifier: BSL-1.0
/// What the guest makes of the machine before it starts a process: file systems, the loopback device, control groups.
#pragma once

#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace guest {

namespace fs = std::filesystem;

/// Ends the machine, or this program: the plan cannot be gone through.
[[noreturn]] inline void broken(const std::string& what) {
  std::printf("\n@! broken: %s: %s\n", what.c_str(), std::strerror(errno));
  std::fflush(stdout);
  if (getpid() == 1) reboot(RB_POWER_OFF);
  std::exit(2);
}

template <class T> T need(T answer, const std::string& what) {
  if (answer < 0) broken(what);
  return answer;
}

inline std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  if (!(out << text) || !out.flush()) broken("write " + file.string());
}

/// The same files as a root that can be left: pivot_root(2) leaves no first file system of a machine.
inline void leave_first_root() {
  constexpr const char* place = "/.root";
  mkdir(place, 0755);
  need(mount("/", place, nullptr, MS_BIND, nullptr), "mount a root");
  need(chdir(place), "enter the root");
  need(mount(".", "/", nullptr, MS_MOVE, nullptr), "move the root");
  need(chroot("."), "change the root");
  need(chdir("/"), "change to the root directory");
}

inline void be_machine() {
  leave_first_root();
  struct {
    const char *place, *system, *options;
  } const all[]{{"/proc", "proc", ""},     {"/sys", "sysfs", ""},
                {"/dev", "devtmpfs", ""},  {"/dev/pts", "devpts", "ptmxmode=0666"},
                {"/dev/shm", "tmpfs", ""}, {"/tmp", "tmpfs", "mode=1777"},
                {"/run", "tmpfs", ""},     {"/sys/fs/cgroup", "cgroup2", ""}};
  for (const auto& each : all) {
    mkdir(each.place, 0755);
    need(mount(each.system, each.place, each.system, 0, each.options), std::string("mount ") + each.place);
  }
  need(chmod("/dev/console", 0666), "the console"); // a device that every process may command
}

inline void raise_loopback() {
  const int channel = need(socket(AF_INET, SOCK_DGRAM, 0), "socket");
  ifreq device{};
  std::strcpy(device.ifr_name, "lo");
  device.ifr_flags = IFF_UP;
  need(ioctl(channel, SIOCSIFFLAGS, &device), "loopback");
  close(channel);
}

/// A group as a service manager hands it over, with all that the kernel can limit.
class delegated_group {
public:
  explicit delegated_group(unsigned user) {
    put("/sys/fs/cgroup/cgroup.subtree_control", "+memory +pids");
    need(mkdir(place, 0755), "make a group");
    for (const char* name : {"", "/cgroup.procs", "/cgroup.subtree_control", "/cgroup.threads"})
      need(chown((std::string(place) + name).c_str(), user, user), "chown a group");
  }
  /// The names of the groups that were left in it.
  std::string close() {
    std::string left;
    for (const auto& entry : fs::directory_iterator(place))
      if (entry.is_directory()) {
        left += " " + entry.path().filename().string();
        rmdir(entry.path().c_str());
      }
    for (int tries = 0; rmdir(place) != 0 && tries < 100; ++tries) usleep(10'000);
    return left;
  }
  static constexpr const char* place = "/sys/fs/cgroup/delegated";
};

} // namespace guest
