// SPDX-License-Identifier: BSL-1.0
#include "run_with.hpp"

#include "host.hpp"

#include <cordon/preset.hpp>
#include <cordon/run/resolve.hpp>

#include <fstream>
#include <sstream>

namespace cordon::shim {
namespace {

/// The kernel looks at no more of a first line.
constexpr std::size_t longest_line = 256;
constexpr int deepest = 5;

[[nodiscard]] std::string first_line(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line(longest_line, '\0');
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(in.gcount()));
  return line.starts_with("#!") ? line.substr(2, line.find('\n') - 2) : std::string();
}

/// The program that `env` starts: its first argument that is no option and sets no variable.
[[nodiscard]] std::string started_by_env(std::istringstream& arguments) {
  std::string name;
  while (arguments >> name)
    if (!name.starts_with('-') && name.find('=') == name.npos) break;
  if (name.empty() || name.starts_with('/')) return name;
  for (const std::string_view directory : preset_places::programs(this_platform()))
    if (std::string file = std::string(directory) + "/" + name; place_exists(file)) return file;
  return {};
}

} // namespace

std::vector<std::string> run_with(std::string_view program) {
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
