// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/named_directory.hpp>

#include "scratch.hpp"

#include <doctest/doctest.h>

using namespace cordon;
namespace fs = std::filesystem;

namespace {

long long one_owner(const std::string&) { return 7; }

struct caller {
  std::vector<std::string> homes{};
  bool as_root = false;

  /// Is a directory accepted if it was named by a link there?
  [[nodiscard]] bool accepts(const std::string& link, bool only_root_writes = false) const {
    const project_facts projects{homes, one_owner, 7, nullptr, platform::linux_};
    link_facts links;
    links.as_root = as_root;
    try {
      check_way({"--cwd x", "/real/place", {{link, "real", only_root_writes}}}, projects, links);
      return true;
    } catch (const refused& e) {
      CHECK(std::string(e.what()) == "--cwd x: " + link +
                                         " is a link that a program of an earlier run may have made; name /real/place "
                                         "itself");
      return false;
    }
  }
};

} // namespace

TEST_CASE("named_directory: a path without links is accepted everywhere") {
  CHECK_NOTHROW(check_way({"--cwd x", "/tmp/x", {}}, {}, {}));
}

TEST_CASE("named_directory: a link directly in a home is accepted, others are refused") {
  const caller u{{"/home/u"}};
  CHECK(u.accepts("/home/u/by"));
  for (const char* link : {"/home/u/work/by", "/home/u/.cargo/by", "/home/by", "/srv/by", "/by", "/tmp/by"}) {
    CAPTURE(link);
    CHECK(!u.accepts(link));
    CHECK(u.accepts(link, true));
  }
}

TEST_CASE("named_directory: a home that is itself a link is accepted") {
  const scratch s;
  s.dir("disk/u");
  fs::create_directory_symlink("disk", s.top / "home");
  const caller u{{s.at("home/u")}};
  CHECK(u.accepts(s.at("disk/u/by")));
  CHECK(!u.accepts(s.at("disk/by")));
}

TEST_CASE("named_directory: for root, a link in a system directory is accepted if only root writes there") {
  const caller root{{"/root"}, true};
  for (const char* link : {"/var/run", "/bin", "/etc/x", "/srv/x", "/home/x"}) CHECK(root.accepts(link, true));
  CHECK(root.accepts("/root/by"));
  for (const char* link : {"/var/run", "/srv/x"}) CHECK(!root.accepts(link));
  for (const char* link : {"/srv/app/x", "/app/x", "/usr/src/app/x", "/var/tmp/x", "/tmp/x", "/root/app/x"}) {
    CAPTURE(link);
    CHECK(!root.accepts(link, true));
  }
}
