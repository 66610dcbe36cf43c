// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/selection.hpp>

#include "holds.hpp"
#include "vectors.hpp"

using namespace cordon;

namespace {

constexpr selection_input at_hand(profile p, bool available) {
  selection_input c;
  c.profile = p;
  c.available = available;
  return c;
}

} // namespace

TEST_CASE("selection: the requested mechanism is chosen before the available ones") {
  HOLDS(select(at_hand(profile::wasi, true)).result == selection::refused);
  HOLDS(select(at_hand(profile::unrestricted, true)).result == selection::unconfined_reported);
  HOLDS(select(at_hand(profile::os_hardened, false)).result == selection::refused);
  HOLDS(select(at_hand(profile::worktree, true)).result == selection::confined);
}

TEST_CASE("selection: if a mechanism is missing, warn continues with the available ones") {
  constexpr auto warn = [] {
    selection_input c = at_hand(profile::worktree, false);
    c.fallback = fallback::warn;
    return select(c);
  }();
  HOLDS(warn.result == selection::unconfined_reported);
  HOLDS(warn.apply_available_mechanisms);
  constexpr auto off = [] {
    selection_input c = at_hand(profile::worktree, true);
    c.fallback = fallback::off;
    return select(c);
  }();
  HOLDS(off.result == selection::unconfined_reported && !off.apply_available_mechanisms);
}

TEST_CASE("selection: a variable can relax a default fallback, never a written one") {
  const auto by = [](std::optional<fallback> written, const char* sandbox, const char* allow) {
    selection_input c = at_hand(profile::worktree, false);
    c.written_fallback = written;
    if (sandbox != nullptr) c.sandbox = sandbox;
    if (allow != nullptr) c.allow = allow;
    return select(c).result;
  };
  CHECK(by({}, nullptr, nullptr) == selection::refused);
  for (const auto& [sandbox, allow] : {std::pair("warn", "0"), {"off", "0"}, {"warn", "1"}}) {
    CHECK(by({}, sandbox, allow) == selection::unconfined_reported);
    CHECK(by(fallback::enforce, sandbox, allow) == selection::refused);
  }
  CHECK(by({}, nullptr, "true") == selection::unconfined_reported);
  CHECK(by(fallback::enforce, nullptr, "true") == selection::refused);
  // One file has `warn`, another has no value: only the default may be loosened, not a written value.
  CHECK(by(fallback::warn, nullptr, nullptr) == selection::refused);
  CHECK(by(fallback::warn, nullptr, "1") == selection::unconfined_reported);
  selection_input off = at_hand(profile::worktree, true);
  off.written_fallback = fallback::warn;
  off.sandbox = "off";
  CHECK(select(off).result == selection::confined);
  CHECK(by({}, "warnwarnwarnwarnwarn", "1") == selection::usage_error);
}

TEST_CASE("selection: a refusal says what to do") {
  constexpr auto none = [] {
    selection_input c = at_hand(profile::worktree, true);
    c.backend = launcher_id::none;
    return select(c);
  }();
  HOLDS(none.why.id == "selection.none_not_allowed");
}

TEST_CASE("selection: the table of fallbacks") {
  for (const vectors::row& r : vectors::table("fallback.tsv", 40)) {
    CAPTURE(r.line());
    selection_input c;
    const bool profile_known = from_name(profile_names, r.text("profile"), c.profile);
    const bool backend_known = from_name(launcher_names, r.text("backend"), c.backend);
    const std::string sandbox = r.text("sandbox"), allow = r.text("allow"), override_ = r.text("override");
    if (!r.is_absent("sandbox")) c.sandbox = sandbox;
    if (!r.is_absent("allow")) c.allow = allow;
    c.available = r.text("available") == "yes";
    bool override_known = true;
    if (!r.is_absent("override")) {
      const std::size_t eq = override_.find('=');
      const std::string value = override_.substr(eq + 1);
      if (override_.substr(0, eq) == "profile")
        override_known = from_name(profile_names, value, c.asked_profile.emplace());
      else override_known = from_name(fallback_names, value, c.asked_fallback.emplace());
    }
    const selection got = profile_known && backend_known && override_known ? select(c).result : selection::usage_error;
    CHECK(name(got) == r.text("result"));
  }
}
