// SPDX-License-Identifier: BSL-1.0
#include "grants.hpp"

#include <algorithm>
#include <cstdint>
#include <cwctype>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace cordon::windows_shim {
namespace {

constexpr unsigned long access_denied = 5, not_kept = 50; // ERROR_ACCESS_DENIED, ERROR_NOT_SUPPORTED
constexpr std::uint32_t begin = 0x43414A31, end = 0x454E4421;

/// `before`: an intended change, with the list before it. `after`: the list that resulted.
enum note_type : std::uint32_t { account = 1, before = 2, after = 3 };

struct record {
  std::uint32_t what = 0;
  std::wstring object, list;
};

void put(std::string& to, std::uint32_t n) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(n >> shift);
}

std::string bytes_of(const record& r) {
  std::string out;
  for (const std::uint32_t n :
       {begin, r.what, static_cast<std::uint32_t>(r.object.size()), static_cast<std::uint32_t>(r.list.size())})
    put(out, n);
  for (const std::wstring* text : {&r.object, &r.list})
    for (const wchar_t c : *text) put(out, static_cast<std::uint32_t>(c));
  put(out, end);
  return out;
}

/// Removes and returns the first record; nothing if it is truncated.
std::optional<record> take(std::string_view& from) {
  std::size_t at = 0;
  const auto number = [&] {
    std::uint32_t n = 0;
    for (int shift = 0; shift < 32; shift += 8)
      n |= static_cast<std::uint32_t>(static_cast<unsigned char>(from[at++])) << shift;
    return n;
  };
  if (from.size() < 16 || number() != begin) return {};
  record r;
  r.what = number();
  const std::uint64_t first = number(), second = number();
  if (from.size() < 16 + 4 * (first + second) + 4) return {};
  for (std::uint64_t i = 0; i < first; ++i) r.object += static_cast<wchar_t>(number());
  for (std::uint64_t i = 0; i < second; ++i) r.list += static_cast<wchar_t>(number());
  if (number() != end) return {};
  from.remove_prefix(at);
  return r;
}

/// The content of a journal.
struct journal_text {
  std::wstring whose;
  std::vector<record> were;                 ///< lists before the changes, in order
  std::map<std::wstring, std::wstring> are; ///< lists that resulted
};

[[nodiscard]] journal_text read_journal(const std::filesystem::path& journal) {
  std::ifstream file(journal, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string_view left = text;
  journal_text all;
  while (auto r = take(left)) {
    if (r->what == account) all.whose = r->object;
    else if (r->what == before) all.were.push_back(std::move(*r));
    else all.are[r->object] = r->list;
  }
  return all;
}

[[nodiscard]] std::wstring folded(std::wstring name) {
  for (wchar_t& c : name) c = static_cast<wchar_t>(std::towlower(static_cast<std::wint_t>(c)));
  return name;
}

/// Objects that runs with other journals in the same directory have changed, and whether one of them isolates the
/// object.
[[nodiscard]] std::map<std::wstring, bool> objects_of_others(const std::filesystem::path& journal) {
  std::map<std::wstring, bool> all;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(journal.parent_path(), ec)) {
    if (entry.path() == journal || entry.path().extension() != journal.extension()) continue;
    const journal_text other = read_journal(entry.path());
    for (const record& was : other.were) {
      const auto is = other.are.find(was.object);
      const bool closed = is == other.are.end() ||
                          parse_access_list(is->second).is_protected() != parse_access_list(was.list).is_protected();
      bool& known = all[folded(was.object)];
      known = known || closed;
    }
  }
  return all;
}

/// All entries except those of the account, inherited ones included.
[[nodiscard]] std::vector<std::wstring> entries_of_others(const std::wstring& list, const std::wstring& whose) {
  access_list all = parse_access_list(list);
  std::erase_if(all.entries, [&](const std::wstring& e) { return detail::field(e, 5) == whose; });
  for (std::wstring& e : all.entries) e = detail::as_own(std::move(e));
  std::sort(all.entries.begin(), all.entries.end());
  return all.entries;
}

/// Does the written list have the account's entries? Some file systems keep only modes.
[[nodiscard]] bool has(const std::wstring& list, std::size_t entries, const std::wstring& whose, bool isolated) {
  const access_list now = parse_access_list(list);
  const auto count = std::count_if(now.entries.begin(), now.entries.end(),
                                   [&](const std::wstring& e) { return detail::field(e, 5) == whose; });
  return static_cast<std::size_t>(count) >= entries && (!isolated || now.is_protected());
}

/// Restores one list. `is`: the list that the change produced. If it is null (not recorded), the entries of other
/// accounts must be unchanged.
void restore(list_store& lists, const record& was, const std::wstring* is, const std::wstring& whose,
             restored& result) {
  std::wstring now;
  if (lists.read(was.object, now) != 0) return result.failed.push_back(was.object);
  if (now == was.list) return;
  const bool ours = is != nullptr ? now == *is : entries_of_others(now, whose) == entries_of_others(was.list, whose);
  const std::wstring then = ours ? was.list : without_account(parse_access_list(now), whose).text();
  if (lists.write(was.object, then) != 0) result.failed.push_back(was.object);
  else if (!ours) result.changed.push_back(was.object);
}

} // namespace

unsigned long granted::note(unsigned kind_of, const std::wstring& object, const std::wstring& list) {
  const std::string bytes = bytes_of({kind_of, object, list});
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file_.flush();
  return file_ ? 0 : access_denied;
}

unsigned long granted::give(const std::vector<grant>& all) {
  const std::map<std::wstring, bool> others = objects_of_others(journal_);
  for (const grant& g : all)
    if (const auto other = others.find(folded(g.object)); other != others.end() && (other->second || g.isolated)) {
      failed_at_ = g.object;
      return in_use;
    }
  file_.open(journal_, std::ios::binary | std::ios::trunc);
  unsigned long error = note(account, account_, {});
  for (const grant& g : all) {
    if (error != 0) break;
    failed_at_ = g.object;
    std::wstring was, is;
    error = lists_->read(g.object, was);
    if (error == 0) error = note(before, g.object, was);
    if (error != 0) break;
    const auto& entries = lists_->is_directory(g.object) ? g.of_directory : g.of_file;
    error = lists_->write(g.object, with_entries(parse_access_list(was), entries, account_, g.isolated).text());
    if (error == 0) error = lists_->read(g.object, is);
    if (error == 0) error = note(after, g.object, is);
    if (error == 0 && !has(is, entries.size(), account_, g.isolated)) error = not_kept;
  }
  if (error != 0) (void)take_back();
  return error;
}

restored granted::take_back() {
  if (!file_.is_open()) return {};
  file_.close();
  return put_back(*lists_, journal_);
}

restored put_back(list_store& lists, const std::filesystem::path& journal) {
  const journal_text all = read_journal(journal);
  restored what;
  // Children first: otherwise entries that a parent passes on would look like a change by another process.
  for (auto was = all.were.rbegin(); was != all.were.rend(); ++was) {
    const auto is = all.are.find(was->object);
    restore(lists, *was, is == all.are.end() ? nullptr : &is->second, all.whose, what);
  }
  std::error_code ignored;
  if (what.failed.empty()) std::filesystem::remove(journal, ignored);
  return what;
}

} // namespace cordon::windows_shim
