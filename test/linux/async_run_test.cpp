// SPDX-License-Identifier: BSL-1.0
/// Runs on an executor.
#include "../effort.hpp"
#include "running.hpp"

#include <cordon/run/async_run.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace linux_async_run_test {

using namespace cordon;
using namespace runs;
namespace asio = boost::asio;

namespace {

std::ptrdiff_t entries(const char* directory) {
  return std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator());
}

/// Control groups that this process has made.
int groups() {
  const std::string own = "cordon-run-" + std::to_string(::getpid()) + "-";
  int count = 0;
  std::error_code ec;
  using std::filesystem::directory_options;
  for (std::filesystem::recursive_directory_iterator
           at("/sys/fs/cgroup", directory_options::skip_permission_denied, ec),
       end;
       !ec && at != end; at.increment(ec))
    count += at->path().filename().string().starts_with(own) ? 1 : 0;
  return count;
}

} // namespace

TEST_SUITE("async_run") {

  TEST_CASE("async_run: the handler gets the report from the event loop, also if the program cannot start") {
    const place s;
    asio::io_context loop;
    run_request bad = s.shell("exit 0");
    bad.argv = {"/usr/bin/no-such-program"};
    int told = 0;
    async_run(loop.get_executor(), s.shell("echo x; exit 5"), [&](boost::system::error_code e, const report& r) {
      ++told;
      CHECK(!e);
      CHECK(r.ended.number == 5);
      CHECK(r.output.text() == "x\n");
    });
    async_run(loop.get_executor(), bad, [&](boost::system::error_code e, const report& r) {
      ++told;
      CHECK(!e);
      CHECK(r.ended.how == ending::not_found);
    });
    CHECK(told == 0);
    loop.run();
    CHECK(told == 2);
  }

  TEST_CASE("async_run: a program that ended before the wait began is reported through the event loop") {
    const place s;
    asio::io_context loop;
    auto begun = async_run(loop.get_executor(), s.shell("exit 5"), asio::deferred);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    bool told = false;
    std::move(begun)([&](boost::system::error_code e, const report& r) {
      told = true;
      CHECK(!e);
      CHECK(r.ended.number == 5);
    });
    CHECK(!told);
    loop.run();
    CHECK(told);
  }

  TEST_CASE("async_run: cancellation ends the program and its descendants") {
    const place s;
    asio::io_context loop;
    asio::cancellation_signal stop;
    const auto emit = [&] { stop.emit(asio::cancellation_type::terminal); };
    for (const bool at_once : {true, false}) {
      CAPTURE(at_once);
      run_request request =
          s.shell("(" + std::string(lasting) + ") & until test -e alive; do :; done; echo x; sleep 600");
      request.on_output = [&](stream, std::string_view) {
        if (at_once) return emit();
        asio::post(loop, emit);
      };
      bool told = false;
      async_run(loop.get_executor(), std::move(request),
                asio::bind_cancellation_slot(stop.slot(), [&](boost::system::error_code e, const report& r) {
                  told = true;
                  CHECK(!e);
                  CHECK(r.ended.how == ending::interrupted);
                  CHECK(r.output.text() == "x\n");
                }));
      loop.run();
      loop.restart();
      CHECK(told);
      CHECK(!is_alive(s));
    }
  }

  TEST_CASE("async_run: the program outlives the thread that started it") {
    const place s;
    std::future<report> later;
    asio::io_context loop;
    {
      asio::thread_pool starter(1); // the thread that starts the program ends at once
      asio::post(starter,
                 [&] { later = async_run(loop.get_executor(), s.shell("sleep 0.2; exit 4"), asio::use_future); });
      starter.join();
    }
    loop.run();
    CHECK(later.get().ended.number == 4);
  }

  TEST_CASE("async_run: many concurrent runs each report their own outcome, and leave nothing behind") {
    const place s;
    const int total = effort(1000);
    constexpr int at_once = 32;
    for (const launcher_id by : {launcher_id::namespaces, launcher_id::landlock}) {
      CAPTURE(name(by));
      const auto descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
      asio::io_context loop;
      int started = 0, right = 0, ended = 0;
      std::function<void()> next = [&] {
        if (started == total) return;
        const int number = started++ % 200;
        async_run(loop.get_executor(),
                  under(by, s.shell("sleep 9 & echo " + std::to_string(number) + "; exit " + std::to_string(number))),
                  [&, number](boost::system::error_code e, const report& r) {
                    ++ended;
                    right += !e && r.ended.how == ending::exited && r.ended.number == number &&
                                     r.output.text() == std::to_string(number) + "\n"
                                 ? 1
                                 : 0;
                    next();
                  });
      };
      for (int i = 0; i < at_once; ++i) next();
      loop.run();
      CHECK(ended == total);
      CHECK(right == total);
      CHECK(entries("/proc/self/fd") <= descriptors + 3); // descriptors of the loop
      CHECK(entries("/proc/self/task") == threads);
      CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
      CHECK(groups() == 0);
    }
  }

} // TEST_SUITE

} // namespace linux_async_run_test
