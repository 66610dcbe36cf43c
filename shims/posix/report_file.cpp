// SPDX-License-Identifier: BSL-1.0
#include "../common/report_file.hpp"
#include "descriptor.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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
  std::string name; ///< in the directory
  descriptor directory;
  mode_t mode;
};

report_file::report_file(std::string path, readers who)
    : path_(std::move(path)), parts_(new parts{{}, {}, who == readers::all ? mode_t{0644} : mode_t{0600}}) {
  const std::filesystem::path written(path_);
  parts_->name = written.filename().string();
  if (parts_->name.empty() || parts_->name == "." || parts_->name == "..") refuse("it is the name of a directory");
  const std::filesystem::path parent = written.has_parent_path() ? written.parent_path() : ".";
  parts_->directory = descriptor(::open(parent.c_str(), by_name | O_DIRECTORY | O_CLOEXEC));
  if (!parts_->directory) refuse(std::strerror(errno));
  struct stat st {};
  if (::fstatat(parts_->directory.get(), parts_->name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISREG(st.st_mode)) parts_->mode &= st.st_mode; // keep the stricter mode of an existing file
  else if (!S_ISLNK(st.st_mode)) refuse("it exists and is not a regular file");
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

void report_file::check() const { ::unlinkat(parts_->directory.get(), make({}).c_str(), 0); }

bool report_file::is_in_its_place() const {
  const std::filesystem::path parent = std::filesystem::path(path_).parent_path();
  struct stat held {
  }, named{};
  return ::fstat(parts_->directory.get(), &held) == 0 && ::stat(parent.empty() ? "." : parent.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

void report_file::write(std::string_view text) const {
  const std::string fresh = make(text);
  if (::renameat(parts_->directory.get(), fresh.c_str(), parts_->directory.get(), parts_->name.c_str()) == 0) return;
  const int error = errno;
  ::unlinkat(parts_->directory.get(), fresh.c_str(), 0);
  refuse(std::strerror(error));
}

} // namespace cordon::shim
