// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"
#include "../samples.hpp"

#include <cordon/host/decide.hpp>
#include <cordon/notation/line_of.hpp>
#include <cordon/notation/literals.hpp>
#include <cordon/notation/print.hpp>
#include <cordon/query/query.hpp>

#include <string>

namespace notation_line_of_test {

using namespace cordon;
using namespace cordon::literals;
using notation::line_of;
using notation::position;

namespace {

constexpr std::string_view job = R"(# what a build may do
level process_exec
run /usr
write "/srv/a b"
read /usr/lib
allow read,connect /run/x.sock
workspace read /srv
connect example.org *.example.com:443
refuse gist.example.com
listen 8080
loopback yes
unix /run/s
capabilities process.exec workspace.read_text
abilities spawn trace
syscalls strict
deny memfd_create bpf
limit memory 512MiB
pass PATH LC_*
set A=1 "B=x y"
remove LC_X
executables git make
interpreters no
fallback enforce
sockets own
)";

constexpr std::string_view texts[]{job, "files any\nworkspace any\nnetwork any\nsockets any\nenvironment any\n",
                                   "only\nrun /usr\nhide /usr/x\nexecutables git\n",
                                   "  run /usr # why\n\npass A\npass B C\nremove A\n"};

/// Every entry of the policy, except those of an axis without a line, has a line.
template <axis_id P> constexpr int without_line(const policy& p, std::string_view text, std::uint32_t said) {
  int n = 0;
  if ((said >> static_cast<unsigned>(axis_of(P)) & 1U) == 0 || is_of_hosts(P) || p.is_any<P>()) return 0;
  for (const entry e : p.view<P>())
    if (!(P == axis_id::calls && e.place == "*") && !line_of(text, axis_of(P), e.place)) ++n;
  return n;
}

constexpr int without_line(std::string_view text) {
  policy p;
  std::uint32_t said = 0;
  if (notation::parse(text, p, {}, &said).code != diagnostic_code::ok) return -1;
  int n = 0;
  detail::each_part([&]<axis_id P>() {
    n += without_line<P>(p, text, said);
    return true;
  });
  return n;
}

} // namespace

TEST_CASE("line_of: each entry of each sample has its line") {
  HOLDS(without_line(texts[0]) == 0);
  HOLDS(without_line(texts[1]) == 0);
  HOLDS(without_line(texts[2]) == 0);
  HOLDS(without_line(texts[3]) == 0);
}

TEST_CASE("line_of: each entry of the printed samples has its line") {
  for (const samples::sample& one : samples::all) {
    std::string text;
    notation::print(one.policy, [&](std::string_view piece) { text += piece; });
    CAPTURE(one.name);
    CHECK(without_line(text) == 0);
  }
}

TEST_CASE("line_of: the line of a clause on each axis") {
  HOLDS(line_of(job, axis::level, "process_exec") == position{2, 1});
  HOLDS(line_of(job, axis::files, "/usr") == position{3, 1});
  HOLDS(line_of(job, axis::files, "/srv/a b") == position{4, 1});
  HOLDS(line_of(job, axis::files, "/run/x.sock").line == 6);
  HOLDS(line_of(job, axis::workspace, "/srv").line == 7);
  HOLDS(!line_of(job, axis::workspace, "/usr"));
  HOLDS(line_of(job, axis::hosts, "example.org").line == 8);
  HOLDS(line_of(job, axis::hosts, "*.example.com:443").line == 8);
  HOLDS(line_of(job, axis::hosts, "!gist.example.com").line == 9);
  HOLDS(!line_of(job, axis::hosts, "gist.example.com"));
  HOLDS(line_of(job, axis::sockets, "listen").line == 10);
  HOLDS(line_of(job, axis::sockets, "loopback").line == 11);
  HOLDS(line_of(job, axis::sockets, "/run/s").line == 12);
  HOLDS(line_of(job, axis::sockets, "own").line == 24 && line_of(job, axis::sockets, "own").column == 1);
  HOLDS(line_of("sockets any\n", axis::sockets, "own").line == 0);
  HOLDS(line_of(job, axis::capabilities, "workspace.read_text").line == 13);
  HOLDS(line_of(job, axis::abilities, "trace").line == 14);
  HOLDS(line_of(job, axis::syscalls, "").line == 15);
  HOLDS(line_of(job, axis::syscalls, "bpf").line == 16);
  HOLDS(line_of(job, axis::limits, "memory").line == 17);
  HOLDS(line_of(job, axis::environment, "LC_*").line == 18);
  HOLDS(line_of(job, axis::environment, "B").line == 19);
  HOLDS(line_of(job, axis::environment, "LC_X").line == 20);
  HOLDS(line_of(job, axis::guard, "make").line == 21);
  HOLDS(line_of(job, axis::guard, "").line == 22);
  HOLDS(line_of(job, axis::fallback, "").line == 23);
}

TEST_CASE("line_of: a clause that another line makes redundant is found") {
  HOLDS("run /usr\nrun /usr/bin"_policy.files().size() == 1);
  HOLDS(line_of("run /usr\nrun /usr/bin", axis::files, "/usr/bin") == position{2, 1});
  HOLDS(line_of("connect example.com\nconnect x.example.com:80", axis::hosts, "x.example.com:80").line == 2);
  // The same pattern rather than the same host with other ports; of equal lines the first.
  HOLDS(line_of("connect x.org:443\nconnect x.org:80", axis::hosts, "x.org:80").line == 2);
  HOLDS(line_of("connect x.org:80\nconnect x.org:443", axis::hosts, "x.org").line == 1);
}

TEST_CASE("line_of: of several lines for one variable, the one that decides") {
  HOLDS(line_of(texts[3], axis::environment, "A").line == 5);
  HOLDS(line_of("pass A\nset A=x", axis::environment, "A").line == 2);
}

TEST_CASE("line_of: a clause without a line has no position") {
  HOLDS(!line_of(job, axis::files, "/srv"));
  HOLDS(!line_of(job, axis::environment, "LC_ALL"));
  HOLDS(!line_of("", axis::level, ""));
}

TEST_CASE("line_of: after only, a grant states the clause of both path axes") {
  HOLDS(line_of(texts[2], axis::workspace, "/usr/x").line == 3);
  HOLDS(!line_of("only\nrun /usr\nworkspace read /a", axis::workspace, "/usr"));
}

TEST_CASE("line_of: the clause of a verdict, with relative paths") {
  constexpr notation::parse_context at{"/srv/job", "/home/u"};
  constexpr std::string_view text = "level process_exec\nwrite .\nhide .env\nread ~/x";
  constexpr auto p = *notation::parse<policy>(text, at);
  HOLDS(line_of(text, axis::files, process_may(p, right::read, "/srv/job/.env/a").clause.place, at).line == 3);
  HOLDS(line_of(text, axis::files, process_may(p, right::read, "/home/u/x").clause.place, at).line == 4);
  HOLDS(line_of(text, axis::files, process_may(p, right::read, "/srv/job/a").clause.place, at).line == 2);
}

} // namespace notation_line_of_test
