// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/project/place.hpp>

#include <doctest/doctest.h>

using namespace cordon;

namespace {

struct place_row {
  platform on;
  std::string_view place;
  project_place is;
};

static_assert(takes_mark(project_place::top_level) && takes_mark(project_place::in_system));
static_assert(!takes_mark(project_place::ordinary) && may_be_project(project_place::ordinary));
static_assert(!may_be_project(project_place::root) && !may_be_project(project_place::shared));

} // namespace

TEST_CASE("project_place: a directory has its class by its path") {
  using enum platform;
  constexpr place_row rows[]{
      {linux_, "/", project_place::root},
      {linux_, "/etc", project_place::system},
      {linux_, "/usr", project_place::system},
      {linux_, "/bin", project_place::system},
      {linux_, "/sbin", project_place::system},
      {linux_, "/lib", project_place::system},
      {linux_, "/lib64", project_place::system},
      {linux_, "/libx32", project_place::system},
      {linux_, "/boot", project_place::system},
      {linux_, "/dev", project_place::system},
      {linux_, "/proc", project_place::system},
      {linux_, "/sys", project_place::system},
      {linux_, "/run", project_place::system},
      {linux_, "/var", project_place::system},
      {linux_, "/etc/nginx", project_place::in_system},
      {linux_, "/usr/local/bin", project_place::in_system},
      {linux_, "/usr/src/app", project_place::in_system},
      {linux_, "/lib64/x", project_place::in_system},
      {linux_, "/run/user/1000", project_place::in_system},
      {linux_, "/var/lib/jenkins/job", project_place::in_system},
      {linux_, "/var/tmpfiles", project_place::in_system},
      {linux_, "/dev/shm/x", project_place::in_system},
      {linux_, "/var/tmp", project_place::shared},
      {linux_, "/tmp", project_place::shared},
      {linux_, "/dev/shm", project_place::shared},
      {linux_, "/var/tmp/x", project_place::ordinary},
      {linux_, "/tmp/x", project_place::ordinary},
      {linux_, "/opt", project_place::holds_others},
      {linux_, "/srv", project_place::holds_others},
      {linux_, "/home", project_place::holds_others},
      {linux_, "/mnt", project_place::holds_others},
      {linux_, "/media", project_place::holds_others},
      {linux_, "/opt/app", project_place::ordinary},
      {linux_, "/srv/app", project_place::ordinary},
      {linux_, "/home/u", project_place::ordinary}, // another rule excludes homes
      {linux_, "/app", project_place::top_level},
      {linux_, "/workspace", project_place::top_level},
      {linux_, "/etcetera", project_place::top_level},
      {linux_, "/workspace/app", project_place::ordinary},
      {linux_, "/Library/x", project_place::ordinary},
      {linux_, "/li", project_place::top_level},
      {openbsd, "/etc", project_place::system},
      {macos, "/System/Volumes/x", project_place::in_system},
      {macos, "/Library", project_place::system},
      {macos, "/library/x", project_place::in_system}, // names are case-insensitive there
      {macos, "/system/x", project_place::in_system},
      {macos, "/private/etc", project_place::in_system},
      {macos, "/private/tmp", project_place::shared},
      {macos, "/private/var/folders/a/b/T/x", project_place::ordinary},
      {macos, "/Users", project_place::holds_others},
      {macos, "/Users/u/x", project_place::ordinary},
      {windows, "/C:", project_place::root},
      {windows, "/D:/", project_place::root},
      {windows, "/C:/Windows", project_place::system},
      {windows, "/c:/windows/System32", project_place::in_system},
      {windows, "/C:/Program Files (x86)/x", project_place::in_system},
      {windows, "/C:/Users", project_place::holds_others},
      {windows, "/C:/work", project_place::ordinary},
      {windows, "/C:/etc", project_place::ordinary},
  };
  for (const place_row& r : rows) {
    CAPTURE(r.place);
    CHECK(static_cast<int>(project_place_of(r.place, r.on)) == static_cast<int>(r.is));
    CHECK(why_no_project(r.is).empty() == (r.is == project_place::ordinary));
  }
}
