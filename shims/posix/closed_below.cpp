// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "descriptor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <string>

namespace cordon::shim {
namespace {

constexpr std::size_t most_entries = 100'000;

/// One walk through directories of one file system.
class closed_search {
public:
  void look_into(int at, const char* name, const std::string& place) {
    const int fd = ::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
    if (stream == nullptr) return;
    for (const dirent* e = ::readdir(stream.get()); e != nullptr; e = ::readdir(stream.get())) {
      ++seen_;
      const std::string_view entry = e->d_name;
      if (entry == "." || entry == ".." || (e->d_type != DT_REG && e->d_type != DT_DIR && e->d_type != DT_UNKNOWN))
        continue;
      judge(fd, e->d_name, place + "/" + std::string(entry));
    }
  }
  [[nodiscard]] std::vector<std::string> take() { return std::move(found_); }

private:
  void judge(int at, const char* name, std::string place) {
    struct stat st {};
    if (::fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (S_ISREG(st.st_mode) && (st.st_mode & S_IROTH) == 0) found_.push_back(std::move(place));
    if (!S_ISDIR(st.st_mode)) return;
    if ((st.st_mode & S_IXOTH) == 0 || seen_ > most_entries) found_.push_back(std::move(place));
    else look_into(at, name, place);
  }

  std::vector<std::string> found_;
  std::size_t seen_ = 0;
};

} // namespace

std::vector<std::string> closed_below(std::string_view directory) {
  closed_search all;
  const std::string top(directory);
  all.look_into(AT_FDCWD, top.c_str(), top);
  return all.take();
}

} // namespace cordon::shim
