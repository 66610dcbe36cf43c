// SPDX-License-Identifier: BSL-1.0
/// Sandbox profiles in the form that the tests compare.
#pragma once

#include "proof.hpp"

#include <cordon/backend/seatbelt.hpp>

#include <doctest/doctest.h>

namespace seatbelt_text {

using namespace cordon;
using seatbelt::target;
using small = basic_policy<fixed_storage<64, 1024>>;

/// Paths without aliases, and no gateway.
inline constexpr target plain_paths{0, false};

template <class S> std::string text(const basic_policy<S>& p, const target& t = plain_paths) {
  return proof::text_of(seatbelt::compile(p, t).rules);
}
template <class S> std::string gaps(const basic_policy<S>& p, const target& t = plain_paths) {
  return proof::gap_lines(seatbelt::compile(p, t).gaps);
}
template <class S> std::string fault(const basic_policy<S>& p, const target& t) {
  return proof::fault<seatbelt::backend>(p, t);
}
inline bool has(const std::string& text, const std::string& piece) { return text.find(piece) != text.npos; }

template <class S>
constexpr bool may(const basic_policy<S>& p, right r, std::string_view place, target t = plain_paths) {
  return permits(seatbelt::compile(p, t).rules, r, place);
}
template <class S> constexpr bool may(const basic_policy<S>& p, process_feature f, target t = plain_paths) {
  return permits(seatbelt::compile(p, t).rules, f);
}

/// A policy with paths that are known at run time.
inline loaded_policy files(const std::vector<std::pair<std::string, rights>>& places) {
  loaded_policy p;
  p.level = level::process_exec;
  REQUIRE(p.write<axis_id::files>([&](auto& to) {
             for (const auto& [place, r] : places) to.add({place, r.bits(), {}});
           }).code == diagnostic_code::ok);
  return p;
}

} // namespace seatbelt_text
