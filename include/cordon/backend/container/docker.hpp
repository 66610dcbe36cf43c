// SPDX-License-Identifier: BSL-1.0
/// The body of POST /containers/create. Mounts are objects: in a bind string, a colon would start another field.
#pragma once

#include "oci.hpp"

namespace cordon::container::detail {

template <class S, class Look, class Out> class docker_writer {
public:
  constexpr docker_writer(const rules<S>& r, Look& look, Out& out) : r_(r), look_(look), to_(out) {}

  constexpr void write() {
    to_.object(json_layout::lines, [&] {
      to_.member("Image", r_.made_for.image);
      to_.key("User");
      to_.text_of([&](auto& out) {
        json_writer<Out>::digits(r_.made_for.user, out);
        out(":");
        json_writer<Out>::digits(r_.made_for.group, out);
      });
      words("Cmd", "/bin/sh");
      words("Env", search_path);
      to_.member("WorkingDir", "/");
      to_.member_flag("NetworkDisabled", r_.network == network_mode::none);
      to_.object("HostConfig", json_layout::lines, [&] { host(); });
    });
  }

private:
  template <class... Words> constexpr void words(std::string_view name, const Words&... all) {
    to_.list(name, json_layout::one_line, [&] { (to_.text(std::string_view(all)), ...); });
  }

  constexpr void host() {
    to_.list("Mounts", json_layout::lines, [&] { all_mounts(); });
    to_.member("NetworkMode", r_.network == network_mode::none ? "none" : "default");
    to_.member("IpcMode", "private");
    to_.member("CgroupnsMode", "private");
    to_.member_flag("Privileged", false);
    to_.member_flag("ReadonlyRootfs", true);
    words("CapDrop", "ALL");
    to_.list("SecurityOpt", json_layout::lines, [&] {
      to_.text("no-new-privileges:true");
      to_.text_of([&](auto& out) {
        out("seccomp=");
        json_writer profile(out);
        profile.object(json_layout::one_line, [&] {
          write_calls(profile, call_lists{r_.calls, r_.unix_sockets}, json_layout::one_line);
        });
      });
    });
    if (r_.limits.has(limit::memory)) {
      to_.member_number("Memory", r_.limits[limit::memory]);
      to_.member_number("MemorySwap", r_.limits[limit::memory]);
    }
    if (r_.limits.has(limit::processes)) to_.member_number("PidsLimit", r_.limits[limit::processes]);
    to_.list("Ulimits", json_layout::lines, [&] {
      each_process_limit(r_.limits, [&](const resource& of, std::uint64_t value) {
        to_.object(json_layout::one_line, [&] {
          to_.member("Name", of.name);
          to_.member_number("Soft", value);
          to_.member_number("Hard", value);
        });
      });
    });
    if (r_.made_for.private_bytes != 0) to_.member_number("ShmSize", r_.made_for.private_bytes);
    // A given list replaces the daemon's default.
    to_.list("MaskedPaths", json_layout::lines, [&] {
      for (const std::string_view place : masked_paths) to_.text(place);
      each_masked_in_proc(r_, [&](std::string_view place) { to_.text(place); });
    });
    to_.list("ReadonlyPaths", json_layout::lines, [&] {
      for (const std::string_view place : readonly_paths) to_.text(place);
    });
  }

  constexpr void memory(std::string_view place, std::uint32_t mode, std::uint64_t bytes, bool read_only) {
    to_.object(json_layout::one_line, [&] {
      to_.member("Type", "tmpfs");
      to_.member("Target", place);
      to_.member_flag("ReadOnly", read_only);
      to_.object("TmpfsOptions", json_layout::one_line, [&] {
        if (bytes != 0) to_.member_number("SizeBytes", bytes);
        to_.member_number("Mode", mode);
      });
    });
  }
  constexpr void bind(std::string_view place, std::string_view source, bool writable) {
    to_.object(json_layout::one_line, [&] {
      to_.member("Type", "bind");
      to_.member("Source", source);
      to_.member("Target", place);
      to_.member_flag("ReadOnly", !writable);
      to_.object("BindOptions", json_layout::one_line, [&] {
        to_.member("Propagation", "rprivate");
        if (!writable) to_.member_flag("ReadOnlyForceRecursive", true);
      });
    });
  }
  constexpr void all_mounts() {
    for (const std::string_view own : mounts::own_directories)
      if (mounts::has_own(mounts::view(r_.mounts), own)) memory(own, 01777, r_.made_for.private_bytes, false);
    each_mount(r_, look_, [&](const planned_mount& m) {
      if (m.how == mount_method::bind) bind(m.place, m.place, is_writable(m.access));
      else if (m.how == mount_method::mask_file) bind(m.place, "/dev/null", false);
      else memory(m.place, 0111, 65536, true);
    });
  }

  const rules<S>& r_;
  Look& look_;
  json_writer<Out> to_;
};

} // namespace cordon::container::detail
