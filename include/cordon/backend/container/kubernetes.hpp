// SPDX-License-Identifier: BSL-1.0
/// A NetworkPolicy and its Pod, in this order, as one List: JSON is YAML too.
///
/// A read-only emptyDir covers a hidden directory. A runtime cannot create a mount point in it (runc: "mkdir ...:
/// read-only file system"). So if a path inside is shown, a volume with the mount points covers the directory instead.
/// It is a ConfigMap before the Pod with one empty text. The volume lists this text under the name of each shown path;
/// for a directory, as a file in it.
#pragma once

#include "oci.hpp"

namespace cordon::container::detail {

template <class S, class Look, class Out> class kubernetes_writer {
public:
  constexpr kubernetes_writer(const rules<S>& r, Look& look, Out& out) : r_(r), look_(look), to_(out) {}

  constexpr void write() {
    to_.object(json_layout::lines, [&] {
      to_.member("apiVersion", "v1");
      to_.member("kind", "List");
      to_.list("items", json_layout::lines, [&] {
        to_.object(json_layout::lines, [&] { network_policy(); });
        if (has_any_points()) to_.object(json_layout::lines, [&] { mount_points(); });
        to_.object(json_layout::lines, [&] { pod(); });
      });
    });
  }

private:
  template <class... Words> constexpr void words(std::string_view name, const Words&... all) {
    to_.list(name, json_layout::one_line, [&] { (to_.text(std::string_view(all)), ...); });
  }
  constexpr void labels(std::string_view name) {
    to_.object(name, json_layout::one_line, [&] { to_.member("cordon", r_.made_for.name); });
  }
  constexpr void metadata() {
    to_.object("metadata", json_layout::one_line, [&] {
      to_.member("name", r_.made_for.name);
      labels("labels");
    });
  }

  /// A direction with an empty rule is open, one without any rule is closed.
  constexpr void direction(std::string_view name, bool open) {
    to_.list(name, json_layout::one_line, [&] {
      if (open) to_.object(json_layout::one_line, [] {});
    });
  }
  constexpr void network_policy() {
    to_.member("apiVersion", "networking.k8s.io/v1");
    to_.member("kind", "NetworkPolicy");
    metadata();
    to_.object("spec", json_layout::lines, [&] {
      to_.object("podSelector", json_layout::one_line, [&] { labels("matchLabels"); });
      words("policyTypes", "Ingress", "Egress");
      direction("ingress", r_.any_port);
      direction("egress", r_.network != network_mode::none);
    });
  }

  constexpr void mount_points() {
    to_.member("apiVersion", "v1");
    to_.member("kind", "ConfigMap");
    metadata();
    to_.member_flag("immutable", true);
    to_.object("data", json_layout::one_line, [&] { to_.member("empty", ""); });
  }

  constexpr void pod() {
    const bool root = r_.made_for.user == 0;
    to_.member("apiVersion", "v1");
    to_.member("kind", "Pod");
    metadata();
    to_.object("spec", json_layout::lines, [&] {
      to_.member("restartPolicy", "Never");
      if (r_.limits.has(limit::timeout)) to_.member_number("activeDeadlineSeconds", seconds(r_.limits[limit::timeout]));
      for (const std::string_view no : {"automountServiceAccountToken", "enableServiceLinks", "hostNetwork", "hostPID",
                                        "hostIPC", "shareProcessNamespace"})
        to_.member_flag(no, false);
      to_.object("securityContext", json_layout::lines, [&] {
        to_.member_flag("runAsNonRoot", !root);
        to_.member_number("runAsUser", r_.made_for.user);
        to_.member_number("runAsGroup", r_.made_for.group);
        to_.object("seccompProfile", json_layout::one_line, [&] { to_.member("type", "RuntimeDefault"); });
      });
      to_.list("containers", json_layout::lines, [&] { to_.object(json_layout::lines, [&] { container(); }); });
      to_.list("volumes", json_layout::lines, [&] { volumes(); });
    });
  }

  constexpr void container() {
    to_.member("name", r_.made_for.name);
    to_.member("image", r_.made_for.image);
    words("command", "/bin/sh");
    to_.member("workingDir", "/");
    to_.object("securityContext", json_layout::lines, [&] {
      to_.member_flag("privileged", false);
      to_.member_flag("allowPrivilegeEscalation", false);
      to_.member_flag("readOnlyRootFilesystem", true);
      to_.object("capabilities", json_layout::one_line, [&] { words("drop", "ALL"); });
    });
    if (r_.limits.has(limit::memory))
      to_.object("resources", json_layout::one_line, [&] {
        to_.object("limits", json_layout::one_line, [&] { size("memory", r_.limits[limit::memory]); });
      });
    to_.list("volumeMounts", json_layout::lines, [&] {
      each_own([&](std::string_view name, std::string_view place) { volume_mount(name, place, true); });
      each_volume([&](const planned_mount& m, std::string_view name) {
        volume_mount(m.how == mount_method::mask_directory && !has_points(m) ? "empty" : name, m.place,
                     m.how == mount_method::bind && is_writable(m.access));
      });
    });
  }
  constexpr void volume_mount(std::string_view name, std::string_view place, bool writable) {
    to_.object(json_layout::one_line, [&] {
      to_.member("name", name);
      to_.member("mountPath", place);
      to_.member_flag("readOnly", !writable);
      if (!writable) to_.member("recursiveReadOnly", "Enabled");
    });
  }

  /// Calls `f(name of the volume, path)` for each private directory.
  template <class F> constexpr void each_own(F&& f) const {
    for (const std::string_view own : mounts::own_directories)
      if (mounts::has_own(mounts::view(r_.mounts), own)) f(own.substr(1), own);
  }
  /// A number of bytes as a quantity.
  constexpr void size(std::string_view name, std::uint64_t bytes) {
    to_.key(name);
    to_.text_of([&](auto& out) { json_writer<Out>::digits(bytes, out); });
  }
  constexpr void memory_volume(std::string_view name, std::uint64_t bytes) {
    to_.object(json_layout::one_line, [&] {
      to_.member("name", name);
      to_.object("emptyDir", json_layout::one_line, [&] {
        to_.member("medium", "Memory");
        if (bytes != 0) size("sizeLimit", bytes);
      });
    });
  }
  constexpr void volumes() {
    each_own([&](std::string_view name, std::string_view) { memory_volume(name, r_.made_for.private_bytes); });
    memory_volume("empty", 65536);
    each_volume([&](const planned_mount& m, std::string_view name) {
      if (m.how == mount_method::mask_directory && !has_points(m)) return;
      to_.object(json_layout::one_line, [&] {
        to_.member("name", name);
        if (m.how == mount_method::mask_directory) return points_volume(m.place);
        to_.object("hostPath", json_layout::one_line, [&] {
          to_.member("path", m.how == mount_method::mask_file ? "/dev/null" : m.place);
          // Without a type, a runtime creates a directory if nothing exists there.
          to_.member("type", m.how == mount_method::mask_file       ? "CharDevice"
                             : m.there == mounts::file_type::file   ? "File"
                             : m.there == mounts::file_type::socket ? "Socket"
                                                                    : "Directory");
        });
      });
    });
  }
  constexpr void points_volume(std::string_view mask) {
    to_.object("configMap", json_layout::one_line, [&] {
      to_.member("name", r_.made_for.name);
      to_.list("items", json_layout::one_line, [&] {
        each_point(mask, [&](const planned_mount& m) {
          const bool file = m.there == mounts::file_type::file || m.there == mounts::file_type::socket;
          to_.object(json_layout::one_line, [&] {
            to_.member("key", "empty");
            to_.key("path");
            to_.text_of([&](auto& out) {
              out(m.place.substr(mask.size() + 1));
              if (!file) out("/empty");
            });
          });
        });
      });
    });
  }

  /// Calls `f(mount)` for each mount inside a mask, except mounts inside these. O(n).
  template <class F> constexpr void each_point(std::string_view mask, F&& f) {
    std::string_view last;
    each_mount(r_, look_, [&](const planned_mount& m) {
      if (m.how == mount_method::way || m.place == mask || !path::covers(mask, m.place)) return;
      if (!last.empty() && path::covers(last, m.place)) return;
      last = m.place;
      f(m);
    });
  }
  /// Returns whether a mask has mounts inside. Most have none, which the first check finds without a walk.
  [[nodiscard]] constexpr bool has_points(const planned_mount& m) {
    if (m.how != mount_method::mask_directory || !is_way(mounts::view(r_.mounts), m.place)) return false;
    bool any = false;
    each_point(m.place, [&](const planned_mount&) { any = true; });
    return any;
  }
  [[nodiscard]] constexpr bool has_any_points() {
    bool any = false;
    each_mount(r_, look_, [&](const planned_mount& m) { any = any || has_points(m); });
    return any;
  }

  /// Calls `f(mount, name)`. Names of volumes must be labels, so they are numbered.
  template <class F> constexpr void each_volume(F&& f) {
    std::uint64_t count = 0;
    each_mount(r_, look_, [&](const planned_mount& m) {
      if (m.how == mount_method::way) return;
      char name[24]{'v'};
      std::size_t size = 1;
      json_writer<Out>::digits(count, [&](std::string_view digits) {
        for (const char c : digits) name[size++] = c;
      });
      ++count;
      f(m, std::string_view(name, size));
    });
  }

  const rules<S>& r_;
  Look& look_;
  json_writer<Out> to_;
};

} // namespace cordon::container::detail
