// SPDX-License-Identifier: BSL-1.0
/// Runs that another thread stops, and runs whose input the caller writes.
#include "by_each.hpp"
#include "running.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <poll.h>
#include <string>
#include <thread>

namespace linux_process_run_test {

using namespace cordon;
using namespace runs;

namespace {

void wait_until(const std::function<bool()>& is_so) {
  for (int i = 0; i < 500 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(is_so());
}

} // namespace

TEST_SUITE("run stop") {

  TEST_CASE("run stop: a request to stop from another thread ends the tree at once") {
    const place s;
    by_each([&](launcher_id by) {
      run_request request = under(by, s.shell("sleep 60 & sleep 61; echo late"));
      run_stop_source source;
      request.stop = source.get_token();
      process_run program(std::move(request));
      std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        source.request_stop();
      });
      const auto begin = std::chrono::steady_clock::now();
      const report r = program.wait();
      CHECK(r.ended.how == ending::interrupted);
      CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
      CHECK(r.output.text() == "");
    });
  }

  TEST_CASE("run stop: after a request to stop nothing starts") {
    const place s;
    for (const bool stops : {false, true}) {
      run_request request = s.shell("exit 0");
      const run_stop_source source;
      if (stops) source.request_stop();
      request.stop = source.get_token();
      bool starts = false;
      const report r = run(std::move(request), [&](const report&) { starts = true; });
      CHECK(starts != stops);
      CHECK(r.ended.how == (stops ? ending::interrupted : ending::exited));
    }
  }

  TEST_CASE("run stop: a callback is called once, at once if stop was requested, and not after its end") {
    const run_stop_source source;
    int calls = 0, late = 0, ended = 0;
    const run_stop_callback first(source.get_token(), [&] { ++calls; });
    {
      const run_stop_callback gone(source.get_token(), [&] { ++ended; });
    }
    CHECK_FALSE(source.get_token().stop_requested());
    const run_stop_source copy = source;
    copy.request_stop();
    source.request_stop();
    CHECK(source.get_token().stop_requested());
    const run_stop_callback second(source.get_token(), [&] { ++late; });
    CHECK(calls == 1);
    CHECK(late == 1);
    CHECK(ended == 0);
    CHECK_FALSE(run_stop_token().stop_possible());
    CHECK_FALSE(run_stop_token().stop_requested());
  }

  TEST_CASE("run stop: a request to stop that comes too late changes nothing") {
    const place s;
    run_request request = s.shell("exit 4");
    run_stop_source source;
    request.stop = source.get_token();
    process_run program(std::move(request));
    while (!program.advance()) (void)program.wait_for(1000);
    source.request_stop();
    const report r = program.take();
    CHECK(r.ended.how == ending::exited);
    CHECK(r.ended.number == 4);
  }
}

TEST_SUITE("run input pipe") {

  TEST_CASE("run input pipe: the program reads what the caller writes while it runs, and then the end") {
    const place s;
    by_each([&](launcher_id by) {
      run_request request = under(by, s.shell("read a; echo got $a; cat; exit 3"));
      request.in = input::pipe();
      process_run program(std::move(request));
      REQUIRE(program.input_descriptor() >= 0);
      CHECK(program.so_far().pid > 0);
      CHECK(program.write_input("one\n") == 4);
      wait_until([&] { return program.advance() || program.so_far().output_bytes >= 8; });
      CHECK(program.write_input("two\n") == 4);
      program.close_input();
      CHECK(program.write_input("three\n") == std::nullopt);
      const report r = program.wait();
      CHECK(r.output.text() == "got one\ntwo\n");
      CHECK(r.ended.number == 3);
    });
  }

  TEST_CASE("run input pipe: a full pipe takes a part, and takes more once the program has read") {
    const place s;
    run_request request = s.shell("sleep 0.2; wc -c");
    request.in = input::pipe();
    process_run program(std::move(request));
    const std::string all(1 << 20, 'x');
    std::size_t sent = program.write_input(all).value();
    CHECK(sent < all.size());
    while (sent < all.size()) {
      pollfd room{program.input_descriptor(), POLLOUT, 0};
      REQUIRE(::poll(&room, 1, 20'000) == 1);
      sent += program.write_input(std::string_view(all).substr(sent)).value();
    }
    program.close_input();
    CHECK(program.wait().output.text() == "1048576\n");
  }

  TEST_CASE("run input pipe: a write to a program that has closed its input fails, without a signal") {
    const place s;
    run_request request = s.shell("exec <&-; echo closed; sleep 60");
    request.in = input::pipe();
    process_run program(std::move(request));
    wait_until([&] { return program.advance() || program.so_far().output_bytes >= 7; });
    CHECK(program.write_input("x") == std::nullopt);
    program.cancel();
    CHECK(program.wait().ended.how == ending::interrupted);
  }
}

} // namespace linux_process_run_test
