// SPDX-License-Identifier: BSL-1.0
/// Presets that grant one service of the caller's session: the path of its socket, found by the caller's variables as
/// its clients find it, and the variables and files that they need. And presets that grant devices of the machine. What
/// a service or a driver does for the program happens outside of the policy, which is the gap `service.granted:NAME`
/// with the risk in words.
#pragma once

#include "../../policy/default_devices.hpp"
#include "../../policy/preset.hpp"
#include "../document.hpp"
#include "../rewrite.hpp"
#include "granted_service.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::format {

/// A service and what a program can do through it.
struct service_risk {
  preset which;          ///< the service
  std::string_view risk; ///< continues "the program can"
};

/// All services, in the order of the enumeration.
inline constexpr service_risk service_risks[]{
    {preset::ssh_agent, "sign in wherever the agent's keys do, while it runs"},
    {preset::gpg_agent, "sign and decrypt with the agent's keys, while it runs"},
    {preset::wayland,
     "show windows, read the clipboard, and take pictures of the screen if the compositor lets clients"},
    {preset::x11, "read every key and the screen, and type into other windows"},
    {preset::pulse, "record the microphone and what others play"},
    {preset::dbus_session,
     "start programs outside of the run and read passwords of the session: the bus is not filtered"},
    {preset::docker, "become root of this machine: a container may mount its root directory"},
    {preset::gpu,
     "send commands to the driver of the graphics processor, which is a large part of the kernel, and read "
     "what other programs left in its memory"},
    {preset::kvm, "run virtual machines, whose code the kernel's hypervisor executes"},
};
/// Returns: what a program can do through the service; empty for other presets.
[[nodiscard]] constexpr std::string_view risk_of(preset p) {
  for (const service_risk& row : service_risks)
    if (row.which == p) return row.risk;
  return {};
}

namespace detail {

/// What a service preset grants on one host.
struct service_grants {
  std::vector<std::string> sockets;   ///< paths to connect to
  std::vector<std::string> devices;   ///< paths to read, write and send commands to
  std::vector<grant> files;           ///< what its clients read
  std::vector<std::string> variables; ///< what they must know
};

/// Finds the services of the caller.
class service_finder {
public:
  explicit service_finder(const host_facts& facts) : facts_(facts) {}

  [[nodiscard]] service_grants find(preset p) const {
    switch (p) {
    case preset::ssh_agent: return at_variable("SSH_AUTH_SOCK");
    case preset::gpg_agent: return gpg_agent();
    case preset::wayland: return wayland();
    case preset::x11: return x11();
    case preset::pulse: return pulse();
    case preset::dbus_session: return dbus_session();
    case preset::docker: return docker();
    case preset::gpu: return gpu();
    case preset::kvm: return kvm();
    default: return {};
    }
  }

private:
  [[nodiscard]] std::string variable(const char* name) const {
    return facts_.variable == nullptr ? std::string() : facts_.variable(name);
  }
  [[nodiscard]] std::string in_runtime_directory(std::string_view name) const {
    const std::string directory = variable("XDG_RUNTIME_DIR");
    return directory.empty() ? std::string() : directory + "/" + std::string(name);
  }
  [[nodiscard]] std::string in_home(std::string_view name) const {
    return facts_.home.empty() ? std::string() : facts_.home + "/" + std::string(name);
  }
  /// Returns: an absolute path in normal form; empty if it is none, or does not exist.
  [[nodiscard]] std::string place_of(std::string_view written) const {
    const path::normal p = path::normalize(written);
    const bool is_there = p && written.starts_with('/') && (facts_.exists == nullptr || facts_.exists(p.view()));
    return is_there ? std::string(p.view()) : std::string();
  }
  void add(std::vector<std::string>& to, std::string_view written) const {
    std::string place = place_of(written);
    if (!place.empty() && std::find(to.begin(), to.end(), place) == to.end()) to.push_back(std::move(place));
  }
  void add_read(service_grants& to, std::string_view written) const {
    if (std::string place = place_of(written); !place.empty()) to.files.push_back({std::move(place), verb::read});
  }

  [[nodiscard]] service_grants at_variable(const char* name) const {
    service_grants g;
    add(g.sockets, variable(name));
    g.variables = {name};
    return g;
  }

  /// gpg-agent(1), `gpgconf --list-dirs agent-socket`: below /run/user, or in the directory of the keys.
  [[nodiscard]] service_grants gpg_agent() const {
    service_grants g;
    const std::string named = variable("GNUPGHOME"), directory = named.empty() ? in_home(".gnupg") : named;
    if (named.empty()) add(g.sockets, in_runtime_directory("gnupg/S.gpg-agent"));
    if (!directory.empty()) add(g.sockets, directory + "/S.gpg-agent");
    for (const char* file : {"pubring.kbx", "pubring.gpg", "trustdb.gpg", "gpg.conf", "common.conf", "public-keys.d"})
      if (!directory.empty()) add_read(g, directory + "/" + file);
    g.variables = {"GNUPGHOME", "GPG_TTY"};
    return g;
  }

  /// wl_display_connect(3): a name in XDG_RUNTIME_DIR, or an absolute path.
  [[nodiscard]] service_grants wayland() const {
    service_grants g;
    std::string name = variable("WAYLAND_DISPLAY");
    if (name.empty()) name = "wayland-0";
    add(g.sockets, name.front() == '/' ? name : in_runtime_directory(name));
    g.variables = {"WAYLAND_DISPLAY"};
    return g;
  }

  /// X(7), DISPLAY NAMES, and Xsecurity(7): `:N` or `unix:N`, with a screen behind a dot.
  [[nodiscard]] service_grants x11() const {
    service_grants g;
    const std::string display = variable("DISPLAY");
    const std::size_t colon = display.rfind(':');
    if (colon != display.npos && (colon == 0 || display.substr(0, colon) == "unix")) {
      const std::string number = display.substr(colon + 1, display.find('.', colon) - colon - 1);
      const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
      if (!number.empty() && std::all_of(number.begin(), number.end(), is_digit))
        add(g.sockets, "/tmp/.X11-unix/X" + number);
    }
    const std::string cookie = variable("XAUTHORITY");
    add_read(g, cookie.empty() ? in_home(".Xauthority") : cookie);
    g.variables = {"DISPLAY", "XAUTHORITY"};
    return g;
  }

  /// PulseAudio documentation, Server Strings: `unix:PATH` or a path.
  [[nodiscard]] service_grants pulse() const {
    service_grants g;
    std::string server = variable("PULSE_SERVER");
    if (server.starts_with("unix:")) server.erase(0, 5);
    add(g.sockets, server.starts_with('/') ? server : in_runtime_directory("pulse/native"));
    add_read(g, in_home(".config/pulse/cookie"));
    g.variables = {"PULSE_SERVER", "PULSE_COOKIE"};
    return g;
  }

  /// D-Bus Specification, Server Addresses: `unix:path=PATH`, with more keys behind commas, more addresses behind
  /// semicolons.
  [[nodiscard]] service_grants dbus_session() const {
    service_grants g;
    const std::string address = variable("DBUS_SESSION_BUS_ADDRESS");
    for (std::size_t from = 0; from < address.size();) {
      const std::size_t end = std::min(address.find(';', from), address.size());
      const std::string one = address.substr(from, end - from);
      constexpr std::string_view key = "unix:path=";
      if (one.starts_with(key)) add(g.sockets, one.substr(key.size(), one.find(',') - key.size()));
      from = end + 1;
    }
    if (address.empty()) add(g.sockets, in_runtime_directory("bus"));
    g.variables = {"DBUS_SESSION_BUS_ADDRESS"};
    return g;
  }

  /// Docker documentation, docker CLI: DOCKER_HOST.
  [[nodiscard]] service_grants docker() const {
    service_grants g;
    const std::string host = variable("DOCKER_HOST");
    constexpr std::string_view scheme = "unix://";
    if (host.empty()) add(g.sockets, "/run/docker.sock");
    else if (host.starts_with(scheme)) add(g.sockets, host.substr(scheme.size()));
    g.variables = {"DOCKER_HOST"};
    return g;
  }

  /// Mesa and libdrm find a device's name and driver in /sys; NVIDIA's libraries take its devices alone.
  [[nodiscard]] service_grants gpu() const {
    service_grants g;
    for (const std::string_view place : gpu_devices) add(g.devices, place);
    if (!g.devices.empty())
      for (const char* place : {"/sys/dev/char", "/sys/class/drm", "/sys/devices"}) add_read(g, place);
    constexpr int most = 16; // nvidia-modprobe(1) makes one file for each processor
    for (int i = 0; i < most; ++i) add(g.devices, std::string(gpu_device_prefix) + std::to_string(i));
    for (const char* end : {"ctl", "-modeset", "-uvm", "-uvm-tools", "-caps"})
      add(g.devices, std::string(gpu_device_prefix) + end);
    return g;
  }

  [[nodiscard]] service_grants kvm() const {
    service_grants g;
    add(g.devices, kvm_device);
    return g;
  }

  const host_facts& facts_;
};

/// A grant that the document has for the same path stays as it is.
[[nodiscard]] inline bool has_place(const std::vector<grant>& grants, std::string_view place) {
  return std::any_of(grants.begin(), grants.end(), [&](const grant& g) { return g.place == place; });
}

/// An axis that the document leaves open, or closes, has nothing to add.
inline void add_to_lists(document& d, const service_grants& all) {
  if (d.files && !d.files->empty())
    for (const grant& g : all.files)
      if (!has_place(*d.files, g.place)) d.files->push_back(g);
  if (d.environment && d.environment->pass)
    d.environment->pass->insert(d.environment->pass->end(), all.variables.begin(), all.variables.end());
  if (d.sockets) d.sockets->unix_paths.insert(d.sockets->unix_paths.end(), all.sockets.begin(), all.sockets.end());
}

/// The same for a text in the policy language.
inline void add_to_policy(document& d, const service_grants& all) {
  const loaded_policy& p = *d.exact;
  const auto add = [&]<axis_id P>(auto& out, std::string_view name, std::uint32_t value) {
    const auto axis = p.view<P>();
    const std::uint32_t i = axis.find(name);
    if (i == no_slot || axis.place(i) != name) out.add({name, value, {}});
  };
  d.exact = rewritten(p, [&]<axis_id P>(auto& out) {
    if constexpr (P != axis_id::files && P != axis_id::environment && P != axis_id::sockets) return false;
    if (p.is_any<P>()) return false;
    const auto axis = p.view<P>();
    for (std::uint32_t i = 0; i < axis.size(); ++i) out.add(axis[i]);
    if constexpr (P == axis_id::files)
      for (const grant& g : all.files) add.template operator()<P>(out, g.place, g.allowed.bits());
    if constexpr (P == axis_id::environment)
      for (const std::string& name : all.variables) add.template operator()<P>(out, name, variable::passes);
    if constexpr (P == axis_id::sockets)
      for (const std::string& place : all.sockets) add.template operator()<P>(out, place, 1);
    return true;
  });
  for (const grant& g : all.files)
    if (!has_place(d.exact_files, g.place)) d.exact_files.push_back(g);
}

} // namespace detail

/// Does the document name a service?
[[nodiscard]] inline bool names_services(const document& d) {
  return d.presets && !(*d.presets & service_presets).empty();
}

/// The services that a document names.
[[nodiscard]] inline std::vector<granted_service> services_of(const document& d, const host_facts& facts) {
  std::vector<granted_service> all;
  for_each(d.presets.value_or(default_presets) & service_presets, [&](preset p) {
    detail::service_grants found = detail::service_finder(facts).find(p);
    const bool is_device = found.sockets.empty();
    all.push_back({p, std::move(is_device ? found.devices : found.sockets)});
  });
  return all;
}

/// The same document with the grants of its services listed instead of their names. The other presets stay; if it names
/// services alone, the default ones are in force.
[[nodiscard]] inline document with_services_listed(document d, const host_facts& facts) {
  if (!names_services(d)) return d;
  detail::service_grants all;
  for_each(*d.presets, [&](preset p) {
    detail::service_grants found = detail::service_finder(facts).find(p);
    for (std::string& socket : found.sockets) all.files.push_back({socket, right::connect});
    for (std::string& device : found.devices)
      all.files.push_back({std::move(device), right::read | right::list | right::write});
    all.files.insert(all.files.end(), found.files.begin(), found.files.end());
    all.sockets.insert(all.sockets.end(), found.sockets.begin(), found.sockets.end());
    all.variables.insert(all.variables.end(), found.variables.begin(), found.variables.end());
  });
  const preset_set others = *d.presets - service_presets;
  if (others.empty()) d.presets.reset();
  else d.presets = others;
  if (d.exact) detail::add_to_policy(d, all);
  else detail::add_to_lists(d, all);
  return d;
}

} // namespace cordon::format
