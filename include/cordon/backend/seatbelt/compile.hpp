// SPDX-License-Identifier: BSL-1.0
/// The steps of compiling a profile.
#pragma once

#include "../../gap/plan.hpp"
#include "../../policy/policy.hpp"
#include "gap_types.hpp"
#include "rules.hpp"
#include "spelling.hpp"

namespace cordon::seatbelt::detail {

/// Marks that are set with a value's operations while a profile is compiled.
enum mark : std::uint32_t {
  dropped = 1U << 31, ///< a path that cannot be written in a profile
  lowered = 1U << 30, ///< has lost what such a path beneath it denies
  wider = 1U << 29,   ///< a gap here or above reports that the other spelling has more rights
  stricter = 1U << 28 ///< or fewer
};
/// A value holds marks, denied and allowed operations.
static_assert((all_operations | all_operations << denied_shift) < stricter);

template <class S> class compiler {
public:
  constexpr compiler(const basic_policy<S>& p, plan<rules<S>>& to) : files_(p.files()), to_(to) {}

  /// Compiles the files axis; false if the storage is full. O(n log n + components of the paths).
  [[nodiscard]] constexpr bool write_files(bool private_links) {
    if (!list_places(private_links)) return false;
    places_ = rules<S>::view(to_.rules.places);
    slots_ = to_.rules.places.all_slots();
    if (private_links) note_spellings();
    drop_unwritable();
    if (!list_fences()) return false;
    keep_changes();
    return fits_;
  }

private:
  [[nodiscard]] static constexpr bool ok(diagnostic d) { return d.code == diagnostic_code::ok; }
  constexpr void note(const gap_type& t, std::string_view place) { fits_ = to_.gaps.add(t, place) && fits_; }
  [[nodiscard]] constexpr bool has(std::string_view place) const {
    const std::uint32_t i = files_.find(place);
    return i != no_slot && files_.place(i) == place;
  }

  /// Lists the paths with all operations that are allowed there. If a path has two names, lists both with the same
  /// value. If both have an entry, the value is what both allow.
  [[nodiscard]] constexpr bool list_places(bool private_links) {
    step_function_builder<path_tree, S> out(to_.rules.places);
    const auto add = [&](std::string_view place, std::uint32_t bits) {
      out.add({place, operations_of(rights::from_bits(bits)), {}});
    };
    for (std::uint32_t i = 0; i < files_.size(); ++i) {
      const std::string_view place = files_.place(i);
      const other_spelling other(private_links ? place : std::string_view());
      const bool twice = !other.view().empty(), both = twice && has(other.view());
      if (both && !path::covers(private_root, place)) continue;
      const std::uint32_t bits = files_[i].value & (both ? files_.lookup(other.view()) : verb::everything.bits());
      add(place, bits);
      if (twice) add(other.view(), bits);
    }
    // An entry for /private covers only one of the two names.
    if (private_links && has(private_root))
      for (const std::string_view link : linked) {
        const other_spelling other(link);
        if (has(link) || has(other.view())) continue;
        add(link, files_.lookup(private_root));
        add(other.view(), files_.lookup(private_root));
      }
    return ok(out.close_list());
  }

  /// Adds gaps at paths whose value differs from the policy's, which ignores symbolic links.
  constexpr void note_spellings() {
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      const std::uint32_t above =
          places_.parent(i) == no_slot ? 0 : slots_[places_.parent(i)].value & (wider | stricter);
      const std::uint32_t here = slots_[i].value & all_rights, said = files_.lookup(places_.place(i));
      if ((here & ~said) != 0 && (above & wider) == 0) note(gaps::spelling, places_.place(i));
      if ((said & ~here) != 0 && (above & stricter) == 0) note(gaps::spelling_denied, places_.place(i));
      slots_[i].value |= above | ((here & ~said) != 0 ? wider : 0U) | ((said & ~here) != 0 ? stricter : 0U);
    }
  }

  /// Returns the nearest entry above that a profile can contain.
  [[nodiscard]] constexpr std::uint32_t above(std::uint32_t i) const {
    do i = places_.parent(i);
    while (i != no_slot && (slots_[i].value & dropped) != 0);
    return i;
  }
  [[nodiscard]] constexpr std::uint32_t value(std::uint32_t i) const {
    return i == no_slot ? 0 : slots_[i].value & all_operations;
  }

  /// Omits a grant that a profile cannot contain. Applies a restriction that it cannot contain to the grant around it.
  constexpr void drop_unwritable() {
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      if (!is_writable(places_.place(i))) slots_[i].value |= dropped;
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      if ((slots_[i].value & dropped) == 0) continue;
      const std::uint32_t around = above(i);
      if (value(i) != 0) note(gaps::unwritable, places_.place(i));
      if ((value(around) & ~value(i)) == 0) continue;
      if ((slots_[around].value & lowered) == 0) note(gaps::unwritable, places_.place(around));
      slots_[around].value = (slots_[around].value & (value(i) | ~all_operations)) | lowered;
    }
  }

  /// Rules match paths, so renaming a directory would take a path beneath it out of its rule. So a directory above a
  /// path that may not be renamed must keep its name. (If the path may be renamed, the process can choose the rule
  /// anyway. A fence for it would let a wider policy permit less.)
  [[nodiscard]] constexpr bool list_fences() {
    step_function_builder<path_tree, S> out(to_.rules.fences);
    std::string_view before;
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      if ((slots_[i].value & dropped) != 0 || (slots_[i].value & REMOVE) != 0) continue;
      const std::string_view place = places_.place(i);
      for (std::size_t end = place.find('/', 1); end != place.npos; end = place.find('/', end + 1)) {
        const std::string_view dir = place.substr(0, end);
        if (dir != before && !before.empty() && path::covers(dir, before)) continue;
        std::uint32_t at = places_.find(dir);
        if (at != no_slot && (slots_[at].value & dropped) != 0) at = above(at);
        if ((value(at) & REMOVE) == 0) continue;
        out.add({dir, 1, {}});
        note(gaps::ancestors, dir);
      }
      before = place;
    }
    return ok(out.close_list());
  }

  /// Converts values from all allowed operations to the changes of each rule. Parents come before their children.
  constexpr void keep_changes() {
    for (std::uint32_t i = places_.size(); i-- > 0;) {
      if ((slots_[i].value & dropped) != 0) continue;
      const std::uint32_t here = value(i), over = value(above(i));
      slots_[i].value = (here & ~over) | (over & ~here) << denied_shift;
      // Rules neither allow nor deny what every process has there.
      if (is_of_system(places_.place(i))) slots_[i].value &= ~(system_operations | system_operations << denied_shift);
    }
    for (std::uint32_t i = 0; i < places_.size(); ++i)
      if ((slots_[i].value & dropped) != 0) slots_[i].value = 0;
  }

  step_function<path_tree> files_;
  plan<rules<S>>& to_;
  step_function<path_tree> places_{};
  slot* slots_ = nullptr;
  bool fits_ = true;
};

/// Compiles hosts and listening ports; false if the storage is full.
template <class S>
[[nodiscard]] constexpr bool write_network(const basic_policy<S>& p, const target& t, plan<rules<S>>& to) {
  rules<S>& r = to.rules;
  bool fits = true;
  r.any_host = allows(p, process_feature::any_host);
  r.loopback = allows(p, process_feature::loopback);
  r.any_port = allows(p, process_feature::any_port);
  if (!r.any_host && allows(p, process_feature::some_host)) {
    r.gateway = t.gateway_port;
    if (r.gateway == 0) fits = to.gaps.add(gaps::hosts);
  }
  if (allows(p, process_feature::own_sockets)) fits = to.gaps.add(gaps::own) && fits;
  if (r.any_port || !allows(p, process_feature::listen)) return fits;
  const auto sockets = p.sockets();
  const host::ports wanted = host::port_grant_of(sockets.at(sockets.find(cordon::sockets::listening))).allowed;
  std::uint32_t room = most_ports;
  for (std::size_t i = 0; i < wanted.size() && room != 0; ++i) {
    const std::uint32_t first = wanted[i].first, count = wanted[i].last - first + 1U,
                        taken = count < room ? count : room;
    fits = r.ports.push({}, {}, first << 16 | (first + taken - 1)) && fits;
    room -= taken;
    if (taken < count || (room == 0 && i + 1 < wanted.size())) fits = to.gaps.add(gaps::listen) && fits;
  }
  return fits;
}

} // namespace cordon::seatbelt::detail
