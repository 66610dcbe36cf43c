// SPDX-License-Identifier: BSL-1.0
#include "running.hpp"

#include <cordon/format/base64.hpp>
#include <cordon/format/error.hpp>
#include <cordon/run/record.hpp>

#include <doctest/doctest.h>

namespace linux_record_test {

using namespace cordon;
using namespace runs;

TEST_SUITE("record") {

  TEST_CASE("record: base64 is written and read") {
    CHECK(to_base64("") == ""); // RFC 4648, section 10
    CHECK(to_base64("foobar") == "Zm9vYmFy");
    CHECK(to_base64("foob") == "Zm9vYg==");
    CHECK(from_base64("Zm9vYg==") == "foob");
    CHECK(from_base64("") == "");
    CHECK(!from_base64("Zm9vYg"));
    CHECK(!from_base64("Zm9v!g=="));
  }

  TEST_CASE("record: a written record reads back as the same bytes") {
    const place s;
    run_request request = s.shell("cat; printf '\\377\\001' >&2; exit 9");
    request.in = input::of(std::string("in\0put\xFE", 7));
    recorder listens(request);
    const report told = run(request);
    const record r = std::move(listens).finish(told);
    CHECK(r.all_of(stream::output) == std::string("in\0put\xFE", 7));
    CHECK(r.all_of(stream::error) == "\377\001");
    const std::string text = to_json(r);
    const record again = read_record("r.json", text);
    CHECK(to_json(again) == text);
    CHECK(again.policy == r.policy);
    CHECK(again.input == r.input);
    CHECK(again.ended.number == 9);
    CHECK(again.environment == told.environment);
    CHECK(again.environment.front() == "PATH");

    const report replayed = run(to_replay(again));
    CHECK(differences(again, replayed).empty());
    CHECK(missing_mechanisms(again, replayed).empty());
  }

  TEST_CASE("record: a record with one changed byte is refused") {
    const place s;
    run_request request = s.shell("echo x");
    recorder listens(request);
    const report told = run(request);
    const std::string text = to_json(std::move(listens).finish(told));
    for (std::size_t i = 0; i < text.size(); i += 7) {
      CAPTURE(i);
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ 2);
      CHECK_THROWS_AS((void)read_record("r.json", other), format::bad_document);
    }
    CHECK_THROWS_AS((void)read_record("r.json", text.substr(0, text.size() - 4)), format::bad_document);
    CHECK_THROWS_AS((void)read_record("r.json", "{}"), format::bad_document);
    CHECK_THROWS_AS((void)read_record("r.json", ""), format::bad_document);
  }

  TEST_CASE("record: a tape replays records in order, each for its own arguments only") {
    record first, second;
    first.argv = {"a", "b"};
    second.argv = {"c"};
    tape t({first, second});
    CHECK_THROWS_AS((void)t.answer({"c"}), refused);
    CHECK_THROWS_AS((void)t.answer({"a"}), refused);
    CHECK(t.answer({"a", "b"}).argv.size() == 2);
    CHECK_THROWS_AS((void)t.answer({"a", "b"}), refused);
    CHECK(t.answer({"c"}).argv.size() == 1);
    CHECK(t.left() == 0);
    CHECK_THROWS_AS((void)t.answer({"c"}), refused);
  }

} // TEST_SUITE

} // namespace linux_record_test
