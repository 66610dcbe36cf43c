// SPDX-License-Identifier: BSL-1.0
#include "crowd.hpp"
#include "effort.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/wasi.hpp>

namespace backend_wasi_test {

using namespace cordon;
using namespace cordon::dsl;
using wasi::compile;
using wasi::runtime;

namespace {

using backend = wasi::backend;
using small = basic_policy<fixed_storage<32, 1200>>;

constexpr wasi::target command{runtime::wasmtime}, node{runtime::node}, library{runtime::library};

constexpr small job =
    policy_of<small>({can_read("/data"), can_write("/srv"), can_read("/srv/a/b"), hidden("/srv/a/c")});
constexpr auto by_library = compile(job, library);
constexpr auto by_command = compile(job, command);
static_assert(std::is_trivially_copyable_v<decltype(by_command.rules)>);

loaded_policy of_files(std::initializer_list<std::pair<std::string_view, rights>> files) {
  loaded_policy p;
  const diagnostic d = p.write<axis_id::files>([&](auto& out) {
    for (const auto& [place, r] : files) out.add({place, r.bits(), {}});
  });
  CHECK(d.code == diagnostic_code::ok);
  return p;
}

/// Rights at random paths of a deep tree: long paths to those with fewer rights.
small deep_policy(dice& d) {
  small p;
  constexpr rights usual[]{verb::write, verb::write, verb::read, verb::hide, verb::everything};
  std::set<std::string> places;
  for (std::uint32_t n = 1 + d.below(6); n != 0; --n) {
    std::string place;
    for (std::uint32_t depth = 1 + d.below(5); depth != 0; --depth) place += d.percent(50) ? "/a" : "/b";
    places.insert(place);
  }
  const diagnostic filled = p.write<axis_id::files>([&](auto& out) {
    for (const std::string& place : places) out.add({place, d.one_of(usual).bits(), {}});
  });
  CHECK(filled.code == diagnostic_code::ok);
  return p;
}

bool opens(const auto& plan, std::string_view place) { return permits(plan.rules, right::list, place); }
std::string text_of(const auto& policy, const wasi::target& t) {
  const auto plan = compile(policy, t);
  return proof::text_of(plan.rules) + proof::gap_lines(plan.gaps);
}

/// What the rules must permit, derived from the policy's answers alone: a directory is opened with the rights that all
/// paths at and beneath it have. `places` lists all of them.
bool best(const small& p, runtime by, right what, const std::string& place, const std::set<std::string>& places) {
  const auto floor = [&](const std::string& directory) {
    std::uint32_t least = wasi::read_write;
    for (const std::string& x : places)
      if (path::covers(directory, x))
        least = std::min<std::uint32_t>(least, wasi::access_for(rights::from_bits(p.files().lookup(x)), by));
    return least;
  };
  for (std::string directory = place;; directory = path::parent(directory)) {
    const rights all = wasi::rights_of(floor(directory)), itself = wasi::rights_itself(floor(directory), by);
    if ((directory == place ? itself : all).has(what)) return true;
    if (directory == "/") return false;
  }
}

} // namespace

TEST_CASE("wasi: a directory is opened for everything, for reading, or not") {
  using wasi::access_for;
  HOLDS(access_for(verb::write, runtime::wasmtime) == wasi::read_write);
  HOLDS(access_for(verb::everything, runtime::node) == wasi::read_write);
  HOLDS(access_for(verb::write - right::run, runtime::library) == wasi::read_write);
  HOLDS(access_for(verb::read, runtime::library) == wasi::read_only);
  HOLDS(access_for(verb::read, runtime::wasmtime) == wasi::closed);
  HOLDS(access_for(verb::read, runtime::node) == wasi::closed);
  for (const right missing : {right::write, right::create, right::remove, right::attributes}) {
    CHECK(access_for(verb::write - missing, runtime::library) == wasi::read_only);
    CHECK(access_for(verb::write - missing, runtime::wasmtime) == wasi::closed);
  }
  HOLDS(access_for(verb::write - right::list, runtime::library) == wasi::closed);
  HOLDS(access_for(right::read, runtime::library) == wasi::closed);
}

TEST_CASE("wasi: a read-only grant is dropped if the runtime would allow writing") {
  HOLDS(permits(by_library.rules, right::read, "/data/x") && !permits(by_library.rules, right::write, "/data/x"));
  HOLDS(!permits(by_command.rules, right::read, "/data/x"));
  HOLDS(by_command.gaps.has("wasi.dropped", "/data") && !by_library.gaps.has("wasi.dropped"));
  HOLDS(compile(job, node).gaps.any_unenforced() && !by_command.gaps.any_unenforced());
}

TEST_CASE("wasi: beside a path with fewer rights, directories are opened one by one") {
  HOLDS(permits(by_command.rules, right::write, "/srv/q/x") && permits(by_command.rules, right::remove, "/srv/a/q/x"));
  HOLDS(!permits(by_command.rules, right::write, "/srv/x") && !permits(by_command.rules, right::list, "/srv"));
  HOLDS(!permits(by_command.rules, right::read, "/srv/a/b/x") && !permits(by_command.rules, right::read, "/srv/a/c/x"));
  HOLDS(permits(by_library.rules, right::read, "/srv/a/b/x") && !permits(by_library.rules, right::write, "/srv/a/b/x"));
  HOLDS(!permits(by_library.rules, right::read, "/srv/a/c/x"));
  const auto far = compile(of_files({{"/s", verb::write}, {"/s/a/b/c", verb::hide}}), command);
  CHECK(far.rules.preopens.size() == 0);
  CHECK(!permits(far.rules, right::read, "/s/a/b/c/x"));
  CHECK(permits(far.rules, right::write, "/s/a/b/q/x"));
  const auto between = compile(of_files({{"/s", verb::write}, {"/s/q", verb::hide}, {"/s/x/y", verb::read}}), library);
  CHECK(permits(between.rules, right::read, "/s/x/f"));
  CHECK(!permits(between.rules, right::write, "/s/x/f"));
  CHECK(!permits(between.rules, right::list, "/s"));
  const auto reading = compile(of_files({{"/s", verb::write}, {"/s/a/b", verb::read}}), library);
  CHECK(permits(reading.rules, right::read, "/s/x"));
  CHECK(permits(reading.rules, right::write, "/s/q/x"));
  CHECK(!permits(reading.rules, right::write, "/s/x"));
}

TEST_CASE("wasi: an opened path is a directory, and cannot be removed") {
  HOLDS(permits(by_library.rules, right::list, "/data") && !permits(by_library.rules, right::read, "/data"));
  constexpr auto open = compile(policy_of<small>({can_write("/w")}), command);
  HOLDS(permits(open.rules, right::attributes, "/w") && !permits(open.rules, right::remove, "/w"));
  HOLDS(!permits(open.rules, right::create, "/w") && permits(open.rules, right::create, "/w/x"));
  constexpr auto in_node = compile(policy_of<small>({can_write("/w")}), node);
  HOLDS(permits(in_node.rules, right::remove, "/w"));
}

TEST_CASE("wasi: programs and sockets are denied") {
  const policy all = unconfined(widening::all_axes{});
  for (const wasi::target& t : {command, node, library}) {
    const auto plan = compile(all, t);
    for (std::size_t i = 0; i < process_feature_names.size(); ++i)
      CHECK(!permits(plan.rules, static_cast<process_feature>(i)));
    CHECK(!permits(plan.rules, right::run, "/usr/bin/cc"));
    CHECK(!permits(plan.rules, right::connect, "/run/x"));
    CHECK(plan.gaps.has("wasi.programs"));
    CHECK(plan.gaps.has("wasi.network"));
  }
  HOLDS(!by_command.gaps.has("wasi.network"));
}

TEST_CASE("wasi: paths that a runtime cannot express are not opened") {
  using wasi::is_name;
  HOLDS(is_name("/a b", runtime::wasmtime) && is_name("/-x,\"'\\\n", runtime::wasmtime) &&
        is_name("/", runtime::wasmtime));
  HOLDS(!is_name("/a::b", runtime::wasmtime) && !is_name("/a:", runtime::wasmtime) &&
        is_name("/a:b", runtime::wasmtime));
  HOLDS(is_name("/a::b", runtime::node) && is_name("/a:", runtime::library));
  for (const char* bad :
       {"/\xFF", "/a\xC3", "/\xC0\xAF", "/\xE0\x80\xAF", "/\xED\xA0\x80", "/\xF4\x90\x80\x80", "/\x80"}) {
    CAPTURE(bad);
    for (const runtime r : {runtime::wasmtime, runtime::node, runtime::library}) CHECK(!is_name(bad, r));
  }
  const auto plan = compile(of_files({{"/a::ro", verb::write}, {"/b", verb::write}}), command);
  CHECK(!opens(plan, "/a::ro"));
  CHECK(opens(plan, "/b"));
  CHECK(plan.gaps.has("wasi.name", "/a::ro"));
  CHECK(proof::text_of(plan.rules).find("/a") == std::string::npos);
  const auto within = compile(of_files({{"/b", verb::read}, {"/b/\xFF", verb::write}}), library);
  CHECK(permits(within.rules, right::read, "/b/\xFF/x"));
  CHECK(!permits(within.rules, right::write, "/b/\xFF/x"));
  CHECK(proof::text_of(within.rules).find('\xFF') == std::string::npos);
  const auto beside = compile(of_files({{"/a::ro", verb::write}, {"/a::ro/x", verb::hide}}), command);
  CHECK(!permits(beside.rules, right::write, "/a::ro/y/z"));
  CHECK(beside.rules.siblings.size() == 0);
}

TEST_CASE("wasi: the text is JSON for every path") {
  const auto dirs = [](const char* place, const wasi::target& t) {
    const std::string text = proof::text_of(compile(of_files({{place, verb::write}}), t).rules);
    const std::size_t from = text.find(t.runtime == runtime::wasmtime ? "\"--dir\"" : "preopens\"");
    return text.substr(from, text.find("siblings") - from);
  };
  CHECK(dirs("/a b", command) == "\"--dir\", \"/a b::/a b\"],\n \"");
  CHECK(dirs("/\"],\"--dir\",\"/", command) ==
        "\"--dir\", \"/\\\"],\\\"--dir\\\",\\\"/::/\\\"],\\\"--dir\\\",\\\"/\"],\n \"");
  CHECK(dirs("/a\nb\\", node) == "preopens\": {\n  \"/a\\u000ab\\\\\": \"/a\\u000ab\\\\\"},\n \"");
  CHECK(dirs("/\x1F\x7F\xC3\xA9", node) ==
        "preopens\": {\n  \"/\\u001f\\u007f\xC3\xA9\": \"/\\u001f\\u007f\xC3\xA9\"},\n \"");
  CHECK(dirs("/\xC2\x9B\xE2\x80\xAE", command) == "\"--dir\", \"/\\u009b\\u202e::/\\u009b\\u202e\"],\n \"");
  CHECK(dirs("/x", library) ==
        "preopens\": [\n  {\"host\": \"/x\", \"guest\": \"/x\", \"access\": \"read-write\"}],\n \"");
}

TEST_CASE("wasi: rules and policy agree but for the gaps") {
  for (const wasi::target& t : {command, node, library}) CHECK(proof::backend_fault<backend>(t, effort(300)) == "");
}

TEST_CASE("wasi: every directory that can be opened is opened") {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(effort(300)); ++seed) {
    CAPTURE(seed);
    dice d(seed);
    small p;
    REQUIRE(copy(proof::random_policy(d), p).code == diagnostic_code::ok);
    if (seed % 2 == 0) p = deep_policy(d);
    for (const wasi::target& t : {command, node, library}) {
      const auto plan = compile(p, t);
      const std::set<std::string> places = verifying::places_of(p, plan.rules);
      std::string missed;
      for (const std::string& place : places)
        for (std::size_t i = 0; i < right_names.size(); ++i) {
          const auto what = static_cast<right>(i);
          if (permits(plan.rules, what, place) != best(p, t.runtime, what, place, places))
            missed += std::string(right_names[i]) + " " + place + "\n";
        }
      CHECK(missed == "");
    }
  }
}

TEST_CASE("wasi: rules that do not fit their storage are an error") {
  constexpr auto crowded = policy_of<basic_policy<fixed_storage<7, 40>>>({can_write("/a"), hidden("/a/b")});
  HOLDS(compile(crowded, command).error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("wasi: a restriction whose path is not UTF-8 is an error, unless nothing beside it is opened") {
  for (const wasi::target& t : {command, node, library}) {
    const loaded_policy p = of_files({{"/s", verb::write}, {"/s/a/\xff/b", verb::hide}});
    const auto plan = compile(p, t);
    CHECK(plan.error.code == diagnostic_code::bad_path);
    CHECK(plan.error.subject == "/s/a/\xff");
    const auto closed = compile(of_files({{"/a", verb::write}, {"/s\xff", verb::write}, {"/s\xff/b", verb::hide}}), t);
    CHECK(closed.error.code == diagnostic_code::ok);
    CHECK(utf8::is_text(proof::text_of(closed.rules)));
  }
  const loaded_policy split = of_files({{"/s::t", verb::write}, {"/s::t/\xff", verb::hide}});
  CHECK(compile(split, command).error.code == diagnostic_code::ok);
  CHECK(compile(split, node).error.code == diagnostic_code::bad_path);
}

TEST_CASE("wasi: a hundred thousand grants are compiled quickly") {
  const loaded_policy p = crowd::policy();
  decltype(compile(p, library)) made;
  CHECK(crowd::is_quick([&] { made = compile(p, library); }));
  CHECK(made.error.code == diagnostic_code::ok);
  CHECK(made.rules.siblings.size() == 301);
  CHECK(!permits(made.rules, right::write, "/srv/8/8/x"));
  CHECK(permits(made.rules, right::read, "/srv/8/8/x"));
  CHECK(permits(made.rules, right::write, "/srv/7/8/x"));
}

TEST_CASE("wasi: plans of sample policies") {
  for (const samples::sample& s : samples::all) {
    std::string text;
    for (const wasi::target& t : {command, node, library}) text += text_of(s.policy, t) + "\n";
    CAPTURE(s.name);
    CHECK(golden::matches("wasi/" + std::string(s.name) + ".txt", text));
  }
}

} // namespace backend_wasi_test
