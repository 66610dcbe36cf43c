// SPDX-License-Identifier: BSL-1.0
/// Every backend with every query, for many policies; and with each of its rules removed in turn.
#include "ask.hpp"
#include "effort.hpp"
#include "verify/policies.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/verify/hosts.hpp>
#include <cordon/verify/missing.hpp>
#include <cordon/verify/prove.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace cordon;
using verifying::text_of;

namespace {

struct counts {
  std::size_t policies = 0, plans = 0, refused = 0, questions = 0, rules = 0;
  std::set<std::string> programs; ///< of system calls; many policies share one
};

/// The text without the first rule whose loss the proof does not detect; empty if it detects all.
template <class Backend, class Rules>
std::string unnoticed(const loaded_policy& p, const plan<Rules>& made, counts& all) {
  if (Backend::name == seccomp::backend_name && !all.programs.insert(text_of(made.rules)).second) return {};
  std::string found;
  plan<Rules> one = made;
  verifying::each_with_one_missing(made.rules, [&](const Rules& less) {
    if (!found.empty()) return;
    one.rules = less;
    ++all.rules;
    if (verifying::prove<Backend>(p, one, [](auto&&) {}).unexplained == 0) found = text_of(less);
  });
  return found;
}

/// Proves the policy on every backend and target, and that the proof detects each missing rule.
void prove(const std::string& name, const loaded_policy& p, bool each_rule, counts& all) {
  CAPTURE(name);
  ++all.policies;
  std::size_t made_here = 0;
  backends::each([&]<class Backend>() {
    for (const auto& t : Backend::targets) {
      const std::string where = std::string(Backend::name) + " " + std::string(t.name);
      CAPTURE(where);
      const auto made = compile(p, t.target);
      if (made.error.code != diagnostic_code::ok) {
        ++all.refused;
        continue;
      }
      ++made_here, ++all.plans;
      std::string wrong;
      all.questions += verifying::prove<Backend>(p, made, [&](const verifying::difference& d) {
                         if (wrong.empty()) wrong = d.question + (d.permitted ? " permitted" : " denied");
                       }).asked;
      CHECK(wrong == "");
      if (each_rule) CHECK(unnoticed<Backend>(p, made, all) == "");
    }
    return true;
  });
  CHECK(made_here > 0);
  const host_axis hosts = p.hosts();
  const host_index allowed(hosts.allowed), denied(hosts.denied.as<host_tree>());
  CHECK(verifying::verify_hosts(hosts, allowed, denied, [](auto&&) {}).unexplained == 0);
}

loaded_policy loaded(const std::string& text) {
  const format::host_facts facts{platform::linux_, "/home/u", "/srv/job", nullptr};
  return format::lower_lexically(format::read("sample", text, facts), facts);
}

/// 5 000 grants and restrictions of them, more than a person writes.
loaded_policy large(bool nested) {
  loaded_policy p;
  const diagnostic d = p.write<axis_id::files>([&](auto& out) {
    if (nested) out.add({"/srv", verb::write.bits(), {}});
    constexpr rights values[]{verb::read, verb::write, verb::hide, verb::run};
    for (int i = 0; i < effort(5'000); ++i)
      out.add({"/srv/" + std::to_string(i % 71) + "/" + std::to_string(i), values[i % 4].bits(), {}});
  });
  REQUIRE(d.code == diagnostic_code::ok);
  p.fallback = fallback::warn;
  return p;
}

} // namespace

TEST_CASE("verify: each difference has a gap, and the loss of each rule is detected") {
  counts all;
  int number = 0;
  for (const policies::sample& s : policies::samples) {
    // A sample without files is about another axis; it must not get the files of the built-in policy.
    const std::string text = "fallback warn\n" + std::string(s.text);
    prove(std::string(s.name), loaded(text), number++ % (10 / effort(10)) == 0, all);
  }
  MESSAGE(all.policies, " policies, ", all.plans, " plans, ", all.refused, " refused, ", all.questions, " questions, ",
          all.rules, " rules taken away");
  CHECK(all.policies >= 40);
  CHECK(all.refused * 20 < all.plans);
}

TEST_CASE("verify: documents of other programs have no difference without a gap") {
  counts all;
  for (const auto& [file, least] : {std::pair{"cordon_documents.json", 14U}, {"harn_documents.json", 38U}})
    for (const auto& value : ask::cases(file, least)) {
      const auto& c = value.as_object();
      if (c.contains("error") || !c.contains("document")) continue;
      prove(ask::text(c, "name"), ask::load(c.at("document"), ask::host(c)), false, all);
    }
  MESSAGE(all.policies, " policies, ", all.plans, " plans, ", all.refused, " refused, ", all.questions, " questions");
  CHECK(all.policies >= 20);
}

TEST_CASE("verify: five thousand grants have no difference without a gap") {
  counts all;
  prove("flat", large(false), false, all);
  prove("nested", large(true), false, all);
  MESSAGE(all.questions, " questions");
  CHECK(all.questions > effort(1'000'000));
}

TEST_CASE("verify: each instruction of a filter against set-user-ID files is needed") {
  counts all;
  for (const auto cpu : {seccomp::arch::x86_64, seccomp::arch::aarch64, seccomp::arch::riscv64})
    for (const char* text : {"read /usr\n", "syscalls strict\nabilities spawn\ndeny fchmod openat2\n"}) {
      CAPTURE(text);
      const loaded_policy p = loaded(text);
      auto made = compile(p, seccomp::target{.cpu = cpu, .set_id = false});
      CHECK(made.gaps.has("seccomp.set_id"));
      CHECK(verifying::prove<seccomp::backend>(p, made, [](auto&&) {}).unexplained == 0);
      CHECK(unnoticed<seccomp::backend>(p, made, all) == "");
      made.rules.filter = compile(p, seccomp::target{.cpu = cpu}).rules.filter;
      CHECK(verifying::prove<seccomp::backend>(p, made, [](auto&&) {}).unexplained != 0);
    }
  CHECK(all.rules > 500);
}

TEST_CASE("verify: a change of any constant in a filter is detected") {
  const loaded_policy p = loaded("level network\nnetwork any\nread /usr\n");
  const auto right = compile(p, seccomp::target{.set_id = false});
  const auto code = right.rules.filter.code();
  std::size_t changed = 0;
  for (std::size_t k = 0; k < code.size(); ++k) {
    const auto what = static_cast<seccomp::op>(code[k].code);
    if (what != seccomp::op::if_equal && what != seccomp::op::if_any_bit) continue;
    CAPTURE(k);
    auto made = right;
    made.rules.filter = {};
    for (std::size_t i = code.size(); i-- > 0;) {
      seccomp::insn x = code[i];
      if (i == k) x.k = what == seccomp::op::if_equal ? x.k ^ 1 : x.k & (x.k - 1);
      made.rules.filter.prepend(x);
    }
    std::size_t told = 0;
    const std::size_t counted = verifying::prove<seccomp::backend>(p, made, [&](auto&&) { ++told; }).unexplained;
    CHECK(counted != 0);
    CHECK(told == counted);
    ++changed;
  }
  CHECK(changed > 20);
}

TEST_CASE("verify: a pattern that is missing in a host_index is detected") {
  const loaded_policy whole = loaded("level network\nconnect a.example.com *.b.example:443 10.0.0.0/8 [2001:db8::]/32\n"
                                     "refuse x.a.example.com\n");
  const host_axis axis = whole.hosts();
  const host_index allowed(axis.allowed), denied(axis.denied.as<host_tree>());
  const auto unexplained = [&](const host_index& yes, const host_index& no) {
    return verifying::verify_hosts(axis, yes, no, [](auto&&) {}).unexplained;
  };
  CHECK(unexplained(allowed, denied) == 0);
  CHECK(unexplained(allowed, host_index(step_function<host_tree>())) != 0);
  for (const char* less : {"*.b.example:443 10.0.0.0/8 [2001:db8::]/32", "a.example.com 10.0.0.0/8 [2001:db8::]/32",
                           "a.example.com *.b.example:443 [2001:db8::]/32", "a.example.com *.b.example:443 10.0.0.0/8",
                           "a.example.com *.b.example 10.0.0.0/8 [2001:db8::]/32"}) {
    CAPTURE(less);
    const loaded_policy p = loaded("level network\nconnect " + std::string(less) + "\n");
    CHECK(unexplained(host_index(p.hosts().allowed), denied) != 0);
  }
}

TEST_CASE("verify: no preset or sample grants the host's devices, keys or mach services") {
  // The presets that a document gets by default, on each system; and all samples that name none of those paths.
  std::vector<std::pair<std::string, loaded_policy>> all;
  for (const platform system : {platform::linux_, platform::macos, platform::openbsd}) {
    const format::host_facts facts{system, "/home/u", "/srv/job", nullptr};
    all.emplace_back("presets on " + std::string(platform_names[static_cast<std::size_t>(system)]),
                     format::lower_lexically(format::read("p", R"({"workspace_roots": ["/srv/job"]})", facts), facts));
  }
  for (const policies::sample& s : policies::samples) {
    loaded_policy p = loaded("fallback warn\n" + std::string(s.text));
    bool named = false;
    for (const char* place : {"/dev", "/etc", "/private/etc"})
      for (std::uint32_t k = 0; k < p.files().size(); ++k) {
        const std::string_view granted = p.files().place(k);
        named = named || (p.files()[k].value != 0 && (path::covers(place, granted) || path::covers(granted, place)));
      }
    if (!named) all.emplace_back(s.name, std::move(p));
  }
  CHECK(all.size() > 20);
  for (const auto& [policy_name, p] : all) {
    CAPTURE(policy_name);
    const bool presets = policy_name.starts_with("presets");
    backends::each([&]<class Backend>() {
      if constexpr (!std::is_same_v<Backend, seccomp::backend>)
        for (const auto& t : Backend::targets) {
          const auto made = compile(p, t.target);
          // What a view separates for Landlock is checked for both together, as `linux`.
          if (made.error.code != diagnostic_code::ok || made.gaps.has("landlock.missing") ||
              made.gaps.has("landlock.exceptions"))
            continue;
          CAPTURE(std::string(Backend::name));
          for (const char* place : {"/dev", "/dev/sda", "/dev/mem", "/dev/kmsg", "/dev/tty"})
            for (const right what : {right::read, right::write, right::list}) CHECK(!permits(made.rules, what, place));
          for (const char* place : {"/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private", "/etc/ssh/key"})
            CHECK(!permits(made.rules, right::read, place));
          std::string text = text_of(made.rules);
          // The process's own descriptors are not devices of the machine.
          if (const std::size_t own = text.find("(subpath \"/dev/fd\")"); own != text.npos) text.erase(own, 19);
          for (const char* words : {"(subpath \"/dev", "(allow mach-lookup)", "(global-name-prefix",
                                    "(global-name-regex", "\n(allow default)", "\n(allow file*"})
            CHECK(text.find(words) == text.npos);
          if (presets && Backend::name == landlock::backend_name)
            CHECK(permits(made.rules, right::run, "/usr/bin/env"));
        }
      return true;
    });
  }
}
