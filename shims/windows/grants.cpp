// SPDX-License-Identifier: BSL-1.0
#include "grants.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace cordon::windows_shim {
namespace {

constexpr unsigned long access_denied = 5; // ERROR_ACCESS_DENIED
constexpr std::uint32_t begin = 0x43414A31, end = 0x454E4421;

/// What is about to be done, and what came of it. Of the former `list` is the one from before.
enum kind : std::uint32_t { account = 1, before = 2, after = 3 };

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

/// Takes one record off the front; nothing from one that was cut short.
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

/// Puts one list back. `is`: what came of the change, or null without word of it: nobody else had the time then.
void restore(list_store& lists, const record& was, const std::wstring* is, const std::wstring& whose, restored& told) {
  std::wstring now;
  if (lists.read(was.object, now) != 0) return told.failed.push_back(was.object);
  if (now == was.list) return;
  const bool ours = is == nullptr || now == *is;
  const std::wstring then = ours ? was.list : without_account(parse_access_list(now), whose).text();
  if (lists.write(was.object, then) != 0) told.failed.push_back(was.object);
  else if (!ours) told.changed.push_back(was.object);
}

} // namespace

unsigned long granted::note(unsigned kind_of, const std::wstring& object, const std::wstring& list) {
  const std::string bytes = bytes_of({kind_of, object, list});
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file_.flush();
  return file_ ? 0 : access_denied;
}

unsigned long granted::give(const std::vector<grant>& all) {
  file_.open(journal_, std::ios::binary | std::ios::trunc);
  unsigned long error = note(account, account_, {});
  for (const grant& g : all) {
    if (error != 0) break;
    std::wstring was, is;
    error = lists_->read(g.object, was);
    if (error == 0) error = note(before, g.object, was);
    if (error != 0) break;
    const auto& entries = lists_->is_directory(g.object) ? g.of_directory : g.of_file;
    error = lists_->write(g.object, with_entries(parse_access_list(was), entries, account_, g.isolated).text());
    if (error == 0) error = lists_->read(g.object, is);
    if (error == 0) error = note(after, g.object, is);
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
  std::ifstream file(journal, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  file.close();
  std::string_view left = text;
  std::vector<record> were;
  std::map<std::wstring, std::wstring> are;
  std::wstring whose;
  while (auto r = take(left)) {
    if (r->what == account) whose = r->object;
    else if (r->what == before) were.push_back(std::move(*r));
    else are[r->object] = r->list;
  }
  restored told;
  // Children first: what a parent passes on would else look like somebody's change.
  for (auto was = were.rbegin(); was != were.rend(); ++was) {
    const auto is = are.find(was->object);
    restore(lists, *was, is == are.end() ? nullptr : &is->second, whose, told);
  }
  std::error_code ignored;
  if (told.failed.empty()) std::filesystem::remove(journal, ignored);
  return told;
}

} // namespace cordon::windows_shim
