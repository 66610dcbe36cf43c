// SPDX-License-Identifier: BSL-1.0
#include "viewing.hpp"

#include <linux/mount.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

namespace linux_view_test {

using namespace viewing;

namespace {

std::string words_of(const view& v, const std::string& top) {
  std::string all;
  for (std::uint32_t i = 0; i < v.steps().size(); ++i) {
    std::string line = v.describe_step(i) + "\n";
    for (std::size_t at; (at = line.find(top)) != line.npos;) line.replace(at, top.size(), "TOP");
    if (line.find("TOP") != line.npos) all += line;
  }
  return all;
}

std::string full(const char* place, const char* name) {
  return std::string(*place != '\0' ? "/" : "") + place + (name != nullptr ? std::string("/") + name : "");
}

} // namespace

TEST_SUITE("view") {

  TEST_CASE("view: the mounts of a workspace are ordered parents first") {
    const work w;
    CHECK(words_of(view_of(w.places()), w.top.string()) == "make the directory TOP\n"
                                                           "make the directory TOP/etc\n"
                                                           "make the file TOP/etc/hosts\n"
                                                           "mount TOP/etc/hosts on TOP/etc/hosts\n"
                                                           "make the directory TOP/job\n"
                                                           "mount TOP/job on TOP/job\n"
                                                           "mount TOP/job/a on itself\n"
                                                           "mount TOP/job/a/.git on itself\n"
                                                           "mount TOP/job/a/.git/hooks on itself\n"
                                                           "mount a new tmpfs on TOP/job/deep\n"
                                                           "make the directory TOP/job/deep/secret\n"
                                                           "mount TOP/job/deep/secret on TOP/job/deep/secret\n"
                                                           "mount /dev/null on TOP/job/key\n"
                                                           "mount TOP/job/no on itself\n"
                                                           "mount TOP/job/no/such on itself\n"
                                                           "make the directory TOP/lib\n"
                                                           "mount TOP/lib on TOP/lib\n"
                                                           "make TOP/job/deep read-only\n");
  }

  TEST_CASE("view: each mount point is made before its mount, and each mount has its attributes at once") {
    const work w;
    const std::vector<grants> samples{{},
                                      w.places(),
                                      {{"/", verb::everything}},
                                      {{"/", verb::run}, {w.at("job"), verb::write}, {w.at("job/key"), verb::hide}},
                                      {{"/usr", verb::run}, {"/tmp", verb::hide}, {"/proc/meminfo", verb::hide}}};
    for (const grants& places : samples) {
      const view v = view_of(places);
      const auto steps = v.steps();
      REQUIRE(steps.size() > 20);
      CHECK(steps.front().what == view_act::isolate);
      CHECK(*steps[1].place == '\0');
      CHECK(steps.back().what == view_act::enter);
      std::set<std::string> made{""}, shown;
      for (std::uint32_t i = 1; i + 1 < steps.size(); ++i) {
        const view_step& s = steps[i];
        CAPTURE(v.describe_step(i));
        const std::string here = full(s.place, nullptr);
        const bool in_shown = std::any_of(
            shown.begin(), shown.end(), [&](const std::string& top) { return top.empty() || path::covers(top, here); });
        CHECK((in_shown || made.count(here) == 1));
        if (s.name != nullptr) made.insert(full(s.place, s.name));
        if (s.what == view_act::bind || s.what == view_act::fresh) {
          CHECK((s.attributes & MOUNT_ATTR_NOSUID) != 0);
          const bool device = here.substr(0, 5) == "/dev/" && here != "/dev/shm" && here != "/dev/mqueue";
          CHECK(((s.attributes & MOUNT_ATTR_NODEV) != 0) == !device);
        }
        if (s.what == view_act::bind) CHECK(s.source.type != 0);
        if (s.what == view_act::bind || here == "/proc") shown.insert(here);
      }
    }
  }

  TEST_CASE("view: read-only and noexec attributes follow the grants") {
    const work w;
    const view v = view_of(w.places());
    const auto attributes = [&](const std::string& name) {
      const std::uint32_t i = step_on(v, "mount " + w.at(name) + " on " + w.at(name));
      REQUIRE(i < v.steps().size());
      return v.steps()[i].attributes & (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC);
    };
    // The identity of a mount point inside another mount is verified too; a path in memory belongs to the view.
    const std::string hooks = w.at("job/a/.git/hooks");
    const view_step& nested = v.steps()[step_on(v, "mount " + hooks + " on itself")];
    CHECK(nested.target.type == S_IFDIR);
    CHECK((nested.attributes & MOUNT_ATTR_RDONLY) != 0);
    CHECK((v.steps()[step_on(v, "mount " + w.at("job/no/such") + " on itself")].attributes & MOUNT_ATTR_RDONLY) != 0);
    CHECK(v.steps()[step_on(v, "mount " + w.at("lib") + " on " + w.at("lib"))].target.type == 0);
    CHECK(attributes("job") == 0);
    CHECK(attributes("lib") == MOUNT_ATTR_RDONLY);
    CHECK(attributes("etc/hosts") == (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC));
  }

  TEST_CASE("view: created mount points are removed with the last view that uses them") {
    const work w;
    const auto is_made = [&] { return std::filesystem::exists(w.at("job/no/such")); };
    {
      const view v = view_of(w.places());
      CHECK(is_made());
    }
    CHECK_FALSE(std::filesystem::exists(w.at("job/no")));
    {
      std::optional<view> first = view_of(w.places());
      const view second = view_of(w.places());
      first.reset();
      CHECK(is_made());
    }
    CHECK_FALSE(std::filesystem::exists(w.at("job/no"))); // the last view that uses it removes it
    // The view does not hold a descriptor for every path that is not empty.
    const auto open_now = [] {
      return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
    };
    grants many = {{w.at("job"), verb::write}};
    for (int i = 0; i < 50; ++i) {
      const std::string name = w.at("job/many" + std::to_string(i));
      w.dir("job/many" + std::to_string(i) + "/full");
      many.push_back({name, verb::read});
    }
    const auto before = open_now();
    const view wide = view_of(many);
    CHECK(open_now() == before);
    {
      const view v = view_of(w.places());
      std::ofstream(w.at("job/no/such/file")) << "of another process";
    }
    CHECK(is_made());
  }

  TEST_CASE("view: a link is refused before the launch, with its path") {
    const work w;
    std::filesystem::create_directory_symlink("job", w.top / "link");
    for (const char* name : {"link", "link/key"})
      CHECK_THROWS_WITH_AS((void)view_of({{w.at(name), verb::write}}), doctest::Contains(w.at(name).c_str()), refused);
    CHECK_NOTHROW((void)view_of({{w.at("link"), verb::hide}})); // no path around it is shown
    CHECK_THROWS_AS((void)view_of({{w.top.string(), verb::read}, {w.at("link"), verb::hide}}), refused);
  }

  TEST_CASE("view: a moved view keeps its paths") {
    const work w;
    view v = view_of(w.places());
    const std::string words = words_of(v, w.top.string());
    const view other = std::move(v);
    CHECK(words_of(other, w.top.string()) == words);
    CHECK(other.describe_step(100000) == "nothing");
  }

} // TEST_SUITE

} // namespace linux_view_test
