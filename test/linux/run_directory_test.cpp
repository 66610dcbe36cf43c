// SPDX-License-Identifier: BSL-1.0
#include "../../shims/posix/run_directory.hpp"

#include "launching.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <cstdlib>
#include <optional>

namespace linux_run_directory_test {

using namespace cordon;
using namespace launching;
using shim::run_directory;

namespace {

/// TMPDIR for one test.
struct temporary : shared_directory {
  temporary() { ::setenv("TMPDIR", path.c_str(), 1); }
  ~temporary() { ::unsetenv("TMPDIR"); }
  [[nodiscard]] long count() const {
    return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
  }
};

} // namespace

TEST_SUITE("run_directory") {

  TEST_CASE("run_directory: it has mode 0700, and is removed with its owner") {
    const temporary t;
    std::optional<run_directory> made = run_directory::make();
    CHECK(made->path().starts_with(t.path.string()));
    CHECK((std::filesystem::status(made->path()).permissions() & std::filesystem::perms::all) ==
          std::filesystem::perms::owner_all);
    run_directory moved = std::move(*made);
    made.reset();
    CHECK(t.count() == 1);
    moved = run_directory();
    CHECK(t.count() == 0);
  }

  TEST_CASE("run_directory: it has mode 0700 under any umask") {
    const temporary t;
    const mode_t before = ::umask(0777);
    const run_directory made = run_directory::make();
    ::umask(before);
    CHECK((std::filesystem::status(made.path()).permissions() & std::filesystem::perms::all) ==
          std::filesystem::perms::owner_all);
  }

  TEST_CASE("run_directory: everything in it is removed, and nothing that links in it refer to") {
    const temporary t;
    const std::string kept = t.write("kept", "text");
    {
      const run_directory made = run_directory::make();
      const std::filesystem::path top = made.path();
      std::filesystem::create_directories(top / "closed/inside");
      std::ofstream(top / "closed/inside/file") << "x";
      std::filesystem::create_symlink(t.path, top / "closed/link");
      std::filesystem::create_symlink(t.path, top / "link");
      ::chmod((top / "closed/inside").c_str(), 0);
      ::chmod((top / "closed").c_str(), 0);
      // Deeper than the longest path.
      int at = ::open(top.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      for (int i = 0; i < 5000; ++i) {
        REQUIRE(::mkdirat(at, "d", 0700) == 0);
        const int next = ::openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ::close(at);
        at = next;
      }
      ::close(at);
      ::chmod(top.c_str(), 0);
    }
    CHECK(t.count() == 1);
    CHECK(std::filesystem::exists(kept));
  }

  TEST_CASE("run_directory: sweep_beside removes directories of killed owners only") {
    const temporary t;
    const auto leave = [&](const char* name) {
      std::filesystem::create_directories(t.path / name / "more");
      const timespec long_ago[2]{{1, 0}, {1, 0}};
      ::utimensat(AT_FDCWD, (t.path / name).c_str(), long_ago, 0);
    };
    leave("cordon-run-AAAAAA");
    leave("cordon-run-locked");
    leave("other");
    std::filesystem::create_directories(t.path / "cordon-run-young");
    std::filesystem::create_directory_symlink(t.path / "other", t.path / "cordon-run-linked");
    const int lock = ::open((t.path / "cordon-run-locked").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(::flock(lock, LOCK_SH) == 0);
    run_directory().sweep_beside();
    CHECK(t.count() == 5);
    const run_directory made = run_directory::make();
    made.sweep_beside();
    CHECK(std::filesystem::exists(made.path()));
    CHECK(!std::filesystem::exists(t.path / "cordon-run-AAAAAA"));
    for (const char* name : {"cordon-run-locked/more", "cordon-run-young", "other/more"})
      CHECK(std::filesystem::exists(t.path / name));
    ::close(lock);
  }

  TEST_CASE("run_directory: a link that replaced it is not followed at removal") {
    const temporary t;
    std::filesystem::create_directory(t.path / "outside");
    const std::string outside = t.write("outside/kept", "text");
    const std::filesystem::path away = t.path / "outside", base = t.path / "base";
    std::filesystem::create_directory(base);
    ::chmod(away.c_str(), 0755);
    {
      const run_directory made = run_directory::make(base);
      const std::string name = std::filesystem::path(made.path()).filename();
      std::ofstream(made.path() + "/left") << "behind";
      std::filesystem::create_directory_symlink(away, made.path() + "/link");
      std::filesystem::rename(base, t.path / "moved");
      std::filesystem::create_directory(base);
      std::filesystem::create_directory_symlink(away, base / name);
    }
    struct stat st {};
    REQUIRE(::stat(away.c_str(), &st) == 0);
    CHECK((st.st_mode & 07777) == 0755);
    CHECK(std::filesystem::exists(outside));
    CHECK(std::filesystem::is_empty(t.path / "moved"));
  }

  TEST_CASE("run_directory: a link at its path is not followed after it was moved") {
    const temporary t;
    std::filesystem::create_directory(t.path / "kept");
    const std::string kept = t.write("kept/file", "text");
    {
      const run_directory made = run_directory::make();
      std::filesystem::rename(made.path(), t.path / "moved");
      std::filesystem::create_directory_symlink(t.path / "kept", made.path());
    }
    CHECK(std::filesystem::exists(kept));
  }

  TEST_CASE("run_directory: it can be made in a directory that cannot be listed") {
    const temporary t;
    std::filesystem::create_directory(t.path / "base");
    ::chmod((t.path / "base").c_str(), 0300);
    CHECK(run_directory::make(t.path / "base").path().starts_with(t.path.string()));
    ::chmod((t.path / "base").c_str(), 0700);
    CHECK(std::filesystem::is_empty(t.path / "base"));
  }

} // TEST_SUITE

} // namespace linux_run_directory_test
