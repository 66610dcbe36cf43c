// SPDX-License-Identifier: BSL-1.0
/// Checks which of some hundred paths under home exist, with few system calls. Each parent directory is listed once,
/// and only a name in its list is looked up.
#pragma once

#include "../detail/ascii.hpp"
#include "document.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::format::detail {

class existing_paths {
public:
  /// For paths beneath `top`, in normal form; empty: no path is beneath it. `facts` must outlive this object.
  existing_paths(const host_facts& facts, std::string_view top) : facts_(facts), top_(top == "/" ? "" : top) {}

  /// True if the path exists; symbolic links are followed.
  [[nodiscard]] bool has(std::string_view place) { return has(place, facts_.exists); }
  /// True if the path may exist; it must then be hidden.
  [[nodiscard]] bool may_have(std::string_view place) {
    return has(place, facts_.may_exist != nullptr ? facts_.may_exist : facts_.exists);
  }

private:
  using predicate = bool (*)(std::string_view);

  [[nodiscard]] bool has(std::string_view place, predicate exists) {
    if (exists == nullptr) return true;
    for (std::size_t start = top_.size(), end = 0; facts_.names_in != nullptr && end != place.npos; start = end) {
      end = place.find('/', start + 1);
      if (!may_hold(start == 0 ? "/" : place.substr(0, start), place.substr(start + 1, end - start - 1))) return false;
    }
    return exists(place);
  }

  using names = std::optional<std::vector<std::string>>;

  /// True if the name may exist in the directory, also if the directory cannot be listed.
  [[nodiscard]] bool may_hold(std::string_view directory, std::string_view name) {
    auto at = lists_.find(directory);
    if (at == lists_.end()) at = lists_.emplace(std::string(directory), list_of(directory)).first;
    return !at->second || std::binary_search(at->second->begin(), at->second->end(), folded(name));
  }

  [[nodiscard]] names list_of(std::string_view directory) const {
    names all = facts_.names_in(directory);
    if (!all) return all;
    for (std::string& name : *all) name = folded(std::move(name));
    std::sort(all->begin(), all->end());
    return all;
  }

  /// Some directories match names in any case (macOS; Windows; `chattr +F` on Linux), so all names are compared in
  /// lower case.
  [[nodiscard]] static std::string folded(std::string name) {
    for (char& c : name) c = ascii::lower(c);
    return name;
  }
  [[nodiscard]] static std::string folded(std::string_view name) { return folded(std::string(name)); }

  const host_facts& facts_;
  std::string top_; ///< empty for the root directory
  std::map<std::string, names, std::less<>> lists_;
};

} // namespace cordon::format::detail
