// SPDX-License-Identifier: BSL-1.0
#include "../launching.hpp"
#include "effort.hpp"
#include "opening.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <thread>
#include <ucontext.h>

namespace files_workspace_files_race_test {

using namespace opening;

namespace {

/// Exchanges a directory and a link to the outside, repeatedly, in a separate thread.
class flipper {
public:
  explicit flipper(const tree& t) {
    thread_ = std::thread([this, spot = t.at("work/spot"), link = t.at("work/link")] {
      for (unsigned n = 1; !stop_; ++n) {
        if (::renameat2(AT_FDCWD, spot.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE) != 0) return;
        ++flips_;
        if (n % 2 != 0) continue; // now the link has the name
        // The directory stays for a varying time: in step with the calls of an act, few would meet a race.
        for (unsigned pause = n * 2654435761U >> 17; pause != 0 && !stop_; --pause) {}
      }
    });
  }
  ~flipper() {
    stop_ = true;
    thread_.join();
  }
  [[nodiscard]] long flips() const { return flips_; }

private:
  std::atomic<bool> stop_{false};
  std::atomic<long> flips_{0};
  std::thread thread_;
};

const long wanted_flips = effort(100'000);
constexpr auto longest = std::chrono::seconds(60); // on a shared machine; normally it takes one or two

/// How often the acts of an opener succeeded, were refused as leading outside, or failed otherwise.
struct tally {
  long done = 0, refused = 0, other = 0;
  void add(const problem& p) { ++(!p ? done : p.refused ? refused : other); }
};

void prepare(const tree& t) {
  t.file("work/spot/file", "inside");
  t.link(t.at("outside"), "work/link");
}

/// Does the file system support RENAME_EXCHANGE?
bool can_flip(const tree& t) {
  for (int i = 0; i < 2; ++i)
    if (::renameat2(AT_FDCWD, t.at("work/spot").c_str(), AT_FDCWD, t.at("work/link").c_str(), RENAME_EXCHANGE) != 0)
      return false;
  return true;
}

/// The usual code: resolves the name and checks it, then opens it.
bool naive(const std::string& place, const std::string& work, int flags, std::string& got) {
  const std::string directory = place.substr(0, place.rfind('/'));
  char* real = ::realpath(directory.c_str(), nullptr);
  const bool inside = real != nullptr && path::covers(work, real);
  std::free(real);
  if (!inside) return false;
  const workspace_files::file f(::open(place.c_str(), flags | O_CLOEXEC, 0600));
  if (f && (flags & O_CREAT) == 0) got = content(f);
  return static_cast<bool>(f);
}

} // namespace

TEST_CASE("workspace files: exchanging a directory with a link to the outside gives no access") {
  both_ways([](const tree& t, lookup how) {
    prepare(t);
    t.file("outside/file", "outside");
    t.file("outside/sub/file", "outside");
    if (!can_flip(t)) return launching::skip("this file system does not exchange names");
    const std::string before = t.outside();
    const workspace_files o(t.policy(), how);
    const std::string spot = t.at("work/spot");
    const auto drop = workspace_files::content::drop;
    tally acts;
    long leaks = 0;
    const auto until = std::chrono::steady_clock::now() + longest;
    {
      const flipper f(t);
      for (int i = 0; f.flips() < wanted_flips || acts.done < 500 || acts.refused < 500; ++i) {
        if (std::chrono::steady_clock::now() > until) break;
        problem p;
        const auto count = [&] { acts.add(p); };
        if (const auto file = o.read(spot + "/file", workspace_files::kinds::regular, p))
          if (content(file) == "outside") ++leaks;
        count();
        if (const auto file = o.write(spot + "/file", drop, workspace_files::kinds::regular, p))
          (void)put(file, "written");
        count();
        if (const auto file = o.create(spot + "/new", workspace_files::existing::replace, 0600, p))
          (void)put(file, "written");
        count();
        o.set_attributes(spot + "/file", {.mode = i % 2 == 0 ? 0600U : 0644U, .accessed = {}, .modified = i}, p),
            count();
        o.make_directory(spot + "/sub", 0700, p), count();
        (void)o.create(spot + "/sub/made", workspace_files::existing::refuse, 0600, p), count();
        if (o.exists(spot + "/secret", p)) ++leaks;
        count();
        for (const workspace_files::item& item : o.list(spot, p)) leaks += item.name == "secret";
        count();
        o.copy(t.at("work/fixed/file"), spot + "/copy", workspace_files::existing::replace, p), count();
        o.rename(spot + "/file", spot + "/file2", workspace_files::existing::replace, p), count();
        o.rename(spot + "/file2", spot + "/file", workspace_files::existing::replace, p), count();
        o.remove(spot + "/new", p), count();
        o.remove_tree(spot + "/sub", p), count();
      }
      CHECK(f.flips() >= wanted_flips);
    }
    MESSAGE(acts.done, " done, ", acts.refused, " refused, ", acts.other, " else");
    CHECK(leaks == 0);
    CHECK(t.outside() == before);
    CHECK(content(t.at("outside/file")) == "outside");
    CHECK(acts.done >= 500);
    CHECK(acts.refused >= 500);
  });
}

#ifdef __x86_64__ // for the names of registers
TEST_CASE("workspace files: remove_tree does not follow a link that replaced a directory") {
  static std::string doomed, link, asked;
  const tree t; // removed by the process that has no filter
  t.file("work/doomed/file");
  t.link(t.at("outside"), "work/link");
  doomed = t.at("work/doomed"), link = t.at("work/link");
  CHECK(launching::apart([&] {
          const workspace_files o(t.policy());
          // The first attempt to remove an entry fails because it is a directory; later ones because it is missing.
          struct sigaction act {};
          act.sa_flags = SA_SIGINFO;
          act.sa_sigaction = [](int, siginfo_t*, void* context) {
            auto& r = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
            const bool first = asked.empty();
            asked += std::string(reinterpret_cast<const char*>(r[REG_RSI])) + " ";
            if (first) ::renameat2(AT_FDCWD, doomed.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE);
            r[REG_RAX] = first ? -EISDIR : -ENOENT;
          };
          ::sigaction(SIGSYS, &act, nullptr);
          auto code = launching::refusing({{SYS_unlinkat, 0}});
          code[2].k = SECCOMP_RET_TRAP;
          const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
          ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
          if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return 99;
          problem p;
          o.remove_tree(doomed, p);
          return asked == "doomed doomed " ? 0 : 1;
        }) == 0);
}
#endif

TEST_CASE("workspace files: the same race defeats code that checks a path and then opens it") {
  const tree t;
  prepare(t);
  t.file("outside/file", "outside");
  if (!can_flip(t)) return launching::skip("this file system does not exchange names");
  long reads = 0, writes = 0;
  const auto until = std::chrono::steady_clock::now() + longest;
  const flipper f(t);
  while ((reads == 0 || writes == 0) && std::chrono::steady_clock::now() < until) {
    std::string got;
    (void)naive(t.at("work/spot/file"), t.at("work"), O_RDONLY, got);
    if (got == "outside") ++reads;
    (void)naive(t.at("work/spot/new"), t.at("work"), O_WRONLY | O_CREAT, got);
    if (std::filesystem::exists(t.at("outside/new"))) ++writes;
  }
  CHECK(reads > 0);
  CHECK(writes > 0);
}

} // namespace files_workspace_files_race_test
