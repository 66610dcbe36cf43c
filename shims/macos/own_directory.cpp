// SPDX-License-Identifier: BSL-1.0
#include "own_directory.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace cordon::macos_shim {
namespace {

void write_file(const std::string& name, const std::string& text) {
  std::ofstream file(name);
  file << text;
  if (!file.flush()) throw refused::because<reasons::not_written>(name);
}

} // namespace

shim::run_directory make_own_directory() {
  const char* const home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return shim::run_directory::make();
  const std::string caches = std::string(home) + "/Library/Caches/cordon";
  std::error_code ec;
  std::filesystem::create_directories(caches, ec);
  if (!ec) std::filesystem::permissions(caches, std::filesystem::perms::owner_all, ec);
  if (ec) throw refused::because<reasons::path_unknown>(caches, ec.message());
  return shim::run_directory::make(caches);
}

void fill_own_directory(const shim::run_directory& own, const prepared& ready) {
  write_file(own.path() + "/probe", "cordon");
  write_file(own.path() + "/profile", ready.profile());
}

} // namespace cordon::macos_shim
