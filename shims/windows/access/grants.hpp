// SPDX-License-Identifier: BSL-1.0
/// Grants a container access to files: entries in their access control lists while it runs. A journal on disk records
/// each list before it is changed, so that a later run can restore the lists after a crash.
#pragma once

#include "security_text.hpp"

#include <cordon/backend/appcontainer/text.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::windows_shim {

/// Reads and writes access control lists as SDDL text: those of the system, or of a test. Returns: 0 or an error of the
/// system.
class list_store {
public:
  virtual ~list_store() = default;
  [[nodiscard]] virtual unsigned long read(const std::wstring& object, std::wstring& list) = 0;
  [[nodiscard]] virtual unsigned long write(const std::wstring& object, const std::wstring& list) = 0;
  [[nodiscard]] virtual bool is_directory(const std::wstring& object) = 0;
};

/// An object and the entries that the container gets on it.
struct grant {
  std::wstring object;
  std::vector<std::wstring> of_directory, of_file; ///< entries if it is a directory, and if it is a file
  bool isolated = false;
};

namespace detail {

[[nodiscard]] inline std::wstring wide(std::string_view ascii) { return {ascii.begin(), ascii.end()}; }

/// The entries of a list's text: `(A;CI;0x...;;;S-1-...)...`
[[nodiscard]] inline std::vector<std::wstring> entries_of(const std::string& text) {
  return parse_access_list(L"D:" + wide(text)).entries;
}

} // namespace detail

/// The grants of rules, parents first. `name(place)`: its path on this machine.
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

/// The result of restoring lists.
struct restored {
  std::vector<std::wstring> changed; ///< by another process meanwhile: only the container's own entries were removed
  std::vector<std::wstring> failed;  ///< cannot be read or written now: the journal is kept for a later attempt
};

/// Grants access, and revokes it in the destructor. Not for concurrent use by threads or processes (see `turn`).
class granted {
public:
  /// `journal`: a file that does not exist yet. `account`: the container's SID as text.
  granted(list_store& lists, std::filesystem::path journal, std::wstring account)
      : lists_(&lists), journal_(std::move(journal)), account_(std::move(account)) {}
  granted(const granted&) = delete;
  granted& operator=(const granted&) = delete;
  ~granted() { (void)take_back(); }

  /// Returns: 0, or the error of the first object whose list cannot be changed or does not keep what was written. All
  /// lists are then restored. `in_use`: a run with a journal in the same directory has an object that either run
  /// isolates. When one of the two ended, it would open the object to the other.
  [[nodiscard]] unsigned long give(const std::vector<grant>& all);
  static constexpr unsigned long in_use = 32; ///< ERROR_SHARING_VIOLATION
  restored take_back();
  /// The object that could not be changed, if `give` failed.
  [[nodiscard]] const std::wstring& failed_at() const { return failed_at_; }

private:
  [[nodiscard]] unsigned long note(unsigned kind, const std::wstring& object, const std::wstring& list);

  list_store* lists_;
  std::filesystem::path journal_;
  std::wstring account_, failed_at_;
  std::ofstream file_;
};

/// Restores the lists of a journal whose owner is gone. Removes the journal if none failed. Can be repeated.
[[nodiscard]] restored put_back(list_store& lists, const std::filesystem::path& journal);

} // namespace cordon::windows_shim
