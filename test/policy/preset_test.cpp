// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/path.hpp>
#include <cordon/policy/preset.hpp>

namespace policy_preset_test {

using namespace cordon;
using namespace cordon::preset_places;

namespace {

/// Has the list no path twice, and only paths of that kind: absolute and normal, or relative to home?
constexpr bool is_sound(list places, bool absolute) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const path::normal n = path::normalize(places[i], "/home/u");
    if (!n || (places[i].front() == '/') != absolute) return false;
    if (absolute ? n.view() != places[i] : n.view().substr(8) != places[i]) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (places[i] == places[j]) return false;
  }
  return !places.empty();
}

/// The compiler warns of an enumerator that is missing here.
constexpr std::string_view expected_name(preset p) {
  switch (p) {
  case preset::system_runtime: return "system_runtime";
  case preset::developer_toolchains: return "developer_toolchains";
  case preset::package_manager_config: return "package_manager_config";
  case preset::user_temp: return "user_temp";
  case preset::credentials: return "credentials";
  case preset::ssh_agent: return "ssh_agent";
  case preset::gpg_agent: return "gpg_agent";
  case preset::wayland: return "wayland";
  case preset::x11: return "x11";
  case preset::pulse: return "pulse";
  case preset::dbus_session: return "dbus_session";
  case preset::docker: return "docker";
  case preset::gpu: return "gpu";
  case preset::kvm: return "kvm";
  }
  return "";
}

constexpr bool has(list places, std::string_view wanted) {
  for (const std::string_view p : places)
    if (p == wanted) return true;
  return false;
}

} // namespace

TEST_CASE("preset: every preset has a name, and every name a preset") {
  for (std::size_t i = 0; i < preset_names.size(); ++i) CHECK(preset_names[i] == expected_name(static_cast<preset>(i)));
  // An enumerator without a row is the first number behind the table.
  CHECK(expected_name(static_cast<preset>(preset_names.size())).empty());
}

TEST_CASE("preset: sets of presets are sets") {
  constexpr preset_set one = preset::pulse, two = one | preset::credentials;
  HOLDS(preset_set().empty() && !one.empty());
  HOLDS(two.has(preset::pulse) && two.has(preset::credentials) && !two.has(preset::docker));
  HOLDS((two & one) == one && two - one == preset::credentials && (one - two).empty());
  HOLDS((default_presets & service_presets).empty());
  HOLDS(default_presets.has(preset::credentials) && service_presets.has(preset::ssh_agent));
  std::vector<preset> met;
  for_each(two, [&](preset p) { met.push_back(p); });
  CHECK(met == std::vector{preset::credentials, preset::pulse});
}

TEST_CASE("preset: every default preset has paths on Linux, no service has, and each list is sound") {
  for (const preset_row& p : preset_table) {
    CAPTURE(p.name);
    CHECK(first_list(p.which, platform::linux_).empty() == is_service(p.which));
  }
  for (const preset_paths& a : preset_places::table) {
    CAPTURE(name(a.of));
    CHECK(is_sound(a.paths, !a.is_below_home()));
    CHECK((a.allowed.empty() == (a.of == preset::credentials)));
    CHECK((a.allowed.has(right::write) == (a.of == preset::user_temp)));
  }
}

TEST_CASE("preset: every preset has its name") {
  HOLDS(name(preset::system_runtime) == "system_runtime");
  HOLDS(name(preset::credentials) == "credentials");
  HOLDS(default_preset_names.back() == "credentials" && !is_service(preset::credentials));
  HOLDS(is_service(preset::ssh_agent) && is_service(preset::docker));
  HOLDS(platform_names[static_cast<std::size_t>(platform::linux_)] == "linux");
}

TEST_CASE("preset: system paths are absolute, home paths are relative, and none is repeated") {
  HOLDS(is_sound(linux_system, true));
  HOLDS(is_sound(macos_system, true));
  HOLDS(is_sound(openbsd_system, true));
  HOLDS(is_sound(macos_toolchains, true));
  HOLDS(is_sound(home_toolchains, false));
  HOLDS(is_sound(windows_home_toolchains, false));
  HOLDS(is_sound(home_config, false));
  HOLDS(is_sound(home_toolchain_parts, false));
  HOLDS(is_sound(home_config_parts, false));
  HOLDS(is_sound(macos_temp, true));
  HOLDS(is_sound(etc_credentials, true));
  HOLDS(is_sound(etc_not_secret, true));
}

TEST_CASE("preset: each platform has its own system runtime") {
  HOLDS(has(system(platform::linux_), "/lib64"));
  HOLDS(has(system(platform::macos), "/opt/homebrew"));
  HOLDS(!has(system(platform::openbsd), "/lib64"));
  HOLDS(system(platform::windows).empty());
}

TEST_CASE("preset: temporary files are the run's own, but for macOS") {
  HOLDS(temp(platform::linux_).size() == 1 && temp(platform::linux_)[0] == run_temp);
  HOLDS(temp(platform::openbsd)[0] == run_temp);
  HOLDS(has(temp(platform::macos), "/private/tmp"));
  HOLDS(!has(temp(platform::macos), run_temp));
  HOLDS(temp(platform::windows).empty());
}

TEST_CASE("preset: a path that is reopened lies inside a hidden directory") {
  for (const std::string_view p : etc_not_secret) CHECK(path::covers(ssh_directory, p));
  HOLDS(has(etc_credentials, ssh_directory));
}

TEST_CASE("preset: the parts under home open no directory in which tools keep tokens") {
  for (const list parts : {list{home_toolchain_parts}, list{home_config_parts}})
    for (const std::string_view part : parts) {
      CAPTURE(part);
      for (const std::string_view whole : {".config", ".cache", ".cargo", ".local", ".local/share", ".local/state"})
        CHECK(part != whole);
    }
}

TEST_CASE("preset: the parts under home lie in directories that CapabilityPolicy documents open, or are listed") {
  constexpr std::string_view more[]{
      ".gem/ruby",          ".local/lib",        ".local/pipx",       ".local/share/fnm", ".local/share/gem/ruby",
      ".local/share/meson", ".local/share/pipx", ".local/share/pnpm", ".m2/repository",   "bin"};
  const auto lies_in = [](list all, std::string_view part) {
    for (const std::string_view p : all)
      if (path::covers(p, part)) return true;
    return false;
  };
  for (const list parts : {list{home_toolchain_parts}, list{home_config_parts}})
    for (const std::string_view part : parts) {
      CAPTURE(part);
      CHECK((lies_in(home_toolchains, part) || lies_in(home_config, part) || has(more, part)));
    }
}

TEST_CASE("preset: a list inside another preset's directory gives no fewer rights than that one, unless it hides") {
  // The most specific grant decides, so such a list would take rights away from the other preset.
  using enum documents;
  const auto together = [](const preset_paths& a, const preset_paths& b) {
    return (a.systems & b.systems) != 0 && (a.in == b.in || a.in == all || b.in == all) && a.of != b.of;
  };
  for (const preset_paths& inner : preset_places::table)
    for (const preset_paths& outer : preset_places::table) {
      // Another program defines what its documents contain.
      if (!together(inner, outer) || inner.allowed.empty() || inner.in == capability_policy) continue;
      if (inner.is_below_home() != outer.is_below_home()) continue;
      for (const std::string_view in : inner.paths)
        for (const std::string_view around : outer.paths) {
          CAPTURE(in);
          CAPTURE(around);
          CHECK((outer.allowed <= inner.allowed || outer.allowed.empty() || !path::covers(around, in)));
        }
    }
}

} // namespace policy_preset_test
