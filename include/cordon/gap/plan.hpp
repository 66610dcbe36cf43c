// SPDX-License-Identifier: BSL-1.0
/// Plans: the rules for one mechanism, and the gaps, which are the parts of the policy that it cannot express.
#pragma once

#include "../policy/step_function_builder.hpp"
#include "gap_type.hpp"

namespace cordon {

/// One difference between rules and policy. `what` is `backend.gap_type`; with `place` it makes the stable ID
/// `backend.gap_type:place`.
struct gap {
  gap_kind kind{};
  std::string_view what{};
  std::string_view place{};
};

/// The gaps of a plan, in the order in which the compiler found them.
template <class Storage> class gap_list {
public:
  /// False if the storage is full.
  constexpr bool add(gap_kind kind, std::string_view what, std::string_view place = {}) {
    return storage_.push(what, place, static_cast<std::uint32_t>(place.size()) << 1 | static_cast<std::uint32_t>(kind));
  }
  constexpr bool add(const gap_type& t, std::string_view place = {}) { return add(t.kind, t.id, place); }
  [[nodiscard]] constexpr std::uint32_t size() const { return storage_.size(); }
  [[nodiscard]] constexpr gap operator[](std::uint32_t i) const {
    const slot& s = storage_.slots()[i];
    const char* const text = storage_.text() + s.first;
    return {static_cast<gap_kind>(s.value & 1), {text, s.length}, {text + s.length, s.value >> 1}};
  }
  /// Does the plan have a gap of that type at that place, or of that type without a place? O(gaps).
  [[nodiscard]] constexpr bool has(std::string_view what, std::string_view place = {}) const {
    for (std::uint32_t i = 0; i < size(); ++i)
      if ((*this)[i].what == what && ((*this)[i].place.empty() || (*this)[i].place == place)) return true;
    return false;
  }
  [[nodiscard]] constexpr bool any_unenforced() const {
    for (std::uint32_t i = 0; i < size(); ++i)
      if ((*this)[i].kind == gap_kind::unenforced) return true;
    return false;
  }

private:
  Storage storage_{};
};

/// A target with the name by which users select it.
template <class Target> struct named_target {
  std::string_view name;
  Target target;
};

template <class Rules> struct plan {
  Rules rules{};
  gap_list<typename Rules::storage> gaps{};
  diagnostic error{}; ///< policy_too_large or target_refused: the caller must not use the rules
};

} // namespace cordon
