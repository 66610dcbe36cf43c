// SPDX-License-Identifier: BSL-1.0
/// Large input is parsed in near-linear time, and checked if it is invalid.
#include "big_documents.hpp"
#include "effort.hpp"

#include <cordon.hpp>
#include <cordon/backend/landlock.hpp>
#include <cordon/format/json.hpp>
#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>

using namespace cordon;
using namespace cordon::format;

namespace {

const int grant_count = effort(100'000);
const std::size_t megabytes = static_cast<std::size_t>(effort(50'000'000));

const host_facts machine{platform::linux_, "/home/u", "/srv", nullptr};

/// The minimum CPU time of `f` in a few runs, in seconds: other processes do not count.
template <class F> double seconds(F&& f) {
  double least = 1e9;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t begin = std::clock();
    f();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

/// Four times the input may take slightly more than four times the time. Other load on the machine may double that, but
/// the factor never reaches sixteen.
template <class F> void check_growth(F&& f) {
  const double one = seconds([&] { f(grant_count / 2); }), four = seconds([&] { f(2 * grant_count); });
  CAPTURE(one);
  CAPTURE(four);
  CHECK(four < 10 * one + 0.02);
}

/// The position at which parsing stops: `code line:column`.
std::string told_of(std::string content) {
  try {
    (void)read("big", std::move(content), machine);
  } catch (const bad_document& e) {
    return std::string(name(e.code())) + " " + std::to_string(e.line()) + ":" + std::to_string(e.column());
  }
  return "ok";
}

} // namespace

TEST_CASE("large: time for loading, meet and rules grows near linearly with the grants") {
  check_growth([](int count) {
    const loaded_policy p = lower_lexically(read("big", big_documents::with_grants(count), machine), machine);
    const loaded_policy m = p & p;
    CHECK(m == p);
    CHECK(p.files().size() == static_cast<std::uint32_t>(count));
    const auto plan = landlock::compile(m, {7});
    CHECK(plan.error.code == diagnostic_code::ok);
    CHECK(plan.rules.grants.size() >= static_cast<std::uint32_t>(count) / 2);
  });
}

TEST_CASE("large: time for the canonical form grows near linearly with the grants") {
  const loaded_policy p = lower_lexically(read("big", big_documents::with_grants(grant_count), machine), machine);
  check_growth([](int count) {
    const loaded_policy q = lower_lexically(read("big", big_documents::with_grants(count), machine), machine);
    CHECK(write_json(q).size() > static_cast<std::size_t>(count) * 40);
  });
  CHECK(lower_lexically(read("canonical", write_json(p), machine), machine) == p);
}

TEST_CASE("large: time for many variables grows near linearly") {
  check_growth([](int count) {
    const loaded_policy p = lower_lexically(read("big", big_documents::with_variables(count), machine), machine);
    CHECK((p & p) == p);
    CHECK(p.environment().size() > static_cast<std::uint32_t>(count) / 2);
  });
}

TEST_CASE("large: one huge token, blanks or brackets end in an error with its position") {
  CHECK(told_of("{\"cordon\": 1, \"level\": \"" + std::string(megabytes, 'x') + "\"}") == "bad_value 1:24");
  CHECK(told_of("{\"" + std::string(megabytes, 'x') + "\": 1}") == "unknown_key 1:2");
  CHECK(told_of("{\"cordon\": 1," + std::string(megabytes, '\n') + "\"x\": 1}").substr(0, 12) == "unknown_key ");
  CHECK(told_of(std::string(megabytes, '[')) == "syntax 1:" + std::to_string(json::deepest + 1));
  CHECK(told_of(std::string(megabytes, ' ')) == "syntax 1:" + std::to_string(megabytes + 1));
  CHECK(told_of("{\"cordon\": " + std::string(megabytes, '1') + "}").substr(0, 9) == "bad_value");
  CHECK(told_of("{\"cordon\": 1, \"files\": [{\"path\": \"/" + std::string(megabytes, 'x') +
                "\", \"rights\": \"read\"}]}") == "bad_path 1:34");
}

TEST_CASE("large: an error in the last of many entries has its position") {
  std::string list = big_documents::with_grants(grant_count);
  list.insert(list.size() - 2, ",\n{\"path\": \"/srv/projects/team/0/src/.git\", \"rights\": \"read\"}");
  CHECK(told_of(list) == "duplicate_place " + std::to_string(grant_count + 2) + ":1");
  list = big_documents::with_grants(grant_count);
  list.insert(list.size() - 2, ",\n{\"path\": \"/new\", \"rights\": \"rad\"}");
  CHECK(told_of(list) == "bad_value " + std::to_string(grant_count + 2) + ":28");
}

TEST_CASE("large: deeply nested paths") {
  const int deep = effort(2'000);
  std::string out = "{\"cordon\": 1, \"presets\": [], \"files\": [", path;
  for (int depth = 0; depth < deep; ++depth) {
    path += "/d";
    out += (depth == 0 ? "" : ",") + std::string("{\"path\": \"") + path + "\", \"rights\": \"" +
           (depth % 2 == 0 ? "run" : "read") + "\"}";
  }
  const loaded_policy p = lower_lexically(read("deep", out + "]}", machine), machine);
  CHECK(p.files().size() == deep);
  CHECK((p & p) == p);
  CHECK(p.files().lookup(path + "/x") == verb::read.bits());
  CHECK(p.files().lookup("/d/x") == verb::run.bits());
  CHECK(landlock::compile(p, {7}).error.code == diagnostic_code::ok);
}
