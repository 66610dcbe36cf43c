// SPDX-License-Identifier: BSL-1.0
/// Runs on an executor.
#include "requests.hpp"

#include <cordon/run/async_run.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <doctest/doctest.h>

#include <chrono>

using namespace cordon;
using namespace windows_tests;
namespace asio = boost::asio;

TEST_SUITE("windows async_run") {

  TEST_CASE("windows async_run: the handler gets the report from the event loop, also if the program cannot start") {
    const place s;
    asio::io_context loop;
    run_request bad = s.child({"exit", "0"});
    bad.argv = {"C:\\no-such-program.exe"};
    int ended = 0;
    async_run(loop.get_executor(), s.child({"exit", "5"}), [&](boost::system::error_code e, const report& r) {
      ++ended;
      CHECK(!e);
      CHECK(r.ended.how == ending::exited);
      CHECK(r.ended.number == 5);
    });
    async_run(loop.get_executor(), bad, [&](boost::system::error_code e, const report& r) {
      ++ended;
      CHECK(!e);
      CHECK(r.ended.how == ending::not_found);
    });
    CHECK(ended == 0);
    loop.run();
    CHECK(ended == 2);
  }

  TEST_CASE("windows async_run: cancellation ends the program") {
    const place s;
    asio::io_context loop;
    asio::cancellation_signal cancel;
    asio::steady_timer soon(loop, std::chrono::milliseconds(200));
    soon.async_wait([&](boost::system::error_code) { cancel.emit(asio::cancellation_type::all); });
    ending how{};
    async_run(loop.get_executor(), s.child({"sleep"}),
              asio::bind_cancellation_slot(cancel.slot(),
                                           [&](boost::system::error_code, const report& r) { how = r.ended.how; }));
    loop.run();
    CHECK(how == ending::interrupted);
  }

} // TEST_SUITE
