// SPDX-License-Identifier: BSL-1.0
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/unveil.hpp>

namespace backend_unveil_test {

using namespace cordon;
using namespace cordon::dsl;

namespace {

using small = basic_policy<fixed_storage<64, 1024>>;

constexpr unveil::target openbsd{};

template <class S> std::string text(const basic_policy<S>& p) {
  return proof::text_of(unveil::compile(p, openbsd).rules);
}
bool has(const std::string& text, const std::string& piece) { return text.find(piece) != text.npos; }

template <class S> constexpr bool may(const basic_policy<S>& p, right r, std::string_view place) {
  return permits(unveil::compile(p, openbsd).rules, r, place);
}
template <class S> constexpr bool may(const basic_policy<S>& p, process_feature f) {
  return permits(unveil::compile(p, openbsd).rules, f);
}
template <class S> constexpr auto gaps(const basic_policy<S>& p) { return unveil::compile(p, openbsd).gaps; }

/// The second argument of pledge, between blanks.
template <class S> std::string promises(const basic_policy<S>& p) {
  const std::string t = text(p);
  const std::size_t from = t.find("pledge(\"stdio exec\", \"");
  REQUIRE(from != t.npos);
  return " " + t.substr(from + 22, t.size() - from - 25) + " ";
}

template <axis_id... Any> constexpr small network() {
  small p;
  p.level = level::network;
  (static_cast<void>(p.write_any<Any>()), ...);
  return p;
}

loaded_policy files(const std::vector<std::pair<std::string, rights>>& places) {
  loaded_policy p;
  REQUIRE(p.write<axis_id::files>([&](auto& to) {
             for (const auto& [place, r] : places) to.add({place, r.bits(), {}});
           }).code == diagnostic_code::ok);
  return p;
}

} // namespace

TEST_CASE("unveil: rules and policy agree but for the gaps") {
  CHECK(proof::backend_fault<unveil::backend>(openbsd, 3000) == "");
  CHECK(proof::backend_fault<unveil::backend>({100'000}, 100) == "");
}

TEST_CASE("unveil: the most specific path decides") {
  constexpr small p = policy_of<small>(
      {can_run("/usr"), can_write("/w"), can_read("/w/.git"), hidden("/w/key"), can_write("/w/.git/tmp")});
  HOLDS(may(p, right::write, "/w/x") && may(p, right::create, "/w/x") && may(p, right::attributes, "/w/x"));
  HOLDS(may(p, right::read, "/w/.git/x") && !may(p, right::write, "/w/.git/x") && !may(p, right::remove, "/w/.git"));
  HOLDS(!may(p, right::read, "/w/key/x") && may(p, right::remove, "/w/.git/tmp/x") && !may(p, right::read, "/etc"));
  HOLDS(may(p, right::run, "/usr/bin/cc") && may(p, right::list, "/usr") && !may(p, right::run, "/w/.git/x"));
  const std::string t = text(p);
  CHECK(t.substr(t.find("unveil(\"/usr\"")) ==
        "unveil(\"/usr\", \"rx\")\nunveil(\"/w\", \"rwxc\")\nunveil(\"/w/.git\", \"r\")\n"
        "unveil(\"/w/.git/tmp\", \"rwxc\")\nunveil(\"/w/key\", \"\")\nunveil(NULL, NULL)\n"
        "pledge(\"stdio exec\", \"stdio exec flock getpw prot_exec tty rpath wpath cpath fattr chown\")\n");
}

TEST_CASE("unveil: rights that share a permission are granted together or not at all") {
  constexpr small p = policy_of<small>({grant("/read", right::read), grant("/list", right::list),
                                        grant("/log", right::write), grant("/spool", right::create),
                                        grant("/both", right::read | right::list | right::write | right::attributes)});
  HOLDS(!may(p, right::read, "/read") && !may(p, right::list, "/list") && !may(p, right::write, "/log"));
  HOLDS(!may(p, right::create, "/spool") && may(p, right::read, "/both") && may(p, right::attributes, "/both/x"));
  HOLDS(gaps(p).has("unveil.read_with_list", "/read") && gaps(p).has("unveil.read_with_list", "/list"));
  HOLDS(gaps(p).has("unveil.write_with_attributes", "/log") && gaps(p).has("unveil.create_with_remove", "/spool"));
  HOLDS(!gaps(p).has("unveil.read_with_list", "/both") && !gaps(p).has("unveil.write_with_attributes", "/both"));
}

TEST_CASE("unveil: promises are those that the policy needs, and they outlive exec") {
  const auto set = [](const small& p) { return promises(p); };
  CHECK(set(policy_of<small>({grant("/x", right::run)})) == " stdio exec flock getpw prot_exec tty ");
  CHECK(set(policy_of<small>({can_run("/usr")})) == " stdio exec flock getpw prot_exec tty rpath ");
  CHECK(has(set(policy_of<small>({can_run("/usr"), can_use(ability::spawn)})), " proc "));
  CHECK(has(set(network<axis_id::hosts>()), " inet dns "));
  CHECK(!has(set(policy_of<small>({can_connect("example.com")})), "inet"));
  for (const samples::sample& s : samples::all) {
    const std::string all = promises(s.policy), t = text(s.policy);
    CAPTURE(t);
    for (const char* never :
         {" id ", " unveil ", " bpf ", " route ", " settime ", " ps ", " vminfo ", " dpath ", " mcast ", " error "})
      CHECK(!has(all, never));
    CHECK(!has(t, "pledge(\"stdio exec\", NULL)"));
    CHECK(t.find("unveil(NULL, NULL)\npledge(") == t.rfind("unveil(NULL"));
    CHECK(t.rfind("pledge(") == t.rfind('\n', t.size() - 2) + 1);
  }
}

TEST_CASE("unveil: a policy without grants still calls unveil") {
  constexpr auto made = unveil::compile(small{}, openbsd);
  constexpr std::uint32_t count = [] {
    std::uint32_t n = 0;
    each_unveil(unveil::compile(small{}, openbsd).rules, [&](std::string_view, std::uint32_t) { ++n; });
    return n;
  }();
  HOLDS(count > 0);
  HOLDS(made.error.code == diagnostic_code::ok && !may(small{}, right::read, "/") &&
        !may(small{}, right::run, "/bin/sh"));
}

TEST_CASE("unveil: a device has the rights of every process and those of the policy") {
  const std::string t = text(policy_of<small>({can_write("/dev"), hidden("/dev/null"), can_read("/dev/zero")}));
  CHECK((has(t, "unveil(\"/dev/null\", \"rw\")\n") && !has(t, "\"/dev/null\", \"\"")));
  CHECK((has(t, "unveil(\"/dev/zero\", \"r\")\n") && has(t, "unveil(\"/dev/random\", \"rwxc\")\n")));
  CHECK(t.find("/dev/null") == t.rfind("/dev/null"));
}

TEST_CASE("unveil: the network is allowed as a whole or not at all") {
  constexpr small any = network<axis_id::hosts>(), all = network<axis_id::hosts, axis_id::sockets>(),
                  own = network<axis_id::sockets>();
  HOLDS(may(any, process_feature::any_host) && may(any, process_feature::loopback) && gaps(any).has("unveil.network"));
  HOLDS(may(all, process_feature::any_port) && !gaps(all).has("unveil.network") && !gaps(all).has("unveil.sockets"));
  HOLDS(!may(own, process_feature::listen) && gaps(own).has("unveil.sockets"));
  constexpr small listed = policy_of<small>({can_connect("example.com"), can_listen("8080")});
  HOLDS(!may(listed, process_feature::some_host) && gaps(listed).has("unveil.hosts") &&
        gaps(listed).has("unveil.sockets"));
  HOLDS(!gaps(policy_of<small>({can_run("/usr")})).has("unveil.hosts"));
}

TEST_CASE("unveil: unix sockets are allowed only if the policy allows all") {
  constexpr small some =
      policy_of<small>({can_write("/w"), grant("/run/s", right::connect | right::write | right::attributes)});
  HOLDS(!may(some, right::connect, "/run/s") && gaps(some).has("unveil.connect"));
  HOLDS(may(policy_of<small>({grant("/", verb::everything)}), right::connect, "/run/s"));
  HOLDS(!gaps(policy_of<small>({can_write("/w")})).has("unveil.connect"));
}

TEST_CASE("unveil: access that the kernel cannot deny is a gap") {
  constexpr small p = policy_of<small>({can_run("/usr"), can_write("/w")});
  HOLDS(may(p, right::read, "/etc/pwd.db") && gaps(p).has("unveil.accounts", "/etc/pwd.db"));
  HOLDS(!may(p, right::read, "/etc/spwd.db") && !may(p, right::list, "/etc"));
  HOLDS(gaps(p).has("unveil.links") && !gaps(policy_of<small>({can_write("/w")})).has("unveil.links"));
  HOLDS(!gaps(policy_of<small>({can_write("/w"), hidden("/w/x")})).has("unveil.links"));
  HOLDS(!gaps(policy_of<small>({can_run("/usr")})).has("unveil.links"));
  HOLDS(!gaps(policy_of<small>({can_write("/w"), can_read("/etc")})).has("unveil.accounts"));
}

TEST_CASE("unveil: a path cannot end its string literal early") {
  const auto line = [](const std::string& place) {
    const std::string t = text(files({{place, verb::read}}));
    const std::size_t at = t.find("\nunveil(\"/", t.find("ld.so.hints"));
    return t.substr(at + 8, t.find('\n', at + 1) - at - 8);
  };
  CHECK(line("/a b") == "\"/a b\", \"r\")");
  CHECK(line("/a\"b") == "\"/a\\\"b\", \"r\")");
  CHECK(line("/a\\") == "\"/a\\\\\", \"r\")");
  CHECK(line("/\", \"rwxc\")\nunveil(\"/") == "\"/\\\", \\\"rwxc\\\")\\012unveil(\\\"/\", \"r\")");
  CHECK(line("/\xC3\xA9"
             "1\x7F\x01") == "\"/\\303\\2511\\177\\001\", \"r\")");
}

TEST_CASE("unveil: more paths than the kernel accepts are an error") {
  std::vector<std::pair<std::string, rights>> places;
  for (int i = 0; i < 123; ++i) places.emplace_back("/p" + std::to_string(i), verb::read);
  CHECK(unveil::compile(files(places), openbsd).error.code == diagnostic_code::ok);
  places.emplace_back("/q", verb::read);
  CHECK(unveil::compile(files(places), openbsd).error.code == diagnostic_code::policy_too_large);
  for (int i = 0; i < 100'000; ++i) places.emplace_back("/srv/" + std::to_string(i), verb::read);
  CHECK(unveil::compile(files(places), {1'000'000}).error.code == diagnostic_code::ok);
  constexpr auto crowded = policy_of<basic_policy<fixed_storage<7, 40>>>({can_write("/a"), hidden("/a/b")});
  HOLDS(unveil::compile(crowded, openbsd).error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("unveil: plans of sample policies") {
  for (const samples::sample& s : samples::all) {
    const auto made = unveil::compile(s.policy, openbsd);
    CAPTURE(s.name);
    CHECK(golden::matches("unveil/" + std::string(s.name) + ".txt",
                          proof::text_of(made.rules) + proof::gap_lines(made.gaps)));
  }
}

} // namespace backend_unveil_test
