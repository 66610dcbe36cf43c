// SPDX-License-Identifier: BSL-1.0
#include "crowd.hpp"
#include "golden.hpp"
#include "holds.hpp"
#include "proof.hpp"

#include <cordon/backend/appcontainer.hpp>

namespace backend_appcontainer_test {

using namespace cordon;
using namespace cordon::dsl;
using appcontainer::compile;
using appcontainer::target;

namespace {

using backend = appcontainer::backend;
using small = basic_policy<fixed_storage<32, 1200>>;

constexpr target one_drive{.drive = 'C'};

constexpr small job =
    policy_of<small>({can_run("/tools"), can_write("/srv"), can_read("/srv/a/b"), hidden("/srv/a/c")});
constexpr auto made = compile(job, one_drive);
static_assert(std::is_trivially_copyable_v<decltype(made.rules)>);

constexpr bool may(right what, std::string_view place) { return permits(made.rules, what, place); }

/// The policy moved to drives: `/a` is `/C:/a`, `/b` is `/D:/b`.
loaded_policy on_drives(const small& p) {
  loaded_policy to;
  to.plain() = p.plain();
  const auto files = p.files();
  const diagnostic d = to.write<axis_id::files>([&](auto& out) {
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      const std::string place(files.place(i));
      out.add({place == "/" ? place : (place[1] == 'a' ? "/C:" : "/D:") + place, files[i].value, {}});
    }
  });
  CHECK(d.code == diagnostic_code::ok);
  return to;
}

std::string text_of(const auto& policy, const target& t) {
  const auto plan = compile(policy, t);
  return std::string(name(plan.error.code)) + "\n" + proof::text_of(plan.rules) + proof::gap_lines(plan.gaps);
}

loaded_policy of_files(std::initializer_list<std::pair<std::string_view, rights>> files) {
  loaded_policy p;
  const diagnostic d = p.write<axis_id::files>([&](auto& out) {
    for (const auto& [place, r] : files) out.add({place, r.bits(), {}});
  });
  CHECK(d.code == diagnostic_code::ok);
  return p;
}

struct wanted {
  bool hosts = false, list = false, ports = false, listen = false, loopback = false;
};
small network_of(wanted w) {
  small p;
  p.level = level::network;
  p.abilities = ability::spawn;
  if (w.hosts) CHECK(p.write_any<axis_id::hosts>().code == diagnostic_code::ok);
  else if (w.list)
    CHECK(p.write<axis_id::hosts>([](auto& out) { out.add({"com", 1, {}}); }).code == diagnostic_code::ok);
  const diagnostic d = p.write<axis_id::sockets>([&](auto& out) {
    if (w.ports) return out.add(everything<axis_id::sockets>());
    host::port_set ports;
    ports.add({8080, 8080});
    if (w.listen) sockets::add_listening(ports, out);
    if (w.loopback) out.add({sockets::loopback, 1, {}});
  });
  CHECK(d.code == diagnostic_code::ok);
  return p;
}

} // namespace

TEST_CASE("appcontainer: rights have Windows' access bits") {
  using namespace cordon::appcontainer;
  HOLDS(file_access(verb::hide) == 0 && directory_access(verb::hide) == 0);
  HOLDS(file_access(right::read) == 0x120089);                      // FILE_GENERIC_READ
  HOLDS(file_access(right::run) == 0x1200A0);                       // FILE_GENERIC_EXECUTE
  HOLDS(file_access(right::write | right::attributes) == 0x120196); // FILE_GENERIC_WRITE and read_attributes
  HOLDS(file_access(verb::write) == 0x1301BF);                      // what icacls calls M
  HOLDS(directory_access(right::list) == 0x1200A9);                 // and RX
  HOLDS(directory_access(right::read) == 0 && file_access(right::list) == 0 && file_access(right::create) == 0);
  HOLDS(directory_access(right::create) == 0x120086);
  // No program may grant itself more rights. Only the list of an object itself decides whether the object may be removed.
  HOLDS((directory_access(verb::everything) & (0xC'0000 | delete_child)) == 0);
  HOLDS((file_access(verb::everything) & 0xC'0000) == 0);
}

TEST_CASE("appcontainer: a nested path has exactly its rights") {
  HOLDS(made.error.code == diagnostic_code::ok);
  HOLDS(may(right::write, "/srv/q") && may(right::create, "/srv/q") && may(right::remove, "/srv/q"));
  HOLDS(may(right::read, "/srv/a/b/x") && may(right::list, "/srv/a/b"));
  HOLDS(!may(right::write, "/srv/a/b/x") && !may(right::create, "/srv/a/b/x") && !may(right::run, "/srv/a/b/x"));
  HOLDS(!may(right::read, "/srv/a/c") && !may(right::list, "/srv/a/c/d"));
  HOLDS(may(right::run, "/tools/cc") && !may(right::write, "/tools/cc") && !may(right::read, "/etc/passwd"));
}

TEST_CASE("appcontainer: a nested path and the directories above it cannot be renamed") {
  HOLDS(!may(right::remove, "/srv/a/b") && !may(right::create, "/srv/a/b"));
  HOLDS(!may(right::remove, "/srv/a") && !may(right::remove, "/srv"));
  HOLDS(may(right::create, "/srv/a/new") && may(right::remove, "/srv/a/new"));
  HOLDS(made.gaps.has("appcontainer.pinned", "/srv") && made.gaps.has("appcontainer.pinned", "/srv/a"));
  HOLDS(!made.gaps.has("appcontainer.replace"));
}

TEST_CASE("appcontainer: the root of a drive cannot be created or removed") {
  constexpr auto whole = compile(policy_of<small>({can_write("/")}), one_drive);
  HOLDS(!permits(whole.rules, right::remove, "/") && !permits(whole.rules, right::create, "/"));
  HOLDS(permits(whole.rules, right::remove, "/x") && permits(whole.rules, right::create, "/x"));
  const auto drives = compile(of_files({{"/", verb::write}}), target{.drive = 0});
  for (const std::string_view top : {"/", "/C:", "/D:"})
    for (const right what : {right::create, right::remove}) CHECK(!permits(drives.rules, what, top));
}

TEST_CASE("appcontainer: a path that can be removed and made again loses its rights, which is a gap") {
  const auto plan = compile(of_files({{"/s", verb::write}, {"/s/p", verb::write - right::read}}), one_drive);
  CHECK(permits(plan.rules, right::read, "/s/p/x"));
  CHECK(plan.gaps.has("appcontainer.replace", "/s/p"));
  const auto kept = compile(of_files({{"/s", verb::write}, {"/s/p", verb::run}}), one_drive);
  CHECK(!permits(kept.rules, right::write, "/s/p/x"));
  CHECK(!kept.gaps.has("appcontainer.replace"));
}

TEST_CASE("appcontainer: every container may read Windows' directories, and none may change them") {
  HOLDS(may(right::run, "/Windows/System32/cmd.exe") && !may(right::write, "/Windows/System32/cmd.exe"));
  HOLDS(may(right::read, "/program files/x") && !may(right::read, "/Windows2") && !may(right::create, "/Windows"));
  HOLDS(made.gaps.has("appcontainer.system", "/Windows"));
  constexpr auto granted = compile(policy_of<small>({can_run("/Windows"), can_run("/Program Files"),
                                                     can_run("/Program Files (x86)"), can_write("/srv")}),
                                   one_drive);
  HOLDS(!granted.gaps.has("appcontainer.system") && !granted.gaps.has("appcontainer.system_locked"));
  HOLDS(granted.rules.acls.size() == 1);
  constexpr auto more = compile(policy_of<small>({can_write("/Windows/Temp")}), one_drive);
  HOLDS(more.gaps.has("appcontainer.system_locked", "/Windows") && more.rules.acls.size() == 0);
  constexpr auto elsewhere = compile(job, target{.drive = 'D'});
  HOLDS(!permits(elsewhere.rules, right::read, "/Windows/x"));
  constexpr auto named = compile(policy_of<small>({can_read("/C:/work")}), target{});
  HOLDS(permits(named.rules, right::run, "/C:/Windows/x") && !permits(named.rules, right::run, "/D:/Windows/x"));
}

TEST_CASE("appcontainer: a path without a valid name is not granted, and is an error inside a grant") {
  const auto granted =
      compile(of_files({{"/a:b", verb::write}, {"/a:b/c", verb::hide}, {"/srv", verb::read}}), one_drive);
  CHECK(granted.error.code == diagnostic_code::ok);
  CHECK(granted.gaps.has("appcontainer.name", "/a:b"));
  CHECK(proof::text_of(granted.rules).find("a:b") == std::string::npos);
  CHECK(!permits(granted.rules, right::read, "/a:b"));
  const auto more = compile(of_files({{"/srv", verb::read}, {"/srv/x.", verb::write}}), one_drive);
  CHECK(more.error.code == diagnostic_code::ok);
  CHECK(!permits(more.rules, right::write, "/srv/x."));
  for (const char* place : {"/srv/secret.", "/srv/a:b", "/srv/PROGRA~1", "/srv/nul"}) {
    const auto refused = compile(of_files({{"/srv", verb::read}, {place, verb::hide}}), one_drive);
    CHECK(refused.error.code == diagnostic_code::bad_path);
  }
  const auto nested =
      compile(of_files({{"/srv", verb::read}, {"/srv/x.", verb::write}, {"/srv/x./y", verb::hide}}), one_drive);
  CHECK(nested.error.code == diagnostic_code::bad_path);
}

TEST_CASE("appcontainer: names that differ only in case are one path") {
  HOLDS(may(right::write, "/SRV/q") && !may(right::write, "/Srv/A/b/x"));
  const auto refused = [](std::initializer_list<std::pair<std::string_view, rights>> files) {
    const loaded_policy p = of_files(files);
    const diagnostic d = compile(p, one_drive).error; // its subject is the policy's text
    return std::string(name(d.code)) + " " + std::string(d.subject);
  };
  CHECK(refused({{"/srv/a", verb::read}, {"/srv/A", verb::write}}).starts_with("duplicate_place "));
  CHECK(refused({{"/srv/A", verb::write}, {"/srv/a/b", verb::read}}) == "duplicate_place /srv/a/b");
}

TEST_CASE("appcontainer: capabilities allow any host or no host") {
  const auto caps = [](wanted w, target t = {.drive = 'C'}) {
    const auto plan = compile(network_of(w), t);
    std::string out;
    for (std::size_t i = 0; i < process_feature_names.size(); ++i)
      if (permits(plan.rules, static_cast<process_feature>(i))) out += std::string(process_feature_names[i]) + " ";
    const std::string text = proof::text_of(plan.rules);
    for (const char* sid : {"S-1-15-3-1\n", "S-1-15-3-2\n", "S-1-15-3-3\n"})
      if (text.find(sid) != std::string::npos) out += sid[9];
    return out;
  };
  target gateway = one_drive, exempt = one_drive;
  gateway.gateway = true;
  exempt.loopback = true;
  CHECK(caps({}) == "spawn ");
  CHECK(caps({.hosts = true}) == "spawn any_host some_host 1");
  CHECK(caps({.list = true}) == "spawn ");
  CHECK(caps({.list = true}, gateway) == "spawn some_host ");
  CHECK(caps({.hosts = true, .ports = true}) == "spawn any_host some_host listen any_port 23");
  CHECK(caps({.list = true, .ports = true}) == "spawn ");
  CHECK(caps({.hosts = true, .listen = true}) == "spawn any_host some_host 1");
  CHECK(caps({.loopback = true}) == "spawn ");
  CHECK(caps({.loopback = true}, exempt) == "spawn loopback ");
  CHECK(caps({.list = true}, exempt) == "spawn ");
  CHECK(compile(network_of({.list = true}), one_drive).gaps.has("appcontainer.hosts"));
  CHECK(!compile(network_of({.list = true}), gateway).gaps.has("appcontainer.hosts"));
}

TEST_CASE("appcontainer: each difference in process features has a gap") {
  for (int bits = 0; bits < 128; ++bits) {
    CAPTURE(bits);
    const auto bit = [&](int i) { return (bits >> i & 1) != 0; };
    small p = network_of({bit(0), bit(1), bit(2), bit(3), bit(4)});
    CHECK(proof::fault<backend>(p, {.drive = 'C', .gateway = bit(5), .loopback = bit(6)}) == "");
    p.level = level::process_exec;
    const auto closed = compile(p, {.drive = 'C', .gateway = bit(5), .loopback = bit(6)});
    CHECK(proof::text_of(closed.rules).find("capability") == std::string::npos);
    CHECK(proof::text_of(closed.rules).find("loopback") == std::string::npos);
  }
}

TEST_CASE("appcontainer: limits of the job object") {
  small p = job;
  p.abilities = ability::spawn;
  const auto line = [&](std::string_view start) {
    const std::string text = proof::text_of(compile(p, one_drive).rules);
    const std::size_t from = text.find(start);
    return from == text.npos ? std::string() : text.substr(from, text.find('\n', from) - from);
  };
  CHECK(line("job flags") == "job flags 0x2400");
  CHECK(line("attribute CHILD") == "");
  p.limits.set(limit::memory, 1 << 20).set(limit::processes, 1ULL << 40).set(limit::cpu, 30);
  CHECK(line("job flags") == "job flags 0x270c");
  CHECK(line("job memory") == "job memory 1048576");
  CHECK(line("job processes") == "job processes 4294967295");
  CHECK(line("job user-time") == "job user-time 1");
  p.limits.set(limit::cpu, 2'000'000'000);
  CHECK(line("job user-time") == "job user-time 20000000");
  p.abilities = {};
  CHECK(line("job processes") == "job processes 1");
  CHECK(line("attribute CHILD") == "attribute CHILD_PROCESS_POLICY 0x1");
  CHECK(!compile(p, one_drive).gaps.has("appcontainer.limits"));
  p.limits.set(limit::file_size, 1);
  CHECK(compile(p, one_drive).gaps.has("appcontainer.limits"));
}

TEST_CASE("appcontainer: rules and policy agree but for the gaps") {
  CHECK(proof::backend_fault<backend>(one_drive, 300) == "");
  CHECK(proof::backend_fault<backend>({.drive = 'C', .less_privileged = false, .gateway = true, .loopback = true},
                                      300) == "");
}

TEST_CASE("appcontainer: rules and policy agree for paths with a drive") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    dice d(seed);
    const proof::small b = proof::random_policy(d), a = proof::random_policy(d) & b;
    small narrow, wide;
    REQUIRE(copy(a, narrow).code == diagnostic_code::ok);
    REQUIRE(copy(b, wide).code == diagnostic_code::ok);
    const loaded_policy less = on_drives(narrow), more = on_drives(wide);
    CHECK(proof::fault<backend>(more, {}) == "");
    CHECK(proof::widening<backend>(less, more, {}) == "");
  }
}

TEST_CASE("appcontainer: rules that do not fit their storage are an error") {
  constexpr auto crowded = policy_of<basic_policy<fixed_storage<7, 56>>>({can_read("/a"), hidden("/a/b")});
  HOLDS(compile(crowded, one_drive).error.code == diagnostic_code::policy_too_large);
}

TEST_CASE("appcontainer: a hundred thousand grants are compiled quickly") {
  const loaded_policy p = crowd::policy();
  decltype(compile(p, one_drive)) made;
  CHECK(crowd::is_quick([&] { made = compile(p, one_drive); }));
  CHECK(made.error.code == diagnostic_code::ok);
  CHECK(made.rules.acls.size() == 100'301);
  CHECK(!permits(made.rules, right::write, "/srv/7/7/x"));
  CHECK(permits(made.rules, right::write, "/srv/7/8/x"));
}

TEST_CASE("appcontainer: plans of sample policies") {
  for (const samples::sample& s : samples::all) {
    CAPTURE(s.name);
    CHECK(golden::matches("appcontainer/" + std::string(s.name) + ".txt", text_of(s.policy, one_drive)));
  }
}

} // namespace backend_appcontainer_test
