// SPDX-License-Identifier: BSL-1.0
/// Invalid requests and uses of `running`: they lead to an outcome with a message, never to a crash or a truncated
/// text.
#include "running.hpp"

#include <cordon/linux/prepare.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace runs;

namespace {

const std::string nul("a\0b", 3);

void check_refused(run_request r, const std::string& why) {
  r.in = r.in.from == input::source::caller ? input::nothing() : r.in;
  r.keep = captured_size{captured_size::everything, 0};
  const report told = run(std::move(r));
  CHECK(told.ended.how == ending::refused);
  CHECK(told.output.text() == "");
  CHECK_MESSAGE(told.ended.why.find(why) != std::string::npos, told.ended.why);
}

} // namespace

TEST_SUITE("request") {
  TEST_CASE("a request without a program is refused") {
    const place s;
    check_refused({}, "no program is given");
    run_request r = s.shell("echo x");
    r.argv.clear();
    check_refused(r, "argv is empty");
    r.argv = {""};
    check_refused(r, "the first entry of argv is empty");
  }

  TEST_CASE("a NUL is refused where the system would cut the text off, and an empty argument is none") {
    const place s;
    run_request with = s.shell("echo \"$#$1\"");
    with.argv.insert(with.argv.end(), {"sh", "", "x"});
    CHECK(run(with).output.text() == "2\n");
    with.argv[4] = nul;
    check_refused(with, "argument 4 has a NUL byte");
    with = s.shell("echo x");
    with.argv.push_back(nul);
    check_refused(with, "argument " + std::to_string(with.argv.size() - 1) + " has a NUL byte");
    with = s.shell("echo x");
    with.argv[0] = "/bin/sh" + nul;
    check_refused(with, "the program's name has a NUL byte");
    with = s.shell("echo x");
    with.directory = s.top.string() + std::string("\0/..", 4);
    check_refused(with, "directory to run in has a NUL byte");
    with = s.shell("echo x");
    with.in = input::file("/dev/null" + nul);
    check_refused(with, "file to read has a NUL byte");
    with = s.shell("echo x");
    with.environment->push_back("V=" + nul);
    check_refused(with, "the variable V has a NUL byte");
  }

  TEST_CASE("prepare refuses a variable with a NUL") {
    const place s;
    format::document d = s.document();
    const loaded_policy p = format::lower_lexically(d, {});
    CHECK_THROWS_WITH_AS((void)prepare(p, {.environment = std::vector<std::string>{"V=" + nul}}),
                         doctest::Contains("the variable V has a NUL byte"), refused);
  }

  TEST_CASE("a report is there once, and a run that was moved from says so") {
    const place s;
    process_run one(s.shell("echo x"));
    process_run two(std::move(one));
    CHECK(two.wait().output.text() == "x\n");
    for (int again = 0; again < 2; ++again) {
      const report r = two.wait();
      CHECK(r.ended.how == ending::refused);
      CHECK(r.ended.why == "the report of this run has been taken before");
    }
    CHECK(one.descriptor() == -1);
    CHECK(one.duplicate_descriptor() == -1);
    CHECK(one.advance());
    CHECK(one.wait_for(0));
    CHECK(one.so_far().wall == 0);
    CHECK_FALSE(one.is_interactive());
    one.cancel();
    CHECK(one.wait().ended.why == "this run has been moved to another object");
    CHECK(one.take().ended.how == ending::refused);
    one = process_run(s.shell("echo y"));
    CHECK(one.wait().output.text() == "y\n");
  }
}
