// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/excess.hpp>
#include <cordon/format/lower.hpp>
#include <cordon/format/notation.hpp>

#include <doctest/doctest.h>

using namespace cordon;

namespace {

loaded_policy policy_of_text(const std::string& text) {
  const format::host_facts facts{platform::linux_, "/home/u", "/srv/job", nullptr};
  return format::lower_lexically(format::read_notation("case", text, facts), facts);
}

std::string excess_text_of(const std::string& child, const std::string& ceiling) {
  return format::text_of(format::excess_of(policy_of_text(child), policy_of_text(ceiling)));
}

} // namespace

TEST_CASE("a policy within its ceiling has no excess") {
  CHECK(excess_text_of("level none\n", "level read_only\n") == "");
}

TEST_CASE("each excess is a line in words of the policy language") {
  CHECK(excess_text_of("level network\nlimit timeout 1s\n", "level process_exec\nlimit timeout 1s\n") ==
        "level network; the ceiling requires process_exec\n");
  CHECK(excess_text_of("abilities spawn trace\n", "") == "abilities spawn,trace; the ceiling allows spawn\n");
  CHECK(excess_text_of("", "deny bpf\n") == "may call bpf; the ceiling denies it\n");
  CHECK(excess_text_of("executables git\n", "executables make\n") == "may start git; the ceiling does not allow it\n");
  CHECK(excess_text_of("", "interpreters no\n") == "may start interpreters; the ceiling does not allow it\n");
  CHECK(excess_text_of("capabilities process.exec\n", "capabilities none\n") ==
        "has the capability process.exec; the ceiling does not allow it\n");
}

TEST_CASE("an excess of a limit has its unit") {
  CHECK(excess_text_of("limit processes 5\n", "limit processes 4\n") == "limit processes: 5; the ceiling allows 4\n");
  CHECK(excess_text_of("", "limit processes 4\n") == "limit processes: no limit; the ceiling allows 4\n");
  CHECK(excess_text_of("limit memory 2GiB\n", "limit memory 512MiB\n") ==
        "limit memory: 2GiB; the ceiling allows 512MiB\n");
  CHECK(excess_text_of("limit memory 1001B\n", "limit memory 1000B\n") ==
        "limit memory: 1001; the ceiling allows 1000\n");
  CHECK(excess_text_of("limit timeout 90s\n", "limit timeout 1min\n") == "limit timeout: 90s; the ceiling allows 1m\n");
}

TEST_CASE("an excess of variables says pass or set") {
  CHECK(excess_text_of("pass A B\n", "pass A\n") == "pass B; the ceiling does not allow it\n");
  CHECK(excess_text_of("set A=x\n", "set A=y\n") == "set A=x; the ceiling allows set A=y\n");
  CHECK(excess_text_of("pass A\n", "set A=y\n") == "pass A; the ceiling allows set A=y\n");
}

TEST_CASE("an excess of hosts is a pattern with its ports") {
  CHECK(excess_text_of("connect *.example.com\n", "network none\n") ==
        "may connect to *.example.com; the ceiling does not allow it\n");
  CHECK(excess_text_of("connect example.com\n", "network none\n") ==
        "may connect to example.com; the ceiling does not allow it\n");
  CHECK(excess_text_of("connect =example.com\n", "network none\n") ==
        "may connect to =example.com; the ceiling does not allow it\n");
  CHECK(excess_text_of("connect api.example.com:80 api.example.com:443\n", "connect api.example.com:443\n") ==
        "may connect to api.example.com:80; the ceiling allows api.example.com:443 alone\n");
  CHECK(excess_text_of("connect api.example.com:80 api.example.com:8000-8999\n", "network none\n") ==
        "may connect to api.example.com:80 api.example.com:8000-8999; the ceiling does not allow it\n");
  CHECK(excess_text_of("connect 10.0.0.0/8\n", "network none\n") ==
        "may connect to 10.0.0.0/8; the ceiling does not allow it\n");
  CHECK(excess_text_of("connect example.com\n", "connect example.com\nrefuse x.example.com\n") ==
        "may connect to x.example.com; the ceiling does not allow it\n");
}

TEST_CASE("an excess of sockets has its ports or its path") {
  CHECK(excess_text_of("listen 8000-8999\n", "listen 8080\n") == "may listen on 8000-8999; the ceiling allows 8080\n");
  CHECK(excess_text_of("listen 80\n", "sockets none\n") == "may listen on 80; the ceiling does not allow it\n");
  CHECK(excess_text_of("loopback yes\n", "sockets none\n") ==
        "may use the loopback network; the ceiling does not allow it\n");
  CHECK(excess_text_of("sockets own\n", "sockets none\n") ==
        "may use sockets among the processes of the run; the ceiling does not allow it\n");
  CHECK(excess_text_of("unix /run/s\n", "sockets none\n") ==
        "may use the socket /run/s; the ceiling does not allow it\n");
}

TEST_CASE("an excess of paths that both axes have is one line") {
  CHECK(excess_text_of("write /a\nworkspace write /a\n", "read /a\nworkspace read /a\n") ==
        "may write /a; the ceiling allows read\n");
  CHECK(excess_text_of("write /a\nworkspace read /a\n", "files none\nworkspace none\n") ==
        "the host's tools may read /a; the ceiling allows nothing there\n"
        "processes may write /a; the ceiling allows nothing there\n");
  CHECK(excess_text_of("allow read,connect /a\n", "read /a\n") ==
        "processes may read,connect /a; the ceiling allows read\n");
}

TEST_CASE("a control character in a place is escaped") {
  CHECK(excess_text_of("read \"/a\\x1b\"\n", "read /b\n") ==
        "processes may read /a\\x1b; the ceiling allows nothing there\n");
}
