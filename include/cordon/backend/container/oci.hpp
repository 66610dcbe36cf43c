// SPDX-License-Identifier: BSL-1.0
/// config.json of the OCI runtime specification. The process that starts the container sets program and environment.
#pragma once

#include "call_text.hpp"
#include "default_paths.hpp"
#include "places.hpp"

namespace cordon::container::detail {

[[nodiscard]] constexpr std::uint64_t seconds(std::uint64_t nanoseconds) {
  return nanoseconds / 1'000'000'000 + (nanoseconds % 1'000'000'000 != 0 ? 1 : 0);
}

/// A resource of setrlimit(2).
struct resource {
  limit which;
  std::string_view name;     ///< in Docker's Ulimits
  std::string_view constant; ///< in OCI's rlimits
};
inline constexpr resource resources[]{{limit::cpu, "cpu", "RLIMIT_CPU"},
                                      {limit::open_files, "nofile", "RLIMIT_NOFILE"},
                                      {limit::file_size, "fsize", "RLIMIT_FSIZE"}};

/// Calls `f(resource, value)` for the limits of each process.
template <class F> constexpr void each_process_limit(const limits& l, F&& f) {
  for (const resource& r : resources)
    if (l.has(r.which)) f(r, is_duration(r.which) ? seconds(l[r.which]) : l[r.which]);
}

template <class S, class Look, class Out> class oci_writer {
public:
  constexpr oci_writer(const rules<S>& r, Look& look, Out& out) : r_(r), look_(look), to_(out) {}

  constexpr void write() {
    to_.object(json_layout::lines, [&] {
      to_.member("ociVersion", "1.1.0");
      to_.object("process", json_layout::lines, [&] { process(); });
      to_.object("root", json_layout::one_line, [&] {
        to_.member("path", r_.made_for.image);
        to_.member_flag("readonly", true);
      });
      to_.member("hostname", "cordon");
      to_.list("mounts", json_layout::lines, [&] { all_mounts(); });
      to_.object("linux", json_layout::lines, [&] { machine(); });
    });
  }

private:
  template <class... Words> constexpr void words(std::string_view name, const Words&... all) {
    to_.list(name, json_layout::one_line, [&] { (to_.text(std::string_view(all)), ...); });
  }

  constexpr void process() {
    to_.member_flag("terminal", false);
    to_.object("user", json_layout::one_line, [&] {
      to_.member_number("uid", r_.made_for.user);
      to_.member_number("gid", r_.made_for.group);
    });
    words("args", "/bin/sh");
    words("env", search_path);
    to_.member("cwd", "/");
    to_.object("capabilities", json_layout::one_line, [&] {
      for (const std::string_view set : {"bounding", "effective", "inheritable", "permitted", "ambient"}) words(set);
    });
    to_.list("rlimits", json_layout::lines, [&] {
      each_process_limit(r_.limits, [&](const resource& of, std::uint64_t value) {
        to_.object(json_layout::one_line, [&] {
          to_.member("type", of.constant);
          to_.member_number("hard", value);
          to_.member_number("soft", value);
        });
      });
    });
    to_.member_flag("noNewPrivileges", true);
  }

  template <class... Options>
  constexpr void mount(std::string_view place, std::string_view type, std::string_view source,
                       const Options&... options) {
    to_.object(json_layout::one_line, [&] {
      to_.member("destination", place);
      to_.member("type", type);
      to_.member("source", source);
      words("options", options...);
    });
  }
  constexpr void memory(std::string_view place) {
    char text[32]{};
    std::size_t size = 0;
    const auto add = [&](std::string_view piece) {
      for (const char c : piece) text[size++] = c;
    };
    add("size="), json_writer<Out>::digits(r_.made_for.private_bytes, add);
    if (r_.made_for.private_bytes == 0) mount(place, "tmpfs", "tmpfs", "nosuid", "nodev", "mode=1777");
    else mount(place, "tmpfs", "tmpfs", "nosuid", "nodev", "mode=1777", std::string_view(text, size));
  }
  /// Also binds all mounts beneath, with the same restrictions: `ro` alone would leave them writable.
  constexpr void bind(std::string_view place, std::string_view source, mounts::mount_access k) {
    const std::string_view changes = is_writable(k) ? "rw" : "rro";
    if (is_executable(k)) mount(place, "bind", source, "rbind", "rprivate", "rnosuid", "rnodev", changes);
    else mount(place, "bind", source, "rbind", "rprivate", "rnosuid", "rnodev", "rnoexec", changes);
  }
  constexpr void all_mounts() {
    const mounts::list all = mounts::view(r_.mounts);
    const mounts::mount_access root = mounts::access_at(all, "/");
    if (is_visible(root)) bind("/", "/", root);
    mount("/proc", "proc", "proc", "nosuid", "noexec", "nodev");
    mount("/dev", "tmpfs", "tmpfs", "nosuid", "noexec", "strictatime", "mode=755", "size=65536k", "ro");
    mount("/dev/pts", "devpts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620");
    mount("/dev/mqueue", "mqueue", "mqueue", "nosuid", "noexec", "nodev");
    memory(mounts::own_shared_memory);
    for (const std::string_view own : mounts::own_directories)
      if (mounts::has_own(all, own)) memory(own);
    each_mount(r_, look_, [&](const planned_mount& m) {
      if (m.place == "/") return;
      if (m.how == mount_method::bind) return bind(m.place, m.place, m.access);
      if (m.how == mount_method::mask_file) return bind(m.place, "/dev/null", mounts::mount_access::read_only_noexec);
      mount(m.place, "tmpfs", "tmpfs", "nosuid", "nodev", "noexec", "mode=0111", "size=64k", "ro");
    });
  }

  constexpr void machine() {
    to_.list("namespaces", json_layout::one_line, [&] {
      for (const std::string_view type : {"pid", "ipc", "uts", "mount", "cgroup", "network"})
        if (type != "network" || r_.network == network_mode::none)
          to_.object(json_layout::one_line, [&] { to_.member("type", type); });
    });
    to_.object("resources", json_layout::lines, [&] {
      to_.list("devices", json_layout::one_line, [&] {
        to_.object(json_layout::one_line, [&] {
          to_.member_flag("allow", false);
          to_.member("access", "rwm");
        });
      });
      // `swap` limits memory and swap together: no swap beyond the memory.
      if (r_.limits.has(limit::memory))
        to_.object("memory", json_layout::one_line, [&] {
          to_.member_number("limit", r_.limits[limit::memory]);
          to_.member_number("swap", r_.limits[limit::memory]);
        });
      if (r_.limits.has(limit::processes))
        to_.object("pids", json_layout::one_line, [&] { to_.member_number("limit", r_.limits[limit::processes]); });
    });
    to_.object("seccomp", json_layout::lines, [&] { write_calls(to_, call_lists{r_.calls, r_.unix_sockets}); });
    to_.list("maskedPaths", json_layout::lines, [&] {
      for (const std::string_view place : masked_paths) to_.text(place);
      each_masked_in_proc(r_, [&](std::string_view place) { to_.text(place); });
    });
    to_.list("readonlyPaths", json_layout::lines, [&] {
      for (const std::string_view place : readonly_paths) to_.text(place);
    });
  }

  const rules<S>& r_;
  Look& look_;
  json_writer<Out> to_;
};

} // namespace cordon::container::detail
