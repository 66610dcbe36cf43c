// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/resolve.hpp>

#include "scratch.hpp"

#include <doctest/doctest.h>

using namespace cordon;
namespace fs = std::filesystem;

namespace {

loaded_policy granting(std::initializer_list<std::pair<std::string, rights>> grants) {
  loaded_policy p;
  CHECK(p.write<part::files>([&](auto& out) {
           for (const auto& [place, r] : grants) out.add({place, r.bits(), {}});
         }).code == errc::ok);
  return p;
}

} // namespace

TEST_CASE("links are followed once, and two ways to one place meet") {
  const scratch s;
  fs::create_directory(s.top / "real");
  fs::create_directory_symlink("real", s.top / "link");
  const loaded_policy one = resolve(granting({{s.at("link"), verb::write}}));
  CHECK(one.files().value(s.at("real")) == verb::write.bits());
  CHECK(one.files().value(s.at("link")) == 0);
  const loaded_policy both = resolve(granting({{s.at("link"), verb::write}, {s.at("real"), verb::read}}));
  CHECK(both.files().value(s.at("real")) == verb::read.bits());
}

TEST_CASE("a grant that leads nowhere is refused and named") {
  const scratch s;
  fs::create_symlink("gone", s.top / "dangling");
  fs::create_symlink("b", s.top / "a");
  fs::create_symlink("a", s.top / "b");
  for (const char* name : {"missing", "dangling", "a"}) {
    CAPTURE(name);
    try {
      (void)resolve(granting({{s.at(name), verb::read}}));
      FAIL("not refused");
    } catch (const refused& e) { CHECK(std::string(e.what()).find(s.at(name)) != std::string::npos); }
  }
}

TEST_CASE("a hidden place need not exist") {
  const scratch s;
  const loaded_policy p = resolve(granting({{s.top.string(), verb::write}, {s.at("secret"), verb::hide}}));
  CHECK(p.files().value(s.at("secret/key")) == 0);
  CHECK(p.files().value(s.at("other")) == verb::write.bits());
}

TEST_CASE("the place that stands for the run's temporary directory stays as it is") {
  const loaded_policy p = resolve(granting({{std::string(run_temp), verb::write}}));
  CHECK(p.files().value(run_temp) == verb::write.bits());
}
