// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/denials.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using list = std::vector<std::string>;

namespace {

list lines(denial_finder& f) {
  list out;
  for (denial& d : f.take()) {
    CHECK(d.seen == denial::source::inferred);
    CHECK(d.times == 1);
    out.push_back(std::move(d.what));
  }
  return out;
}

} // namespace

TEST_SUITE("denials") {

  TEST_CASE("denials: lines with a denial are found in any pieces") {
    denial_finder f;
    f.add("cat: /etc/sha");
    f.add("dow: Permission den");
    f.add("ied\nall is well\nsh: 1: cannot create x: Read-only file system");
    CHECK(lines(f) == list{"cat: /etc/shadow: Permission denied", "sh: 1: cannot create x: Read-only file system"});
  }

  TEST_CASE("denials: secrets are redacted, and the number of lines is bounded") {
    denial_finder f;
    f.add("open https://me:pw@host/: EACCES\n");
    for (int i = 0; i < 100; ++i) f.add(std::string(1000, 'x') + " EPERM\nEPERM\n");
    const list found = lines(f);
    CHECK(found.size() == denial_finder::most);
    CHECK(found[0] == "open https://[redacted]@host/: EACCES");
    CHECK(found[1] == "EPERM");
  }

} // TEST_SUITE
