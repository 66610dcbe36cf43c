// SPDX-License-Identifier: BSL-1.0
/// A hash table of names, searched for all suffixes of a name at once.
#pragma once

#include "../host_axis.hpp"
#include "packed.hpp"
#include "port_pool.hpp"
#include "suffixes.hpp"

#include <string>
#include <vector>

namespace cordon::detail {

class name_table {
public:
  using value = port_pool::value;

  /// The names of a union of patterns. O(n).
  name_table(step_function<host_tree> of, port_pool& ports) {
    star_ = ports.add(host::port_grant_of(of.at(of.find(host::every_name))).allowed);
    const std::uint32_t first = of.upper_bound(host::every_name);
    std::size_t names = 0, bytes = 0;
    std::string_view last;
    std::uint32_t end = first;
    for (; end != of.size() && host::is_name_place(of.place(end)); ++end) {
      const std::string_view name = host::name_of(of.place(end));
      if (name != last) {
        ++names;
        bytes += 2 + name.size();
      }
      if (!host::port_grant_of(of[end]).allowed.is_all()) bytes += sizeof(value);
      last = name;
    }
    while (groups_ * most_used < names) groups_ *= 2;
    table_.reserve(records_at() + bytes);
    table_.resize(records_at());
    for (std::uint32_t i = first; i != end;) i = add(of, i, ports);
  }

  /// The value of a name in canonical form. O(size of the name).
  [[nodiscard]] value find(std::string_view name) const {
    if (name.empty() || name.size() > host::longest_name) return port_pool::none;
    const suffixes s(name);
    // Prefetches the groups of all suffixes before the first one is read.
    if (groups_ > few_groups)
      for (std::size_t i = 0; i < s.size(); ++i)
        if (is_used(i + 1)) {
          touch(&table_[tags_at(group_of(s.hash(i)))]);
          touch(&table_[offset_at(group_of(s.hash(i)), 0)]);
        }
    for (std::size_t i = s.size(); i-- > 0;) {
      value v = port_pool::none;
      if (is_used(i + 1) && find(s.hash(i), s.text(i), i + 1 == s.size(), v)) return v;
    }
    return star_;
  }

  [[nodiscard]] std::size_t bytes() const { return table_.capacity(); }

private:
  static constexpr std::size_t group_slots = 8;
  static constexpr std::size_t most_used = 7; ///< slots of a group on average
  static constexpr std::size_t few_groups = 256;

  // A record: the size of its name, these marks, the name; then a value for each of tree and exact that is present and
  // not all ports.
  static constexpr unsigned has_tree = 1, has_exact = 2, all_tree = 4, all_exact = 8;

  [[nodiscard]] std::size_t group_of(std::uint64_t hash) const { return hash >> 20 & (groups_ - 1); }
  [[nodiscard]] static unsigned char tag_of(std::uint64_t hash) { return static_cast<unsigned char>(1 + hash % 255); }
  [[nodiscard]] bool is_used(std::size_t labels) const { return (depths_[labels / 64] >> labels % 64 & 1) != 0; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & (groups_ - 1); }
  /// Offsets in the table: the tags of a group, 0 for a free slot; the offset of a slot's record; the records.
  [[nodiscard]] static std::size_t tags_at(std::size_t group) { return group * group_slots; }
  [[nodiscard]] std::size_t offset_at(std::size_t group, std::size_t slot) const {
    return tags_at(groups_) + (group * group_slots + slot) * sizeof(std::uint32_t);
  }
  [[nodiscard]] std::size_t records_at() const { return offset_at(groups_, 0); }
  static void touch([[maybe_unused]] const void* g) {
#if defined(__GNUC__)
    __builtin_prefetch(g);
#endif
  }

  /// Writes the record of the name at `i`, which holds `d` and `=d`. Returns: the index after them.
  std::uint32_t add(step_function<host_tree> of, std::uint32_t i, port_pool& ports) {
    const std::string_view name = host::name_of(of.place(i));
    const auto record = static_cast<std::uint32_t>(table_.size() - records_at());
    unsigned marks = 0;
    std::string values;
    const auto take = [&](unsigned has, unsigned all) {
      const value v = ports.add(host::port_grant_of(of[i++]).allowed);
      marks |= has | (v == port_pool::all ? all : 0);
      if (v != port_pool::all) values.append(reinterpret_cast<const char*>(&v), sizeof v);
    };
    if (!host::is_exact(of.place(i))) take(has_tree, all_tree);
    if (i != of.size() && host::is_exact(of.place(i)) && host::name_of(of.place(i)) == name) take(has_exact, all_exact);
    table_.push_back(static_cast<char>(name.size()));
    table_.push_back(static_cast<char>(marks));
    append(table_, name);
    append(table_, values);

    const suffixes s(name);
    const std::uint64_t hash = s.hash(s.size() - 1);
    depths_[s.size() / 64] |= std::uint64_t{1} << s.size() % 64;
    for (std::size_t at = group_of(hash);; at = next(at)) {
      const std::uint64_t free = bytes_equal(load(&table_[tags_at(at)]), 0);
      if (free == 0) continue;
      const auto slot = static_cast<std::size_t>(std::countr_zero(free)) / 8;
      table_[tags_at(at) + slot] = static_cast<char>(tag_of(hash));
      std::memcpy(&table_[offset_at(at, slot)], &record, sizeof record);
      return i;
    }
  }

  [[nodiscard]] bool find(std::uint64_t hash, std::string_view suffix, bool whole, value& v) const {
    const unsigned char tag = tag_of(hash);
    for (std::size_t at = group_of(hash);; at = next(at)) {
      const std::uint64_t here = load(&table_[tags_at(at)]);
      for (std::uint64_t hits = bytes_equal(here, tag); hits != 0; hits &= hits - 1) {
        const std::size_t record = offset_at(at, static_cast<std::size_t>(std::countr_zero(hits)) / 8);
        if (read(nth<std::uint32_t>(&table_[record], 0), suffix, whole, v)) return true;
      }
      if (here >> 56 == 0) return false; // slots are filled in order, so a free last slot ends the search
    }
  }

  /// Reads the value of a record for a name that ends with the suffix. Returns: false if the record does not match.
  [[nodiscard]] bool read(std::uint32_t at, std::string_view suffix, bool whole, value& v) const {
    const char* const record = &table_[records_at() + at];
    if (static_cast<unsigned char>(record[0]) != suffix.size()) return false;
    const auto marks = static_cast<unsigned>(static_cast<unsigned char>(record[1]));
    const bool exact = whole && (marks & has_exact) != 0;
    if (!exact && (marks & has_tree) == 0) return false;
    if (std::memcmp(record + 2, suffix.data(), suffix.size()) != 0) return false;
    v = port_pool::all;
    if ((marks & (exact ? all_exact : all_tree)) != 0) return true;
    const bool second = exact && (marks & (has_tree | all_tree)) == has_tree;
    std::memcpy(&v, record + 2 + suffix.size() + (second ? sizeof v : 0), sizeof v);
    return true;
  }

  value star_ = port_pool::none;
  std::uint32_t groups_ = 1;
  std::array<std::uint64_t, 4> depths_{}; ///< bit n: there is a name of n labels
  std::vector<char> table_;               ///< the tags of all groups, the offsets of their records, the records
};

} // namespace cordon::detail
