// SPDX-License-Identifier: BSL-1.0
#include <cordon/policy/preset.hpp>
#include <cordon/run/links/links.hpp>
#include <cordon/run/resolve.hpp>

#include "scratch.hpp"

#include <doctest/doctest.h>

using namespace cordon;
namespace fs = std::filesystem;

namespace {

loaded_policy granting(std::initializer_list<std::pair<std::string, rights>> grants) {
  loaded_policy p;
  p.level = level::process_exec;
  CHECK(p.write_any<axis_id::capabilities>().code == diagnostic_code::ok);
  CHECK(p.write<axis_id::files>([&](auto& out) {
           for (const auto& [place, r] : grants) out.add({place, r.bits(), {}});
         }).code == diagnostic_code::ok);
  return p;
}

} // namespace

TEST_CASE("resolve: links are followed once, and two grants of one path are combined by meet") {
  const scratch s;
  fs::create_directory(s.top / "real");
  fs::create_directory_symlink("real", s.top / "link");
  const loaded_policy one = resolve(granting({{s.at("link"), verb::write}}));
  CHECK(one.files().lookup(s.at("real")) == verb::write.bits());
  CHECK(one.files().lookup(s.at("link")) == 0);
  const loaded_policy both = resolve(granting({{s.at("link"), verb::write}, {s.at("real"), verb::read}}));
  CHECK(both.files().lookup(s.at("real")) == verb::read.bits());
}

TEST_CASE("resolve: a named path that is redundant as written still limits the target of its link") {
  const scratch s;
  fs::create_directories(s.top / "real/fixed");
  fs::create_directory_symlink("real", s.top / "link");
  const loaded_policy p = granting({{s.at("real"), verb::write}, {s.at("real/open"), verb::everything}});
  link_facts facts;
  facts.named.files = {{s.at("real"), verb::write},
                       {s.at("link/secret"), verb::hide},
                       {s.at("link/fixed"), verb::read},
                       {s.at("link/more"), verb::everything},
                       {s.at("elsewhere"), verb::read}};
  fs::create_directory(s.top / "real/open");
  const loaded_policy now = resolve(p, facts);
  CHECK(now.files().lookup(s.at("real/secret")) == 0);
  CHECK(now.files().lookup(s.at("real/fixed/file")) == verb::read.bits());
  for (const char* more : {"real/more", "real/other"}) CHECK(now.files().lookup(s.at(more)) == verb::write.bits());
  CHECK(now.files().lookup(s.at("real/open")) == verb::everything.bits());
  CHECK(now.files().lookup(s.at("elsewhere")) == 0);
  CHECK(resolve(p, {}).files().lookup(s.at("real/secret")) == verb::write.bits());
}

TEST_CASE("resolve: a grant of a missing path is refused, with its name") {
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

TEST_CASE("resolve: a hidden path need not exist") {
  const scratch s;
  const loaded_policy p = resolve(granting({{s.top.string(), verb::write}, {s.at("secret"), verb::hide}}));
  CHECK(p.files().lookup(s.at("secret/key")) == 0);
  CHECK(p.files().lookup(s.at("other")) == verb::write.bits());
}

TEST_CASE("resolve: the symbol of the run's temporary directory is not resolved") {
  const loaded_policy p = resolve(granting({{std::string(run_temp), verb::write}}));
  CHECK(p.files().lookup(run_temp) == verb::write.bits());
}

TEST_CASE("resolve: a link does not extend a grant out of its directory") {
  const scratch s;
  s.dir("job/in");
  s.dir("out");
  fs::create_directory_symlink("../out", s.top / "job/link");
  fs::create_directory_symlink("in", s.top / "job/near");
  const auto grants = [&](const char* name, rights around, rights there) {
    return granting({{s.at("job"), around}, {s.at(name), there}});
  };
  CHECK_THROWS_WITH_AS((void)resolve(grants("job/link", verb::read, verb::write)),
                       doctest::Contains(("grant " + s.at("out") + " by its own name").c_str()), refused);
  // A link that an earlier run may have created.
  CHECK_THROWS_WITH_AS((void)resolve(grants("job/link", rights(right::create) | right::list, verb::read)),
                       doctest::Contains("that the program may replace"), refused);
  CHECK(resolve(grants("job/near", verb::read, verb::write)).files().lookup(s.at("job/in")) == verb::write.bits());

  const loaded_policy named =
      granting({{s.at("job"), verb::read}, {s.at("job/link"), verb::write}, {s.at("out"), verb::write}});
  CHECK(resolve(named).files().lookup(s.at("out")) == verb::write.bits());
  const loaded_policy less =
      granting({{s.at("job"), verb::read}, {s.at("job/link"), verb::write}, {s.at("out"), verb::read}});
  CHECK(resolve(less).files().lookup(s.at("out")) == verb::read.bits());
}

TEST_CASE("resolve: a link does not extend a grant into a path that the policy hides") {
  const scratch s;
  s.file("job/.git/config");
  fs::create_symlink(".git/config", s.top / "job/data");
  const loaded_policy p =
      granting({{s.at("job"), verb::read}, {s.at("job/.git"), verb::hide}, {s.at("job/data"), verb::write}});
  CHECK_THROWS_WITH_AS((void)resolve(p), doctest::Contains("where the policy says otherwise"), refused);
}

TEST_CASE("resolve: a link is not accepted because of another link") {
  const scratch s;
  s.dir("job");
  s.dir("out");
  fs::create_directory_symlink("../out", s.top / "job/a");
  fs::create_directory_symlink("../out", s.top / "job/b");
  CHECK_THROWS_AS(
      (void)resolve(granting({{s.at("job"), verb::read}, {s.at("job/a"), verb::write}, {s.at("job/b"), verb::write}})),
      refused);
}

TEST_CASE("resolve: a relative path stays inside its directory") {
  const scratch s;
  s.dir("job/in");
  s.dir("out");
  fs::create_directory_symlink("../out", s.top / "job/link");
  fs::create_directory_symlink("in", s.top / "job/near");
  link_facts facts;
  const loaded_policy out = granting({{s.at("job/link"), verb::write}});
  CHECK(resolve(out, facts).files().lookup(s.at("out")) == verb::write.bits());
  facts.beneath = {{s.at("job/link"), s.at("job")}, {s.at("job/near"), s.at("job")}};
  CHECK_THROWS_WITH_AS((void)resolve(out, facts), doctest::Contains(("leads out of " + s.at("job")).c_str()), refused);
  CHECK_NOTHROW((void)resolve(granting({{s.at("job/near"), verb::write}}), facts));
}

TEST_CASE("resolve: links above a grant and links of the system are followed") {
  const scratch s;
  s.dir("disk/job/.git");
  s.dir("disk/opt");
  s.dir("alternatives");
  fs::create_directory_symlink("disk/job", s.top / "job");
  CHECK(resolve(granting({{s.at("job"), verb::write}, {s.at("job/.git"), verb::read}}))
            .files()
            .lookup(s.at("disk/job/.git")) == verb::read.bits());
  fs::create_directory_symlink("../../alternatives", s.top / "disk/opt/tool");
  const loaded_policy tool = granting({{s.at("disk/opt"), verb::read}, {s.at("disk/opt/tool"), verb::run}});
  CHECK_THROWS_AS((void)resolve(tool), refused);
  const link_reader read = [](const std::string& dir, const std::string& name) {
    std::optional<link_on_the_way> link = detail::read_by_name(dir, name);
    if (link) link->only_root_writes = dir.ends_with("/opt");
    return link;
  };
  link_facts facts{read, false, {}};
  CHECK(resolve(tool, facts).files().lookup(s.at("alternatives")) == verb::run.bits());
  facts.as_root = true; // root may do there what no other user may
  CHECK_THROWS_AS((void)resolve(tool, facts), refused);
}

TEST_CASE("resolve: preset paths under home may lead to another disk") {
  const scratch s;
  s.dir("home/.cargo");
  s.dir("disk");
  fs::create_directory_symlink(s.top / "disk", s.top / "home/.cargo/registry");
  const auto policy = [&](rights around) {
    return granting({{s.at("home/.cargo"), around}, {s.at("home/.cargo/registry"), verb::read}});
  };
  link_facts facts;
  CHECK_THROWS_AS((void)resolve(policy(verb::run), facts), refused);
  facts.home = s.at("home");
  CHECK(resolve(policy(verb::run), facts).files().lookup(s.at("disk")) == verb::read.bits());
  CHECK_THROWS_AS((void)resolve(policy(verb::write), facts), refused);
  // A part of a directory that cordon's own documents do not open as a whole.
  s.dir("home/.config");
  s.dir("dotfiles/config");
  fs::create_directory_symlink(s.top / "dotfiles", s.top / "home/.config/git");
  const auto part = granting({{s.at("home"), verb::run}, {s.at("home/.config/git/config"), verb::read}});
  CHECK(resolve(part, facts).files().lookup(s.at("dotfiles/config")) == verb::read.bits());
  // A directory around the link is not another disk.
  fs::remove(s.top / "home/.cargo/registry");
  fs::create_directory_symlink(s.top, s.top / "home/.cargo/registry");
  CHECK_THROWS_WITH_AS((void)resolve(policy(verb::run), facts), doctest::Contains("which is around"), refused);
}

TEST_CASE("resolve: a restriction through a link that the program may replace is refused") {
  const scratch s;
  s.dir("job/.git");
  s.dir("job/hooks");
  fs::create_directory_symlink("../hooks", s.top / "job/.git/hooks");
  for (const rights r : {verb::hide, verb::read}) {
    CHECK_THROWS_WITH_AS((void)resolve(granting({{s.at("job"), verb::write}, {s.at("job/.git/hooks"), r}})),
                         doctest::Contains(("name " + s.at("job/hooks") + " itself").c_str()), refused);
    const loaded_policy kept =
        granting({{s.at("job"), verb::write}, {s.at("job/.git"), verb::run}, {s.at("job/.git/hooks"), r}});
    CHECK(resolve(kept).files().lookup(s.at("job/hooks")) == r.bits());
  }
  fs::remove(s.top / "job/hooks");
  CHECK_THROWS_AS((void)resolve(granting({{s.at("job"), verb::write}, {s.at("job/.git/hooks"), verb::hide}})), refused);
  // No program can write there, so none can replace the path.
  CHECK_NOTHROW((void)resolve(granting({{s.at("job"), verb::read}, {s.at("job/.git/hooks"), verb::hide}})));
}

TEST_CASE("resolve: a path that became a link after it was judged is refused") {
  const scratch s;
  s.dir("job/real");
  s.dir("out/inner");
  link_facts facts;
  facts.judged = {{"--workspace job/real", s.at("job/real"), {}}};
  const auto below = granting({{s.at("job/real/inner"), verb::read}});
  const auto itself = granting({{s.at("job/real"), verb::write}});
  CHECK_NOTHROW((void)resolve(itself, facts));
  fs::remove(s.top / "job/real");
  fs::create_directory_symlink("../out", s.top / "job/real");
  for (const loaded_policy* p : {&itself, &below}) {
    CHECK(resolve(*p).files().lookup(s.at("out/inner")) != 0);
    CHECK_THROWS_WITH_AS(
        (void)resolve(*p, facts),
        ("--workspace job/real: " + s.at("job/real") + " has meanwhile become a symbolic link; start the run again")
            .c_str(),
        refused);
  }
  facts.named.files = {{s.at("job/real/secret"), verb::hide}};
  CHECK_THROWS_AS((void)resolve(granting({{s.at("job"), verb::write}}), facts), refused);
}

TEST_CASE("resolve: a policy is refused if its program may replace a link in the directory's name") {
  const scratch s;
  s.dir("home");
  s.dir("job");
  link_facts facts;
  facts.judged = {{"--cwd by", s.at("job"), {{s.at("home/by"), "../job"}}}};
  CHECK_NOTHROW((void)resolve(granting({{s.at("job"), verb::write}, {s.at("home"), verb::read}}), facts));
  CHECK_THROWS_WITH_AS((void)resolve(granting({{s.at("home"), verb::write}}), facts),
                       doctest::Contains(("--cwd by: " + s.at("home/by") +
                                          " is a link that the program may replace; name " + s.at("job") + " itself")
                                             .c_str()),
                       refused);
}

namespace {

/// How often a link was read. The first read finds none, as before another process creates it.
int reads = 0;
std::optional<link_on_the_way> read_late(const std::string& dir, const std::string& name) {
  if (name == "base" && ++reads == 1) return {};
  return detail::read_by_name(dir, name);
}

} // namespace

TEST_CASE("resolve: paths in a directory resolve like the directory itself") {
  const scratch s;
  s.dir("real/in");
  s.dir("out");
  fs::create_directory_symlink("../out", s.top / "real/link");
  fs::create_directory_symlink("real", s.top / "base");
  link_facts facts;
  facts.read = read_late;
  facts.beneath = {{s.at("base/link"), s.at("base")}};
  const loaded_policy p = granting({{s.at("base/link"), verb::write}});
  reads = 0;
  CHECK_THROWS_WITH_AS((void)resolve(p, facts), doctest::Contains("has changed while"), refused);
  // Both reads now find the link, and it leads out.
  CHECK_THROWS_WITH_AS((void)resolve(p, facts), doctest::Contains(("leads out of " + s.at("base")).c_str()), refused);
}

TEST_CASE("resolve: paths are resolved as in the kernel") {
  const scratch s;
  s.dir("a/b");
  fs::create_directory_symlink("../a/./b/", s.top / "a/link");
  fs::create_directory_symlink(s.at("a/link/.."), s.top / "up");
  const auto end = [&](const std::string& name) { return detail::follow(s.at(name)).end; };
  CHECK(end("a//b/./") == s.at("a/b"));
  CHECK(end("up/b") == s.at("a/b"));
  CHECK(end("a/link/../none/more") == s.at("a/none/more"));
  CHECK(end("a/b/../../../../../../../../..") == "/");
  const detail::followed way = detail::follow(s.at("up"));
  REQUIRE(way.links.size() == 2);
  CHECK(way.links[0].place == s.at("up"));
  CHECK(way.links[0].target == s.at("a/link/.."));
  CHECK(way.links[1].place == s.at("a/link"));
  std::vector<std::string> seen;
  (void)detail::follow(s.at("a/link"), nullptr, [&](const std::string& entry) { seen.push_back(entry); });
  REQUIRE(seen.size() >= 4);
  CHECK(std::vector(seen.end() - 4, seen.end()) == std::vector{s.at("a"), s.at("a/link"), s.at("a"), s.at("a/b")});
  fs::create_symlink("loop", s.top / "loop");
  CHECK(detail::follow(s.at("loop")).links.size() == detail::most_links);
}
