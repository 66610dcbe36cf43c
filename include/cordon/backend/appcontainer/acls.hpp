// SPDX-License-Identifier: BSL-1.0
/// The files axis as access control lists. Everything beneath a directory inherits the entries of its list. A protected
/// list inherits nothing and gives the path's own rights instead. So a nested path with fewer rights is exact, without
/// an entry that denies. The remaining problem is a path that is moved away and created again. If the policy denies to
/// remove a path, neither the path nor a directory above it may be removed.
#pragma once

#include "../../gap/plan.hpp"
#include "../../query/query.hpp"
#include "gap_types.hpp"
#include "rules.hpp"

namespace cordon::appcontainer::detail {

/// What the compiler knows of an entry of the policy.
struct note {
  rights floor{};           ///< what all paths at and beneath it have
  rights fresh{};           ///< what it has after it, or a directory above it, was created again
  bool left_out = false;    ///< no list is written for it
  bool may_connect = false; ///< a gap already reports that a process can connect to it

  [[nodiscard]] constexpr std::uint32_t value() const {
    return fresh.bits() << rights::width | floor.bits() | (left_out ? 1U << flags : 0U) |
           (may_connect ? 2U << flags : 0U);
  }
  [[nodiscard]] static constexpr note from(std::uint32_t v) {
    return {rights::from_bits(v), rights::from_bits(v >> rights::width), (v >> flags & 1) != 0, (v >> flags & 2) != 0};
  }
};

template <class S> class acl_compiler {
public:
  constexpr acl_compiler(const basic_policy<S>& p, plan<rules<S>>& made) : files_(p.files()), made_(made) {}

  constexpr diagnostic run() {
    if (const diagnostic d = sort_out(); d.code != diagnostic_code::ok) return d;
    lower_to_floors();
    step_function_builder<ntfs_tree, S> acls(made_.rules.acls);
    for (std::uint32_t i = 0; i < files_.size(); ++i)
      if (!at(i).left_out) {
        write(i, acls);
        note_gaps(i);
      }
    note_system();
    const diagnostic d = acls.close_list();
    if (d.code == diagnostic_code::duplicate_place) return differ_only_in_case(d.subject);
    if (d.code != diagnostic_code::ok || !fits_) return {diagnostic_code::policy_too_large};
    return same_parents();
  }

private:
  [[nodiscard]] constexpr note at(std::uint32_t i) const { return note::from(notes_.all_slots()[i].value); }
  constexpr void set(std::uint32_t i, const note& n) { notes_.all_slots()[i].value = n.value(); }
  /// The entry's rights without `connect`, which has no access bit.
  [[nodiscard]] constexpr rights value(std::uint32_t i) const {
    return i == no_slot ? rights{} : rights::from_bits(files_[i].value) - right::connect;
  }
  constexpr void gap(const gap_type& t, std::string_view place = {}) { fits_ = made_.gaps.add(t, place) && fits_; }

  /// Leaves out paths that have no Windows name, and paths that only Windows itself can change. `bad_path`: a path
  /// without a name must have fewer rights than the path above, whose grant could include it.
  constexpr diagnostic sort_out() {
    for (std::uint32_t i = 0; i < files_.size(); ++i) {
      const std::string_view place = files_.place(i);
      note n{value(i), {}, false, false};
      if (!is_name(place, made_.rules.made_for.drive)) {
        std::uint32_t above = files_.parent(i);
        while (above != no_slot && at(above).left_out) above = files_.parent(above);
        if (!(value(above) <= value(i))) return {diagnostic_code::bad_path, 0, 0, place};
        gap(gaps::name, place);
        const rights all = rights::from_bits(files_[i].value), over = rights::from_bits(files_.at(above).value);
        if (over.has(right::write) && over.has(right::connect) && !all.has(right::connect)) gap(gaps::connect, place);
        n.left_out = true;
      } else if (!system_directory(made_.rules.made_for, place).empty()) n.left_out = true;
      if (!notes_.push({}, {}, n.value())) return {diagnostic_code::policy_too_large};
    }
    return {};
  }

  /// Computes the floors. Children follow their parents in the list.
  constexpr void lower_to_floors() {
    for (std::uint32_t i = files_.size(); i-- > 0;)
      if (const std::uint32_t up = files_.parent(i); up != no_slot && !at(i).left_out) {
        note n = at(up);
        n.floor = n.floor & at(i).floor;
        set(up, n);
      }
  }

  /// Writes the list of an entry, and of the directories above it that must not be moved. Skips directories that an
  /// earlier entry has written: `parent` of a note's slot is the last entry beneath it that wrote any.
  template <class Out> constexpr void write(std::uint32_t i, Out& acls) {
    const std::uint32_t up = files_.parent(i);
    const rights around = value(up), mine = value(i);
    const rights self = mine - (rights(right::remove) - at(i).floor);
    const bool less = !(around <= mine);
    if (less || self != around || mine != around)
      acls.add({files_.place(i), acl{self, mine, less || !(around <= self), less}.value(), {}});
    if (!around.has(right::remove) || at(i).floor.has(right::remove)) return;
    std::uint32_t& last = notes_.all_slots()[up].parent;
    const std::string_view here = files_.place(i), before = last == no_slot ? std::string_view() : files_.place(last);
    last = i;
    for (std::string_view dir = path::next_on_the_way(here, files_.place(up).size()); dir != here;
         dir = path::next_on_the_way(here, dir.size()))
      if (before.empty() || !path::covers(dir, before)) {
        acls.add({dir, acl{around - right::remove, around, true, false}.value(), {}});
        if (!is_top(dir, made_.rules.made_for.drive)) gap(gaps::pinned, dir);
      }
  }

  constexpr void note_gaps(std::uint32_t i) {
    const std::uint32_t up = files_.parent(i);
    const std::string_view place = files_.place(i);
    const rights around = value(up), mine = value(i), all = rights::from_bits(files_[i].value);
    note n = at(i);
    const char drive = made_.rules.made_for.drive;
    const bool top = is_top(place, drive) && !(mine & (right::create | right::remove)).empty();
    if (top || (mine.has(right::create) && !around.has(right::create))) gap(gaps::root, place);
    if (top && drive == 0 && place == "/") gap(gaps::drives, place);
    if (mine.has(right::remove) && !n.floor.has(right::remove)) gap(gaps::pinned, place);
    if (up != no_slot) n.fresh = at(up).fresh;
    if (!is_top(place, drive) && n.floor.has(right::remove) && around.has(right::create)) n.fresh = n.fresh | around;
    if (!(n.fresh <= mine)) gap(gaps::replace, place);
    n.may_connect = (up != no_slot && at(up).may_connect) || (mine.has(right::write) && !all.has(right::connect));
    if (n.may_connect && !(up != no_slot && at(up).may_connect)) gap(gaps::connect, place);
    if (all.has(right::connect) && !mine.has(right::write)) gap(gaps::connect_alone, place);
    if (mine.has(right::write) && !mine.has(right::attributes)) gap(gaps::generic_write, place);
    set(i, n);
  }

  /// Compares the policy with the rights that every container has in the system directories.
  constexpr void note_system() {
    each_system_directory(made_.rules.made_for, [&](std::string_view dir) {
      rights least = rights::from_bits(files_.lookup(dir)), most = least;
      for (std::uint32_t i = 0; i < files_.size(); ++i)
        if (ntfs_tree::covers(dir, files_.place(i))) {
          least = least & rights::from_bits(files_[i].value);
          most = most | rights::from_bits(files_[i].value);
        }
      if (!(system_rights <= least)) gap(gaps::system, dir);
      if (!(most <= system_rights)) gap(gaps::system_locked, dir);
    });
  }

  /// Returns the error with the policy's text of the path, which outlives the plan.
  [[nodiscard]] constexpr diagnostic differ_only_in_case(std::string_view place) const {
    const std::uint32_t i = files_.find(place);
    return {diagnostic_code::duplicate_place, 0, 0, i == no_slot ? std::string_view() : files_.place(i)};
  }

  /// Checks that each list inherits from the path that the policy has above it. It does not if directories differ only
  /// in case.
  [[nodiscard]] constexpr diagnostic same_parents() const {
    const auto acls = made_.rules.view(made_.rules.acls);
    for (std::uint32_t k = 0; k < acls.size(); ++k)
      if (acls.parent(k) != no_slot && !path::covers(acls.place(acls.parent(k)), acls.place(k)))
        return differ_only_in_case(acls.place(k));
    return {};
  }

  step_function<path_tree> files_;
  plan<rules<S>>& made_;
  S notes_{};
  bool fits_ = true;
};

} // namespace cordon::appcontainer::detail
