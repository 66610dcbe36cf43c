// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/links/planted.hpp>
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
  written_roots written{};

  /// The directory in which an earlier run may have created a link; empty: it is trusted.
  [[nodiscard]] std::string planted_in(const std::string& link, bool only_root_writes = false,
                                       bool only_caller_writes = false) const {
    const project_facts projects{homes, one_owner, 7, nullptr, platform::linux_};
    return detail::planted_in({link, "real", only_root_writes, only_caller_writes}, projects, as_root, written);
  }
  [[nodiscard]] bool trusts(const std::string& link, bool only_root_writes = false) const {
    return planted_in(link, only_root_writes).empty();
  }
};

written_roots known(std::vector<written_root> all) { return {true, std::move(all), nullptr}; }

std::string written(const std::vector<written_root>& all) {
  std::string text(detail::list_of_roots);
  for (const written_root& root : all) text += detail::line_of(root);
  return text;
}

} // namespace

TEST_CASE("planted: without a list, a link is trusted directly in a home or where only root writes") {
  const caller u{{"/home/u"}};
  CHECK(u.trusts("/home/u/by"));
  for (const char* link : {"/home/u/work/by", "/home/u/.cargo/by", "/home/by", "/srv/by", "/by", "/tmp/by"}) {
    CAPTURE(link);
    CHECK(!u.trusts(link));
    CHECK(u.trusts(link, true));
  }
}

TEST_CASE("planted: a home that is itself a link is a home") {
  const scratch s;
  s.dir("disk/u");
  fs::create_directory_symlink("disk", s.top / "home");
  const caller u{{s.at("home/u")}};
  CHECK(u.trusts(s.at("disk/u/by")));
  CHECK(!u.trusts(s.at("disk/by")));
}

TEST_CASE("planted: for root, a link in a system directory is trusted if only root writes there") {
  const caller root{{"/root"}, true};
  for (const char* link : {"/var/run", "/bin", "/etc/x", "/srv/x", "/home/x"}) CHECK(root.trusts(link, true));
  CHECK(root.trusts("/root/by"));
  for (const char* link : {"/var/run", "/srv/x"}) CHECK(!root.trusts(link));
  for (const char* link : {"/srv/app/x", "/app/x", "/usr/src/app/x", "/var/tmp/x", "/tmp/x", "/root/app/x"}) {
    CAPTURE(link);
    CHECK(!root.trusts(link, true));
  }
}

TEST_CASE("planted: with a list, a link is trusted unless it lies in a listed directory or others write there") {
  caller u{{"/home/u"}, false, known({{"/home/u/app", {}}, {"/srv/data", {}}})};
  CHECK(u.planted_in("/home/u/app/x/link", false, true) == "/home/u/app");
  CHECK(u.planted_in("/srv/data/link", false, true) == "/srv/data");
  CHECK(u.planted_in("/home/u/other/link", false, true).empty());
  CHECK(u.planted_in("/home/u/other/link", false, false) == "/home/u/other");
  CHECK(u.planted_in("/home/u/link", false, false).empty());
  u.written.all.push_back({"/home/u", {}});
  CHECK(u.planted_in("/home/u/link", false, true) == "/home/u");
  CHECK(u.planted_in("/home/u/app/link", false, true) == "/home/u/app");
  const caller root{{"/root"}, true, known({{"/usr/src/app", {}}})};
  CHECK(root.planted_in("/usr/src/app/link", true, true) == "/usr/src/app");
  CHECK(root.planted_in("/usr/src/link", true, true).empty());
  CHECK(root.planted_in("/srv/app/link", true, true).empty());
}

TEST_CASE("planted: a directory of the caller's that cannot be a workspace is trusted without a list, as for grants") {
  const caller u{{"/home/u"}};
  CHECK(u.planted_in("/home/u/.cargo/registry", false, true).empty());
  const scratch s;
  s.dir("work");
  CHECK(u.planted_in(s.at("work/link"), false, true) == s.at("work"));
}

TEST_CASE("planted: a listed directory is found under another path") {
  caller u{{"/home/u"}, false, known({{"/home/u/old", {1, 7}}, {"/home/u/gone", {}}})};
  u.written.identify = [](const std::string& directory) {
    return directory == "/home/u/new" ? directory_identity{1, 7} : directory_identity{};
  };
  CHECK(u.planted_in("/home/u/new/link", false, true) == "/home/u/old");
  CHECK(u.planted_in("/home/u/elsewhere/link", false, true).empty());
}

TEST_CASE("named_directory: a name is refused if an earlier run may have made a link on its path") {
  link_facts links;
  links.planted_in = [](const link_on_the_way& link) {
    return link.place == "/w/x" ? std::string("/w") : std::string();
  };
  const auto check = [&](const char* link) { check_way({"--cwd x", "/real/place", {{link, "real"}}}, links); };
  CHECK_NOTHROW(check("/v/x"));
  CHECK_NOTHROW(check_way({"--cwd x", "/tmp/x", {}}, links));
  CHECK_THROWS_WITH_AS(
      check("/w/x"), "--cwd x: /w/x is a link that a program of an earlier run may have made; name /real/place itself",
      refused);
}

TEST_CASE("written_roots: what is written is read, whatever the path") {
  const std::vector<written_root> all{{"/home/u/app", {1, 2}, root_use::project},
                                      {"/a b", {3, ~std::uint64_t{0}}, root_use::named},
                                      {"/line\nend", {}, root_use::granted},
                                      {"/back\\slash\\n", {4, 5}, root_use::granted},
                                      {"/\xff", {6, 7}, root_use::project}};
  const written_roots read = detail::read_roots(written(all));
  CHECK(read.known);
  CHECK(read.all == all);
  CHECK(detail::read_roots(written(all) + written(all)).all.size() == 2 * all.size());
}

TEST_CASE("written_roots: a text that is no list is an unknown one") {
  const std::string good = written({{"/home/u/app", {1, 2}, root_use::project}});
  for (const std::string& text :
       {std::string(), std::string("cordon-roots full\n"), good.substr(1), good.substr(0, good.size() - 1),
        good + "1 2 project relative\n", good + "1 2 project\n", good + "1 x project /a\n", good + "1 2 other /a\n",
        good + "\n", good + std::string(detail::longest_list_of_roots, 'x'), good + "1 2 project /a/../b\n"}) {
    CAPTURE(text.substr(0, 200));
    CHECK(!detail::read_roots(text).known);
    CHECK(detail::read_roots(text).all.empty());
  }
}

TEST_CASE("written_roots: a list that is too long is an unknown one") {
  std::vector<written_root> all;
  while (written(all).size() < detail::longest_list_of_roots) all.resize(all.size() + 200, {"/home/u/app", {1, 2}});
  CHECK(!detail::read_roots(written(all)).known);
  all.resize(all.size() - 200);
  CHECK(detail::read_roots(written(all)).known);
}

TEST_CASE("written_roots: the project of an earlier run is kept, until the caller names the one around it") {
  const auto earlier = [](std::vector<written_root> all, const char* found, const char* directory) {
    const written_roots roots = known(std::move(all));
    const written_root* root = detail::earlier_project(roots, found, directory);
    return root == nullptr ? std::string() : root->place;
  };
  const written_root inner{"/w/a", {}, root_use::project}, deeper{"/w/a/b", {}, root_use::project},
      outer{"/w", {}, root_use::project}, named{"/w", {}, root_use::named}, granted{"/w/a", {}, root_use::granted};
  CHECK(earlier({inner}, "/w", "/w/a") == "/w/a");
  CHECK(earlier({inner}, "/w", "/w/a/c") == "/w/a");
  CHECK(earlier({inner, deeper, outer}, "/w", "/w/a/b") == "/w/a/b");
  CHECK(earlier({deeper, inner}, "/w", "/w/a/b") == "/w/a/b");
  CHECK(earlier({inner}, "/w/a", "/w/a") == "");
  CHECK(earlier({inner}, "/w", "/w/other") == "");
  CHECK(earlier({inner}, "/w/a/b", "/w/a/b") == "");
  CHECK(earlier({granted}, "/w", "/w/a") == "");
  CHECK(earlier({inner, named}, "/w", "/w/a") == "");
  CHECK(earlier({named, inner}, "/w", "/w/a") == "/w/a");
}
