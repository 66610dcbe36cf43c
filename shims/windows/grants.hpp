// SPDX-License-Identifier: BSL-1.0
/// What a container is given of files: entries in their access control lists for as long as it runs. A journal on disk
/// says what each list was, before it is changed: whoever comes after a crash puts them back.
#pragma once

#include "security_text.hpp"

#include <cordon/backend/appcontainer/text.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::windows_shim {

/// Where lists are kept: the system, or what a test has in its stead. Texts are lists in SDDL. 0, or an error of the
/// system.
class list_store {
public:
  virtual ~list_store() = default;
  [[nodiscard]] virtual unsigned long read(const std::wstring& object, std::wstring& list) = 0;
  [[nodiscard]] virtual unsigned long write(const std::wstring& object, const std::wstring& list) = 0;
  [[nodiscard]] virtual bool is_directory(const std::wstring& object) = 0;
};

/// An object and what the container has of it.
struct grant {
  std::wstring object;
  std::vector<std::wstring> of_directory, of_file; ///< entries, were it the one or the other
  bool isolated = false;
};

namespace detail {

[[nodiscard]] inline std::wstring wide(std::string_view ascii) { return {ascii.begin(), ascii.end()}; }

/// The entries of a list's text: `(A;CI;0x...;;;S-1-...)...`
[[nodiscard]] inline std::vector<std::wstring> entries_of(const std::string& text) {
  return parse_access_list(L"D:" + wide(text)).entries;
}

} // namespace detail

/// The grants of rules, parents first. `name(place)`: how this machine calls it.
template <class S, class Name>
[[nodiscard]] std::vector<grant> grants_of(const appcontainer::rules<S>& r, Name&& name) {
  std::vector<grant> out;
  const auto acls = r.view(r.acls);
  for (std::uint32_t i = 0; i < acls.size(); ++i) {
    const auto a = appcontainer::acl::from(acls[i].value);
    std::string text;
    appcontainer::write_acl(acls.place(i), a, r.made_for, [&](std::string_view piece) { text += piece; });
    const auto part = [&](std::string_view after) {
      std::string of = text.substr(text.find(after) + after.size());
      of = of.substr(0, of.find_first_of(" \n"));
      if (of.starts_with("P")) of.erase(0, 1);
      return detail::entries_of(of);
    };
    out.push_back({name(acls.place(i)), part("\" directory D:"), part(" file D:"), a.isolated});
  }
  return out;
}

/// What became of putting lists back.
struct restored {
  std::vector<std::wstring> changed; ///< by somebody else meanwhile: only the container's own entries are gone
  std::vector<std::wstring> failed;  ///< cannot be read or written now: the journal is kept, for another time
};

/// Gives, and takes back when it goes. Not for several threads or processes at once (`turn`).
class granted {
public:
  /// `journal`: a file that is not there yet. `account`: the container's SID as text.
  granted(list_store& lists, std::filesystem::path journal, std::wstring account)
      : lists_(&lists), journal_(std::move(journal)), account_(std::move(account)) {}
  granted(const granted&) = delete;
  granted& operator=(const granted&) = delete;
  ~granted() { (void)take_back(); }

  /// 0, or the error of the first object that could not be changed, or does not keep what it is told; all are then as they
  /// were. `in_use`: another run,
  /// of a journal beside this one, has an object that it or this one closes to what lies around. Both its end and this
  /// one's would open it to the other.
  [[nodiscard]] unsigned long give(const std::vector<grant>& all);
  static constexpr unsigned long in_use = 32; ///< ERROR_SHARING_VIOLATION
  restored take_back();
  /// What could not be changed, where `give` has failed.
  [[nodiscard]] const std::wstring& failed_at() const { return failed_at_; }

private:
  [[nodiscard]] unsigned long note(unsigned kind, const std::wstring& object, const std::wstring& list);

  list_store* lists_;
  std::filesystem::path journal_;
  std::wstring account_, failed_at_;
  std::ofstream file_;
};

/// Puts back what a journal tells of, whose owner is gone, and removes it. As often as one likes.
[[nodiscard]] restored put_back(list_store& lists, const std::filesystem::path& journal);

} // namespace cordon::windows_shim
