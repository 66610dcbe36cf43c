// SPDX-License-Identifier: BSL-1.0
/// A directory for one test, removed at its end.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

struct scratch {
  std::filesystem::path top;

  scratch() {
    std::random_device number;
    do top = std::filesystem::temp_directory_path() / ("cordon-test-" + std::to_string(number()));
    while (!std::filesystem::create_directory(top));
    std::filesystem::permissions(top, std::filesystem::perms::owner_all);
    top = std::filesystem::canonical(top);
  }
  ~scratch() { std::filesystem::remove_all(top); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  [[nodiscard]] std::string at(const std::string& name) const { return (top / name).string(); }
  std::filesystem::path dir(const std::string& name) const {
    std::filesystem::create_directories(top / name);
    return top / name;
  }
  void file(const std::string& name, const std::string& content = {}) const {
    std::filesystem::create_directories((top / name).parent_path());
    std::ofstream(top / name) << content;
  }
};
