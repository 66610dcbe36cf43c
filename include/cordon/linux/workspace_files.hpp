// SPDX-License-Identifier: BSL-1.0
/// File operations for a host's own tools under a policy: enforces the workspace axis through descriptors. The checked
/// file is the used file: no path is checked and opened again. So links, `..`, dangling links and races give no other
/// file.
#pragma once

#include "../detail/owned.hpp"
#include "../format/error.hpp"
#include "../policy/heap.hpp"
#include "../query/query.hpp"
#include "../run/resolve.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace cordon {

/// May a host tool test for a path? Needs the capability workspace.exists and some right at the path.
template <class S> [[nodiscard]] constexpr verdict may_look(const basic_policy<S>& p, std::string_view place) {
  if (!path::is_normal(place)) return {ruling::malformed, axis::workspace, {}};
  const entry e = p.workspace().at(p.workspace().find(place));
  return detail::gated(p, level::read_only, capability::exists,
                       {e.value != 0 ? ruling::allow : ruling::refuse, axis::workspace,
                        p.template is_any<axis_id::workspace>() ? entry{} : e});
}

/// May a host tool rename the entry `from` to `to`? As in landlock(7), no file may gain rights by a new parent: the new
/// path must allow nothing that the old one denies. Neither path may contain a path with separate rights, since these
/// belong to the name and would stay behind.
template <class S>
[[nodiscard]] constexpr verdict may_move(const basic_policy<S>& p, std::string_view from, std::string_view to) {
  if (const verdict v = host_tool_may(p, right::remove, from); !v.allowed()) return v;
  if (const verdict v = host_tool_may(p, right::create, to); !v.allowed()) return v;
  const auto places = p.workspace();
  const entry there = places.at(places.find(to));
  if ((there.value & ~places.lookup(from)) != 0) return {ruling::refuse, axis::workspace, there};
  for (const std::string_view top : {from, to}) {
    const std::uint32_t above = places.find(top);
    for (std::uint32_t i = above == no_slot ? 0 : above + 1; i < places.size(); ++i) {
      if (places.place(i) != top && path::covers(top, places.place(i)))
        return {ruling::refuse, axis::workspace, places[i]};
      if (path::order(places.place(i), top) > 0) break;
    }
  }
  return {ruling::allow, axis::workspace, p.template is_any<axis_id::workspace>() ? entry{} : there};
}

/// Opens, creates and removes files below the workspace of one policy. Paths are absolute; the kernel interprets `.`
/// and `..` in them, after links. A link is followed if it stays in the workspace, and the rights at the resolved path
/// count. Operations on an entry itself (create, make, remove, rename) never follow the last component. They do not
/// create, remove or rename the top of a granted subtree. Under profile unrestricted the whole file system is the
/// workspace; level and capabilities still apply.
///
/// Each operation takes a few system calls and O(length of the path + log of the policy). Several threads may call all
/// members at once. As in Boost.System there are two styles: without a `problem` an operation throws `file_error`, with
/// one it fills it. Needs /proc: opens files through the descriptor that was checked.
class workspace_files {
public:
  /// How paths are looked up. By components if openat2(2) is missing (before Linux 5.6, or refused by a filter), and
  /// for absolute links, which RESOLVE_BENEATH refuses. The results are the same.
  enum class lookup : std::uint8_t { kernel, components };

  /// Opens the workspace, so that a later replacement of a granted path is not reached. The policy must be resolved.
  /// Throws: `refused` if a granted path does not exist or is a link.
  [[gnu::abi_tag("abi_0")]] explicit workspace_files(const loaded_policy& p, lookup how = lookup::kernel);
  workspace_files(workspace_files&&) noexcept;            ///< Leaves the other object without descriptors.
  workspace_files& operator=(workspace_files&&) noexcept; ///< Closes the descriptors that this object had.
  ~workspace_files();

  /// Why an operation failed.
  struct problem {
    std::error_code code{};        ///< std::errc::permission_denied if cordon refuses, else the kernel's error
    bool refused = false;          ///< by cordon
    std::string place{};           ///< path of the operation, links followed
    std::optional<right> wanted{}; ///< empty for operations that only look
    std::string text{};            ///< the path, the right, and the policy's rule there
    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(code); } ///< Has the operation failed?
  };
  /// A failed operation, with its path and the policy's rule there.
  class file_error : public std::system_error, public error {
  public:
    [[gnu::abi_tag("abi_0")]] explicit file_error(problem p); ///< An error with that problem.
    file_error(const file_error&) noexcept;                   ///< Shares the problem.
    file_error& operator=(const file_error&) noexcept;        ///< Shares the problem.
    ~file_error() override;
    /// As std::exception: the text of the problem.
    [[nodiscard]] const char* what() const noexcept override { return std::system_error::what(); }
    [[nodiscard]] const problem& why() const; ///< Why the operation failed.

  private:
    struct shared; // an exception must be copied without throwing
    shared* shared_;
  };
  /// The default argument that selects throwing.
  [[nodiscard]] static problem& throws();

  /// An open file, close-on-exec. The owner closes it on destruction.
  class file {
  public:
    file() = default;
    explicit file(int fd) : fd_(fd) {}                    ///< Takes the descriptor, and closes it.
    file(file&& other) noexcept : fd_(other.release()) {} ///< Leaves `other` without a descriptor.
    file& operator=(file&& other) noexcept;               ///< Closes the descriptor that it had.
    ~file();
    [[nodiscard]] int native_handle() const { return fd_; }           ///< The descriptor, which stays with this object.
    [[nodiscard]] explicit operator bool() const { return fd_ >= 0; } ///< Is a file open?
    /// Releases ownership of the descriptor.
    int release() {
      const int fd = fd_;
      fd_ = -1;
      return fd;
    }

  private:
    int fd_ = -1;
  };

  /// The type of a directory entry.
  enum class entry_type : std::uint8_t { file, directory, link, other };
  /// An entry of a directory.
  struct item {
    std::string name;                                     ///< the name without its directory
    workspace_files::entry_type type = entry_type::other; ///< `other` also if the file system does not report it
  };
  /// Facts about a file, as stat(2) gives them.
  struct facts {
    workspace_files::entry_type type = entry_type::other; ///< the type of the file
    std::uint64_t size = 0;                               ///< bytes
    std::uint32_t mode = 0;                               ///< permission bits
    std::int64_t modified = 0;                            ///< nanoseconds since 1970
    std::uint64_t links = 0;                              ///< hard links of the inode
  };
  /// Attributes to set; those that are left out stay.
  struct changes {
    std::optional<std::uint32_t> mode{};    ///< at most 0777: no set-user-ID, set-group-ID or sticky bit
    std::optional<std::int64_t> accessed{}; ///< nanoseconds since 1970
    std::optional<std::int64_t> modified{}; ///< nanoseconds since 1970
  };
  /// The file types that are opened: a fifo or a device can block its reader, or act on open(2).
  enum class kinds : std::uint8_t { regular, any };
  /// What happens if the new name exists.
  enum class existing : std::uint8_t { refuse, replace };
  /// What happens if the last component is a link.
  enum class last_link : std::uint8_t { follow, itself };
  /// What happens with the content of an existing file.
  enum class content : std::uint8_t { keep, drop };

  /// Opens for reading. Files that are not regular are opened without waiting (O_NONBLOCK).
  [[nodiscard]] file read(std::string_view place, kinds which = kinds::regular, problem& to = throws()) const;
  /// The names in a directory, unsorted, with hidden paths. O(n).
  [[nodiscard]] std::vector<item> list(std::string_view place, problem& to = throws()) const;
  /// The facts of a file; empty if it does not exist.
  [[nodiscard]] std::optional<facts> look(std::string_view place, last_link how = last_link::follow,
                                          problem& to = throws()) const;
  /// Does the path exist, and may a tool look for it?
  [[nodiscard]] bool exists(std::string_view place, problem& to = throws()) const;
  /// Opens an existing file for writing.
  [[nodiscard]] file write(std::string_view place, content old = content::keep, kinds which = kinds::regular,
                           problem& to = throws()) const;
  /// Opens an existing file for appending: every write goes to its end.
  [[nodiscard]] file append(std::string_view place, problem& to = throws()) const;
  /// Creates a file and opens it for writing. `replace`: an existing file is truncated, which needs the right to write,
  /// and keeps its mode. Never creates through a link. The umask applies to `mode`.
  [[nodiscard]] file create(std::string_view place, existing old = existing::refuse, std::uint32_t mode = 0666,
                            problem& to = throws()) const;
  /// Creates a directory with that mode, without those above it. Needs the right create.
  void make_directory(std::string_view place, std::uint32_t mode = 0777, problem& to = throws()) const;
  /// Removes a file, a link, or any other entry that is not a directory.
  void remove(std::string_view place, problem& to = throws()) const;
  /// Removes an empty directory.
  void remove_directory(std::string_view place, problem& to = throws()) const;
  /// Removes a directory and its content; removes links without following them. Removes nothing if a path in it may not
  /// be removed. After any other error, entries already removed stay removed.
  void remove_tree(std::string_view place, problem& to = throws()) const;
  /// Renames an entry within the workspace. `replace` needs the right to remove at the new path, even if nothing exists
  /// there.
  void rename(std::string_view from, std::string_view to_place, existing old = existing::refuse,
              problem& to = throws()) const;
  /// Copies content and permission bits of a regular file. A copy that fails leaves the part already copied.
  void copy(std::string_view from, std::string_view to_place, existing old = existing::refuse,
            problem& to = throws()) const;
  /// Sets mode and times.
  void set_attributes(std::string_view place, const changes& what, problem& to = throws()) const;

private:
  struct parts;
  detail::owned<parts> parts_;
};

} // namespace cordon
