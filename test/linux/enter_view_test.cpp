// SPDX-License-Identifier: BSL-1.0
#include "viewing.hpp"

#include <linux/mount.h>

#include <algorithm>
#include <iterator>

namespace linux_enter_view_test {

using namespace viewing;

TEST_SUITE("enter_view") {

  TEST_CASE("enter_view: only granted paths exist in the view, and no descriptor is leaked") {
    const work w;
    const std::string mounts = content("/proc/self/mountinfo"), name = w.top.filename().string() + ".new",
                      mine = "/tmp/" + name;
    const view v = view_of(w.places());
    const entered e = enter(v, [&] {
      const bool wrong[]{
          opening(w.at("job/new"), O_WRONLY | O_CREAT) != 0,
          opening(w.at("job/a/.git/hooks/one"), O_RDONLY) != 0,
          opening(w.at("job/a/.git/hooks/one"), O_WRONLY) != EROFS,
          opening(w.at("job/key"), O_RDONLY) != EACCES,
          opening(w.at("job/deep/secret/file"), O_RDONLY) != 0,
          opening(w.at("job/deep/new"), O_WRONLY | O_CREAT) != EROFS,
          opening(w.at("job/no/such/new"), O_WRONLY | O_CREAT) != EROFS,
          ::rename(w.at("job/a").c_str(), w.at("job/b").c_str()) == 0 || errno != EBUSY,
          opening("/" + name, O_WRONLY | O_CREAT) != EROFS,
          opening(mine, O_WRONLY | O_CREAT) != 0,
          opening("/proc/sys/kernel/core_pattern", O_WRONLY) == 0,
          is_there("/etc"),
          is_there("/usr"),
          is_there(w.at("outside")),
          content("/proc/self/stat").substr(0, 2) != "1 ",
          std::filesystem::current_path() != "/",
      };
      return static_cast<int>(std::find(std::begin(wrong), std::end(wrong), true) - std::begin(wrong)) -
             static_cast<int>(std::size(wrong));
    });
    if (is_missing(e)) return;
    CHECK_MESSAGE(e.error == 0, v.describe_step(e.at));
    CHECK(e.code == 0);
    CHECK(e.leaked == 0);
    CHECK(e.mask == 027);
    CHECK(content("/proc/self/mountinfo") == mounts);
    CHECK(is_there(w.at("job/new")));
    CHECK_FALSE(std::filesystem::remove(mine));
    CHECK_FALSE(std::filesystem::remove("/" + name));
  }

  TEST_CASE("enter_view: a path that was replaced after the check is not shown") {
    const struct {
      const char *place, *launch_stage;
    } all[]{{"lib", "mount TOP/lib on TOP/lib"},
            {"job/a/.git", "mount TOP/job/a/.git on itself"},
            {"job/deep", "mount a new tmpfs on TOP/job/deep"},
            {"job/a/.git/hooks", "mount TOP/job/a/.git/hooks on itself"}};
    for (const auto& one : all)
      for (const bool link : {false, true}) {
        const work w;
        CAPTURE(std::string(one.place));
        const view v = view_of(w.places());
        std::filesystem::rename(w.at(one.place), w.at("moved"));
        if (link) std::filesystem::create_directory_symlink(w.at("moved"), w.at(one.place));
        else std::filesystem::create_directories(w.at(one.place) + "/secret");
        const entered e = enter(v);
        if (is_missing(e)) return;
        CHECK(e.error == ESTALE); // for a link too: it is opened without following it
        std::string words = v.describe_step(e.at);
        for (std::size_t at; (at = words.find(w.top.string())) != words.npos;)
          words.replace(at, w.top.string().size(), "TOP");
        CHECK(words == one.launch_stage);
        CHECK(e.leaked == 0);
      }
  }

  TEST_CASE("enter_view: a path below a directory that became a link is not shown") {
    const work w;
    const view v = view_of(w.places());
    std::filesystem::rename(w.at("etc"), w.at("moved"));
    std::filesystem::create_directory_symlink("moved", w.at("etc"));
    const entered e = enter(v);
    if (is_missing(e)) return;
    CHECK(e.error == ELOOP);
    CHECK(v.describe_step(e.at) == "mount " + w.at("etc/hosts") + " on " + w.at("etc/hosts"));
  }

  TEST_CASE("enter_view: a file that replaced a hidden one after the check fails the entry") {
    const work w;
    const view v = view_of(w.places());
    w.file("key", "other");
    std::filesystem::rename(w.at("key"), w.at("job/key"));
    const entered e = enter(v);
    if (is_missing(e)) return;
    CHECK(e.error == ESTALE);
    CHECK(v.describe_step(e.at) == "mount /dev/null on " + w.at("job/key"));
  }

  TEST_CASE("enter_view: a replaced mount point fails the entry") {
    const work w;
    const view v = view_of(w.places());
    std::filesystem::rename(w.at("job/no/such"), w.at("moved"));
    w.dir("job/no/such");
    const entered e = enter(v);
    if (is_missing(e)) return;
    CHECK(e.error == ESTALE);
    CHECK(v.describe_step(e.at) == "mount " + w.at("job/no/such") + " on itself");
  }

  TEST_CASE("enter_view: a link that replaced the parent of a mount point is not followed") {
    const work w;
    w.dir("elsewhere");
    const view v = view_of(w.places());
    std::filesystem::rename(w.at("job/no"), w.at("moved"));
    std::filesystem::create_directory_symlink(w.at("elsewhere"), w.at("job/no"));
    const entered e = enter(v);
    if (is_missing(e)) return;
    CHECK(e.error != 0);
    CHECK(v.describe_step(e.at).find(w.at("job/no")) != std::string::npos);
    CHECK(std::filesystem::is_empty(w.at("elsewhere")));
  }

  TEST_CASE("enter_view: shared mounts become private in the view") {
    const work w;
    const view v = view_of(w.places());
    const auto share = [] { ::syscall(SYS_mount, nullptr, "/", nullptr, MS_REC | MS_SHARED, nullptr); };
    const auto body = [] {
      const std::string mounts = content("/proc/self/mountinfo");
      return mounts.find("shared:") == mounts.npos && mounts.find("master:") == mounts.npos ? 0 : 1;
    };
    const entered e = enter(v, body, share);
    if (is_missing(e)) return;
    CHECK_MESSAGE(e.error == 0, v.describe_step(e.at));
    CHECK(e.code == 0);
  }

  TEST_CASE("enter_view: a missing system call is reported with the mount that needed it") {
    const work w;
    const view v = view_of(w.places());
    const struct {
      long call;
      std::string launch_stage;
    } all[]{{SYS_fsopen, "mount a new tmpfs on /"},
            {SYS_open_tree, "mount /proc/sys on itself"},
            {SYS_mount_setattr, "mount /proc/sys on itself"},
            {SYS_pivot_root, "enter the view"}};
    for (const auto& one : all) {
      const entered e = enter(
          v, [] { return 0; },
          [&] {
            launching::refuse({{one.call, ENOSYS}});
          });
      if (is_missing(e)) return;
      CHECK(e.error == ENOSYS);
      CHECK(v.describe_step(e.at) == one.launch_stage);
    }
  }

  TEST_CASE("enter_view: the run's own directory is visible in the private /tmp and in a granted one") {
    const scratch temp;
    temp.file("mine", "x");
    const std::string above = temp.top.parent_path().string(), symbol(run_temp), beside = temp.top.string() + ".new";
    const auto body = [&] {
      return (opening(temp.at("mine"), O_RDWR) == 0 ? 1 : 0) + (opening(beside, O_WRONLY | O_CREAT) == 0 ? 2 : 0);
    };
    const entered e = enter(view_of({{symbol, verb::write}}, temp.top.string()), body);
    if (is_missing(e)) return;
    CHECK(e.error == 0);
    CHECK(e.code == 3);
    CHECK(enter(view_of({{symbol, verb::write}}), body).code == 2);
    CHECK(enter(view_of({{symbol, verb::write}, {above, verb::read}}, temp.top.string()), body).code == 1);
    CHECK_FALSE(std::filesystem::remove(beside));
  }

} // TEST_SUITE

} // namespace linux_enter_view_test
