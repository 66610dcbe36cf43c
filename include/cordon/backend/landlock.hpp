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
#include "landlock/exceptions.hpp"
#include "landlock/keep_needed.hpp"

#include <span>

namespace cordon::landlock {

inline constexpr std::string_view backend_name = "landlock"; ///< the name on the command line, and in IDs of gaps

namespace detail {

/// The access to sockets outside the run, which no rule gives in a view: Landlock cannot take it away again beneath a
/// grant, and mounts cannot either. Sockets of the run itself need no rule.
[[nodiscard]] constexpr std::uint32_t names_outside(bool mounts) { return mounts ? std::uint32_t{RESOLVE_UNIX} : 0U; }

/// Grants everything. The layer still isolates signals, abstract sockets and ptrace.
template <class S> [[nodiscard]] constexpr bool grant_everything(bool mounts, plan_parts<rules<S>> made) {
  step_function_builder<path_tree, S> grants(made.rules.grants);
  grants.add({"/", access_of(verb::everything, made.rules.abi) & ~names_outside(mounts), {}});
  return grants.close().code == diagnostic_code::ok && made.gaps.add(gaps::root);
}

/// Adds the gap of the names outside, if a grant has one. Returns false if the gaps are full.
template <class S>
[[nodiscard]] constexpr bool note_names_outside(step_function<path_tree> entries, plan_parts<rules<S>> made) {
  if ((handled(made.rules.abi) & names_outside(true)) == 0) return true;
  for (const entry e : entries)
    if (rights::from_bits(e.value).has(right::connect)) return made.gaps.add(gaps::outside);
  return true;
}

/// Grants each path its own rights in addition to those of the grants above it. Another mechanism must enforce the
/// exceptions. O(n log n).
template <class S>
[[nodiscard]] constexpr bool grant_each(step_function<path_tree> entries, plan_parts<rules<S>> made) {
  const expressible_files files{entries, expressible(made.rules.abi)};
  step_function_builder<path_tree, S> grants(made.rules.grants);
  for (std::uint32_t i = 0; i < entries.size(); ++i)
    grants.add({entries.place(i),
                (access_of(useful(files.at(i)), made.rules.abi) & ~names_outside(true)) |
                    commands_at(entries.place(i), files.at(i), made.rules.abi),
                {}});
  return note_missing_partners(made.gaps, entries) && grants.close().code == diagnostic_code::ok;
}

/// Grants the files axis. Returns false if the storage is full.
template <class S>
[[nodiscard]] constexpr bool grant_files(step_function<path_tree> entries, bool mounts, plan_parts<rules<S>> made) {
  if (!note_missing_words(made.gaps, made.rules.abi) || !made.gaps.add(gaps::root)) return false;
  const bool fits =
      mounts ? made.gaps.add(gaps::exceptions) && grant_each(entries, made) : grant_around_exceptions(entries, made);
  if (fits) keep_needed(made.rules);
  return fits;
}

} // namespace detail

/// The same as `compile`, into the parts of an empty plan.
template <class S> constexpr void compile_to(const basic_policy<S>& p, target t, plan_parts<rules<S>> made) {
  made.rules.abi = known(t.abi);
  const bool is_missing = made.rules.abi == 0;
  if (is_missing && (p.profile == profile::os_hardened || p.fallback == fallback::enforce)) {
    made.error = {diagnostic_code::target_refused};
    return;
  }
  const bool fits = is_missing                            ? made.gaps.add(gaps::missing)
                    : p.template is_any<axis_id::files>() ? detail::grant_everything(t.mounts, made)
                                                          : detail::grant_files(p.files(), t.mounts, made);
  const bool noted = is_missing || !t.mounts || detail::note_names_outside(p.files(), made);
  if (!fits || !noted) made.error = {diagnostic_code::policy_too_large};
}

/// Compiles the files axis. O(n * (log n + nesting)) in the entries, and in the path components above paths with fewer
/// rights. `target_refused`: the target lacks Landlock and the policy requires full enforcement.
template <class S> [[nodiscard]] constexpr plan<rules<S>> compile(const basic_policy<S>& p, target t = {}) {
  plan<rules<S>> made;
  compile_to(p, t, made.parts());
  return made;
}

/// Calls `f(place)` for every path at which the rules may change.
template <class S, class F> constexpr void each_place(const rules<S>& r, F&& f) {
  for (const S* s : {&r.grants, &r.siblings, &r.except})
    for (std::uint32_t i = 0; i < s->size(); ++i) f(r.view(*s).place(i));
}

namespace detail {

template <class Out> constexpr void write_accesses(std::uint32_t bits, Out& out) {
  for (std::size_t i = 0; i < access_names.size(); ++i)
    if ((bits >> i & 1) != 0) {
      out(" ");
      out(access_names[i]);
    }
}

/// Writes a line for each path, without its accesses if `except`.
template <class Out>
constexpr void write_list(std::string_view kind, step_function<path_tree> list, bool except, Out& out) {
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    out(kind);
    utf8::write_printable(list.place(i), out);
    if (!except) write_accesses(list[i].value, out);
    out("\n");
  }
}

} // namespace detail

/// Writes the rules as text, one a line.
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  out("handled");
  detail::write_accesses(handled(r.abi), out);
  out("\n");
  detail::write_list("grant ", r.view(r.grants), false, out);
  detail::write_list("siblings ", r.view(r.siblings), false, out);
  detail::write_list("except ", r.view(r.except), true, out);
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

/// Returns whether a gap reports that nothing restricts the right, on any path.
template <class Gaps> [[nodiscard]] constexpr bool is_unrestricted(const Gaps& gaps, right what) {
  for (const gap_type& t : gap_types)
    if (t.kind == gap_kind::unenforced && t.rights.has(what) && t.id != gaps::exceptions.id && gaps.has(t)) return true;
  return false;
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

/// The backend as a type, for `backends`.
struct backend {
  static constexpr std::string_view name = backend_name; ///< the name of the backend
  using target = landlock::target;                       ///< what the rules are compiled for
  /// The types of gaps that its plans can have.
  [[nodiscard]] static constexpr std::span<const gap_type> gap_types() { return landlock::gap_types; }
  /// Named by the ABI that the kernel reports, highest first; the last target is inside a view of mounts.
  static constexpr auto targets = [] {
    std::array<named_target<landlock::target>, std::size(abi_table) + 2> all{};
    std::size_t size = 0;
    for (std::size_t i = std::size(abi_table); i-- > 0;) all[size++] = {abi_table[i].name, {abi_table[i].abi}};
    all[size++] = {"0", {0}};
    all[size] = {"in-view", {highest_abi, true}};
    return all;
  }();

  /// Returns whether a gap explains a difference between rules and policy. Gap types do not describe what holds only at
  /// a granted path itself, so this function checks it.
  template <class Gaps, class S>
  [[nodiscard]] static constexpr bool explains(const Gaps& gaps, const rules<S>& r, const basic_policy<S>& p,
                                               right what, std::string_view place, bool permitted, file_type there) {
    if (permitted)
      return detail::is_unrestricted(gaps, what) ||
             (gaps.has(gaps::exceptions) && detail::has_around(p.files(), what, place));
    if (what == right::connect && gaps.has(gaps::outside)) return true;
    const std::string_view entry = p.files().place(p.files().find(place)), above = path::parent(place);
    const bool of_entries = what == right::create || what == right::remove;
    const bool floor = gaps.has(gaps::siblings, place) ||
                       (of_entries && (gaps.has(gaps::siblings, above) || (entry == place && gaps.has(gaps::root))));
    if (floor && !detail::floor_gives(p.files(), what, place, there)) return true;
    // Only if the partner right alone is missing: the rules must give the right to create the entry.
    if (what == right::run) return gaps.has(gaps::run_without_read, entry);
    return what == right::create && there != file_type::directory && gaps.has(gaps::create_without_write, entry) &&
           detail::gives(r, right::create, above);
  }
};

} // namespace cordon::landlock
