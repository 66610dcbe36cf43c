// SPDX-License-Identifier: BSL-1.0
/// Invalid requests and uses of `running`: they lead to an outcome with a message, never to a crash or a truncated
/// text.
#include "running.hpp"

#include <cordon/linux/prepare.hpp>
#include <cordon/run/reasons.hpp>

#include <doctest/doctest.h>

namespace linux_request_test {

using namespace cordon;
using namespace runs;

namespace {

const std::string nul("a\0b", 3);

/// `subject`: what the reason names, if it names something.
void check_refused(run_request r, const reason& why, const std::string& subject = {}) {
  r.in = r.in.from == input::source::caller ? input::nothing() : r.in;
  r.keep = captured_size{captured_size::everything, 0};
  const report told = run(std::move(r));
  CHECK(told.ended.how == ending::refused);
  CHECK(told.output.text() == "");
  CHECK(told.ended.refusal == why.id);
  CHECK_MESSAGE(told.ended.why.find(subject) != std::string::npos, told.ended.why);
}

} // namespace

TEST_SUITE("request") {
  TEST_CASE("request: a request without a program is refused") {
    const place s;
    check_refused({}, reasons::argv_empty);
    run_request r = s.shell("echo x");
    r.argv.clear();
    check_refused(r, reasons::argv_empty);
    r.argv = {""};
    check_refused(r, reasons::program_empty);
  }

  TEST_CASE("request: a NUL byte is refused in every text of a request; an empty argument is passed on") {
    const place s;
    run_request with = s.shell("echo \"$#$1\"");
    with.argv.insert(with.argv.end(), {"sh", "", "x"});
    CHECK(run(with).output.text() == "2\n");
    with.argv[4] = nul;
    check_refused(with, reasons::nul_byte, "argument 4");
    with = s.shell("echo x");
    with.argv.push_back(nul);
    check_refused(with, reasons::nul_byte, "argument " + std::to_string(with.argv.size() - 1));
    with = s.shell("echo x");
    with.argv[0] = "/bin/sh" + nul;
    check_refused(with, reasons::nul_byte, "the program's name");
    with = s.shell("echo x");
    with.directory = s.top.string() + std::string("\0/..", 4);
    check_refused(with, reasons::nul_byte, "directory to run in");
    with = s.shell("echo x");
    with.in = input::file("/dev/null" + nul);
    check_refused(with, reasons::nul_byte, "file to read");
    with = s.shell("echo x");
    with.environment->push_back("V=" + nul);
    check_refused(with, reasons::nul_byte, "the variable V");
  }

  TEST_CASE("request: prepare refuses a variable with a NUL byte") {
    const place s;
    format::document d = s.document();
    const loaded_policy p = format::lower_lexically(d, {});
    CHECK_THROWS_WITH_AS((void)prepare(p, {.environment = std::vector<std::string>{"V=" + nul}}),
                         doctest::Contains("the variable V has a NUL byte"), refused);
  }

  TEST_CASE("request: a report can be taken once; a moved-from run reports that it was moved") {
    const place s;
    process_run one(s.shell("echo x"));
    process_run two(std::move(one));
    CHECK(two.wait().output.text() == "x\n");
    for (int again = 0; again < 2; ++again) {
      const report r = two.wait();
      CHECK(r.ended.how == ending::refused);
      CHECK(r.ended.refusal == reasons::taken_before.id);
    }
    CHECK(one.descriptor() == -1);
    CHECK(one.duplicate_descriptor() == -1);
    CHECK(one.advance());
    CHECK(one.wait_for(0));
    CHECK(one.so_far().wall == 0);
    CHECK_FALSE(one.is_interactive());
    one.cancel();
    CHECK(one.wait().ended.refusal == reasons::moved_from.id);
    CHECK(one.take().ended.how == ending::refused);
    one = process_run(s.shell("echo y"));
    CHECK(one.wait().output.text() == "y\n");
  }
}

} // namespace linux_request_test
