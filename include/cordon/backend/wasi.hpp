// SPDX-License-Identifier: BSL-1.0
/// WASI: a policy's files as directories that a runtime opens for a WebAssembly module before it starts.
///
/// An opened directory gives access to everything beneath, for everything or, if the runtime supports it, read-only.
/// Nothing takes access away. If a path inside has fewer rights, the directory is opened for what *all* paths beneath
/// it have. Each directory in it, except the one towards that path, is opened for the rest (`siblings`). What this
/// cannot express is not granted.
#pragma once

#include "../gap/file_type.hpp"
#include "../gap/plan.hpp"
#include "../query/query.hpp"
#include "floor.hpp"
#include "wasi/gap_types.hpp"
#include "wasi/rules.hpp"
#include "wasi/text.hpp"

#include <span>

namespace cordon::wasi {

inline constexpr std::string_view backend_name = "wasi"; ///< the name on the command line, and in IDs of gaps

namespace detail {

template <class S> class compiler {
public:
  constexpr compiler(const basic_policy<S>& p, plan<rules<S>>& made)
      : files_(p.files()), made_(made), siblings_(made.rules.siblings), floors_(files_.size()) {}

  constexpr bool run() {
    step_function_builder<path_tree, S> except(made_.rules.except), preopens(made_.rules.preopens);
    for (std::uint32_t i = 0; i < files_.size(); ++i) floors_[i].access = granted(i);
    // Children follow their parents in the list.
    for (std::uint32_t i = files_.size(); i-- > 0;)
      if (const std::uint32_t up = files_.parent(i); up != no_slot) lower(floors_[up].access, floors_[i].access);
    for (std::uint32_t i = 0; i < files_.size(); ++i) pass_by(i, except);
    if (!fits_ || siblings_.close_list().code != diagnostic_code::ok || except.close_list().code != diagnostic_code::ok)
      return false;
    lower_siblings();
    for (std::uint32_t i = 0; i < files_.size(); ++i) {
      open(files_.place(i), floors_[i].access, preopens);
      note_rounding(i);
    }
    open_siblings(preopens);
    if (preopens.close().code != diagnostic_code::ok) return false;
    note_roots();
    return fits_;
  }

  /// Returns the first exception that JSON cannot contain in a directory whose other children are opened, or an empty
  /// text.
  [[nodiscard]] constexpr std::string_view unwritable() const { return unwritable_; }

private:
  /// What is known of an entry.
  struct floor_of_entry {
    std::uint32_t access = closed; ///< what all paths at and beneath it have
    std::uint32_t last = no_slot;  ///< the last entry beneath that `pass_by` listed the directories for
  };
  static constexpr unsigned floor_shift = 8; ///< until the end, siblings hold their directory's floor above this bit

  [[nodiscard]] constexpr std::uint32_t granted(std::uint32_t i) const {
    return access_for(rights::from_bits(files_[i].value), made_.rules.runtime);
  }
  static constexpr void lower(std::uint32_t& a, std::uint32_t to) { a = to < a ? to : a; }
  constexpr void gap(const gap_type& t, std::string_view place = {}) { fits_ = made_.gaps.add(t, place) && fits_; }

  /// Lists the directories above a path with fewer rights than the entry around it: their other children are opened one
  /// by one.
  template <class Out> constexpr void pass_by(std::uint32_t i, Out& except) {
    const std::uint32_t up = files_.parent(i);
    if (up == no_slot || granted(up) <= floors_[i].access) return;
    std::uint32_t& last = floors_[up].last;
    const std::string_view here = files_.place(i), before = last == no_slot ? std::string_view() : files_.place(last);
    last = i;
    const auto done = [&](std::string_view dir) { return !before.empty() && path::covers(dir, before); };
    for (std::string_view dir = files_.place(up); dir != here;) {
      if (!done(dir)) {
        siblings_.add({dir, granted(up) | granted(up) << floor_shift, {}});
        gap(gaps::parents, dir);
        gap(gaps::siblings, dir);
      }
      const bool is_opened = is_name(dir, made_.rules.runtime);
      dir = path::next_on_the_way(here, dir.size());
      if (!done(dir)) except.add({dir, 1, {}});
      if (unwritable_.empty() && is_opened && !utf8::is_text(dir)) unwritable_ = dir;
    }
  }

  /// Lowers the floor of each directory with siblings to the access of the paths beneath it.
  constexpr void lower_siblings() {
    slot* const all = made_.rules.siblings.all_slots();
    const step_function<path_tree> dirs = made_.rules.view(made_.rules.siblings);
    const auto note = [&](std::uint32_t k, std::uint32_t to) {
      if (k == no_slot) return;
      std::uint32_t floor = all[k].value >> floor_shift;
      lower(floor, to);
      all[k].value = (all[k].value & ((1U << floor_shift) - 1)) | floor << floor_shift;
    };
    for (std::uint32_t i = 0; i < files_.size(); ++i)
      if (files_.parent(i) != no_slot) note(dirs.find(path::parent(files_.place(i))), floors_[i].access);
    for (std::uint32_t k = dirs.size(); k-- > 0;) note(dirs.parent(k), all[k].value >> floor_shift);
  }

  /// Returns the access to a path through the directories that are opened one by one: as one of them, or inside one.
  [[nodiscard]] constexpr std::uint32_t through_siblings(std::string_view place) const {
    const step_function<path_tree> dirs = made_.rules.view(made_.rules.siblings),
                                   except = made_.rules.view(made_.rules.except);
    std::uint32_t most = closed;
    for (std::uint32_t k = dirs.find(place); k != no_slot; k = dirs.parent(k)) {
      const std::string_view dir = dirs.place(k);
      if (dir == place || !is_name(dir, made_.rules.runtime)) continue;
      const std::string_view child = path::next_on_the_way(place, dir.size());
      const std::uint32_t x = except.find(child), a = dirs[k].value & ((1U << floor_shift) - 1);
      if ((x == no_slot || except.place(x) != child) && a > most) most = a;
    }
    return most;
  }

  /// A directory that the runtime cannot name stays closed, and so do those in it.
  template <class Out> constexpr void open(std::string_view place, std::uint32_t a, Out& preopens) {
    if (a == closed || a == through_siblings(place)) return;
    if (is_name(place, made_.rules.runtime)) preopens.add({place, a, {}});
    else gap(gaps::name, place);
  }
  template <class Out> constexpr void open_siblings(Out& preopens) {
    S kept{};
    for (std::uint32_t k = 0; k < made_.rules.siblings.size(); ++k) {
      const step_function<path_tree> dirs = made_.rules.view(made_.rules.siblings);
      const std::string_view dir = dirs.place(k);
      const std::uint32_t both = dirs[k].value, i = files_.find(dir);
      const bool named = is_name(dir, made_.rules.runtime);
      if (files_.place(i) != dir) open(dir, both >> floor_shift, preopens);
      if (!named) gap(gaps::name, dir);
      else if (!kept.push(dir, {}, both & ((1U << floor_shift) - 1))) fits_ = false;
    }
    const step_function<path_tree> all = rules<S>::view(kept);
    for (std::uint32_t k = 0, above = no_slot; k < all.size(); above = k++)
      kept.all_slots()[k].parent = all.nearest_covering(above, all.place(k));
    made_.rules.siblings = kept;
  }

  constexpr void note_rounding(std::uint32_t i) {
    const rights wanted = rights::from_bits(files_[i].value) & rights_written;
    if (wanted <= rights_of(granted(i))) return;
    gap(granted(i) == closed ? gaps::dropped : gaps::reduced, files_.place(i));
  }
  constexpr void note_roots() {
    const step_function<path_tree> all = rules<S>::view(made_.rules.preopens);
    for (std::uint32_t k = 0; k < all.size(); ++k) gap(gaps::root, all.place(k));
  }

  step_function<path_tree> files_;
  plan<rules<S>>& made_;
  step_function_builder<path_tree, S> siblings_;
  side_table<S, floor_of_entry> floors_;
  std::string_view unwritable_;
  bool fits_ = true;
};

} // namespace detail

/// Compiles the files axis. O(n log n) in the entries, and in the path components above paths with fewer rights.
/// `bad_path`: JSON cannot contain the name of an exception in a directory whose other children are opened.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, const target& t = {}) {
  plan<rules<S>> made;
  made.rules.runtime = t.runtime;
  bool fits = made.gaps.add(gaps::programs) && made.gaps.add(gaps::modes);
  if (allows(p, process_feature::some_host) || allows(p, process_feature::listen) ||
      allows(p, process_feature::loopback) || allows(p, process_feature::own_sockets))
    fits = made.gaps.add(gaps::network) && fits;
  if (t.runtime == runtime::node) fits = made.gaps.add(gaps::escape) && fits;
  detail::compiler<S> files(p, made);
  if (!files.run() || !fits) made.error = {diagnostic_code::policy_too_large};
  else if (!files.unwritable().empty()) made.error = {diagnostic_code::bad_path, 0, 0, files.unwritable()};
  return made;
}

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = wasi::target;                           ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return wasi::gap_types; }
  /// Targets whose rules differ.
  static constexpr named_target<wasi::target> targets[]{
      {"wasmtime", {}}, {"node", {runtime::node}}, {"library", {runtime::library}}};

  /// Returns whether a gap explains a difference between rules and policy. `way` and `siblings` explain it only if
  /// directories opened for what all paths beneath them have would not give the right either.
  template <class Gaps, class S>
  [[nodiscard]] static constexpr bool explains(const Gaps& gaps, const rules<S>& r, const basic_policy<S>& p,
                                               right what, std::string_view place, bool permitted, file_type) {
    const auto opened = [&](std::string_view directory) {
      return access_for(floor_at(p.files(), directory), r.runtime);
    };
    const bool given = rights_itself(opened(place), r.runtime).has(what) ||
                       (place != "/" && rights_of(opened(path::parent(place))).has(what));
    return gaps.any_above(place, [&](const gap& g) {
      for (const gap_type& t : wasi::gap_types)
        if (t.id == g.what && cordon::explains(t, g.place, p.files(), what, place, permitted) &&
            (!given || (t.id != gaps::parents.id && t.id != gaps::siblings.id)))
          return true;
      return false;
    });
  }
};

} // namespace cordon::wasi
