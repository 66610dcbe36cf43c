// SPDX-License-Identifier: BSL-1.0
/// A directory of a test's own, removed at its end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

struct scratch {
  std::filesystem::path top;

  scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "cordon-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    top = std::filesystem::canonical(name);
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
