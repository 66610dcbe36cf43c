// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/links/links.hpp>
#include <cordon/run/refused.hpp>

#include "scratch.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

namespace files_links_test {

using namespace cordon;
namespace fs = std::filesystem;

TEST_CASE("links: the reader returns the canonical path and the target of a link") {
  const scratch s;
  s.dir("real/deep");
  fs::create_directory_symlink("there", s.top / "real/deep/link");
  fs::create_directory_symlink("real", s.top / "by");
  const link_reader read = links_of_host({}).read;
  const auto link = read(s.at("real/deep"), "link");
  REQUIRE(link.has_value());
  CHECK(link->place == s.at("real/deep/link"));
  CHECK(link->target == "there");
  for (const char* none : {"deep", "none"}) CHECK(!read(s.at("real"), none));
  CHECK(!read(s.at("none"), "link"));
  for (const char* directory : {"by", "by/deep"}) {
    CAPTURE(directory);
    CHECK_THROWS_WITH_AS((void)read(s.at(directory), "link"),
                         (s.at(directory) + " has meanwhile become a symbolic link; start the run again").c_str(),
                         refused);
  }
}

TEST_CASE("links: the reader reports whether root alone may write in the link's directory") {
  const scratch s;
  fs::create_directory_symlink("there", s.top / "link");
  const link_reader read = links_of_host({}).read;
  CHECK(read(s.top.string(), "link")->only_root_writes == (::geteuid() == 0));
  fs::permissions(s.top, fs::perms::group_write, fs::perm_options::add);
  CHECK(!read(s.top.string(), "link")->only_root_writes);
  CHECK(read("/proc", "self")->only_root_writes);
}

} // namespace files_links_test
