// SPDX-License-Identifier: BSL-1.0
/// Many runs at a time.
#include "by_each.hpp"
#include "running.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/run_pool.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace linux_run_pool_test {

using namespace cordon;
using namespace runs;

namespace {

bool is_ready(const std::future<report>& f) { return f.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

void wait_until(const std::function<bool()>& is_so) {
  for (int i = 0; i < 500 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(is_so());
}

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

} // namespace

TEST_SUITE("run pool") {

  TEST_CASE("run pool: never more than its width run, and each report is of its request") {
    const place s;
    constexpr std::size_t width = 3;
    run_pool pool(width);
    std::vector<std::future<report>> all;
    for (int i = 0; i < 9; ++i) all.push_back(pool.submit(s.shell("sleep 0.1; echo " + std::to_string(i))));
    bool full = false;
    while (!std::all_of(all.begin(), all.end(), is_ready)) {
      const run_pool::counts now = pool.so_far();
      CHECK(now.running <= width);
      full = full || now.running == width;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK(full);
    for (int i = 0; i < 9; ++i) CHECK(all[static_cast<std::size_t>(i)].get().output.text() == std::to_string(i) + "\n");
    CHECK(pool.so_far().running == 0);
  }

  TEST_CASE("run pool: a queue keeps its order, and the queues take turns") {
    const place s;
    const std::string order = (s.top / "order").string();
    run_pool pool(1);
    std::vector<std::future<report>> all;
    const auto add = [&](const std::string& name, std::string_view queue) {
      all.push_back(pool.submit(s.shell("echo " + name + " >> order; sleep 0.02"), queue));
    };
    all.push_back(pool.submit(s.shell("sleep 0.3"), "a")); // meanwhile the others are queued
    wait_until([&] { return pool.so_far().waiting == 0; });
    for (const char* const name : {"a1", "a2", "a3"}) add(name, "a");
    for (const char* const name : {"b1", "b2"}) add(name, "b");
    pool.wait();
    CHECK(std::all_of(all.begin(), all.end(), is_ready));
    CHECK(lines_of(order) == std::vector<std::string>{"a1", "b1", "a2", "b2", "a3"});
  }

  TEST_CASE("run pool: cancelling one queue ends its programs, and not another's") {
    const place s;
    run_pool pool(2);
    std::future<report> stays = pool.submit(s.shell("sleep 0.5; echo stays"), "b"),
                        ended = pool.submit(s.shell("sleep 60"), "a"), waits = pool.submit(s.shell("sleep 61"), "a");
    wait_until([&] { return pool.so_far().running == 2 && pool.so_far().waiting == 1; });
    pool.cancel("a");
    CHECK(ended.get().ended.how == ending::interrupted);
    CHECK(waits.get().ended.how == ending::interrupted);
    CHECK(stays.get().output.text() == "stays\n");
  }

  TEST_CASE("run pool: its end cancels what is left") {
    const place s;
    std::vector<std::future<report>> all;
    {
      run_pool pool(2);
      for (int i = 0; i < 5; ++i) all.push_back(pool.submit(s.shell("sleep 60")));
    }
    for (std::future<report>& f : all) CHECK(f.get().ended.how == ending::interrupted);
  }

  TEST_CASE("run pool: an exception of a listener arrives through the future, and others run on") {
    const place s;
    run_pool pool(1);
    run_request loud = s.shell("echo x; sleep 60");
    loud.on_output = [](stream, std::string_view) { throw std::runtime_error("heard"); };
    std::future<report> thrown = pool.submit(std::move(loud)), next = pool.submit(s.shell("echo next"));
    CHECK_THROWS_WITH(thrown.get(), "heard");
    CHECK(next.get().output.text() == "next\n");
  }

  TEST_CASE("run pool: a request that owns the process is refused") {
    const place s;
    run_pool pool(1);
    run_request r = s.shell("true");
    r.owns_process = true;
    CHECK(pool.submit(std::move(r)).get().ended.refusal == reasons::pool_owns_process.id);
  }

  TEST_CASE("run pool: four threads submit two hundred requests") {
    const place s;
    run_pool pool(16);
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::vector<std::future<report>> mine;
        for (int i = 0; i < 50; ++i)
          mine.push_back(pool.submit(s.shell("exit " + std::to_string(i)), std::to_string(t)));
        for (int i = 0; i < 50; ++i) {
          const report r = mine[static_cast<std::size_t>(i)].get();
          right += r.ended.how == ending::exited && r.ended.number == i;
        }
      });
    for (std::thread& t : threads) t.join();
    CHECK(right == 200);
  }
}

} // namespace linux_run_pool_test
