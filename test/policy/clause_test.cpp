// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon.hpp>
#include <cordon/policy/heap.hpp>

#include <span>
#include <string>
#include <vector>

namespace policy_clause_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

/// A text that the compiler does not know, longer than the buffer that std::string has inside.
std::string at_run_time(std::string_view text) { return std::string(text); }

std::string sentence(std::initializer_list<clause> clauses) {
  const auto made = try_policy_of(clauses);
  CHECK(!made);
  return std::string(text_of(made.error()).view());
}

constexpr auto twice = try_policy_of<policy>({can_read("/a"), passes("A"), can_read("/b"), can_write("/a")});

} // namespace

TEST_CASE("clause: each function has its name") {
  HOLDS(name(clause_function::grant) == "grant");
  HOLDS(name(clause_function::can_start) == "can_start");
  HOLDS(can_write("/a").function == clause_function::can_write);
  HOLDS(cannot_connect("a.org").function == clause_function::cannot_connect);
}

TEST_CASE("clause: a right clause has the code ok at run time too") {
  const std::string place = at_run_time("/srv/a/rather/long/path/of/a/job");
  CHECK(can_write(place).code == diagnostic_code::ok);
  CHECK(can_write(place).what.place == place);
  CHECK(can_write(place.c_str()).code == diagnostic_code::ok);
  char filled[] = "/srv";
  CHECK(can_write(filled).what.place == "/srv");
  CHECK(can_write(std::string_view(place)).code == diagnostic_code::ok);
}

TEST_CASE("clause: a wrong argument at run time leaves its code and text in the clause") {
  const std::string relative = at_run_time("data");
  CHECK(can_write(relative).code == diagnostic_code::bad_path);
  CHECK(can_write(relative).subject == "data");
  CHECK(grant(at_run_time("/a/../b"), right::read).code == diagnostic_code::bad_path);
  CHECK(can_use_socket(at_run_time("x.sock")).code == diagnostic_code::bad_path);
  CHECK(can_connect(at_run_time("a.*.b")).code == diagnostic_code::bad_pattern);
  CHECK(cannot_connect(at_run_time("")).code == diagnostic_code::bad_pattern);
  CHECK(can_listen(at_run_time("80-")).code == diagnostic_code::bad_value);
  CHECK(cannot_call(at_run_time("Open")).code == diagnostic_code::bad_value);
  CHECK(cannot_call(at_run_time("")).code == diagnostic_code::bad_value);
  CHECK(passes(at_run_time("A=B")).code == diagnostic_code::bad_value);
  CHECK(sets(at_run_time("A*"), "x").code == diagnostic_code::bad_value);
  CHECK(sets("A", std::string_view("x\0y", 3)).subject == std::string_view("x\0y", 3));
  CHECK(sets("A", std::string_view("x\0y", 3)).code == diagnostic_code::bad_value);
  CHECK(can_start(at_run_time("")).code == diagnostic_code::bad_value);
}

TEST_CASE("try_policy_of: right clauses give the policy that the same constants give") {
  const auto made = try_policy_of({can_run("/usr"), can_write(at_run_time("/srv/job")), can_listen(at_run_time("80")),
                                   can_connect(at_run_time("*.example.com:443")), passes(at_run_time("LC_*"))});
  REQUIRE(made);
  CHECK(*made == policy_of({can_run("/usr"), can_write("/srv/job"), can_listen("80"), can_connect("*.example.com:443"),
                            passes("LC_*")}));
  CHECK(made->level == level::network);
  CHECK(made.error().code == diagnostic_code::ok);
  HOLDS(*try_policy_of<policy>({can_read("/a")}) == policy_of({can_read("/a")}));
}

TEST_CASE("try_policy_of: the texts of the clauses need to be valid during the call alone") {
  policy_result<loaded_policy> made{diagnostic_code::syntax};
  policy_result<loaded_policy> refused{diagnostic_code::syntax};
  {
    std::vector<std::string> texts{"/srv/a/rather/long/path/of/a/job", "*.a-long-name.example.com:443",
                                   "A_LONG_NAME_OF_1", "the long content of a variable",
                                   "a/relative/path/that/is/rather/long"};
    made = try_policy_of({can_write(texts[0]), can_connect(texts[1]), sets(texts[2], texts[3])});
    refused = try_policy_of({can_write(texts[4])});
    for (std::string& text : texts) text.assign(text.size(), '#');
  }
  REQUIRE(made);
  constexpr policy listed = policy_of({can_connect("*.a-long-name.example.com:443")});
  CHECK(made->files().lookup("/srv/a/rather/long/path/of/a/job/x") == verb::write.bits());
  CHECK(made->hosts().allowed.size() == listed.hosts().allowed.size());
  CHECK(made->environment()[0].payload == "the long content of a variable");
  CHECK(std::string_view(refused.error().subject) == "a/relative/path/that/is/rather/long");
}

TEST_CASE("try_policy_of: clauses may come from a vector or a span") {
  const std::string place = at_run_time("/srv/job"), relative = at_run_time("x");
  std::vector<clause> clauses{can_run("/usr"), can_write(place)};
  CHECK(*try_policy_of(clauses) == policy_of({can_run("/usr"), can_write("/srv/job")}));
  CHECK(*try_policy_of(std::span<const clause>(clauses)) == policy_of(clauses));
  clauses.push_back(can_read(relative));
  CHECK(try_policy_of(clauses).error().index == 2);
}

TEST_CASE("try_policy_of: the error has the code, the index and the text of the first wrong clause") {
  const auto made =
      try_policy_of({can_run("/usr"), can_write(at_run_time("data")), can_connect(at_run_time("http://a.org"))});
  CHECK(!made);
  CHECK(made.error().code == diagnostic_code::bad_path);
  CHECK(made.error().index == 1);
  CHECK(made.error().function == clause_function::can_write);
  CHECK(std::string_view(made.error().subject) == "data");
}

TEST_CASE("try_policy_of: of two clauses for one path, the error names both") {
  HOLDS(!twice);
  HOLDS(twice.error().code == diagnostic_code::duplicate_place);
  HOLDS(twice.error().index == 3);
  HOLDS(twice.error().other == 0);
  HOLDS(text_of(twice.error()) == "clause 4, can_write(\"/a\"): clause 1 names the same; remove one of them");
  CHECK(sentence({can_use_loopback(), can_use_loopback()}) ==
        "clause 2, can_use_loopback(): clause 1 names the same; remove one of them");
  CHECK(sentence({can_use_own_sockets(), can_use_own_sockets()}) ==
        "clause 2, can_use_own_sockets(): clause 1 names the same; remove one of them");
  CHECK(sentence({passes("A"), sets("A", "x")}) ==
        "clause 2, sets(\"A\"): clause 1 names the same; remove one of them");
}

TEST_CASE("try_policy_of: more than the storage holds is an error without a clause") {
  using small = basic_policy<fixed_storage<2, 64>>;
  constexpr policy_error e = try_policy_of<small>({can_read("/a"), can_read("/b")}).error();
  HOLDS(e.code == diagnostic_code::policy_too_large);
  HOLDS(e.index == policy_error::no_clause);
  HOLDS(text_of(e).view().starts_with("the policy holds more than its storage: "));
}

TEST_CASE("policy_error: its sentence has the clause, the reason and the remedy") {
  CHECK(sentence({can_run("/usr"), can_write(at_run_time("data"))}) ==
        "clause 2, can_write(\"data\"): the path is not absolute and in normal form; write it as /dir/file");
  CHECK(sentence({can_connect(at_run_time("a.*.b"))}) == "clause 1, can_connect(\"a.*.b\"): a star stands alone or as "
                                                         "the whole first label, as in *.example.com; write it "
                                                         "as example.com, *.example.com:443 or 10.0.0.0/8");
  CHECK(sentence({can_listen(at_run_time(""))}) ==
        "clause 1, can_listen(\"\"): this is no port and no range of ports; write it as 8080 or 8000-8999");
  CHECK(sentence({can_read(at_run_time("a\nb"))}).starts_with("clause 1, can_read(\"a\\x0ab\"): "));
}

TEST_CASE("policy_error: a long text is cut, and the sentence ends") {
  const policy_error e = try_policy_of({can_read(std::string(5000, '\n'))}).error();
  CHECK(e.subject.is_cut());
  CHECK(text_of(e).view().size() == std::string_view(text_of(e).c_str()).size());
}

} // namespace policy_clause_test
