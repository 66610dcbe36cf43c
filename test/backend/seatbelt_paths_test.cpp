// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "holds.hpp"
#include "seatbelt_text.hpp"
#include "vectors.hpp"

#include <algorithm>

namespace backend_seatbelt_paths_test {

using namespace cordon::dsl;
using namespace seatbelt_text;

namespace {

constexpr std::string_view both_names[]{
    "/",        "/private", "/private/tmp", "/tmp", "/tmp/a",   "/private/tmp/a", "/tmp/ab",        "/private/var",
    "/var/a/b", "/etc/ssh", "/home",        "/etc", "/tmp/a/b", "/private/etc",   "/private/tmp/c", "/var/a"};

/// Some of these paths with common rights.
std::vector<std::pair<std::string, rights>> random_places(dice& d) {
  constexpr rights usual[]{verb::hide, verb::read, verb::run, verb::write, verb::everything, right::list};
  std::vector<std::pair<std::string, rights>> all;
  for (const std::string_view place : both_names)
    if (d.percent(30)) all.emplace_back(place, d.one_of(usual));
  return all;
}

} // namespace

TEST_CASE("seatbelt: both names of a linked path get the same rules") {
  constexpr target links{};
  constexpr small p = policy_of<small>(
      {can_write("/tmp/job"), can_read("/private"), hidden("/private/tmp/job/key"), hidden("/private/var")});
  HOLDS(may(p, right::write, "/private/tmp/job/x", links) && may(p, right::write, "/tmp/job/x", links));
  HOLDS(!may(p, right::read, "/tmp/job/key", links) && !may(p, right::read, "/private/tmp/job/key", links));
  HOLDS(may(p, right::read, "/etc/hosts", links) && !may(p, right::read, "/etc/hosts", plain_paths));
  HOLDS(seatbelt::compile(p, links).gaps.has("seatbelt.spelling", "/private/tmp/job"));
  HOLDS(seatbelt::compile(p, links).gaps.has("seatbelt.spelling_denied", "/tmp/job/key"));
  // If both paths have an entry, both must allow.
  constexpr small q = policy_of<small>({can_write("/tmp"), can_read("/private/tmp")});
  HOLDS(!may(q, right::write, "/tmp/x", links) && may(q, right::read, "/private/tmp/x", links));
  constexpr small q2 = policy_of<small>({can_read("/tmp"), can_write("/private/tmp")});
  HOLDS(!may(q2, right::write, "/tmp/x", links) && !may(q2, right::write, "/private/tmp/x", links));
  // A rule for /private also covers the files in it under their other name.
  constexpr small r = policy_of<small>({can_write("/"), hidden("/private"), can_read("/var/x")});
  HOLDS(!may(r, right::read, "/tmp/x", links) && may(r, right::read, "/private/var/x/y", links));
  HOLDS(!may(r, right::write, "/var/x/y", links) && may(r, right::write, "/variable", links));
  const std::string t = text(p, links);
  CHECK((has(t, "(subpath \"/private/tmp/job\")") && has(t, "(subpath \"/tmp/job\")") && has(t, "(subpath \"/etc\")")));
}

TEST_CASE("seatbelt: random policies over paths with two names are sound") {
  int closed_policies = 0;
  for (int seed = 0; seed < effort(2000); ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const auto places = random_places(d);
    CAPTURE(seed);
    const loaded_policy p = files(places);
    REQUIRE(fault(p, {}) == "");
    REQUIRE(fault(p, plain_paths) == "");
    // A policy that treats both names alike needs no gap, and has the same profile without the flag.
    std::vector<std::pair<std::string, rights>> closed;
    const auto made = seatbelt::compile(p, {});
    each_place(made.rules, [&](std::string_view place) {
      rights r;
      for (unsigned i = 0; i < right_names.size(); ++i)
        if (seatbelt::detail::last_match(made.rules, 1U << i, place)) r = r | static_cast<right>(i);
      if (closed.empty() || closed.back().first != place) closed.emplace_back(place, r);
    });
    std::sort(closed.begin(), closed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    closed.erase(
        std::unique(closed.begin(), closed.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
        closed.end());
    const loaded_policy q = files(closed);
    REQUIRE(!has(gaps(q, {}), "seatbelt.spelling"));
    REQUIRE(fault(q, {}) == "");
    REQUIRE(text(q, {}) == text(p, {}));
    REQUIRE(text(q, plain_paths) == text(p, {}));
    ++closed_policies;
  }
  CHECK(closed_policies == effort(2000));
}

TEST_CASE("seatbelt: a path cannot end its string literal early") {
  const auto line = [](const std::string& place) {
    const std::string t = text(files({{place, verb::read}}));
    const std::size_t at = t.find("(subpath ");
    return at == t.find("(subpath \"/dev/fd\")") ? std::string() : t.substr(at + 9, t.find('\n', at) - at - 11);
  };
  CHECK(line("/a b") == "\"/a b\"");
  CHECK(line("/a\"b") == "\"/a\\\"b\"");
  CHECK(line("/a\\b") == "\"/a\\\\b\"");
  CHECK(line("/a\\\"b\\") == "\"/a\\\\\\\"b\\\\\"");
  CHECK(line("/x\")) (allow default) (") == "\"/x\\\")) (allow default) (\"");
  CHECK(line("/;|'`#,@*?[]{}$~-:=") == "\"/;|'`#,@*?[]{}$~-:=\"");
  CHECK(line("/\xC3\xA9\xFF\x80") == "\"/\xC3\xA9\xFF\x80\"");
  for (const char* bad : {"/a\nb", "/a\rb", "/a\tb", "/\x7F", "/\x01"}) CHECK(line(bad) == "");
  CHECK(line("/" + std::string(1022, 'x')) != "");
  CHECK(line("/" + std::string(1023, 'x')) == "");
}

TEST_CASE("seatbelt: a path that cannot be written into a rule is denied") {
  const std::string bad = "/w/a\n(allow default)", deeper = bad + "/x", tail = "/w/a\n2/q\n";
  const std::vector<std::pair<std::string, rights>> usual{{"/w", verb::write}, {"/w/b", verb::read}};
  const auto with = [&](std::initializer_list<std::pair<std::string, rights>> more) {
    auto all = usual;
    all.insert(all.end(), more);
    return files(all);
  };
  const auto wide = with({{"/u\n", verb::write}});
  CHECK(fault(wide, plain_paths) == "");
  CHECK(has(gaps(wide), "gap tightened seatbelt.unwritable:/u\n"));
  CHECK((may(wide, right::write, "/w/x") && !may(wide, right::read, "/u\n")));
  for (const loaded_policy& p :
       {with({{bad, verb::hide}}), with({{bad, verb::read}}), with({{bad, verb::hide}, {deeper, verb::write}}),
        with({{bad, verb::everything}, {deeper, verb::hide}}), with({{bad, verb::hide}, {tail, verb::read}}),
        with({{"/w/b\n", verb::hide}, {"/w/b/c\n", verb::hide}, {"/w/b/c\n/d", verb::run}})}) {
    CAPTURE(text(p));
    CHECK(fault(p, plain_paths) == "");
    CHECK(fault(p, {}) == "");
    CHECK(!has(text(p), "default)\")"));
    CHECK(has(gaps(p), "gap tightened seatbelt.unwritable:/w\n"));
    CHECK(!may(p, right::write, bad));
    CHECK(!may(p, right::write, deeper + "/y"));
    CHECK(may(p, right::read, "/w/b/x") == !has(gaps(p), "seatbelt.unwritable:/w/b\n"));
  }
  // A restriction in a restriction: takes from the inner surroundings, not from those further out.
  const auto nested = files({{"/o", verb::write}, {"/o/w", verb::write | right::connect}, {"/o/w/\n", verb::read}});
  CHECK((may(nested, right::write, "/o/x") && !may(nested, right::write, "/o/w/x") &&
         may(nested, right::read, "/o/w/x")));
  CHECK(fault(nested, plain_paths) == "");
}

TEST_CASE("seatbelt: directories above a grant allow metadata alone") {
  const std::string t = text(policy_of<small>({can_read("/Users/u/work"), can_read("/Users/u/x"),
                                               hidden("/Users/u/work/a/b"), can_read("/Users/u/work/a/b/c/d")}));
  const auto way = [](const std::string& dir) {
    return "(allow file-read-metadata file-test-existence (literal \"" + dir + "\"))\n";
  };
  CHECK((has(t, way("/Users")) && has(t, way("/Users/u")) && has(t, way("/Users/u/work/a/b/c"))));
  CHECK((!has(t, way("/Users/u/work")) && !has(t, way("/Users/u/work/a")) && !has(t, way("/Users/u/work/a/b"))));
  CHECK(t.find(way("/Users")) == t.rfind(way("/Users")));
}

TEST_CASE("seatbelt: a device of every process stays usable") {
  const std::string t = text(policy_of<small>({can_read("/dev"), hidden("/dev/null"), hidden("/dev/random")}));
  CHECK(has(t, "(deny file-read-xattr (subpath \"/dev/null\"))\n"));
  CHECK(has(t,
            "(allow file-read-data file-read-metadata file-test-existence file-write-data (literal \"/dev/null\"))\n"));
  CHECK(has(t, "(allow file-read-data file-read-metadata file-test-existence (literal \"/dev/random\"))\n"));
}

TEST_CASE("seatbelt: stdin, stdout and stderr stay usable under every rule for /dev") {
  const std::string opened = "(allow file-read-data file-read-metadata file-test-existence file-write-data (";
  for (const small& p : {policy_of<small>({}), policy_of<small>({can_read("/dev"), hidden("/dev/stderr"),
                                                                 hidden("/dev/fd"), hidden("/dev/fd/3")})}) {
    const std::string t = text(p);
    for (const char* place : {"/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper"})
      CHECK(has(t, opened + "literal \"" + place + "\"))\n"));
    CHECK(has(t, opened + "subpath \"/dev/fd\"))\n"));
    for (const char* place : {"/dev/stderr", "/dev/fd", "/dev/fd/3"})
      CHECK_FALSE(has(t, "(deny file-read-data file-read-xattr file-read-metadata file-test-existence (subpath \"" +
                             std::string(place)));
  }
}

TEST_CASE("seatbelt: system files that every program may read are a gap if the policy denies them") {
  const std::string read = "(allow file-read-data file-read-xattr file-read-metadata file-test-existence (subpath \"";
  const small nothing = policy_of<small>({}), all = policy_of<small>({can_read("/")}),
              but = policy_of<small>({can_write("/"), hidden("/sbin"), hidden("/sbin/x"), hidden("/var/db/dyld/y")});
  for (const char* place : {"/sbin", "/private/var/db/dyld", "/var/db/dyld"}) {
    CAPTURE(place);
    for (const small& p : {nothing, all, but}) {
      CHECK(has(text(p), read + place + "\"))\n"));
      CHECK(may(p, right::read, std::string(place) + "/x"));
    }
    CHECK_FALSE(may(nothing, right::run, place));
    CHECK_FALSE(may(nothing, right::write, place));
    CHECK(has(gaps(nothing), "gap unenforced seatbelt.system:" + std::string(place) + "\n"));
    CHECK_FALSE(has(gaps(all), "seatbelt.system:"));
  }
  CHECK(has(gaps(but), "gap unenforced seatbelt.system:/sbin\n"));
  CHECK(has(gaps(but), "gap unenforced seatbelt.system:/var/db/dyld\n"));
  for (const std::string& line : vectors::split(text(but), '\n'))
    if (has(line, "\"/sbin") && line.starts_with("(deny")) CHECK_FALSE(has(line, "file-read")); // only one rule for it
  CHECK_FALSE(may(but, right::write, "/sbin/y"));
  CHECK_FALSE(may(but, right::run, "/sbin/x"));
}

} // namespace backend_seatbelt_paths_test
