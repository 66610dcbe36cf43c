// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/path.hpp>
#include <cordon/policy/preset.hpp>

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

constexpr bool has(list places, std::string_view wanted) {
  for (const std::string_view p : places)
    if (p == wanted) return true;
  return false;
}

} // namespace

TEST_CASE("preset: names") {
  HOLDS(name(preset::system_runtime) == "system_runtime");
  HOLDS(name(preset::credentials) == "credentials");
  HOLDS(platform_names[static_cast<std::size_t>(platform::linux_)] == "linux");
}

TEST_CASE("preset: places of the system are absolute, those under home relative, none stands twice") {
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

TEST_CASE("preset: each system has its own runtime") {
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

TEST_CASE("preset: what is open again inside a hidden directory is inside it") {
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

TEST_CASE("preset: the parts under home lie in what CapabilityPolicy documents open, or are named here") {
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
