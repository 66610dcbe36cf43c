// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "descriptor.hpp"

#include <cordon/policy/path.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

namespace cordon::shim {
namespace {

/// The kernel reads no more of a first line, and follows no more interpreters (Linux: BINPRM_BUF_SIZE, exec_binprm).
constexpr std::size_t longest_line = 256;
constexpr int deepest = 5;

/// Does not block if the path is a pipe or a device.
[[nodiscard]] std::string first_line(const std::string& file) {
  const descriptor in(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat st {};
  if (!in || ::fstat(in.get(), &st) != 0 || !S_ISREG(st.st_mode)) return {};
  char bytes[longest_line];
  const ssize_t size = ::pread(in.get(), bytes, sizeof bytes, 0);
  const std::string_view line(bytes, size < 0 ? 0 : static_cast<std::size_t>(size));
  return line.starts_with("#!") ? std::string(line.substr(2, line.find('\n') - 2)) : std::string();
}

/// The program that `env` starts: its first argument that is not an option and sets no variable.
[[nodiscard]] std::string started_by_env(std::istringstream& arguments) {
  std::string name;
  while (arguments >> name)
    if (!name.starts_with('-') && name.find('=') == name.npos) break;
  if (name.empty() || name.starts_with('/')) return name;
  for (const std::string_view directory : preset_places::programs(this_platform()))
    if (std::string file = std::string(directory) + "/" + name; ::access(file.c_str(), F_OK) == 0) return file;
  return {};
}

} // namespace

std::vector<std::string> interpreters_of(std::string_view program) {
  std::vector<std::string> all;
  std::string file(program);
  for (int depth = 0; depth < deepest; ++depth) {
    std::istringstream words(first_line(file));
    if (!(words >> file) || !path::is_normal(file)) break;
    all.push_back(file);
    if (!file.ends_with("/env")) continue;
    file = started_by_env(words);
    if (!path::is_normal(file)) break;
    all.push_back(file);
  }
  return all;
}

} // namespace cordon::shim
