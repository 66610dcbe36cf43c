// SPDX-License-Identifier: BSL-1.0
/// The rules for a container runtime, and the interpreter that returns what the runtime permits under them.
#pragma once

#include "../../policy/owned_text.hpp"
#include "../../query/query.hpp"
#include "../mounts/rules.hpp"
#include "../seccomp/filter_spec.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace cordon::container {

/// The consumer of the text.
enum class form : std::uint8_t {
  oci,    ///< config.json of the OCI runtime specification 1.1, for runc, crun and similar runtimes
  docker, ///< the body of POST /containers/create, API 1.44 (older daemons leave mounts inside read-only ones writable)
  kubernetes, ///< a NetworkPolicy, which the cluster's plugin must support, and a Pod: recursive read-only is in 1.33
};
/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> form_names{"oci", "docker", "kubernetes"};
/// Returns: the name of the form in targets.
[[nodiscard]] constexpr std::string_view name(form f) { return form_names[static_cast<std::size_t>(f)]; }

/// What the rules are compiled for. The image should be empty except for symbolic links such as bin -> usr/bin: its
/// other files are visible in addition to what the policy grants. Under OCI its root has mode 0111, so that its names
/// cannot be listed.
struct target {
  container::form form = form::oci; ///< the consumer of the text
  /// OCI: a directory relative to the bundle; else the name of an image of the engine.
  owned_text<path::longest> image = "rootfs";
  owned_text<64> name = "cordon";            ///< of the Pod: a DNS label (RFC 1123), 63 bytes at most
  std::uint32_t user = 65534;                ///< numeric ID of the process in the container
  std::uint32_t group = 65534;               ///< and of its group
  seccomp::arch cpu = seccomp::arch::x86_64; ///< the processor that the filter is for
  std::uint64_t private_bytes = std::uint64_t{1}
                                << 30; ///< size limit of /tmp, /run and /dev/shm, each; 0: half of memory
};

/// The network that the process sees.
enum class network_mode : std::uint8_t {
  none,   ///< private and empty; of a Pod: no outgoing connections
  engine, ///< the engine's default: private, with outgoing connections
  host,   ///< the host's
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 3> network_mode_names{"none", "engine", "host"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(network_mode m) {
  return network_mode_names[static_cast<std::size_t>(m)];
}

/// The rules: mounts of the container, its network, filter and limits.
template <class S> struct rules : mounts::rules<S> {
  network_mode network = network_mode::none; ///< the network of the container
  bool any_port = false;                     ///< its ports can be reached from outside
  bool unix_sockets = false;                 ///< named unix sockets can be made
  seccomp::filter_spec calls{};              ///< the filter; not for a Pod
  cordon::limits limits{};                   ///< the limits that the runtime can set
  target made_for{};                         ///< the target that the rules are compiled for

  /// Calls `f(loosen)` for each rule that is no list. `loosen()` drops that rule: a proof must notice.
  template <class F> constexpr void each_switch(F&& f) {
    if (network != network_mode::none)
      f([&] {
        network = network_mode::none;
        any_port = false;
      });
    if (calls.spawn) f([&] { calls.spawn = false; });
    if (calls.own) f([&] { calls.own = false; });
  }
};

namespace detail {

/// Returns whether mounts are made beneath the path, if nothing of the host is around it. O(log n + mounts beneath that
/// are not made).
[[nodiscard]] constexpr bool is_way(mounts::list all, std::string_view place) {
  for (std::uint32_t i = all.upper_bound(place); i < all.size() && path::covers(place, all.place(i)); ++i)
    if (const mounts::mount_access k = mounts::at(all, i).directory; is_visible(k) && mounts::is_made(all, i, k))
      return true;
  return false;
}

/// Returns whether the path is hidden inside a shown one. A mask covers it then: an empty directory, or /dev/null.
[[nodiscard]] constexpr bool is_masked(mounts::list all, std::string_view place) {
  const std::uint32_t i = all.find(place);
  return i != no_slot && all.place(i) == place && !is_visible(mounts::at(all, i).directory) &&
         is_visible(mounts::access_around(all, i));
}

/// Returns whether the path is an empty directory that can be listed.
template <class S> [[nodiscard]] constexpr bool lists_empty(const rules<S>& r, std::string_view place) {
  const mounts::list all = mounts::view(r.mounts);
  if (is_visible(mounts::access_at(all, place))) return false;
  if (is_masked(all, place)) return true;
  if (r.made_for.form == form::oci) return false;
  return place == "/" ||
         (r.made_for.form == form::kubernetes && !mounts::is_own_directory(place) && is_way(all, place));
}

} // namespace detail

/// Returns whether the runtime allows the operation at the path, by default a directory. O(log n + nesting).
template <class S>
[[nodiscard]] constexpr bool permits(const rules<S>& r, right what, std::string_view place,
                                     mounts::file_type there = mounts::file_type::unknown) {
  if (what == right::connect && !r.unix_sockets) return false;
  if (mounts::permits(mounts::view(r.mounts), what, place, there)) return true;
  // Engines bind without `nodev`, so /dev/null can be opened.
  if (there == mounts::file_type::file && r.made_for.form != form::oci &&
      (what == right::read || what == right::write) && detail::is_masked(mounts::view(r.mounts), place))
    return true;
  const bool directory = there == mounts::file_type::unknown || there == mounts::file_type::directory;
  return what == right::list && directory && detail::lists_empty(r, place);
}

/// May a process under the rules do this?
template <class S> [[nodiscard]] constexpr bool permits(const rules<S>& r, process_feature which) {
  switch (which) {
  case process_feature::spawn: return r.made_for.form == form::kubernetes || r.calls.spawn;
  case process_feature::any_host:
  case process_feature::some_host: return r.network != network_mode::none;
  case process_feature::listen:
  case process_feature::any_port: return r.any_port;
  case process_feature::loopback: return r.network == network_mode::host;
  case process_feature::own_sockets: return r.made_for.form == form::kubernetes || r.calls.own || r.any_port;
  }
  return false;
}

} // namespace cordon::container
