// SPDX-License-Identifier: BSL-1.0
/// Texts by name. `<map>` would take every consumer longer to compile than such a list.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// Names, each with a text, in the byte order of the names. A look-up is O(log n). An insertion is O(1) behind the last
/// name and O(n) elsewhere: to insert many, insert them in order.
class text_map {
public:
  using value_type = std::pair<std::string, std::string>;         ///< a name and its text
  using const_iterator = std::vector<value_type>::const_iterator; ///< iterates in the order of the names

  text_map() = default;
  /// Inserts them in order; of equal names, the last counts.
  text_map(std::initializer_list<value_type> all) : text_map(all.begin(), all.end()) {}
  /// Inserts names with their texts. O(n) if they are in order, as those of a std::map are.
  template <class Iterator> text_map(Iterator first, Iterator last) {
    for (; first != last; ++first) insert_or_assign(first->first, first->second);
  }

  void clear() { entries_.clear(); }                                      ///< Removes all.
  [[nodiscard]] bool empty() const { return entries_.empty(); }           ///< Is there no name?
  [[nodiscard]] std::size_t size() const { return entries_.size(); }      ///< The number of names.
  [[nodiscard]] const_iterator begin() const { return entries_.begin(); } ///< The first name in byte order.
  [[nodiscard]] const_iterator end() const { return entries_.end(); }     ///< The end of the names.

  /// Returns: `end()` if the name is missing.
  [[nodiscard, gnu::abi_tag("abi_0")]] const_iterator find(std::string_view name) const;
  /// Throws: std::out_of_range if the name is missing.
  [[nodiscard, gnu::abi_tag("abi_0")]] const std::string& at(std::string_view name) const;
  /// There is no operator[]: an insertion moves the other texts, so `m[a] = m[b]` would read one that has moved.
  [[gnu::abi_tag("abi_0")]] void insert_or_assign(std::string_view name, std::string text);

  /// Compares names and texts.
  friend bool operator==(const text_map& a, const text_map& b) { return a.entries_ == b.entries_; }

private:
  std::vector<value_type> entries_;
};

} // namespace cordon
