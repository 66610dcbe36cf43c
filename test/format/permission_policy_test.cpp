// SPDX-License-Identifier: BSL-1.0
#include "ask.hpp"
#include "dice.hpp"

#include <cordon/format/permission_policy.hpp>
#include <cordon/format/write.hpp>
#include <cordon/policy/widen.hpp>

using namespace cordon;
using namespace cordon::format;

namespace {

const host_facts home_of_u{platform::linux_, "/home/u", "/srv/job", nullptr};

loaded_policy load(const std::string& content) {
  return lower_lexically(read("p.json", content, home_of_u), home_of_u);
}

/// `code line:column`, or "ok".
std::string flaw_of(const std::string& content) {
  try {
    (void)load(content);
  } catch (const bad_document& e) {
    return std::string(name(e.code())) + " " + std::to_string(e.line()) + ":" + std::to_string(e.column());
  }
  return "ok";
}

bool lets_process(const loaded_policy& p, right r, const char* place) { return process_may(p, r, place).allowed(); }
bool lets_host_tool(const loaded_policy& p, right r, const char* place) { return host_tool_may(p, r, place).allowed(); }

bool may_start(const loaded_policy& p, std::string_view program) {
  return may_execute(p, std::span(&program, 1)).allowed();
}

/// Does a policy allow nothing on all axes that a permission could open?
bool allows_nothing(const loaded_policy& p) {
  const auto none = nothing<loaded_policy>();
  return p.capabilities() == none.capabilities() && p.workspace() == none.workspace() && p.files() == none.files() &&
         p.hosts() == none.hosts() && p.sockets() == none.sockets() && p.environment() == none.environment() &&
         p.executables() == none.executables() && p.level == none.level && p.abilities == none.abilities &&
         p.interpreters == none.interpreters;
}

} // namespace

TEST_CASE("permission_policy: an empty one allows nothing, also after a meet") {
  for (const char* text :
       {R"({"read": []})", R"({"write": []})", R"({"exec": []})", R"({"net": []})", R"({"read": false})",
        R"({"exec": false, "net": false})", R"({"read": [], "write": [], "exec": [], "net": []})"}) {
    CAPTURE(text);
    const loaded_policy p = load(text);
    CHECK(allows_nothing(p));
    CHECK(allows_nothing(p & unconfined<loaded_policy>(widening::all_axes{})));
    CHECK(allows_nothing(load(write_json(p))));
    for (const char* other : {R"({"read": true})", R"({"write": true})", R"({"exec": true})", R"({"net": true})"})
      CHECK((p <= load(other) && !(load(other) <= p)));
  }
  CHECK(!allows_nothing(load("{}"))); // CapabilityPolicy
}

TEST_CASE("permission_policy: each key grants its own rights, and nothing else") {
  const loaded_policy read = load(R"({"read": ["/a/**"]})"), write = load(R"({"write": ["/a/**"]})"),
                      exec = load(R"({"exec": ["/a/**"]})"), net = load(R"({"net": ["example.com"]})");
  CHECK((read.level == level::read_only && write.level == level::workspace_write && exec.level == level::process_exec &&
         net.level == level::network));
  CHECK((lets_host_tool(read, right::read, "/a/x") && lets_host_tool(read, right::list, "/a") &&
         !lets_host_tool(read, right::read, "/b")));
  CHECK((!lets_host_tool(read, right::write, "/a/x") && !lets_process(read, right::read, "/a/x")));
  CHECK((lets_host_tool(write, right::create, "/a/x") && lets_host_tool(write, right::remove, "/a/x")));
  CHECK((!lets_host_tool(write, right::read, "/a/x") && !lets_host_tool(write, right::write, "/ab")));
  CHECK((lets_process(exec, right::run, "/a/x") && may_start(exec, "/a/x")));
  CHECK((!lets_process(exec, right::read, "/a/x") && !lets_process(exec, right::run, "/usr/bin/sh")));
  CHECK((lets_process(exec, right::read, "/usr/lib/libc.so") && !lets_process(exec, right::create, "/usr/lib/x")));
  CHECK((lets_process(exec, right::run, "/lib64/ld-linux-x86-64.so.2") &&
         !lets_process(exec, right::read, "/etc/shadow")));
  CHECK(lets_process(load(R"({"read": ["/etc/**"], "exec": ["sh"]})"), right::read,
                     "/etc/shadow")); // as the document grants
  CHECK((!lets_host_tool(exec, right::read, "/usr/lib/libc.so") &&
         exec.environment().lookup("HOME") == variable::passes &&
         exec.environment().lookup("TOKEN") == variable::absent));
  CHECK(may_reach(net, "api.example.com").allowed());
  CHECK(!may_reach(net, "example.net").allowed());
  for (const loaded_policy* p : {&read, &write, &exec}) CHECK(!may_reach(*p, "example.com").allowed());
  for (const loaded_policy* p : {&read, &write, &net}) {
    CHECK((!may_start(*p, "sh") && !has_capability(*p, "process.exec").allowed() && p->abilities.empty()));
    CHECK((p->executables().empty() && !p->interpreters));
  }
  CHECK((net.files().empty() && net.workspace().empty() && net.capabilities().empty()));
  for (const loaded_policy* p : {&read, &write, &net}) CHECK(p->environment().empty());
  for (const loaded_policy* p : {&read, &write, &exec, &net})
    CHECK((p->sockets().empty() && p->abilities <= abilities(ability::spawn)));
}

TEST_CASE("permission_policy: the capabilities of each key") {
  const auto capabilities = [](const char* text) {
    std::string all;
    const document d = read("p", text, home_of_u);
    for (const std::string& c : *d.capabilities) all += c + " ";
    return all;
  };
  CHECK(capabilities(R"({"read": ["/a"]})") == "workspace.read_text workspace.list workspace.exists ");
  CHECK(capabilities(R"({"write": ["/a"]})") == "workspace.write_text workspace.delete ");
  CHECK(capabilities(R"({"exec": ["sh"]})") == "process.exec ");
  CHECK(capabilities(R"({"net": true})") == "");
  CHECK(capabilities(R"({"exec": true, "write": true, "read": []})") ==
        "workspace.write_text workspace.delete process.exec ");
}

TEST_CASE("permission_policy: a path under several globs has the rights of all of them") {
  const loaded_policy p =
      load(R"({"read": ["/a/**", "/a/b/c"], "write": ["/a/b/**", "/a/b/**"], "exec": ["/a/b/c/tool"]})");
  CHECK(p.files().lookup("/a/x") == verb::read.bits());
  CHECK(p.files().lookup("/a/b/c/d") == (verb::write - right::run).bits());
  CHECK(p.files().lookup("/a/b/c/tool") == verb::write.bits());
  CHECK(p.workspace().lookup("/a/b/c/tool") == (verb::write - right::run).bits());
  CHECK(p.files().lookup("/") == 0);
  CHECK(p.capabilities().lookup("process.exec") == 1);
}

TEST_CASE("permission_policy: globs that are subtrees, and programs") {
  const document d = read("p", R"({"read": ["/**", "~/x/**", "src/**", "**", "a.txt", "~", "../up/**"]})", home_of_u);
  std::string all;
  for (const grant& g : *d.workspace) all += g.place + " ";
  CHECK(all == "/ /home/u /home/u/x /srv/job /srv/job/a.txt /srv/job/src /srv/up ");
  const loaded_policy named = load(R"({"exec": ["git", "./tool", "/usr/bin/make"]})");
  CHECK((may_start(named, "git") && may_start(named, "/srv/job/tool") && may_start(named, "/usr/bin/make")));
  CHECK((!may_start(named, "make") && !may_start(named, "sh") && !may_start(named, "/usr/bin/git")));
  CHECK((lets_process(named, right::run, "/srv/job/tool") && lets_process(named, right::run, "/usr/bin/git")));
  CHECK(!lets_process(named, right::read, "/etc/shadow"));
  CHECK((!lets_process(named, right::run, "/usr/bin/sh") && !lets_process(named, right::write, "/usr/bin/git")));
  const loaded_policy mixed = load(R"({"exec": ["git", "/opt/**"]})");
  CHECK((may_start(mixed, "git") && may_start(mixed, "/opt/bin/x") && lets_process(mixed, right::run, "/usr/bin/git")));
  const loaded_policy star = load(R"({"exec": ["**"], "net": ["**"]})");
  CHECK((may_start(star, "anything") && lets_process(star, right::run, "/x/y") && star.hosts().is_any()));
  const loaded_policy any = load(R"({"exec": true, "net": true, "read": true, "write": true})");
  CHECK((may_start(any, "anything") && any.files().lookup("/x") == verb::write.bits()));
  CHECK((any.hosts().is_any() && any.sockets().empty()));
}

TEST_CASE("permission_policy: interpreters of a program are run where the system has installed them") {
  host_facts facts = home_of_u;
  facts.interpreters_of = [](std::string_view program) -> std::vector<std::string> {
    if (program != "/srv/job/tool") return {};
    return {"/home/u/interpreter", "/usr/bin/env", "/usr/local/bin/node"};
  };
  const auto runs = [&](const char* text, const char* place) {
    return lets_process(lower_lexically(read("p.json", text, facts), facts), right::run, place);
  };
  for (const char* place : {"/srv/job/tool", "/usr/bin/env", "/usr/local/bin/node"})
    CHECK(runs(R"({"exec": ["./tool"]})", place));
  for (const char* place : {"/home/u/interpreter", "/usr/bin/sh"}) CHECK(!runs(R"({"exec": ["./tool"]})", place));
  CHECK(!runs(R"({"exec": ["./other"]})", "/usr/bin/env"));
}

TEST_CASE("permission_policy: a glob that cannot be granted exactly is an error with its position") {
  for (const char* glob : {"/srv/app/*", "/srv/*/x", "/srv/**/x", "*", "**/x", "/a?/**", "/a[bc]", "/a[/**", "/a{/**",
                           "/a]", "/a{b,c}/**", "!/a/**", "/a/**/", "/a/**/*", "/a/**/**", "/a**", "~**", "a\\\\b"})
    for (const char* key : {"read", "write", "exec"}) {
      const std::string text = std::string("{\"") + key + "\":\n [\"/ok\", \"" + glob + "\"]}";
      CAPTURE(text);
      CHECK(flaw_of(text) == "bad_pattern 2:10");
    }
  CHECK(flaw_of(R"({"exec": ["git*"]})") == "bad_pattern 1:11");
  CHECK(flaw_of(R"({"exec": [""]})") == "bad_pattern 1:11");
  CHECK(flaw_of(R"({"exec": ["a\u0000"]})") == "bad_pattern 1:11");
  CHECK(flaw_of(R"({"read": [""]})") == "bad_path 1:11");
  CHECK(flaw_of(R"({"read": ["~v/**"]})") == "bad_path 1:11");
  CHECK(flaw_of(R"({"write": ["/a\u0000/**"]})") == "bad_path 1:12");
  CHECK(flaw_of(R"({"net": ["a.*.com"]})") == "bad_pattern 1:10");
  CHECK(flaw_of(R"({"net": ["https://example.com"]})") == "bad_pattern 1:10");
}

TEST_CASE("permission_policy: keys and types") {
  CHECK(flaw_of(R"({"read": [], "wirte": []})") == "unknown_key 1:14");
  CHECK(flaw_of(R"({"net": [], "workspace_roots": []})") == "unknown_key 1:13");
  CHECK(flaw_of(R"({"read": [], "read": []})") == "duplicate_key 1:14");
  for (const char* key : {"read", "write", "exec", "net"})
    for (const char* value : {"null", "1", R"("/a")", "{}", "[1]", "[null]", "[[]]", "[true]"})
      CHECK(flaw_of(std::string("{\"") + key + "\": " + value + "}").substr(0, 9) == "bad_type ");
  CHECK(flaw_of(R"({"cordon": 1, "read": []})") == "unknown_key 1:15");
  CHECK(flaw_of(R"({"exec": true})") == "ok");
}

namespace {

/// Components of a path or of a glob.
std::vector<std::string> components(const std::string& text) { return vectors::split(text.substr(1), '/'); }

/// A simple matcher: `**` matches any number of components, a star any text of one.
bool matches(const std::vector<std::string>& glob, std::size_t i, const std::vector<std::string>& place,
             std::size_t j) {
  if (i == glob.size()) return j == place.size();
  if (glob[i] == "**") return matches(glob, i + 1, place, j) || (j < place.size() && matches(glob, i, place, j + 1));
  return j < place.size() && glob[i] == place[j] && matches(glob, i + 1, place, j + 1);
}

/// A path covers itself and all files in it.
bool covered(const std::vector<std::string>& globs, const std::string& place) {
  for (const std::string& g : globs)
    if (matches(components(g), 0, components(place), 0) || matches(components(g + "/**"), 0, components(place), 0))
      return true;
  return false;
}

struct permissions {
  std::vector<std::string> keys[4];

  [[nodiscard]] std::string text() const {
    std::string out;
    for (std::size_t k = 0; k < 4; ++k) {
      std::string list;
      for (const std::string& e : keys[k]) list += (list.empty() ? "" : ", ") + as_json(e);
      out += (out.empty() ? "{" : ", ") + as_json(format::detail::permission_keys[k]) + ": [" + list + "]";
    }
    return out + "}";
  }
  /// Adds an entry to one of the lists.
  void add(dice& d) {
    static constexpr const char* globs[]{"/a",        "/a/**",  "/b/**",   "/a/b/c", "/a/b/**",
                                         "/a/b/c/**", "/b/x/y", "/a.b/**", "/**",    "/b/x/y/**"};
    static constexpr const char* hosts[]{"com", "a.com", "b.a.com", "net"};
    const std::uint32_t k = d.below(4);
    keys[k].emplace_back(k == 3 ? d.one_of(hosts) : d.one_of(globs));
  }
};

permissions random(dice& d) {
  permissions p;
  for (std::uint32_t n = d.below(7); n != 0; --n) p.add(d);
  return p;
}

} // namespace

TEST_CASE("permission_policy: random ones allow what a glob covers and nothing else, as a plain matcher says") {
  const char* const places[]{"/",        "/a",    "/b",   "/a.b",   "/a/b",     "/a/x", "/a/b/c",
                             "/a/b/c/d", "/a/bc", "/b/x", "/b/x/y", "/b/x/y/z", "/c"};
  int allowed = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    dice d(seed);
    const permissions given = random(d);
    const auto& [reads, writes, execs, nets] = given.keys;
    CAPTURE(given.text());
    const loaded_policy p = load(given.text());
    for (const char* place : places)
      for (unsigned i = 0; i < right_names.size(); ++i) {
        const auto r = static_cast<right>(i);
        const bool may = rights(r) <= verb::read ? covered(reads, place)
                         : r == right::run       ? covered(execs, place)
                         : r == right::connect   ? false
                                                 : covered(writes, place);
        CAPTURE(place);
        CAPTURE(std::string(name(r)));
        CHECK(lets_process(p, r, place) == (may && !execs.empty()));
        CHECK(lets_host_tool(p, r, place) == (may && r != right::run));
        ++(may ? allowed : refused);
      }
    for (const char* host : {"com", "a.com", "x.a.com", "b.a.com", "c.b.a.com", "net", "org", "xa.com"}) {
      bool may = false;
      for (const std::string& n : nets) may = may || n == host || std::string_view(host).ends_with("." + n);
      CHECK(may_reach(p, host).allowed() == may);
    }
    CHECK(has_variable(p, "PATH").allowed() == !execs.empty());
  }
  CHECK((allowed > 2000 && refused > 2000));
}

TEST_CASE("permission_policy: one entry more allows no less") {
  int grew = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    dice d(seed);
    permissions given = random(d);
    const loaded_policy before = load(given.text());
    given.add(d);
    const loaded_policy after = load(given.text());
    CAPTURE(given.text());
    CHECK(before <= after);
    CHECK((before & after) == before);
    grew += before == after ? 0 : 1;
  }
  CHECK(grew > 200);
}

TEST_CASE("permission_policy: many globs load in time that stays near linear") {
  permissions given;
  for (int i = 0; i < 20'000; ++i)
    given.keys[i % 3].push_back("/a/" + std::to_string(i / 7) + "/d" + std::to_string(i) + "/**");
  const loaded_policy p = load(given.text());
  CHECK(p.files().size() >= 20'000); // and the paths of the system
}
