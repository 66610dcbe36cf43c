// SPDX-License-Identifier: BSL-1.0
/// Access control lists as text (SDDL, "Security Descriptor String Format"): adds and removes the entries of a
/// container.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::windows_shim {

/// A discretionary access control list, parsed.
struct access_list {
  std::wstring flags;                ///< of the list: P (it inherits nothing), AR, AI
  std::vector<std::wstring> entries; ///< each with its parentheses

  [[nodiscard]] bool is_protected() const { return flags.find(L'P') != flags.npos; }
  [[nodiscard]] std::wstring text() const {
    std::wstring out = L"D:" + flags;
    for (const std::wstring& e : entries) out += e;
    return out;
  }
};

namespace detail {

/// Field `which` of an entry: type, flags, rights, object, inherited object, account.
[[nodiscard]] inline std::wstring_view field(std::wstring_view entry, int which) {
  entry = entry.substr(1, entry.size() - 2);
  for (; which > 0; --which) {
    const std::size_t end = entry.find(L';');
    if (end == entry.npos) return {};
    entry.remove_prefix(end + 1);
  }
  return entry.substr(0, entry.find(L';'));
}

[[nodiscard]] inline bool is_inherited(std::wstring_view entry) {
  const std::wstring_view flags = field(entry, 1);
  for (std::size_t i = 0; i + 1 < flags.size(); i += 2)
    if (flags.substr(i, 2) == L"ID") return true;
  return false;
}

/// The same entry, explicit instead of inherited.
[[nodiscard]] inline std::wstring as_own(std::wstring entry) {
  const std::size_t from = entry.find(L';') + 1, end = entry.find(L';', from);
  for (std::size_t i = from; i + 1 < end; i += 2)
    if (entry.compare(i, 2, L"ID") == 0) return entry.erase(i, 2);
  return entry;
}

} // namespace detail

/// Throws: std::invalid_argument for an invalid list, and for an object without a list, which would allow every access.
[[nodiscard]] inline access_list parse_access_list(std::wstring_view text) {
  access_list out;
  if (!text.starts_with(L"D:")) throw std::invalid_argument("no access control list");
  text.remove_prefix(2);
  const std::size_t entries = std::min(text.find(L'('), text.size());
  out.flags = text.substr(0, entries);
  if (out.flags.find(L"NO_ACCESS_CONTROL") != out.flags.npos) throw std::invalid_argument("an object without a list");
  int depth = 0;
  bool in_text = false; // inside the text of a condition
  for (std::size_t i = entries, from = i; i < text.size(); ++i) {
    if (text[i] == L'"') in_text = !in_text;
    if (in_text) continue;
    if (text[i] == L'(' && depth++ == 0) from = i;
    if (text[i] == L')' && --depth == 0) out.entries.emplace_back(text.substr(from, i + 1 - from));
    if (depth < 0) throw std::invalid_argument("a list with a stray parenthesis");
  }
  if (depth != 0 || in_text) throw std::invalid_argument("a list that does not end");
  return out;
}

/// Adds the container's entries. Explicit entries that allow come after those that deny and before inherited ones, as
/// Windows expects. `isolated`: inherited entries become explicit, later ones are not inherited, and the container has
/// only these entries.
[[nodiscard]] inline access_list with_entries(access_list list, const std::vector<std::wstring>& entries,
                                              std::wstring_view account, bool isolated) {
  std::erase_if(list.entries, [&](const std::wstring& e) {
    return detail::field(e, 5) == account && (isolated || !detail::is_inherited(e));
  });
  if (isolated) {
    // Inherited entries that deny would come after explicit ones that allow, which is not the order that Windows
    // expects.
    for (std::wstring& e : list.entries) e = detail::as_own(std::move(e));
    std::stable_partition(list.entries.begin(), list.entries.end(), [](const std::wstring& e) {
      return detail::field(e, 0).find(L'D') != std::wstring_view::npos;
    });
    if (!list.is_protected()) list.flags.insert(0, L"P");
  }
  const auto first = std::find_if(list.entries.begin(), list.entries.end(), [](const std::wstring& e) {
    return detail::is_inherited(e) || detail::field(e, 0).find(L'D') == std::wstring_view::npos;
  });
  list.entries.insert(first, entries.begin(), entries.end());
  return list;
}

/// Removes the explicit entries of the account.
[[nodiscard]] inline access_list without_account(access_list list, std::wstring_view account) {
  std::erase_if(list.entries,
                [&](const std::wstring& e) { return detail::field(e, 5) == account && !detail::is_inherited(e); });
  return list;
}

} // namespace cordon::windows_shim
