// SPDX-License-Identifier: BSL-1.0
/// A meet never adds power, for documents of every format. If the rules of any backend permit something under `a & b`,
/// they permit it under a and under b. Otherwise a gap must report that the rules of a alone permit less than a.
#include "effort.hpp"
#include "random_texts.hpp"

#include <cordon/backend/backends.hpp>
#include <cordon/format/notation.hpp>
#include <cordon/verify/places.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <unordered_map>

using namespace cordon;

namespace {

const format::host_facts on_linux_host{platform::linux_, "/home/u", "/a", nullptr};

/// Arguments that decide about calls: each bit that a filter may check, in every position.
constexpr std::array<std::array<std::uint64_t, 6>, 12> argument_sets{{{0, 0, 0, 0, 0, 0},
                                                                      {1, 1, 0, 0, 0, 0},
                                                                      {2, 1, 0, 0, 0, 0},
                                                                      {2, 2, 0, 0, 0, 0},
                                                                      {2, 3, 1, 0, 0, 0},
                                                                      {10, 1, 6, 0, 0, 0},
                                                                      {17, 3, 0, 0, 0, 0},
                                                                      {1, 5, 0, 0, 0, 0},
                                                                      {0x10000000, 0, 0, 0, 0, 0},
                                                                      {0x10100, 04755, 0x42, 04755, 0, 0},
                                                                      {1, 0x5412, 0x20000000, 0x20000000, 0, 0},
                                                                      {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL}}};

/// The first call that one filter allows and the other does not. On the machine's network the wider filter may refuse
/// to listen at all, which a gap reports. On the run's own network, no other process can connect.
std::string compared(std::span<const seccomp::insn> less, std::span<const seccomp::insn> more, seccomp::arch cpu,
                     bool listens_nowhere) {
  for (std::uint32_t n = 0; n < seccomp::number_set::limit; ++n)
    for (const auto& arguments : argument_sets) {
      const seccomp::data call{.nr = static_cast<int>(n), .arch = seccomp::audit_arch(cpu), .args = arguments};
      if (listens_nowhere && (seccomp::name_of(cpu, n) == "listen" || seccomp::name_of(cpu, n) == "bind")) continue;
      if (seccomp::evaluate(less, call) == seccomp::pass && seccomp::evaluate(more, call) != seccomp::pass)
        return "call " + std::to_string(n) + " " + std::string(seccomp::name_of(cpu, n));
    }
  return {};
}

/// The same. Filters recur from policy to policy, and a comparison takes longer than all else.
std::string call_added(std::span<const seccomp::insn> less, std::span<const seccomp::insn> more, seccomp::arch cpu,
                       bool listens_nowhere) {
  static std::unordered_map<std::string, std::string> known;
  std::string key{static_cast<char>(cpu), static_cast<char>(listens_nowhere)};
  for (const auto code : {less, more}) {
    const auto bytes = std::as_bytes(code);
    key += std::to_string(bytes.size()) + ':';
    key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  if (known.size() > 20'000) known.clear();
  const auto [row, added] = known.try_emplace(std::move(key));
  if (added) row->second = compared(less, more, cpu, listens_nowhere);
  return row->second;
}

/// Does a gap of the wider policy's plan report that its rules permit less than the policy?
template <class Backend, class Rules>
bool is_tightened(const loaded_policy& wider, const plan<Rules>& made, right r, const std::string& place) {
  for (std::uint32_t i = 0; i < made.gaps.size(); ++i)
    for (const gap_type& t : Backend::gap_types())
      if (t.id == made.gaps[i].what && explains(t, made.gaps[i].place, wider.files(), r, place, false)) return true;
  return false;
}

template <class Backend, class Rules> bool is_tightened(const plan<Rules>& made, process_feature which) {
  for (const gap_type& t : Backend::gap_types())
    if (t.features.has(which) && t.kind == gap_kind::tightened && made.gaps.has(t.id)) return true;
  return false;
}

/// The first access that the rules of a policy permit and those of the wider one do not.
template <class Backend, class Rules>
std::string power_added(const loaded_policy& p, const Rules& less, const loaded_policy& wider,
                        const plan<Rules>& of_wider) {
  const Rules& more = of_wider.rules;
  if constexpr (requires { permits(less, right::read, "/"); })
    for (const std::string& place : verifying::places_of(p, less))
      for (unsigned i = 0; i < right_names.size(); ++i)
        if (permits(less, static_cast<right>(i), place) && !permits(more, static_cast<right>(i), place) &&
            !is_tightened<Backend>(wider, of_wider, static_cast<right>(i), place))
          return std::string(right_names[i]) + " " + place;
  if constexpr (requires { permits(less, process_feature::spawn); })
    for (unsigned i = 0; i < process_feature_names.size(); ++i)
      if (permits(less, static_cast<process_feature>(i)) && !permits(more, static_cast<process_feature>(i)) &&
          !is_tightened<Backend>(of_wider, static_cast<process_feature>(i)))
        return std::string(process_feature_names[i]);
  if constexpr (requires { Backend::abilities; })
    for (const ability a : Backend::abilities)
      if (permits(less, a) && !permits(more, a)) return "ability " + std::string(name(a));
  if constexpr (requires { listens(less, 1); })
    for (const std::uint16_t port : {1, 79, 80, 443, 8000, 8999, 9000, 65535})
      if (listens(less, port) && !listens(more, port) && !is_tightened<Backend>(of_wider, process_feature::listen))
        return "listen " + std::to_string(port);
  const bool listens_nowhere = of_wider.gaps.has("seccomp.listen") || of_wider.gaps.has("container.listen") ||
                               is_tightened<Backend>(of_wider, process_feature::own_sockets);
  if constexpr (requires { less.filter.code(); })
    return call_added(less.filter.code(), more.filter.code(), less.made_for.cpu, listens_nowhere);
  else if constexpr (requires { less.calls.set_id; })
    return call_added(seccomp::compile(less.calls).code(), seccomp::compile(more.calls).code(), less.calls.cpu,
                      listens_nowhere);
  return {};
}

/// How the meet of two policies breaks the law; empty if it does not.
std::string fault_of_meet(const loaded_policy& a, const loaded_policy& b, int& plans) {
  loaded_policy both = a & b;
  if (!(both <= a) || !(both <= b)) return "the meet is within both";
  std::string fault;
  backends::each([&]<class Backend>() {
    for (const auto& t : Backend::targets) {
      const auto made = compile(both, t.target);
      if (made.error.code != diagnostic_code::ok) continue; // no program starts
      for (const loaded_policy* wider : {&a, &b}) {
        const auto of_wider = compile(*wider, t.target);
        if (of_wider.error.code != diagnostic_code::ok) continue;
        ++plans;
        if (const std::string added = power_added<Backend>(both, made.rules, *wider, of_wider); !added.empty())
          fault = std::string(Backend::name) + " " + std::string(t.name) + ": " + added;
      }
    }
    return fault.empty();
  });
  return fault;
}

int from_environment(const char* name, int left_out) {
  const char* const asked = std::getenv(name);
  return asked == nullptr ? left_out : std::atoi(asked);
}

/// Calls `f(a, b)` with the policies of random documents of any formats. Returns: the number of pairs.
template <class F> int each_pair(F&& f) {
  // Many pairs take hours: the environment can set their number, and the first of a part of them.
  const int pairs = from_environment("CORDON_LAW_PAIRS", effort(300)), first = from_environment("CORDON_LAW_FIRST", 0);
  for (int seed = first; seed < first + pairs; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    const std::string x = random_documents::text(d, on_linux_host), y = random_documents::text(d, on_linux_host);
    CAPTURE(seed);
    CAPTURE(x);
    CAPTURE(y);
    f(format::lower_lexically(format::read("a", x, on_linux_host), on_linux_host),
      format::lower_lexically(format::read("b", y, on_linux_host), on_linux_host));
  }
  return pairs;
}

} // namespace

TEST_CASE("meet: documents of any formats together permit no more than each alone, under every backend") {
  int plans = 0;
  const int pairs = each_pair([&](const loaded_policy& a, const loaded_policy& b) {
    const std::string fault = fault_of_meet(a, b, plans);
    REQUIRE(fault == "");
  });
  CHECK(plans > 20 * pairs);
}

// The order of limits is made of their meet, so it agrees with a wrong one.
TEST_CASE("meet: each limit of documents of any formats together is the lower one of both") {
  int limited = 0;
  (void)each_pair([&](const loaded_policy& a, const loaded_policy& b) {
    const loaded_policy both = a & b;
    for (std::size_t i = 0; i < limit_names.size(); ++i) {
      const auto l = static_cast<limit>(i);
      REQUIRE(both.limits[l] == std::min(a.limits[l], b.limits[l]));
      REQUIRE(both.limits.has(l) == (a.limits.has(l) || b.limits.has(l)));
      limited += both.limits.has(l) ? 1 : 0;
    }
  });
  CHECK(limited > 0);
}

TEST_CASE("meet: a document without abilities neither adds nor removes one") {
  const auto read = [](const std::string& text) {
    return format::lower_lexically(format::read("p", text, on_linux_host), on_linux_host);
  };
  const loaded_policy silent = read("level process_exec\n"), traces = read("abilities trace spawn mount\n"),
                      any = read("abilities any\n");
  CHECK(silent.abilities == abilities(ability::spawn));
  CHECK(!(traces <= silent));
  CHECK((silent & traces).abilities == abilities(ability::spawn));
  CHECK((any & traces).abilities == traces.abilities);
  CHECK(any.abilities == abilities::any());
  CHECK(format::write_notation(silent).find("abilities") == std::string::npos);
  CHECK(format::write_notation(any).find("abilities any") != std::string::npos);
  CHECK(read(format::write_json(any)) == any);
  CHECK(read(format::write_json(silent)) == silent);
}
