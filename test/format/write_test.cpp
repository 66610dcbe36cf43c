// SPDX-License-Identifier: BSL-1.0
#include "effort.hpp"
#include "random_documents.hpp"

#include <cordon.hpp>
#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>

#include <boost/json.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

namespace {

const int samples = effort(5'000);

const host_facts facts{platform::linux_, "/home/u", "/srv", nullptr};

/// The fault of the canonical form of that policy; empty if it has none.
std::string fault(const loaded_policy& p) {
  const std::string text = write_json(p);
  const loaded_policy again = lower_lexically(read("canonical", text, facts), facts);
  if (!(again == p)) return "another policy: " + text;
  if (write_json(again) != text) return "other bytes: " + text;
  return {};
}

} // namespace

TEST_CASE("write: rights and durations as text") {
  CHECK(text_of(verb::read) == "read,list");
  CHECK(text_of(rights()) == "hide");
  CHECK(text_of(right::connect) == "connect");
  CHECK(duration_text(30'000'000'000) == "30s");
  CHECK(duration_text(90'000'000'000) == "90s");
  CHECK(duration_text(120'000'000'000) == "2m");
  CHECK(duration_text(limits::greatest) == "9223372036854775807ns");
  CHECK(as_json("a\"\\\n") == R"("a\"\\\n")");
}

TEST_CASE("write: a JSON parser reads each character back from its JSON string") {
  for (std::uint32_t c = 0; c < 0x3000; ++c) {
    std::string text = "a";
    if (c < 0x80) text += static_cast<char>(c);
    else {
      if (c < 0x800) text += static_cast<char>(0xC0 | c >> 6);
      else {
        text += static_cast<char>(0xE0 | c >> 12);
        text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
      }
      text += static_cast<char>(0x80 | (c & 0x3F));
    }
    const std::string quoted = as_json(text);
    CHECK(utf8::is_printable(quoted));
    CHECK(boost::json::parse(quoted).as_string() == text);
  }
}

TEST_CASE("write: an axis that is any is left out") {
  CHECK(write_json(unconfined(widening::all_axes{})) ==
        "{\n  \"cordon\": 1,\n  \"profile\": \"unrestricted\",\n  \"presets\": [],\n  \"abilities\": \"any\",\n  "
        "\"fallback\": \"off\"\n}\n");
}

TEST_CASE("write: an empty policy is none on every axis") {
  CHECK(write_json(nothing()) == R"({
  "cordon": 1,
  "profile": "os_hardened",
  "level": "none",
  "capabilities": "none",
  "workspace": "none",
  "files": "none",
  "presets": [],
  "network": "none",
  "sockets": "none",
  "abilities": "none",
  "syscalls": "strict",
  "limits": {"timeout": "1ns", "cpu": "1ns", "memory": 1, "processes": 1, "open_files": 1, "file_size": 1, "output": 1},
  "environment": {"pass": []},
  "guard": {"executables": "none", "interpreters": false},
  "fallback": "enforce"
}
)");
}

TEST_CASE("write: keys and grants are ordered, and redundant grants are dropped") {
  const loaded_policy p =
      lower_lexically(read("p", R"({"fallback": "enforce", "cordon": 1, "presets": [], "level": "process_exec",
    "files": [{"path": "/a/b", "rights": "read"}, {"path": "/a-", "rights": "write"},
              {"path": "/a", "rights": ["list", "read"]},
              {"path": "/a/c", "rights": "hide"}, {"path": "/z", "rights": "hide"}],
    "environment": {"remove": ["LD_*"], "set": {"B": "2", "A": "1"}},
    "syscalls": {"deny": ["ptrace", "bpf"]}, "guard": {"executables": ["make", "git"]},
    "limits": {"memory": "1KiB", "timeout": "90m"}})",
                           facts),
                      facts);
  CHECK(write_json(p) == R"({
  "cordon": 1,
  "profile": "worktree",
  "level": "process_exec",
  "files": [
    {"path": "/a", "rights": ["read", "list"]},
    {"path": "/a-", "rights": ["read", "list", "run", "write", "create", "remove", "attributes"]},
    {"path": "/a/c", "rights": "hide"}
  ],
  "presets": [],
  "syscalls": {"mode": "inherit", "deny": ["bpf", "ptrace"]},
  "limits": {"timeout": "90m", "memory": 1024},
  "environment": {"pass": "any", "set": {"A": "1", "B": "2"}, "remove": ["LD_*"]},
  "guard": {"executables": ["git", "make"]},
  "fallback": "enforce"
}
)");
  CHECK(fault(p) == "");
}

TEST_CASE("write: reading the canonical form gives the same policy and the same bytes") {
  CHECK(fault(lower_lexically(read("p", R"({"cordon": 1})", facts), facts)) == "");
  int lists = 0;
  for (int seed = 0; seed < samples; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const loaded_policy p = lower_lexically(random_documents::random(d), facts),
                        q = lower_lexically(random_documents::random(d), facts);
    CAPTURE(seed);
    REQUIRE(fault(p) == "");
    REQUIRE(fault(p & q) == "");
    REQUIRE(write_json(p & q) == write_json(q & p));
    lists += (p & q).files().size() > 2 && (p & q).environment().size() > 1;
  }
  CHECK(lists > samples / 10);
}
