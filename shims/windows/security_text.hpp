// SPDX-License-Identifier: BSL-1.0
/// Access control lists as text (SDDL, "Security Descriptor String Format"): what one looks like once a container has its
/// entries in it, and once it has them no more.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::windows_shim {

/// A discretionary list, taken apart.
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

/// The field of an entry: type, flags, rights, object, inherited object, account.
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

/// The same entry as the object's own.
[[nodiscard]] inline std::wstring as_own(std::wstring entry) {
  const std::size_t from = entry.find(L';') + 1, end = entry.find(L';', from);
  for (std::size_t i = from; i + 1 < end; i += 2)
    if (entry.compare(i, 2, L"ID") == 0) return entry.erase(i, 2);
  return entry;
}

} // namespace detail

/// Throws std::invalid_argument for what is no list, and for none at all (which would allow everybody everything).
[[nodiscard]] inline access_list parse_access_list(std::wstring_view text) {
  access_list out;
  if (!text.starts_with(L"D:")) throw std::invalid_argument("no access control list");
  text.remove_prefix(2);
  const std::size_t entries = std::min(text.find(L'('), text.size());
  out.flags = text.substr(0, entries);
  if (out.flags.find(L"NO_ACCESS_CONTROL") != out.flags.npos) throw std::invalid_argument("an object without a list");
  int depth = 0;
  bool in_text = false; // of a condition
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

/// With the container's entries. Own entries that allow stand behind those that deny and before inherited ones, which is
/// the order that Windows takes for granted. `isolated`: what was inherited so far stays, but from now on nothing is, and
/// of the container's entries only these are there.
[[nodiscard]] inline access_list with_entries(access_list list, const std::vector<std::wstring>& entries,
                                              std::wstring_view account, bool isolated) {
  std::erase_if(list.entries, [&](const std::wstring& e) {
    return detail::field(e, 5) == account && (isolated || !detail::is_inherited(e));
  });
  if (isolated) {
    // Inherited entries that deny would stand behind own ones that allow: the order of the list would not be kept.
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

/// Without any own entry of the account.
[[nodiscard]] inline access_list without_account(access_list list, std::wstring_view account) {
  std::erase_if(list.entries,
                [&](const std::wstring& e) { return detail::field(e, 5) == account && !detail::is_inherited(e); });
  return list;
}

} // namespace cordon::windows_shim
