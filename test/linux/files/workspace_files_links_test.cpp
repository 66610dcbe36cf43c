// SPDX-License-Identifier: BSL-1.0
#include "../launching.hpp"
#include "opening.hpp"

#include <fcntl.h>
#include <sched.h>
#include <thread>

namespace files_workspace_files_links_test {

using namespace opening;

namespace {

auto creating(const workspace_files& o, const std::string& place,
              workspace_files::existing old = workspace_files::existing::refuse) {
  return [&o, place, old](problem& p) { (void)o.create(place, old, 0666, p); };
}

} // namespace

TEST_CASE("workspace files: a link inside the workspace is followed, and its target's rights decide") {
  both_ways([](const tree& t, lookup how) {
    t.link("a/file", "work/last");
    t.link("a", "work/middle");
    t.link(t.at("work/a"), "work/absolute");
    t.link("fixed", "work/to-fixed");
    t.link(t.at("work/key"), "work/to-key");
    t.link("../middle/sub/../../to-fixed/file", "work/a/round");
    const workspace_files o(t.policy(), how);
    for (const char* name : {"work/last", "work/middle/file", "work/absolute/file", "work/middle/sub/../file"}) {
      CAPTURE(name);
      CHECK(content(o.read(t.at(name))) == "inside");
      CHECK(error_of(writing(o, t.at(name))) == 0);
      t.file("work/a/file", "inside");
    }
    CHECK(content(o.read(t.at("work/to-fixed/file"))) == "inside");
    CHECK(content(o.read(t.at("work/a/round"))) == "inside");
    CHECK(refuses(writing(o, t.at("work/to-fixed/file")), t.at("work/fixed/file")));
    CHECK(refuses(writing(o, t.at("work/a/round")), t.at("work/fixed/file")));
    CHECK(refuses(creating(o, t.at("work/to-fixed/new")), t.at("work/fixed/new")));
    CHECK(refuses(reading(o, t.at("work/to-key/file")), t.at("work/key/file")));
    CHECK(refuses([&](problem& p) { (void)o.exists(t.at("work/to-key/file"), p); }, t.at("work/key/file")));
    CHECK(refuses([&](problem& p) { o.remove(t.at("work/to-fixed/file"), p); }, t.at("work/fixed/file")));
    CHECK(error_of(creating(o, t.at("work/absolute/new"))) == 0);
    CHECK(std::filesystem::exists(t.at("work/a/new")));
    CHECK(content(t.at("work/fixed/file")) == "inside");
  });
}

TEST_CASE("workspace files: a link into a hidden directory does not reveal what exists there") {
  both_ways([](const tree& t, lookup how) {
    t.link("key/file", "work/there");
    t.link("key/none", "work/not-there");
    t.link("key/none/deeper", "work/deeper");
    const workspace_files o(t.policy(), how);
    for (const char* name : {"work/there", "work/not-there", "work/deeper", "work/key/file", "work/key/none"}) {
      CAPTURE(name);
      problem p;
      CHECK_FALSE(o.exists(t.at(name), p));
      CHECK(p.refused);
    }
    problem p;
    CHECK_FALSE(o.exists(t.at("work/none"), p));
    CHECK_FALSE(p);
  });
}

TEST_CASE("workspace files: a link out of the workspace is refused") {
  both_ways([](const tree& t, lookup how) {
    t.link("../outside", "work/middle");
    t.link(t.at("outside"), "work/absolute");
    t.link("../outside/secret", "work/last");
    t.link("../outside/none", "work/probe");
    t.link("/", "work/root");
    t.link("middle", "work/twice");
    const std::string before = t.outside();
    const workspace_files o(t.policy(), how);
    // The error names the path at which the workspace ends: the path behind it is not looked up.
    const std::string left = t.at("work/..");
    for (const char* name : {"work/middle/secret", "work/twice/secret", "work/last", "work/probe"})
      CHECK(refuses(reading(o, t.at(name)), left));
    CHECK(refuses(reading(o, t.at("work/absolute/secret")), t.at("outside")));
    CHECK(refuses(reading(o, t.at("work/root/etc/passwd")), "/"));
    CHECK(refuses(writing(o, t.at("work/last")), left));
    CHECK(refuses(creating(o, t.at("work/middle/new")), left));
    CHECK(refuses(creating(o, t.at("work/absolute/new")), t.at("outside")));
    CHECK(refuses([&](problem& p) { o.make_directory(t.at("work/middle/new"), 0777, p); }, left));
    CHECK(refuses([&](problem& p) { o.remove(t.at("work/middle/secret"), p); }, left));
    CHECK(refuses([&](problem& p) { o.remove_tree(t.at("work/middle/dir"), p); }, left));
    CHECK(refuses([&](problem& p) { o.rename(t.at("work/middle/secret"), t.at("work/x"), {}, p); }, left));
    CHECK(refuses([&](problem& p) { o.rename(t.at("work/a"), t.at("work/middle/x"), {}, p); }, left));
    CHECK(refuses(
        [&](problem& p) { o.set_attributes(t.at("work/last"), {.mode = 0777, .accessed = {}, .modified = {}}, p); },
        left));
    CHECK(refuses([&](problem& p) { (void)o.list(t.at("work/middle"), p); }, left));
    CHECK(refuses([&](problem& p) { (void)o.exists(t.at("work/probe"), p); }, left));
    // The links themselves belong to the workspace.
    CHECK(o.look(t.at("work/last"), workspace_files::last_link::itself)->type == workspace_files::entry_type::link);
    o.rename(t.at("work/last"), t.at("work/renamed"));
    o.remove(t.at("work/renamed"));
    CHECK(error_of([&](problem& p) { o.remove_tree(t.at("work/absolute"), p); }) == ENOTDIR);
    t.link("../../outside", "work/a/inner");
    o.remove_tree(t.at("work/a"));
    CHECK_FALSE(std::filesystem::exists(t.at("work/a")));
    CHECK(t.outside() == before);
  });
}

TEST_CASE("workspace files: a link from one granted directory to another is followed") {
  both_ways([](const tree& t, lookup how) {
    t.file("other/file", "other");
    t.link(t.at("other"), "work/absolute");
    t.link("../other", "work/relative");
    const workspace_files o(tools({{t.at("work"), verb::write}, {t.at("other"), verb::read}}), how);
    CHECK(content(o.read(t.at("work/absolute/file"))) == "other");
    CHECK(refuses(writing(o, t.at("work/absolute/file")), t.at("other/file")));
    // The path above a granted one is not looked up, not even to return.
    CHECK(refuses(reading(o, t.at("work/relative/file")), t.at("work/..")));
  });
}

TEST_CASE("workspace files: create refuses a dangling link") {
  both_ways([](const tree& t, lookup how) {
    t.link("../outside/new", "work/out");
    t.link(t.at("outside/new"), "work/absolute");
    t.link("a/new", "work/in");
    const workspace_files o(t.policy(), how);
    for (const char* name : {"work/out", "work/absolute", "work/in"}) {
      CAPTURE(name);
      CHECK(error_of(creating(o, t.at(name))) == EEXIST);
      CHECK(error_of([&](problem& p) { o.make_directory(t.at(name), 0777, p); }) == EEXIST);
    }
    CHECK(error_of(creating(o, t.at("work/in"), workspace_files::existing::replace)) == EEXIST);
    CHECK(refuses(creating(o, t.at("work/out"), workspace_files::existing::replace), t.at("work/..")));
    CHECK(refuses(creating(o, t.at("work/absolute"), workspace_files::existing::replace), t.at("outside/new")));
    CHECK_FALSE(std::filesystem::exists(t.at("outside/new")));
    CHECK_FALSE(std::filesystem::exists(t.at("work/a/new")));
    t.file("work/a/new", "there now");
    CHECK(error_of(creating(o, t.at("work/in"), workspace_files::existing::replace)) == 0);
    CHECK(content(t.at("work/a/new")).empty());
  });
}

TEST_CASE("workspace files: `..` is resolved as in the kernel, and refused above the workspace") {
  both_ways([](const tree& t, lookup how) {
    t.link("a/sub", "work/deep");
    t.file("work/file", "top");
    const workspace_files o(t.policy(), how);
    CHECK(content(o.read(t.at("work/deep/../file"))) == "inside"); // by its text it would be work/file
    CHECK(content(o.read(t.at("work/a/../file"))) == "top");
    CHECK(refuses(writing(o, t.at("work/a/../fixed/file")), t.at("work/fixed/file")));
    CHECK(refuses(reading(o, t.at("work/../outside/secret")), t.at("work/..")));
    CHECK(refuses(reading(o, t.at("work/a/../../outside/secret")), t.at("work/..")));
    CHECK(refuses(reading(o, t.at("outside/../work/file")), t.at("outside/../work/file")));
    CHECK(error_of(reading(o, t.at("work/file/../file"))) == ENOTDIR);
    CHECK(error_of(reading(o, t.at("work/file/"))) == ENOTDIR);
    t.link("file/", "work/slash");
    CHECK(error_of(reading(o, t.at("work/slash"))) == ENOTDIR);
    CHECK(error_of(reading(o, t.at("work/none/../file"))) == ENOENT);
    CHECK(error_of([&](problem& p) { o.remove_tree(t.at("work/a/.."), p); }) == EINVAL);
    CHECK(error_of([&](problem& p) { o.remove_tree(t.at("work/a/."), p); }) == EINVAL);
    CHECK(o.list(t.at("work/./a//")).size() == 2);
  });
}

TEST_CASE("workspace files: an invalid path is an error") {
  both_ways([](const tree& t, lookup how) {
    const workspace_files o(t.policy(), how);
    CHECK(error_of(reading(o, "")) == EINVAL);
    CHECK(error_of(reading(o, "work/a/file")) == EINVAL);
    CHECK(error_of(reading(o, t.at("work/a/file") + std::string("\0x", 2))) == EINVAL);
    CHECK(error_of(creating(o, t.at("work/a/x") + std::string("\0x", 2))) == EINVAL);
    CHECK(refuses(reading(o, "/" + std::string(5000, 'x')), "/" + std::string(5000, 'x')));
    CHECK(error_of(reading(o, t.at("work/" + std::string(256, 'x')))) == ENAMETOOLONG);
    t.link("loop", "work/loop");
    CHECK(error_of(reading(o, t.at("work/loop"))) == ELOOP);
    for (const std::string& top : {t.at("work"), t.at("work/"), std::string("/")}) {
      problem p;
      o.remove_tree(top, p);
      CHECK(p.refused == (top != "/"));
      CHECK(p);
    }
    CHECK(std::filesystem::exists(t.at("work/a/file")));
  });
}

TEST_CASE("workspace files: links of procfs to open files are refused") {
  both_ways([](const tree& t, lookup how) {
    const int leaked = ::open(t.at("outside/secret").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(leaked >= 0);
    const std::string fd = "/fd/" + std::to_string(leaked);
    t.link("/proc/self" + fd, "work/leak");
    const workspace_files inside(t.policy(), how);
    CHECK(refuses(reading(inside, t.at("work/leak")), "/proc/self" + fd));
    CHECK(refuses(reading(inside, "/dev" + fd), "/dev" + fd));
    const workspace_files everything(tools({{"/", verb::write}}), how);
    for (const std::string& name :
         {"/proc/self" + fd, "/dev" + fd, t.at("work/leak"), std::string("/proc/self/root/etc/passwd")}) {
      CAPTURE(name);
      problem p;
      (void)everything.read(name, workspace_files::kinds::any, p);
      CHECK(p.refused);
      CHECK(p.text.find("to an open file") != p.text.npos);
    }
    CHECK(error_of([&](problem& p) { (void)everything.read("/proc/self/status", workspace_files::kinds::any, p); }) ==
          0);
    CHECK(content(everything.read(t.at("outside/secret"))) == "outside");
    ::close(leaked);
  });
}

TEST_CASE("workspace files: the workspace is the opened directory, even if another now has its name") {
  both_ways([](const tree& t, lookup how) {
    const workspace_files o(t.policy(), how);
    std::filesystem::rename(t.at("work"), t.at("moved"));
    t.link("outside", "work");
    CHECK(error_of(creating(o, t.at("work/new"))) == 0);
    CHECK(std::filesystem::exists(t.at("moved/new")));
    CHECK(content(o.read(t.at("work/a/file"))) == "inside");
    CHECK(refuses(writing(o, t.at("work/fixed/file")), t.at("work/fixed/file")));
    CHECK(refuses(reading(o, t.at("moved/a/file")), t.at("moved/a/file")));
    CHECK_FALSE(std::filesystem::exists(t.at("outside/new")));
    CHECK_THROWS_WITH_AS(workspace_files(t.policy(), how), doctest::Contains("has meanwhile become a symbolic link"),
                         refused);
    std::filesystem::remove(t.at("work"));
    CHECK_THROWS_WITH_AS(workspace_files(t.policy(), how), doctest::Contains("cannot be opened"), refused);
  });
}

TEST_CASE("workspace files: no operation leaks a descriptor") {
  both_ways([](const tree& t, lookup how) {
    t.link(t.at("work/a"), "work/link");
    t.link(t.at("outside"), "work/out");
    const std::size_t before = launching::open_descriptors();
    {
      const workspace_files o(t.policy(), how);
      for (const char* name : {"work/a/file", "work/link/file", "work/out/secret", "work/key/file", "work/none"}) {
        problem p;
        (void)o.read(t.at(name), workspace_files::kinds::regular, p);
        (void)o.create(t.at(name), workspace_files::existing::replace, 0600, p);
        (void)o.list(t.at(name), p);
        o.copy(t.at(name), t.at("work/copy"), workspace_files::existing::replace, p);
        o.remove_tree(t.at(name), p);
      }
      o.remove_tree(t.at("work/a"));
    }
    CHECK(launching::open_descriptors() == before);
  });
}

TEST_CASE("workspace files: a thread with its own descriptor table can read files") {
  const tree t;
  std::string got;
  std::thread([&] {
    if (::unshare(CLONE_FILES) != 0) return;
    const workspace_files o(t.policy());
    got = content(o.read(t.at("work/a/file")));
  }).join();
  CHECK(got == "inside");
}

TEST_CASE("workspace files: links are handled alike where a filter refuses openat2") {
  for (const int error : {ENOSYS, EPERM})
    CHECK(launching::apart([&] {
            const tree t;
            t.link("a", "work/middle");
            t.link("../outside", "work/out");
            launching::refuse({{SYS_openat2, error}});
            const workspace_files o(t.policy());
            const bool good = content(o.read(t.at("work/middle/file"))) == "inside";
            return good && refuses(reading(o, t.at("work/out/secret")), t.at("work/..")) ? 0 : 1;
          }) == 0);
}

} // namespace files_workspace_files_links_test
