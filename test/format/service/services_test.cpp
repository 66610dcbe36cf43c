// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/lower.hpp>
#include <cordon/format/service/services.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace cordon;
using namespace cordon::format;

namespace format_service_services {

using list = std::vector<std::string>;

std::map<std::string, std::string, std::less<>> variables;
std::vector<std::string> missing;

host_facts facts_here() {
  host_facts facts;
  facts.home = "/home/u";
  facts.exists = [](std::string_view place) {
    return std::find(missing.begin(), missing.end(), place) == missing.end();
  };
  facts.variable = [](const char* name) {
    const auto v = variables.find(name);
    return v == variables.end() ? std::string() : v->second;
  };
  return facts;
}

list places_of(preset p, std::map<std::string, std::string, std::less<>> all) {
  variables = std::move(all);
  missing.clear();
  document d;
  d.presets = p;
  return services_of(d, facts_here()).front().places;
}

TEST_CASE("services: each is where its clients look for it") {
  CHECK(places_of(preset::ssh_agent, {{"SSH_AUTH_SOCK", "/tmp/a/agent.1"}}) == list{"/tmp/a/agent.1"});
  CHECK(places_of(preset::ssh_agent, {{"SSH_AUTH_SOCK", "agent"}}).empty());
  CHECK(places_of(preset::ssh_agent, {}).empty());
  CHECK(places_of(preset::gpg_agent, {{"XDG_RUNTIME_DIR", "/run/user/7"}}) ==
        list{"/run/user/7/gnupg/S.gpg-agent", "/home/u/.gnupg/S.gpg-agent"});
  CHECK(places_of(preset::gpg_agent, {{"GNUPGHOME", "/g"}}) == list{"/g/S.gpg-agent"});
  CHECK(places_of(preset::wayland, {{"XDG_RUNTIME_DIR", "/run/user/7"}}) == list{"/run/user/7/wayland-0"});
  CHECK(places_of(preset::wayland, {{"WAYLAND_DISPLAY", "/w"}, {"XDG_RUNTIME_DIR", "/r"}}) == list{"/w"});
  CHECK(places_of(preset::wayland, {{"WAYLAND_DISPLAY", "w"}}).empty());
  for (const char* display : {":1", ":1.0", "unix:1"})
    CHECK(places_of(preset::x11, {{"DISPLAY", display}}) == list{"/tmp/.X11-unix/X1"});
  for (const char* display : {"", ":", "host:1", ":1/../../etc", ":x", "1"})
    CHECK(places_of(preset::x11, {{"DISPLAY", display}}).empty());
  CHECK(places_of(preset::pulse, {{"PULSE_SERVER", "unix:/p"}}) == list{"/p"});
  CHECK(places_of(preset::pulse, {{"XDG_RUNTIME_DIR", "/r"}}) == list{"/r/pulse/native"});
  CHECK(places_of(preset::dbus_session, {{"DBUS_SESSION_BUS_ADDRESS", "unix:path=/a,guid=1;unix:path=/b"}}) ==
        list{"/a", "/b"});
  CHECK(places_of(preset::dbus_session, {{"DBUS_SESSION_BUS_ADDRESS", "unix:abstract=/a"}}).empty());
  CHECK(places_of(preset::dbus_session, {{"XDG_RUNTIME_DIR", "/r"}}) == list{"/r/bus"});
  CHECK(places_of(preset::docker, {}) == list{"/run/docker.sock"});
  CHECK(places_of(preset::docker, {{"DOCKER_HOST", "unix:///d"}}) == list{"/d"});
  CHECK(places_of(preset::docker, {{"DOCKER_HOST", "tcp://h:1"}}).empty());
}

TEST_CASE("services: devices are those that the machine has, and what Mesa reads of them") {
  variables = {};
  missing = {"/dev/kfd"};
  for (int i = 1; i < 16; ++i) missing.push_back("/dev/nvidia" + std::to_string(i));
  for (const char* end : {"ctl", "-modeset", "-uvm", "-uvm-tools", "-caps"})
    missing.push_back(std::string("/dev/nvidia") + end);
  document d;
  d.files.emplace();
  d.files->push_back({"/srv", verb::write});
  d.presets = preset_set(preset::gpu) | preset::kvm;
  const std::vector<granted_service> found = services_of(d, facts_here());
  CHECK((found.size() == 2 && found[0].places == list{"/dev/dri", "/dev/nvidia0"} &&
         found[1].places == list{"/dev/kvm"}));
  const loaded_policy p = lower_lexically(d, facts_here());
  const auto at = [&](std::string_view place) { return rights::from_bits(p.files().lookup(place)); };
  for (const char* place : {"/dev/dri/card0", "/dev/nvidia0", "/dev/kvm"})
    CHECK(at(place) == (right::read | right::list | right::write));
  CHECK(at("/sys/dev/char/226:0") == verb::read);
  CHECK(at("/dev/kfd") == rights());
  CHECK(at("/dev/sda") == rights());
  for (const granted_service& s : found)
    for (const std::string& place : s.places) CHECK(is_grantable_device(place));
}

TEST_CASE("services: each has a risk in words, and no other preset has") {
  for (std::size_t i = 0; i < preset_names.size(); ++i) {
    const preset p = static_cast<preset>(i);
    CHECK(risk_of(p).empty() == !is_service(p));
  }
}

document with(preset_set presets) {
  document d;
  d.files.emplace();
  d.files->push_back({"/srv", verb::write});
  d.environment.emplace().pass = list{"PATH"};
  d.sockets.emplace().own = true;
  d.presets = presets;
  return d;
}

TEST_CASE("services: a document gets the socket, the variable, and the default presets") {
  variables = {{"SSH_AUTH_SOCK", "/s/agent"}};
  missing.clear();
  const loaded_policy p = lower_lexically(with(preset::ssh_agent), facts_here());
  const auto at = [](const loaded_policy& of, std::string_view place) {
    return rights::from_bits(of.files().lookup(place));
  };
  CHECK(at(p, "/s/agent") == right::connect);
  CHECK(at(p, "/s") == rights());
  CHECK(at(p, "/usr/bin") == verb::run);
  CHECK(p.environment().lookup("SSH_AUTH_SOCK") == variable::passes);
  CHECK(p.sockets().lookup("/s/agent") != 0);
  const loaded_policy alone = lower_lexically(with(preset_set(preset::user_temp) | preset::ssh_agent), facts_here());
  CHECK(at(alone, "/s/agent") == right::connect);
  CHECK(at(alone, "/usr/bin") == rights());
  CHECK(at(lower_lexically(with(preset::user_temp), facts_here()), "/s/agent") == rights());

  missing = {"/s/agent"};
  CHECK(at(lower_lexically(with(preset::ssh_agent), facts_here()), "/s/agent") == rights());
  document closed = with(preset::ssh_agent);
  closed.files->clear();
  missing.clear();
  CHECK(at(lower_lexically(closed, facts_here()), "/s/agent") == rights());
  document said = with(preset::ssh_agent);
  said.files->push_back({"/s/agent", verb::hide});
  CHECK(at(lower_lexically(said, facts_here()), "/s/agent") == rights());
}

TEST_CASE("services: what is read for gpg stands above the credentials, and no key does") {
  variables = {};
  missing.clear();
  const loaded_policy p = lower_lexically(with(preset::gpg_agent), facts_here());
  const auto at = [&](std::string_view place) { return rights::from_bits(p.files().lookup(place)); };
  CHECK(at("/home/u/.gnupg/pubring.kbx") == verb::read);
  CHECK(at("/home/u/.gnupg/S.gpg-agent") == right::connect);
  CHECK(at("/home/u/.gnupg/private-keys-v1.d") == rights());
}

} // namespace format_service_services
