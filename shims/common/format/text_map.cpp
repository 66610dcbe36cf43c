// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/text_map.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cordon {
namespace {

/// The position of a name, or where it belongs.
[[nodiscard]] std::size_t position(const std::vector<text_map::value_type>& all, std::string_view name) {
  if (all.empty() || all.back().first < name) return all.size();
  const auto before = [](const text_map::value_type& one, std::string_view text) { return one.first < text; };
  return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), name, before) - all.begin());
}

} // namespace

text_map::const_iterator text_map::find(std::string_view name) const {
  const std::size_t at = position(entries_, name);
  return at < entries_.size() && entries_[at].first == name ? entries_.begin() + static_cast<std::ptrdiff_t>(at)
                                                            : entries_.end();
}

const std::string& text_map::at(std::string_view name) const {
  const auto found = find(name);
  if (found == end()) throw std::out_of_range("cordon: no such name");
  return found->second;
}

void text_map::insert_or_assign(std::string_view name, std::string text) {
  const std::size_t at = position(entries_, name);
  const bool is_new = at == entries_.size() || entries_[at].first != name;
  if (is_new) entries_.emplace(entries_.begin() + static_cast<std::ptrdiff_t>(at), name, std::move(text));
  else entries_[at].second = std::move(text);
}

} // namespace cordon
