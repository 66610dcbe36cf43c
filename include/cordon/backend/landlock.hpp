// SPDX-License-Identifier: BSL-1.0
/// Landlock: a policy's files as rules of the Linux security module.
///
/// Landlock only adds rights: a rule on a directory applies to everything beneath, and no rule below can take rights
/// away. If a path inside a grant has fewer rights, the directory is granted what *all* paths beneath it have. Each of
/// its children, except the one towards that path, is granted the rest (`siblings`). What this cannot express is a gap.
#pragma once

#include "../detail/utf8.hpp"
#include "../gap/plan.hpp"
#include "../policy/policy.hpp"
#include "floor.hpp"
#include "landlock/access.hpp"
#include "landlock/gap_types.hpp"
#include "landlock/rules.hpp"

#include <span>

namespace cordon::landlock {

inline constexpr std::string_view backend_name = "landlock";

namespace detail {

/// Returns the rights that Landlock can express under that ABI.
[[nodiscard]] constexpr rights expressible(int abi) {
  const rights r = verb::everything - right::attributes;
  return known(abi) >= 9 ? r : r - right::connect;
}

/// Executing a file requires reading it: do_open_execat opens for reading, and hook_file_open checks both rights.
[[nodiscard]] constexpr rights useful(rights r) { return r.has(right::read) ? r : r - right::run; }

/// Adds a tightened gap for each right that is granted without a right that the kernel also requires.
template <class Gaps> constexpr bool note_missing_partners(Gaps& gaps, entry e) {
  const rights r = rights::from_bits(e.value);
  bool fits = true;
  if (r.has(right::run) && !r.has(right::read))
    fits = gaps.add(gap_kind::tightened, "landlock.run_without_read", e.place);
  if (r.has(right::create) && !r.has(right::write))
    fits = gaps.add(gap_kind::tightened, "landlock.create_without_write", e.place) && fits;
  return fits;
}

template <class Gaps> constexpr bool note_missing_words(Gaps& gaps, int abi) {
  constexpr struct {
    int since;
    std::string_view what;
  } unenforced[]{{99, "landlock.attributes"}, {99, "landlock.existence"}, {99, "landlock.proc"},
                 {3, "landlock.truncate"},    {5, "landlock.ioctl"},      {6, "landlock.signal"},
                 {6, "landlock.abstract"},    {9, "landlock.connect"}};
  bool fits = true;
  for (const auto& u : unenforced)
    if (abi < u.since) fits = gaps.add(gap_kind::unenforced, u.what) && fits;
  if (abi < 2) fits = gaps.add(gap_kind::tightened, "landlock.refer") && fits;
  // Only a mount namespace can provide a private one.
  for (const std::string_view what : {"landlock.shared_memory", "landlock.terminals"})
    fits = gaps.add(gap_kind::tightened, what) && fits;
  return fits;
}

/// Until the end of `compile`, these upper bits of a sibling's value hold what all paths at and beneath its directory
/// have.
inline constexpr unsigned floor_shift = 24;

/// Removes from the floor of each directory the rights that an entry beneath it lacks. Each such directory gets a grant
/// of its floor. Without the grant it would have only the floor of the entry above, which other paths lower too: a
/// wider policy could then permit less.
template <class S> constexpr void lower_to_floors(S& siblings, step_function<path_tree> files, const slot* floor) {
  const step_function<path_tree> dirs = rules<S>::view(siblings);
  const auto lower = [&](std::uint32_t k, std::uint32_t bits) {
    if (k != no_slot) siblings.slots()[k].value &= bits << floor_shift | ((1U << floor_shift) - 1);
  };
  for (std::uint32_t i = 0; i < files.size(); ++i)
    if (files.parent(i) != no_slot) lower(dirs.find(path::parent(files.place(i))), floor[i].value);
  for (std::uint32_t k = dirs.size(); k-- > 0;) lower(dirs.parent(k), siblings.slots()[k].value >> floor_shift);
}

/// Drops rules whose bits other rules already give: a policy distinguishes more rights than an ABI. O(n * (log n +
/// nesting)).
template <class S> constexpr void keep_needed(rules<S>& r) {
  // `given(place, kept, above)` returns the bits that the path has without its entry; `above` is the nearest kept
  // entry.
  const auto filter = [&](S& list, auto&& given) {
    S kept{};
    const auto all = r.view(list);
    for (std::uint32_t i = 0, above = no_slot; i < all.size(); ++i) {
      const entry e = all[i];
      above = r.view(kept).nearest_covering(above, e.place);
      if ((e.value & ~given(e.place, r.view(kept), above)) == 0) continue;
      (void)kept.push(e.place, {}, e.value); // cannot fail: no more entries than before
      kept.slots()[kept.size() - 1].parent = above;
      above = kept.size() - 1;
    }
    list = kept;
  };
  filter(r.siblings, [&](std::string_view dir, auto&&, std::uint32_t) { return bits_at(r, dir); });
  filter(r.except, [&](std::string_view place, auto&&, std::uint32_t) {
    const auto siblings = r.view(r.siblings);
    const entry dir = siblings.at(siblings.find(path::parent(place)));
    return dir.place == path::parent(place) && (dir.value & ~bits_at(r, place)) != 0 ? 0U : ~0U;
  });
  filter(r.grants, [&](std::string_view place, step_function<path_tree> kept, std::uint32_t above) {
    std::uint32_t bits = bits_of_siblings(r, place);
    for (; above != no_slot; above = kept.parent(above)) bits |= kept[above].value;
    return bits;
  });
}

/// Grants each path its own rights in addition to those of the grants above it. Another mechanism must enforce the
/// exceptions. O(n * (log n + nesting)).
template <class S> [[nodiscard]] constexpr bool grant_each(step_function<path_tree> files, plan<rules<S>>& made) {
  const rights words = expressible(made.rules.abi);
  step_function_builder<path_tree, S> grants(made.rules.grants);
  bool fits = true;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    grants.add({files.place(i), access_of(useful(rights::from_bits(files[i].value) & words), made.rules.abi), {}});
    fits = note_missing_partners(made.gaps, files[i]) && fits;
  }
  if (grants.close().code != errc::ok || !fits) return false;
  keep_needed(made.rules);
  return true;
}

} // namespace detail

/// Compiles the files axis. O(n * (log n + nesting)) in the entries, and in the path components above paths with fewer
/// rights. `target_refused`: the target lacks Landlock and the policy requires full enforcement.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, target t) {
  plan<rules<S>> made;
  const int abi = known(t.abi);
  made.rules.abi = abi;
  const auto files = p.files();
  const auto full = [&] { return made.error = {errc::policy_too_large}, made; };
  if (abi == 0 && (p.profile == profile::os_hardened || p.fallback == fallback::enforce))
    return made.error = {errc::target_refused}, made;
  if (abi == 0) return made.gaps.add(gap_kind::unenforced, "landlock.missing") ? made : full();
  if (p.template is_any<axis_id::files>()) {
    // The layer grants everything, but still isolates signals, abstract sockets and ptrace.
    step_function_builder<path_tree, S> grants(made.rules.grants);
    grants.add({"/", access_of(verb::everything, abi), {}});
    return grants.close().code == errc::ok && made.gaps.add(gap_kind::tightened, "landlock.root") ? made : full();
  }
  if (!detail::note_missing_words(made.gaps, abi) || !made.gaps.add(gap_kind::tightened, "landlock.root"))
    return full();

  if (t.mounts)
    return made.gaps.add(gap_kind::unenforced, "landlock.exceptions") && detail::grant_each(p.files(), made) ? made
                                                                                                             : full();

  const rights words = detail::expressible(abi);
  const auto value = [&](std::uint32_t i) { return rights::from_bits(files[i].value) & words; };
  step_function_builder<path_tree, S> grants(made.rules.grants), siblings(made.rules.siblings),
      except(made.rules.except);
  bool fits = true;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    grants.add({files.place(i), value(i).bits(), {}});
    fits = detail::note_missing_partners(made.gaps, files[i]) && fits;
  }
  if (!fits || made.rules.grants.size() != files.size()) return full();

  // Computes what all paths at and beneath an entry have. Children follow their parents in the list.
  slot* const floor = made.rules.grants.slots();
  for (std::uint32_t i = files.size(); i-- > 0;)
    if (const std::uint32_t up = files.parent(i); up != no_slot) floor[up].value &= floor[i].value;

  // Until close() sets it, `parent` of a grant's slot is the last child with fewer rights.
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const std::uint32_t up = files.parent(i);
    if (up == no_slot || value(up) <= rights::from_bits(floor[i].value)) continue;
    const std::string_view here = files.place(i), above = files.place(up);
    const std::string_view before = floor[up].parent == no_slot ? std::string_view() : files.place(floor[up].parent);
    floor[up].parent = i;
    const auto done = [&](std::string_view dir) { return !before.empty() && path::covers(dir, before); };
    for (std::string_view dir = above; dir != here;) {
      if (!done(dir)) {
        siblings.add({dir, access_of(detail::useful(value(up)), abi) | value(up).bits() << detail::floor_shift, {}});
        fits = made.gaps.add(gap_kind::tightened, "landlock.siblings", dir) && fits;
      }
      dir = path::next_on_the_way(here, dir.size());
      if (!done(dir)) except.add({dir, 1, {}});
    }
  }
  const auto ok = [](diagnostic d) { return d.code == errc::ok; };
  if (!fits || !ok(siblings.close_list()) || !ok(except.close_list())) return full();
  detail::lower_to_floors(made.rules.siblings, files, floor);
  const auto access = [&](std::uint32_t bits) { return access_of(detail::useful(rights::from_bits(bits)), abi); };
  for (std::uint32_t i = 0; i < files.size(); ++i) floor[i].value = access(floor[i].value);
  for (std::uint32_t k = 0; k < made.rules.siblings.size(); ++k) {
    std::uint32_t& both = made.rules.siblings.slots()[k].value;
    const std::string_view dir = made.rules.view(made.rules.siblings).place(k);
    if (const std::uint32_t i = files.find(dir); files.place(i) != dir)
      grants.add({dir, access(both >> detail::floor_shift), {}});
    both &= handled(abi);
  }
  if (!ok(grants.close())) return full();
  detail::keep_needed(made.rules);
  return made;
}

/// Calls `f(place)` for every path at which the rules may change.
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  for (const S* s : {&r.grants, &r.siblings, &r.except})
    for (std::uint32_t i = 0; i < s->size(); ++i) f(r.view(*s).place(i));
}

/// Writes the rules as text, one a line.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  const auto words = [&](std::uint32_t bits) {
    for (std::size_t i = 0; i < access_names.size(); ++i)
      if ((bits >> i & 1) != 0) out(" "), out(access_names[i]);
  };
  const auto lines = [&](std::string_view kind, step_function<path_tree> v, bool with_words) {
    for (std::uint32_t i = 0; i < v.size(); ++i) {
      out(kind), utf8::write_printable(v.place(i), out);
      if (with_words) words(v[i].value);
      out("\n");
    }
  };
  out("handled"), words(handled(r.abi)), out("\n");
  lines("grant ", r.view(r.grants), true);
  lines("siblings ", r.view(r.siblings), true);
  lines("except ", r.view(r.except), false);
}

namespace detail {

/// Returns whether rules that only add can give that right at the path. Entries are created and removed in their parent
/// directory.
[[nodiscard]] constexpr bool floor_gives(step_function<path_tree> files, right what, std::string_view place,
                                         file_type there) {
  const rights here = floor_at(files, place), above = floor_at(files, path::parent(place));
  switch (what) {
  case right::run: return here.has(right::run) && here.has(right::read);
  case right::create:
    return place != "/" && above.has(right::create) && (there == file_type::directory || here.has(right::write));
  case right::remove: return place != "/" && above.has(right::remove);
  default: return here.has(what);
  }
}

/// Returns whether the path or one above it has the right. Without exceptions the path then has it too.
[[nodiscard]] constexpr bool has_around(step_function<path_tree> files, right what, std::string_view place) {
  for (std::uint32_t i = files.find(place); i != no_slot; i = files.parent(i))
    if (rights::from_bits(files[i].value).has(what)) return true;
  return false;
}

/// Returns whether the rules give all access bits of a right.
template <class S> [[nodiscard]] constexpr bool gives(const rules<S>& r, right what, std::string_view place) {
  const std::uint32_t wanted = access_of(what, r.abi);
  return (bits_at(r, place) & wanted) == wanted;
}

} // namespace detail

struct backend {
  static constexpr std::string_view name = backend_name;
  using target = landlock::target;
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return landlock::gap_types; }
  /// Named by the ABI that the kernel reports; the last target is inside a view of mounts.
  static constexpr named_target<landlock::target> targets[]{
      {"10", {10}}, {"9", {9}}, {"8", {8}}, {"7", {7}}, {"6", {6}}, {"5", {5}},
      {"4", {4}},   {"3", {3}}, {"2", {2}}, {"1", {1}}, {"0", {0}}, {"in-view", {10, true}}};

  /// Returns whether a gap explains a difference between rules and policy. Gap types do not describe what holds only at
  /// a granted path itself, so this function checks it.
  template <class Gaps, class S>
  [[nodiscard]] static constexpr bool explains(const Gaps& gaps, const rules<S>& r, const basic_policy<S>& p,
                                               right what, std::string_view place, bool permitted, file_type there) {
    if (permitted)
      return gaps.has("landlock.missing") || (what == right::attributes && gaps.has("landlock.attributes")) ||
             (what == right::connect && gaps.has("landlock.connect")) ||
             (gaps.has("landlock.exceptions") && detail::has_around(p.files(), what, place));
    const std::string_view entry = p.files().place(p.files().find(place)), above = path::parent(place);
    const bool of_entries = what == right::create || what == right::remove;
    const bool floor =
        gaps.has("landlock.siblings", place) ||
        (of_entries && (gaps.has("landlock.siblings", above) || (entry == place && gaps.has("landlock.root"))));
    if (floor && !detail::floor_gives(p.files(), what, place, there)) return true;
    // Only if the partner right alone is missing: the rules must give the right to create the entry.
    if (what == right::run) return gaps.has("landlock.run_without_read", entry);
    return what == right::create && there != file_type::directory && gaps.has("landlock.create_without_write", entry) &&
           detail::gives(r, right::create, above);
  }
};

} // namespace cordon::landlock
