// SPDX-License-Identifier: BSL-1.0
#include <cordon/linux/workspace_files.hpp>

#include "../child/raw_syscall.hpp"
#include "file_operations.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace cordon {

using namespace linux_shim;

struct workspace_files::parts : workspace {
  using workspace::workspace;
};

namespace {

/// Runs an operation, and reports its error as the caller requests: by exception or in `to`.
template <class F> auto report_problem(workspace_files::problem& to, F&& act) -> decltype(act()) {
  if (&to == &workspace_files::throws()) return act();
  to = {};
  try {
    return act();
  } catch (const workspace_files::file_error& e) { to = e.why(); }
  return decltype(act())();
}

[[nodiscard]] workspace_files::entry_type kind_of(mode_t mode) {
  using entry_type = workspace_files::entry_type;
  return S_ISREG(mode)   ? entry_type::file
         : S_ISDIR(mode) ? entry_type::directory
         : S_ISLNK(mode) ? entry_type::link
                         : entry_type::other;
}

[[nodiscard]] std::int64_t nanoseconds(timespec t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

[[nodiscard]] timespec as_timespec(std::optional<std::int64_t> t) {
  if (!t) return {0, UTIME_OMIT};
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t rest = (*t % second + second) % second;
  return {(*t - rest) / second, rest};
}

} // namespace

workspace_files::workspace_files(const loaded_policy& p, lookup how) : parts_(new parts(p, how == lookup::kernel)) {}
workspace_files::workspace_files(workspace_files&&) noexcept = default;
workspace_files& workspace_files::operator=(workspace_files&&) noexcept = default;
workspace_files::~workspace_files() = default;

/// The problem of an exception and of its copies, which several threads may hold.
struct workspace_files::file_error::shared {
  problem why;
  std::atomic<std::uint32_t> owners{1};

  void release() {
    if (owners.fetch_sub(1) == 1) delete this;
  }
};

workspace_files::file_error::file_error(problem p)
    : std::system_error(p.code, p.text), shared_(new shared{std::move(p)}) {}
workspace_files::file_error::file_error(const file_error& other) noexcept
    : std::system_error(other), error(other), shared_(other.shared_) {
  ++shared_->owners;
}
// NOLINTNEXTLINE(bugprone-unhandled-self-assignment): the owner is counted before another one is released
workspace_files::file_error& workspace_files::file_error::operator=(const file_error& other) noexcept {
  std::system_error::operator=(other);
  ++other.shared_->owners;
  std::exchange(shared_, other.shared_)->release();
  return *this;
}
workspace_files::file_error::~file_error() { shared_->release(); }
const workspace_files::problem& workspace_files::file_error::why() const { return shared_->why; }

workspace_files::problem& workspace_files::throws() {
  static problem none; // only its address is used
  return none;
}

workspace_files::file& workspace_files::file::operator=(file&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}
workspace_files::file::~file() {
  if (fd_ >= 0) ::close(fd_);
}

workspace_files::file workspace_files::read(std::string_view place, kinds which, problem& to) const {
  return report_problem(to, [&] { return open_existing(*parts_, place, O_RDONLY, right::read, which); });
}

workspace_files::file workspace_files::write(std::string_view place, content old, kinds which, problem& to) const {
  return report_problem(to, [&] {
    file f = open_existing(*parts_, place, O_WRONLY, right::write, which);
    // Not O_TRUNC: the file is truncated only after it is known to be the checked one. Fifos have no content to drop.
    if (old == content::drop && ::ftruncate(f.native_handle(), 0) != 0 && errno != EINVAL)
      fail(errno, std::string(place), right::write);
    return f;
  });
}

workspace_files::file workspace_files::append(std::string_view place, problem& to) const {
  return report_problem(
      to, [&] { return open_existing(*parts_, place, O_WRONLY | O_APPEND, right::write, kinds::regular); });
}

std::vector<workspace_files::item> workspace_files::list(std::string_view place, problem& to) const {
  return report_problem(to, [&] {
    const reached there = parts_->find(place, right::list);
    if (!S_ISDIR(there.facts.st_mode)) fail(ENOTDIR, there.place, right::list);
    std::vector<item> items;
    file directory = open_again(there, O_RDONLY | O_DIRECTORY, right::list);
    const int error = for_each_entry(directory.release(), [&](const dirent& e, int) {
      items.push_back({e.d_name, kind_of(static_cast<mode_t>(DTTOIF(e.d_type)))});
    });
    if (error != 0) fail(error, there.place, right::list);
    return items;
  });
}

std::optional<workspace_files::facts> workspace_files::look(std::string_view place, last_link how, problem& to) const {
  return report_problem(to, [&]() -> std::optional<facts> {
    const auto there = parts_->find_if_any(place, {}, how == last_link::follow);
    if (!there) return {};
    const struct stat& st = there->facts;
    return facts{kind_of(st.st_mode), static_cast<std::uint64_t>(st.st_size), st.st_mode & 0777,
                 nanoseconds(st.st_mtim), st.st_nlink};
  });
}

bool workspace_files::exists(std::string_view place, problem& to) const {
  return look(place, last_link::follow, to).has_value();
}

workspace_files::file workspace_files::create(std::string_view place, existing old, std::uint32_t mode,
                                              problem& to) const {
  return report_problem(to, [&] {
    file f = open_or_make(*parts_, place, old, mode);
    if (old == existing::replace && ::ftruncate(f.native_handle(), 0) != 0)
      fail(errno, std::string(place), right::write);
    return f;
  });
}

void workspace_files::make_directory(std::string_view place, std::uint32_t mode, problem& to) const {
  report_problem(to, [&] {
    check_mode(mode, place, right::create);
    const entry_of e = parts_->find_entry(place, right::create);
    if (::mkdirat(e.holder.inode.get(), e.name.c_str(), mode) != 0) fail(errno, e.place, right::create);
  });
}

void workspace_files::remove(std::string_view place, problem& to) const {
  report_problem(to, [&] {
    const entry_of e = parts_->find_entry(place, right::remove);
    if (!parts_->inode_of(e, right::remove)) fail(ENOENT, e.place, right::remove);
    if (place.ends_with('/')) fail(ENOTDIR, e.place, right::remove);
    if (::unlinkat(e.holder.inode.get(), e.name.c_str(), 0) != 0) fail(errno, e.place, right::remove);
  });
}

void workspace_files::remove_directory(std::string_view place, problem& to) const {
  report_problem(to, [&] {
    const entry_of e = parts_->find_entry(place, right::remove);
    if (!parts_->inode_of(e, right::remove)) fail(ENOENT, e.place, right::remove);
    if (::unlinkat(e.holder.inode.get(), e.name.c_str(), AT_REMOVEDIR) != 0) fail(errno, e.place, right::remove);
  });
}

void workspace_files::remove_tree(std::string_view place, problem& to) const {
  report_problem(to, [&] {
    const entry_of e = parts_->find_entry(place, right::remove);
    const auto there = parts_->inode_of(e, right::remove);
    if (!there || !S_ISDIR(there->facts.st_mode)) fail(there ? ENOTDIR : ENOENT, e.place, right::remove);
    const auto places = parts_->policy().workspace();
    for (std::uint32_t i = 0; i < places.size(); ++i)
      if (path::covers(there->place, places.place(i)) && parts_->any_at(places.place(i)))
        parts_->judge(right::remove, std::string(places.place(i)));
    remove_tree_at(*parts_, e.holder.inode.get(), e.name, e.place);
  });
}

void workspace_files::rename(std::string_view from, std::string_view to_place, existing old, problem& to) const {
  report_problem(to, [&] {
    const entry_of a = parts_->find_entry(from, right::remove), b = parts_->find_entry(to_place, right::create);
    const auto moved = parts_->inode_of(a, right::remove);
    if (!moved) fail(ENOENT, a.place, right::remove);
    const bool replace = old == existing::replace;
    if (replace) parts_->judge(right::remove, b.place), (void)parts_->inode_of(b, right::remove);
    for (const std::string& name : {a.place, moved->place})
      if (const verdict v = may_move(parts_->policy(), name, b.place); !v.allowed())
        refuse(a.place, right::remove, "as " + b.place + " it, or what is in it, would have other rights");
    const int error = error_of(SYS_renameat2, a.holder.inode.get(), a.name.c_str(), b.holder.inode.get(),
                               b.name.c_str(), replace ? 0 : RENAME_NOREPLACE);
    if (error != 0) fail(error, error == EEXIST ? b.place : a.place, right::remove);
  });
}

void workspace_files::copy(std::string_view from, std::string_view to_place, existing old, problem& to) const {
  report_problem(to, [&] {
    const reached source = parts_->find(from, right::read);
    if (!S_ISREG(source.facts.st_mode)) refuse(source.place, right::read, "it is not a regular file");
    const file in = open_again(source, O_RDONLY, right::read);
    const file out = open_or_make(*parts_, to_place, old, source.facts.st_mode & 0777);
    struct stat st {};
    if (::fstat(out.native_handle(), &st) != 0) fail(errno, std::string(to_place), right::write);
    if (st.st_dev == source.facts.st_dev && st.st_ino == source.facts.st_ino)
      fail(EINVAL, std::string(to_place), right::write); // copying would empty the file before it is read
    if (::ftruncate(out.native_handle(), 0) != 0) fail(errno, std::string(to_place), right::write);
    if (const int error = copy_content(in.native_handle(), out.native_handle()))
      fail(error, std::string(to_place), right::write);
  });
}

void workspace_files::set_attributes(std::string_view place, const changes& what, problem& to) const {
  report_problem(to, [&] {
    if (what.mode) check_mode(*what.mode, place, right::attributes);
    const reached there = parts_->find(place, right::attributes);
    const std::string inode = descriptor_path(there.inode.get());
    const timespec times[]{as_timespec(what.accessed), as_timespec(what.modified)};
    // Without /proc, fchmodat2 (Linux 6.6) and AT_EMPTY_PATH (Linux 5.8) would do it.
    if (what.mode && ::fchmodat(AT_FDCWD, inode.c_str(), *what.mode, 0) != 0)
      fail(errno, there.place, right::attributes);
    if ((what.accessed || what.modified) && ::utimensat(AT_FDCWD, inode.c_str(), times, 0) != 0)
      fail(errno, there.place, right::attributes);
  });
}

} // namespace cordon
