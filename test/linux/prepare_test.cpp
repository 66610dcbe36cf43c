// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/lower.hpp>
#include <cordon/linux/prepare.hpp>

#include "../../shims/posix/hard_links.hpp"

#include "launching.hpp"
#include "scratch.hpp"

#include <doctest/doctest.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

namespace linux_prepare_test {

using namespace cordon;

namespace {

loaded_policy granting(std::vector<format::grant> grants) {
  format::document d;
  d.level = level::process_exec;
  d.files = std::move(grants);
  d.presets.emplace();
  return format::lower_lexically(d, {});
}

} // namespace

TEST_CASE("prepare: a path that became a link after resolve is refused") {
  const scratch s;
  s.dir("job");
  const loaded_policy p = resolve(granting({{s.at("job"), verb::write}}));
  CHECK_NOTHROW((void)prepare(p));
  std::filesystem::rename(s.at("job"), s.at("moved"));
  std::filesystem::create_directory_symlink("/etc", s.at("job"));
  CHECK_THROWS_WITH_AS((void)prepare(p), doctest::Contains("has meanwhile become a symbolic link"), refused);
}

TEST_CASE("prepare: a path whose parent became a link after resolve is refused") {
  const scratch s;
  s.dir("a/job");
  const loaded_policy p = resolve(granting({{s.at("a/job"), verb::write}}));
  std::filesystem::rename(s.at("a"), s.at("b"));
  std::filesystem::create_directory_symlink("b", s.at("a"));
  CHECK_THROWS_AS((void)prepare(p), refused);
}

TEST_CASE("prepare: a hidden path below a missing directory is accepted") {
  const scratch s;
  s.dir("job");
  CHECK_NOTHROW((void)prepare(resolve(granting({{s.at("job"), verb::write}, {s.at("job/a/b"), verb::hide}}))));
}

TEST_CASE("prepare: a restricted file with a hard link elsewhere is a gap files.second_name") {
  const scratch s;
  s.dir("job/inside");
  for (const char* name : {"job/secret", "job/fixed", "job/single", "job/wide", "twin"})
    std::ofstream(s.at(name)) << "x";
  for (const char* name : {"secret", "fixed", "wide"})
    std::filesystem::create_hard_link(s.at("job") + "/" + name, s.at("job/inside") + "/" + name);
  std::filesystem::create_hard_link(s.at("twin"), s.at("other twin"));
  const loaded_policy p = resolve(granting({{s.at("job"), verb::write},
                                            {s.at("job/secret"), verb::hide},
                                            {s.at("job/fixed"), verb::read},
                                            {s.at("job/single"), verb::hide},
                                            {s.at("job/absent"), verb::hide},
                                            {s.at("job/inside"), verb::hide},
                                            {s.at("job/wide"), verb::run | right::write | right::attributes},
                                            {s.at("twin"), verb::read}}));
  const prepared ready = prepare(p);
  std::string told;
  for (const reported_gap& g : ready.gaps())
    if (g.kind == gap_kind::unenforced && g.id.starts_with("files.")) told += g.id + "\n";
  // Both names of job/secret are hidden.
  CHECK(told ==
        "files.second_name:" + s.at("job/inside/fixed") + "\nfiles.second_name:" + s.at("job/inside/wide") + "\n");
}

TEST_CASE("prepare: hard links of files in a restricted directory are gaps, unless restricted as well") {
  const scratch s;
  s.dir("job/vendor/deep");
  s.dir("job/open");
  for (const char* name : {"lib", "deep/key", "single", "deep/both"})
    std::ofstream(s.at("job/vendor") + "/" + name) << "x";
  std::filesystem::create_hard_link(s.at("job/vendor/lib"), s.at("job/open/lib"));
  std::filesystem::create_hard_link(s.at("job/vendor/deep/key"), s.at("outside"));
  std::filesystem::create_hard_link(s.at("job/vendor/deep/both"), s.at("job/vendor/twin"));
  const std::string vendor = s.at("job/vendor");
  const auto told = [&](std::vector<format::grant> grants, std::size_t most = shim::most_entries) {
    std::vector<reported_gap> gaps;
    (void)shim::append_hard_links(gaps, granting(std::move(grants)), most);
    std::string ids;
    for (const reported_gap& g : gaps) ids += g.id.substr(g.id.find(s.at("job")) + s.at("job").size()) + " ";
    return ids;
  };
  const format::grant all{s.at("job"), verb::write};
  CHECK(told({all}).empty());
  for (const rights r : {verb::hide, verb::run})
    CHECK(told({all, {vendor, r}}).find("/vendor/lib") != std::string::npos);
  std::string both = told({all, {vendor, verb::read}});
  CHECK(both.find("/vendor/deep/key") != both.npos);
  CHECK(both.find("both") == both.npos);
  CHECK(both.find("single") == both.npos);
  // A name that is granted again counts as one of the others.
  const std::string again = told({all, {vendor, verb::hide}, {s.at("job/vendor/twin"), verb::write}});
  CHECK(again.find("/vendor/deep/both") != again.npos);
  CHECK(again.find("/vendor/twin") == again.npos);
  CHECK(told({{vendor, verb::run}}).empty()); // no path around it grants more
  CHECK(told({all, {vendor, verb::hide}}, 2).find("/vendor ") != std::string::npos);
  for (int i = 0; i < 20; ++i) {
    const std::string name = "/many" + std::to_string(i);
    std::ofstream(vendor + name) << "x";
    std::filesystem::create_hard_link(vendor + name, s.at("job/open") + name);
  }
  CHECK(told({all, {vendor, verb::hide}}) == "/vendor ");
}

TEST_CASE("prepare: the run's temporary directory has mode 0700, and is removed with the run") {
  std::string temp;
  {
    const prepared ready = prepare(resolve(granting({{std::string(run_temp), verb::write}})));
    temp = ready.temp();
    struct stat st {};
    REQUIRE(::stat(temp.c_str(), &st) == 0);
    CHECK((st.st_mode & 07777) == 0700);
    std::ofstream(temp + "/left") << "behind";
  }
  CHECK_FALSE(std::filesystem::exists(temp));
  CHECK(prepare(granting({{"/usr", verb::run}})).temp().empty());
}

TEST_CASE("prepare: a caller with an OOM score below 0 does not pass it on") {
  enum answer { keeps, resets, no_namespaces };
  // A score below 0 needs a capability that root may lack in a container: a file replaces the kernel's.
  const auto answer_at = [](const char* score) {
    const scratch s;
    std::ofstream(s.at("score")) << score << '\n';
    return launching::apart([&] {
      const char* const own = "/proc/self/oom_score_adj";
      if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
          ::mount(s.at("score").c_str(), own, nullptr, MS_BIND, nullptr) != 0)
        return no_namespaces;
      return prepare(granting({{"/usr", verb::run}})).confinement().reset_oom_score ? resets : keeps;
    });
  };
  const int above = answer_at("7");
  if (above == no_namespaces) return launching::skip("no user namespace can be made here");
  CHECK(above == keeps);
  CHECK(answer_at("0") == keeps);
  CHECK(answer_at("-7") == resets);
}

TEST_CASE("prepare: each unenforced gap must be accepted by its ID") {
  const prepared ready = prepare(granting({{"/usr", verb::run}}));
  const std::vector<std::string> all = unaccepted_gaps(ready.gaps(), {});
  REQUIRE(all.size() > 1);
  CHECK(unaccepted_gaps(ready.gaps(), all).empty());
  CHECK(unaccepted_gaps(ready.gaps(), {all.front()}).size() == all.size() - 1);
  for (const reported_gap& g : ready.gaps()) {
    CAPTURE(g.id);
    CHECK_FALSE(g.why.empty());
  }
}

TEST_CASE("prepare: each limit has its enforcement grade") {
  format::document d;
  d.limits.set(limit::timeout, 5).set(limit::memory, 1 << 30).set(limit::open_files, 64).set(limit::cpu, 1);
  const prepared ready = prepare(format::lower_lexically(d, {}));
  CHECK(ready.limits().size() == 4);
  for (const stated_limit& l : ready.limits()) {
    CAPTURE(name(l.which));
    CHECK(l.grade == (l.which == limit::memory || l.which == limit::cpu ? "best_effort" : "enforced"));
  }
}

TEST_CASE("prepare: a variable that the policy names is not redirected") {
  format::document d;
  d.level = level::process_exec;
  d.presets.emplace();
  d.files = {{{std::string(run_temp), verb::write}}};
  d.environment.emplace();
  d.environment->pass = std::vector<std::string>{"GOCACHE", "PIP_CACHE_DIR", "XDG_*"};
  d.environment->set.insert_or_assign("CCACHE_DIR", "/own");
  const auto got = [&] {
    const prepared ready =
        prepare(format::lower_lexically(d, {}),
                {.environment = std::vector<std::string>{"GOCACHE=/go", "XDG_CACHE_HOME=/x", "TMPDIR=/t"}});
    std::string all;
    for (const char* const* e = ready.environment(); *e != nullptr; ++e) {
      const std::string v = *e;
      for (const char* name : {"GOCACHE=", "CCACHE_DIR=", "XDG_CACHE_HOME=", "TMPDIR=", "PIP_CACHE_DIR="})
        if (v.starts_with(name))
          all += v.starts_with(name + ready.temp()) ? std::string(name) + "redirected\n" : v + "\n";
    }
    return all;
  };
  CHECK(got() ==
        "GOCACHE=/go\nCCACHE_DIR=/own\nTMPDIR=redirected\nPIP_CACHE_DIR=redirected\nXDG_CACHE_HOME=redirected\n");
  d.environment->set.insert_or_assign("TMPDIR", "/mine");
  CHECK(got().find("TMPDIR=/mine\n") != std::string::npos);
}

TEST_CASE("prepare: the environment is the caller's, filtered and extended by the policy") {
  format::document d;
  d.environment.emplace();
  d.environment->pass = std::vector<std::string>{"LC_*", "A"};
  d.environment->set.insert_or_assign("B", "set");
  d.environment->remove = {"LC_X"};
  const prepared ready = prepare(format::lower_lexically(d, {}),
                                 {.environment = std::vector<std::string>{"A=1", "SECRET=x", "LC_ALL=C", "LC_X=y"}});
  std::vector<std::string> got;
  for (const char* const* e = ready.environment(); *e != nullptr; ++e) got.emplace_back(*e);
  CHECK(got == std::vector<std::string>{"A=1", "LC_ALL=C", "B=set"});
  CHECK(ready.added_environment().empty());
}

TEST_CASE("prepare: without confinement, no mechanism is used or reported") {
  const prepared ready = prepare(granting({{"/usr", verb::run}}), {.confine = false});
  CHECK(ready.mechanisms().empty());
  CHECK(ready.confinement().ruleset == -1);
  CHECK(ready.confinement().filter == nullptr);
}

} // namespace linux_prepare_test
