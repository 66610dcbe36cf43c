// SPDX-License-Identifier: BSL-1.0
/// A host's own file tools under a policy: the workspace axis, kept by descriptors. What was judged is what is used:
/// no path is checked and opened again, so that links, `..`, dangling links and races lead nowhere new.
#pragma once

#include "../query/query.hpp"
#include "../run/resolve.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace cordon {

/// May a host tool ask what is at a place? It takes the capability workspace.exists and some right there.
template <class S> [[nodiscard]] constexpr verdict may_look(const basic_policy<S>& p, std::string_view place) {
  if (!path::is_normal(place)) return {ruling::malformed, axis::workspace, {}};
  const entry e = p.workspace().at(p.workspace().find(place));
  return detail::gated(p, level::read_only, capability::exists,
                       {e.value != 0 ? ruling::allow : ruling::refuse, axis::workspace,
                        p.template is_any<axis_id::workspace>() ? entry{} : e});
}

/// May a host tool give the entry `from` the name `to`? Like landlock(7), which lets no file gain rights by a new
/// parent: nothing may be allowed there that was not allowed here, or a move would open what it moves. Nor may either
/// place contain one that has rights of its own, since those belong to the name and would stay behind.
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

/// Opens, makes and removes beneath the workspace of one policy. Places are absolute; `.` and `..` in them mean what
/// the kernel says, after links. A link is followed if it stays in the workspace, and what counts is the place really
/// reached. Acts on an entry itself (create, make, remove, rename) never follow the last component. The top of a
/// granted subtree is neither made, removed nor renamed. Under profile unrestricted the whole tree is the workspace;
/// level and capabilities count all the same.
///
/// Every act is a few system calls and O(length of the place + log of the policy) besides. All members are safe in
/// several threads at once. Two styles, as Boost.System has them: without a `problem` an act throws `file_error`, with one
/// it fills it. Needs /proc: a file is opened through the descriptor that was judged.
class workspace_files {
public:
  /// How names are looked up. By components: where openat2(2) is missing (before Linux 5.6, or refused by a filter),
  /// and for absolute links, which RESOLVE_BENEATH refuses altogether. The answers are the same.
  enum class lookup : std::uint8_t { kernel, components };

  /// Pins the workspace: what replaces a granted place later is not reached. The policy must be resolved. Throws
  /// `refused` for a granted place that does not exist or is a link.
  explicit workspace_files(const loaded_policy& p, lookup how = lookup::kernel);
  workspace_files(workspace_files&&) noexcept;
  workspace_files& operator=(workspace_files&&) noexcept;
  ~workspace_files();

  /// Why an act did not happen.
  struct problem {
    std::error_code code{};        ///< std::errc::permission_denied where cordon refuses, else what the system said
    bool refused = false;          ///< by cordon
    std::string place{};           ///< where the act would have happened, links followed
    std::optional<right> wanted{}; ///< empty for acts that only look
    std::string text{};            ///< the place, the right, and what the policy says there
    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(code); }
  };
  class file_error : public std::system_error {
  public:
    explicit file_error(problem p) : std::system_error(p.code, p.text), why_(std::make_shared<problem>(std::move(p))) {}
    [[nodiscard]] const problem& why() const { return *why_; }

  private:
    std::shared_ptr<const problem> why_; // an exception must be copied without throwing
  };
  /// Stands for "throw instead".
  [[nodiscard]] static problem& throws();

  /// An open file, close-on-exec, closed with its owner.
  class file {
  public:
    file() = default;
    explicit file(int fd) : fd_(fd) {}
    file(file&& other) noexcept : fd_(other.release()) {}
    file& operator=(file&& other) noexcept;
    ~file();
    [[nodiscard]] int native_handle() const { return fd_; }
    [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
    /// Gives the descriptor away.
    int release() {
      const int fd = fd_;
      fd_ = -1;
      return fd;
    }

  private:
    int fd_ = -1;
  };

  enum class entry_type : std::uint8_t { file, directory, link, other };
  struct item {
    std::string name;
    workspace_files::entry_type type = entry_type::other; ///< `other` too where the file system does not say
  };
  struct facts {
    workspace_files::entry_type type = entry_type::other;
    std::uint64_t size = 0;    ///< bytes
    std::uint32_t mode = 0;    ///< permission bits
    std::int64_t modified = 0; ///< nanoseconds since 1970
    std::uint64_t links = 0;   ///< names of the inode
  };
  struct changes {
    std::optional<std::uint32_t> mode{};    ///< at most 0777: no tool makes a program run as somebody else
    std::optional<std::int64_t> accessed{}; ///< nanoseconds since 1970
    std::optional<std::int64_t> modified{};
  };
  /// Which kinds of file are opened: a fifo or a device can stall its reader or act on being opened.
  enum class kinds : std::uint8_t { regular, any };
  enum class existing : std::uint8_t { refuse, replace };
  enum class last_link : std::uint8_t { follow, itself };
  enum class content : std::uint8_t { keep, drop };

  /// Opens for reading. Other kinds than regular files are opened without waiting (O_NONBLOCK).
  [[nodiscard]] file read(std::string_view place, kinds which = kinds::regular, problem& to = throws()) const;
  /// The names in a directory, in no order, hidden places too. O(n).
  [[nodiscard]] std::vector<item> list(std::string_view place, problem& to = throws()) const;
  /// What is there; empty if nothing is.
  [[nodiscard]] std::optional<facts> look(std::string_view place, last_link how = last_link::follow,
                                          problem& to = throws()) const;
  [[nodiscard]] bool exists(std::string_view place, problem& to = throws()) const;
  /// Opens an existing file for writing.
  [[nodiscard]] file write(std::string_view place, content old = content::keep, kinds which = kinds::regular,
                           problem& to = throws()) const;
  /// Opens an existing file so that every write goes to its end.
  [[nodiscard]] file append(std::string_view place, problem& to = throws()) const;
  /// Makes a file and opens it for writing. `replace`: an existing one is written over, which takes the right to write
  /// and leaves its mode. Nothing is ever made through a link. The umask takes from `mode`.
  [[nodiscard]] file create(std::string_view place, existing old = existing::refuse, std::uint32_t mode = 0666,
                            problem& to = throws()) const;
  void make_directory(std::string_view place, std::uint32_t mode = 0777, problem& to = throws()) const;
  /// Removes a file, a link, or whatever else is no directory.
  void remove(std::string_view place, problem& to = throws()) const;
  /// Removes an empty directory.
  void remove_directory(std::string_view place, problem& to = throws()) const;
  /// Removes a directory and what is in it; links are removed, not followed. Nothing is removed if a place in it may
  /// not be; if something else goes wrong on the way, what has gone has gone.
  void remove_tree(std::string_view place, problem& to = throws()) const;
  /// Gives an entry another name within the workspace. `replace` takes the right to remove what is there, even if
  /// nothing is.
  void rename(std::string_view from, std::string_view to_place, existing old = existing::refuse,
              problem& to = throws()) const;
  /// Copies content and permission bits of a regular file. A copy that ends early leaves what it has copied.
  void copy(std::string_view from, std::string_view to_place, existing old = existing::refuse,
            problem& to = throws()) const;
  /// Sets mode and times.
  void set_attributes(std::string_view place, const changes& what, problem& to = throws()) const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace cordon
