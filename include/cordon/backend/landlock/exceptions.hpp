// SPDX-License-Identifier: BSL-1.0
/// Rules for grants with exceptions: paths that have fewer rights than the grant around them.
///
/// Rules only add rights, so a path gets by its own rule only its *floor*: the rights that it and every path beneath it
/// have. The rest goes to its entries one by one (`siblings`), except the entry towards the exception (`except`). For
/// example, a policy that grants read and write at /srv and only read at /srv/a/key becomes:
///
///     grant     /srv      read            its floor
///     siblings  /srv      read write      each entry of /srv, but not /srv/a
///     grant     /srv/a    read            the same one directory further down
///     siblings  /srv/a    read write      each entry of /srv/a, but not /srv/a/key
///     grant     /srv/a/key  read
///
/// Rules that other rules make superfluous are dropped afterwards (keep_needed.hpp).
#pragma once

#include "../../gap/plan.hpp"
#include "missing.hpp"
#include "rules.hpp"

namespace cordon::landlock::detail {

/// A step function of the policy, limited to the rights that an ABI can express.
struct expressible_files {
  step_function<path_tree> entries;
  rights words;

  [[nodiscard]] constexpr rights at(std::uint32_t i) const { return rights::from_bits(entries[i].value) & words; }
};

/// Returns the floor of each entry. One pass from the end: children follow their parents in the list. O(n).
template <class S> [[nodiscard]] constexpr side_table<S, rights> floors_of(const expressible_files& files) {
  side_table<S, rights> floors(files.entries.size());
  for (std::uint32_t i = 0; i < files.entries.size(); ++i) floors[i] = files.at(i);
  for (std::uint32_t i = files.entries.size(); i-- > 0;)
    if (const std::uint32_t up = files.entries.parent(i); up != no_slot) floors[up] = floors[up] & floors[i];
  return floors;
}

/// Calls `f(directory, next)` for each directory from `above` to the parent of `here`, with its entry towards `here`.
template <class F> constexpr void each_on_the_way(std::string_view above, std::string_view here, F&& f) {
  for (std::string_view directory = above; directory != here;) {
    const std::string_view next = path::next_on_the_way(here, directory.size());
    f(directory, next);
    directory = next;
  }
}

/// Lists `siblings` and `except`: for each entry whose floor lacks rights of the entry around it, the directories from
/// that entry down to it. Two such entries share the first part of their ways, so a directory that covers the previous
/// one of the same parent is listed already. Returns false if the storage is full. O(n + path components).
template <class S>
[[nodiscard]] constexpr bool list_siblings(const expressible_files& files, const side_table<S, rights>& floors,
                                           plan_parts<rules<S>> made) {
  const step_function<path_tree> entries = files.entries;
  step_function_builder<path_tree, S> siblings(made.rules.siblings), except(made.rules.except);
  side_table<S, std::uint32_t> last_exception(entries.size(), no_slot); // of the children of each entry
  bool fits = true;
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const std::uint32_t up = entries.parent(i);
    if (up == no_slot || files.at(up) <= floors[i]) continue;
    const std::uint32_t last = last_exception[up];
    last_exception[up] = i;
    const std::string_view previous = last == no_slot ? std::string_view() : entries.place(last);
    const auto is_listed = [previous](std::string_view p) { return !previous.empty() && path::covers(p, previous); };
    const std::uint32_t access = access_of(useful(files.at(up)), made.rules.abi);
    each_on_the_way(entries.place(up), entries.place(i), [&](std::string_view directory, std::string_view next) {
      if (!is_listed(directory)) {
        siblings.add({directory, access, {}});
        fits = made.gaps.add(gaps::siblings, directory) && fits;
      }
      if (!is_listed(next)) except.add({next, 1, {}});
    });
  }
  const bool closed = siblings.close_list().code == diagnostic_code::ok;
  return except.close_list().code == diagnostic_code::ok && closed && fits;
}

/// A directory of `siblings`.
struct sibling_directory {
  std::uint32_t entry = no_slot; ///< the entry of the policy that covers it
  rights floor{};
};

/// Returns the directories of `siblings` with their floors. Both lists are in the order of the walk, so one merge finds
/// the entry around each directory, and the nearest directory above each entry. O(n).
template <class S>
[[nodiscard]] constexpr side_table<S, sibling_directory>
directories_of(const expressible_files& files, const side_table<S, rights>& floors, const rules<S>& r) {
  const step_function<path_tree> list = r.view(r.siblings);
  side_table<S, sibling_directory> directories(list.size());
  if (list.empty()) return directories;
  const auto lower = [&directories](std::uint32_t k, rights floor) {
    if (k != no_slot) directories[k].floor = directories[k].floor & floor;
  };
  merge(files.entries, list, [&](std::string_view place, std::uint32_t i, std::uint32_t k) {
    const bool is_directory = k != no_slot && list.place(k).size() == place.size();
    const bool is_entry = i != no_slot && files.entries.place(i).size() == place.size();
    if (is_directory) directories[k] = {i, files.at(i)};
    if (is_entry) lower(is_directory ? list.parent(k) : k, floors[i]);
    return true;
  });
  for (std::uint32_t k = list.size(); k-- > 0;) lower(list.parent(k), directories[k].floor);
  return directories;
}

/// Grants each entry of the policy and each directory of `siblings` its floor. Without a grant, such a directory would
/// have only the floor of the entry above, which other paths lower too: a wider policy could then permit less. Both lists
/// are in the order of the walk, so that the grants need no sort. Returns false if the storage is full. O(n).
template <class S>
[[nodiscard]] constexpr bool grant_floors(step_function<path_tree> entries, const side_table<S, rights>& floors,
                                          const side_table<S, sibling_directory>& directories, rules<S>& r) {
  step_function_builder<path_tree, S> grants(r.grants);
  const step_function<path_tree> list = r.view(r.siblings);
  merge(entries, list, [&](std::string_view place, std::uint32_t i, std::uint32_t k) {
    const bool is_entry = i != no_slot && entries.place(i).size() == place.size();
    const rights floor = is_entry ? floors[i] : directories[k].floor;
    grants.add({place, access_of(useful(floor), r.abi) | commands_at(place, floor, r.abi), {}});
    return true;
  });
  return grants.close().code == diagnostic_code::ok;
}

/// Grants the files axis without a path that gets more than the policy grants. Returns false if the storage is full.
/// O(n * (log n + nesting) + path components).
template <class S>
[[nodiscard]] constexpr bool grant_around_exceptions(step_function<path_tree> entries, plan_parts<rules<S>> made) {
  const expressible_files files{entries, expressible(made.rules.abi)};
  const side_table<S, rights> floors = floors_of<S>(files);
  return note_missing_partners(made.gaps, entries) && list_siblings(files, floors, made) &&
         grant_floors(entries, floors, directories_of(files, floors, made.rules), made.rules);
}

} // namespace cordon::landlock::detail
