// SPDX-License-Identifier: BSL-1.0
/// Plans: the rules for one mechanism, and the gaps, which are the parts of the policy that it cannot express.
#pragma once

#include "../detail/index_iterator.hpp"
#include "../policy/step_function_builder.hpp"
#include "gap_type.hpp"

namespace cordon {

/// One difference between rules and policy. `what` is `backend.gap_type`; with `place` it makes the stable ID
/// `backend.gap_type:place`.
struct gap {
  gap_kind kind{};          ///< does the plan permit more than the policy, or less?
  std::string_view what{};  ///< the ID of the gap type
  std::string_view place{}; ///< the path, host or call that it is about; empty: all

  [[nodiscard]] constexpr bool is(const gap_type& t) const { return what == t.id; } ///< Is it a gap of that type?
  /// The stable ID in a type of the caller's, such as std::string.
  template <class String> [[nodiscard]] constexpr String id() const {
    String all(what);
    if (!place.empty()) {
      all += ':';
      all += place;
    }
    return all;
  }
};

/// The gaps of a plan, in the order in which the compiler found them.
template <class Storage> class gap_list {
public:
  /// Adds a gap of that type. False if the storage is full.
  constexpr bool add(const gap_type& t, std::string_view place = {}) { return add(gap{t.kind, t.id, place}); }
  /// Adds a gap of another plan. False if the storage is full.
  constexpr bool add(const gap& g) {
    const std::uint32_t packed = static_cast<std::uint32_t>(g.place.size()) << 1 | static_cast<std::uint32_t>(g.kind);
    return storage_.push(g.what, g.place, packed);
  }
  [[nodiscard]] constexpr std::uint32_t size() const { return storage_.size(); } ///< The number of gaps.
  /// Texts of the gap lie in the list, so a list that is a temporary has no access to its gaps.
  [[nodiscard]] constexpr gap operator[](std::uint32_t i) const& {
    const slot& s = storage_.all_slots()[i];
    const char* const text = storage_.text() + s.first;
    return {static_cast<gap_kind>(s.value & 1), {text, s.length}, {text + s.length, s.value >> 1}};
  }
  gap operator[](std::uint32_t i) const&& = delete;
  /// The first gap; valid as long as the list.
  [[nodiscard]] constexpr auto begin() const& { return detail::index_iterator<at>({this}, 0); }
  /// The end of the gaps.
  [[nodiscard]] constexpr auto end() const& { return detail::index_iterator<at>({this}, size()); }
  void begin() const&& = delete;
  void end() const&& = delete;
  [[nodiscard]] constexpr bool empty() const { return size() == 0; } ///< Is there no gap?

  /// Does the plan have a gap of that type at that place, or of that type without a place? O(gaps).
  [[nodiscard]] constexpr bool has(std::string_view what, std::string_view place = {}) const {
    for (const gap& g : *this)
      if (g.what == what && (g.place.empty() || g.place == place)) return true;
    return false;
  }
  /// Is there a gap of that type about the place? O(n).
  [[nodiscard]] constexpr bool has(const gap_type& t, std::string_view place = {}) const { return has(t.id, place); }
  /// Is there a gap of the kind `unenforced`? O(n).
  [[nodiscard]] constexpr bool any_unenforced() const {
    for (const gap& g : *this)
      if (g.kind == gap_kind::unenforced) return true;
    return false;
  }

private:
  struct at {
    const gap_list* of = nullptr;
    [[nodiscard]] constexpr gap operator()(std::uint32_t i) const { return (*of)[i]; }
  };

  Storage storage_{};
};

/// A target with the name by which users select it.
template <class Target> struct named_target {
  std::string_view name; ///< on the command line, `--target`
  Target target;         ///< the value that `compile` takes
};

/// The parts of a plan, wherever they lie. Compilers fill them in place: plans are too large for the stacks of threads.
template <class Rules> struct plan_parts {
  Rules& rules;                            ///< the rules to write
  gap_list<typename Rules::storage>& gaps; ///< the gaps to write
  diagnostic& error;                       ///< the error to set
};

/// The result of a backend: rules, and what they do not express.
template <class Rules> struct [[nodiscard]] plan {
  Rules rules{};                            ///< what the mechanism enforces
  gap_list<typename Rules::storage> gaps{}; ///< how that differs from the policy
  diagnostic error{};                       ///< policy_too_large or target_refused: the caller must not use the rules

  /// The members that a compiler writes.
  [[nodiscard]] constexpr plan_parts<Rules> parts() { return {rules, gaps, error}; }
};

} // namespace cordon
