// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/lower.hpp>
#include <cordon/format/notation.hpp>
#include <cordon/format/read.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace cordon;
using namespace cordon::format;

namespace {

const host_facts linux_host{platform::linux_, "/home/u", "/srv", nullptr};

loaded_policy lowered(const std::string& text) { return lower_lexically(read("sample", text, linux_host), linux_host); }

/// The position and the message of the error of a text; empty if it has none.
std::string error_of(const std::string& text) {
  try {
    (void)read_notation("sample", text, linux_host);
  } catch (const bad_document& e) { return e.what(); }
  return {};
}

rights at(const loaded_policy& p, std::string_view place) { return rights::from_bits(p.files().lookup(place)); }

} // namespace

TEST_CASE("notation: presets mean what they mean in JSON") {
  const std::string grant = R"({"cordon": 1, "files": [{"path": "/srv/job", "rights": "write"}], )";
  CHECK(lowered("preset system_runtime credentials\nwrite /srv/job\n") ==
        lowered(grant + R"("presets": ["system_runtime", "credentials"]})"));
  CHECK(lowered("write /srv/job\ndrop preset user_temp\n") ==
        lowered(grant + R"("presets": ["credentials", "system_runtime", "developer_toolchains",
                                       "package_manager_config"]})"));
  CHECK(lowered("write /srv/job\npreset user_temp\n") == lowered(grant + R"("presets": ["user_temp"]})"));
  CHECK(lowered("write /srv/job\ncapabilities workspace.read_text\npreset user_temp\n") ==
        lowered(grant + R"("capabilities": ["workspace.read_text"], "presets": ["user_temp"]})"));
  CHECK(lowered("write /srv/job\n") == lowered(grant + R"("presets": []})"));
  CHECK(lowered("write /srv/job\n") != lowered("write /srv/job\npreset user_temp\n"));
}

TEST_CASE("notation: a preset alone makes a list of files, and a grant for its path overrides it") {
  const loaded_policy alone = lowered("preset system_runtime\n");
  CHECK(at(alone, "/usr/bin/true") == verb::run);
  CHECK(at(alone, "/srv").empty());
  CHECK(at(lowered("read /usr\npreset system_runtime\n"), "/usr/bin/true") == verb::read);
  CHECK(at(lowered("preset credentials\nread ~\n"), "/home/u/.netrc").empty());
  CHECK(at(lowered("drop preset credentials\nread ~\n"), "/home/u/.netrc") == verb::read);
  CHECK(at(lowered("only\npreset system_runtime\n"), "/usr/bin/true") == verb::run);
  CHECK(lowered("drop preset system_runtime developer_toolchains package_manager_config user_temp credentials\n"
                "read /a\n") == lowered("read /a\n"));
}

TEST_CASE("notation: debug is spawn and trace, as in JSON") {
  CHECK(lowered("abilities debug\n") == lowered("abilities spawn trace\n"));
  CHECK(lowered("abilities debug\nabilities clock\n").abilities.has(ability::clock));
  CHECK(lowered(R"({"cordon": 1, "abilities": ["debug"]})") == lowered("abilities debug\n"));
  CHECK(write_notation(lowered("abilities debug\n")).find("abilities spawn trace\n") != std::string::npos);
}

TEST_CASE("notation: a published port is listed, and leads to one of the run's own") {
  CHECK(lowered("publish 8080:80\n") == lowered("sockets own\nlisten 8080\n"));
  CHECK(lowered("publish 8080:80\nsockets own\nlisten 8081\n") == lowered("sockets own\nlisten 8080-8081\n"));
  CHECK(lowered("publish 8080:80\n") == lowered(R"({"cordon": 1, "sockets": {"publish": ["8080:80"]}})"));
  const auto published = [](std::string_view text) {
    std::string all;
    for (const host::published_port& p : format::read("p", std::string(text), linux_host).published)
      all += std::string(host::text_of(p).view()) + " ";
    return all;
  };
  CHECK(published("publish 8080:80 [::1]:9\npublish 1\n") == "localhost:8080:80 [::1]:9:9 localhost:1:1 ");
  CHECK(published(R"({"cordon": 1, "sockets": {"publish": [8080, "127.0.0.2:1:2"]}})") ==
        "localhost:8080:8080 127.0.0.2:1:2 ");
}

TEST_CASE("notation: a name that no preset has, or that a text has twice, is an error with its position") {
  CHECK(error_of("read /a\npreset system") == R"(sample:2:8: bad value "system")");
  CHECK(error_of("preset user_temp\ndrop preset user_temp") ==
        R"(sample:2:13: preset "user_temp": named before; remove one of the two)");
  CHECK(error_of("preset user_temp user_temp") ==
        R"(sample:1:18: preset "user_temp": named before; remove one of the two)");
  CHECK(error_of("drop user_temp") == R"(sample:1:6: unexpected "user_temp")");
  CHECK(error_of("preset") == R"(sample:1:1: "preset" needs a value behind it)");
  CHECK(error_of("files any\npreset user_temp") == R"(sample:2:1: "preset": another line settles this already)");
}
