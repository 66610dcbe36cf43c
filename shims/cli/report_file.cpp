// SPDX-License-Identifier: BSL-1.0
#include "report_file.hpp"

#include <cordon/run/resolve.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

namespace cordon::cli {

namespace {

/// 0 or errno.
[[nodiscard]] int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) return errno;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

} // namespace

report_file::report_file(std::string path, mode_t mode) : path_(std::move(path)), mode_(mode) {
  const std::filesystem::path written(path_);
  name_ = written.filename().string();
  if (name_.empty() || name_ == "." || name_ == "..") refuse("it is the name of a directory");
  const std::filesystem::path parent = written.has_parent_path() ? written.parent_path() : ".";
  directory_ = ::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory_ < 0) refuse(std::strerror(errno));
  struct stat st {};
  if (::fstatat(directory_, name_.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISREG(st.st_mode)) mode_ &= st.st_mode; // somebody wants fewer to read it
  else if (!S_ISLNK(st.st_mode)) {
    ::close(directory_);
    refuse("there is something that is no file");
  }
}

report_file::~report_file() { ::close(directory_); }

void report_file::refuse(const std::string& why) const {
  throw refused(path_ + ": the report cannot be written: " + why);
}

std::string report_file::make(std::string_view text) const {
  std::string fresh;
  int fd = -1;
  do {
    fresh = ".cordon-report-" + std::to_string(std::random_device()());
    fd = ::openat(directory_, fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_);
  } while (fd < 0 && errno == EEXIST);
  if (fd < 0) refuse(std::strerror(errno));
  int error = write_all(fd, text);
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0) return fresh;
  ::unlinkat(directory_, fresh.c_str(), 0);
  refuse(std::strerror(error));
}

void report_file::check() const { ::unlinkat(directory_, make({}).c_str(), 0); }

void report_file::write(std::string_view text) const {
  const std::string fresh = make(text);
  if (::renameat(directory_, fresh.c_str(), directory_, name_.c_str()) == 0) return;
  const int error = errno;
  ::unlinkat(directory_, fresh.c_str(), 0);
  refuse(std::strerror(error));
}

} // namespace cordon::cli
