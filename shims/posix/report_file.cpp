// SPDX-License-Identifier: BSL-1.0
#include "../common/report_file.hpp"
#include "../common/links/named_path.hpp"
#include "descriptor.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

namespace cordon::shim {
namespace {

#ifdef O_PATH
constexpr int by_name = O_PATH;
#else
constexpr int by_name = O_RDONLY;
#endif

/// Returns: 0 or errno.
[[nodiscard]] int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) return errno;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

} // namespace

struct report_file::parts {
  std::string place, name; ///< a directory, and the name in it
  descriptor directory;
  mode_t mode;
  descriptor stream; ///< instead of them: what is no regular file
};

namespace {

/// Returns: the number of this process's descriptor that a path leads to, such as 1 for /dev/stdout; -1: none.
[[nodiscard]] int own_descriptor(const std::string& path) {
  std::string at = path;
  for (int links = 0; links < 40; ++links) { // MAXSYMLINKS of the kernel
    const std::filesystem::path whole(at);
    std::error_code ec;
    const std::string in = std::filesystem::canonical(whole.parent_path(), ec).string();
    const std::string own = "/proc/" + std::to_string(::getpid()) + "/fd";
    if (!ec && (in == own || in == "/dev/fd")) {
      int number = -1;
      const std::string name = whole.filename().string();
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
      return error == std::errc() && end == name.data() + name.size() ? number : -1;
    }
    const std::filesystem::path next = std::filesystem::read_symlink(whole, ec);
    if (ec) return -1;
    at = (whole.parent_path() / next).string();
  }
  return -1;
}

[[nodiscard]] bool leads_to_stream(const std::string& path) {
  struct stat st {};
  return own_descriptor(path) >= 0 || (::stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/// Opens what is no regular file, as what it is. Returns: empty if there is none at the path, or a regular file.
[[nodiscard]] descriptor open_stream(const std::string& path, int& error) {
  error = 0;
  if (const int own = own_descriptor(path); own >= 0) {
    descriptor same(::fcntl(own, F_DUPFD_CLOEXEC, 3));
    if (!same) error = errno;
    return same;
  }
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0 || S_ISREG(st.st_mode)) return {};
  // A pipe without a reader is refused, and not waited for.
  descriptor opened(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!opened) error = errno;
  else if (::fcntl(opened.get(), F_SETFL, ::fcntl(opened.get(), F_GETFL) & ~O_NONBLOCK) != 0) error = errno;
  return opened;
}

} // namespace

report_file::report_file(std::string path, readers who)
    : path_(std::move(path)), parts_(new parts{{}, {}, {}, who == readers::all ? mode_t{0644} : mode_t{0600}, {}}) {
  const std::filesystem::path written = std::filesystem::absolute(path_);
  parts_->name = written.filename().string();
  if (parts_->name.empty() || parts_->name == "." || parts_->name == "..") refuse("it is the name of a directory");
  parts_->place = check_named(path_, written.parent_path().string()).real;
  follow_name();
  if (parts_->stream) return;
  parts_->directory = descriptor(::open(parts_->place.c_str(), by_name | O_DIRECTORY | O_CLOEXEC));
  if (!parts_->directory) refuse(std::strerror(errno));
  struct stat st {};
  if (::fstatat(parts_->directory.get(), parts_->name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISREG(st.st_mode)) parts_->mode &= st.st_mode; // keep the stricter mode of an existing file
  else if (!S_ISLNK(st.st_mode)) refuse("it exists and is not a regular file");
}

/// A link that a confined program may have left at the name is replaced, and not followed. Where it leads to no regular
/// file, it is more likely the system's, and nothing is written.
void report_file::follow_name() {
  const std::string whole = (parts_->place == "/" ? "" : parts_->place) + "/" + parts_->name;
  judged_name way;
  try {
    way = check_named(path_, whole);
  } catch (const refused&) {
    if (leads_to_stream(whole)) throw;
    return;
  }
  int error = 0;
  parts_->stream = open_stream(whole, error);
  if (error != 0) refuse(std::strerror(error));
  if (parts_->stream) return;
  parts_->name = std::filesystem::path(way.real).filename().string();
  parts_->place = std::filesystem::path(way.real).parent_path().string();
}

report_file::~report_file() = default;

void report_file::refuse(const std::string& why) const {
  throw refused::because<reasons::report_not_written>(path_, why);
}

std::string report_file::make(std::string_view text) const {
  std::string fresh;
  int fd = -1;
  do {
    fresh = ".cordon-report-" + std::to_string(std::random_device()());
    fd = ::openat(parts_->directory.get(), fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  parts_->mode);
  } while (fd < 0 && errno == EEXIST);
  if (fd < 0) refuse(std::strerror(errno));
  int error = write_all(fd, text);
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0) return fresh;
  ::unlinkat(parts_->directory.get(), fresh.c_str(), 0);
  refuse(std::strerror(error));
}

bool report_file::is_stream() const { return static_cast<bool>(parts_->stream); }

void report_file::check() const {
  if (!is_stream()) ::unlinkat(parts_->directory.get(), make({}).c_str(), 0);
}

bool report_file::is_in_its_place() const {
  if (is_stream()) return true;
  struct stat held {
  }, named{};
  return ::fstat(parts_->directory.get(), &held) == 0 && ::stat(parts_->place.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

void report_file::write(std::string_view text) const {
  if (is_stream()) {
    if (const int error = write_all(parts_->stream.get(), text)) refuse(std::strerror(error));
    return;
  }
  const std::string fresh = make(text);
  if (::renameat(parts_->directory.get(), fresh.c_str(), parts_->directory.get(), parts_->name.c_str()) == 0) return;
  const int error = errno;
  ::unlinkat(parts_->directory.get(), fresh.c_str(), 0);
  refuse(std::strerror(error));
}

} // namespace cordon::shim
