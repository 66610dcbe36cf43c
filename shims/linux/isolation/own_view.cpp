// SPDX-License-Identifier: BSL-1.0
#include "own_view.hpp"

#include <cordon/backend/mounts/planned_mount.hpp>
#include <cordon/policy/default_devices.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <utility>

namespace cordon::linux_shim {
namespace {

using namespace std::string_literals;

void add_memory(view_writer& to, std::string_view place, std::uint64_t bytes) {
  to.add_fresh(place, "tmpfs", mode_option("1777", bytes), dead);
}

void add_proc(view_writer& to, mounts::list all) {
  to.add_fresh("/proc", "proc", {}, still);
  for (const std::string_view place : mounts::guarded) {
    view_step& guard = to.add(view_act::again, place);
    guard.attributes = frozen;
    guard.optional = true;
  }
  if (::geteuid() == 0)
    for (const std::string_view place : mounts::roots_alone) to.add_mask_file(place).optional = true;
  // A name that is missing in the host's /proc is missing in the new one too, except for processes of the view.
  mounts::each_masked_in_proc(all, [&](std::string_view place) {
    const found_inode there = sure(look(std::string(place)), place);
    if (there.what == file_type::absent) return;
    if (there.what == file_type::directory) to.add_fresh(place, "tmpfs", mode_option("0111"), frozen).optional = true;
    else to.add_mask_file(place).optional = true;
  });
}

void add_devices(view_writer& to, std::uint64_t bytes) {
  to.add_fresh("/dev", "tmpfs", mode_option("0755"), still);
  for (const default_device& device : default_devices) {
    const std::string place(device.place);
    const found_inode there = look(place);
    if (there.error != 0 || there.is.type != S_IFCHR) continue;
    to.add_made(view_act::file, place);
    // Read-only: a device remains writable (do_dentry_open, fs/open.c), and keeps its mode and times.
    to.add_bind(place, place, there.is, frozen & ~std::uint64_t{MOUNT_ATTR_NODEV});
  }
  constexpr std::pair<const char*, const char*> links[]{{"/dev/ptmx", "pts/ptmx"},
                                                        {"/dev/fd", "/proc/self/fd"},
                                                        {"/dev/stdin", "/proc/self/fd/0"},
                                                        {"/dev/stdout", "/proc/self/fd/1"},
                                                        {"/dev/stderr", "/proc/self/fd/2"}};
  for (const auto& [place, leads] : links) to.add_made(view_act::link, place).from = leads;
  to.add_made(view_act::directory, "/dev/pts", 0755);
  to.add_fresh("/dev/pts", "devpts", mode_option("0620") + "ptmxmode\0"s + "0666\0"s,
               still & ~std::uint64_t{MOUNT_ATTR_NODEV});
  to.add_made(view_act::directory, mounts::own_shared_memory, 0755);
  add_memory(to, mounts::own_shared_memory, bytes);
  to.add_made(view_act::directory, mounts::own_queues, 0755);
  to.add_fresh(mounts::own_queues, "mqueue", {}, still).optional = true;
}

} // namespace

void add_own_places(view_writer& to, const namespaces::rules<heap>& rules, mounts::list all, bool whole,
                    const std::string& temp) {
  if (!whole) {
    for (const std::string_view place : mounts::private_trees) to.add_made(view_act::directory, place, 0111);
    for (const std::string_view place : mounts::own_directories)
      if (mounts::has_own(all, place)) to.add_made(view_act::directory, place, 0111);
  }
  add_proc(to, all);
  add_devices(to, rules.private_bytes);
  for (const std::string_view place : mounts::own_directories)
    if (place == mounts::own_temp && !temp.empty()) to.add_bind(place, temp, sure(look(temp), temp).is, dead);
    else if (mounts::has_own(all, place)) add_memory(to, place, rules.private_bytes);
  for (const mounts::link& l : mounts::usr_links)
    if (rules.merged_usr && mounts::wants(all, l)) to.add_made(view_act::link, l.place).from = l.from_root.data();
}

std::string runtime_directory() { return "/run/user/" + std::to_string(id_inside(::geteuid())); }

std::vector<std::pair<std::string, std::uint32_t>> runtime_directories() {
  std::vector<std::pair<std::string, std::uint32_t>> all{{"/run/user", 0755}, {runtime_directory(), 0700}};
  for (const std::string_view place : mounts::daemon_directories) all.emplace_back(place, 0755);
  return all;
}

} // namespace cordon::linux_shim
