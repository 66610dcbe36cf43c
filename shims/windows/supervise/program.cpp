// SPDX-License-Identifier: BSL-1.0
#include "program.hpp"

#include "../launch/command_line.hpp"
#include "../places.hpp"
#include "../text.hpp"

#include <cordon/format/place.hpp>

#include <filesystem>
#include <sstream>

namespace cordon::windows_shim {

shim::found_program find_program(const std::string& name, const std::string& search, const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::path written(wide(name));
  const auto there = [](const fs::path& at) {
    std::string found;
    for (const wchar_t* ending : {L"", L".exe", L".com"}) {
      const fs::path tried = at.native() + ending;
      DWORD error = 0;
      std::error_code ec;
      if ((*ending == L'\0' && !at.has_extension()) || !fs::is_regular_file(tried, ec)) continue;
      if (found = real_place(tried, error); !found.empty()) break;
    }
    return found;
  };
  shim::found_program program;
  if (written.has_parent_path() || written.has_root_name()) program.real = there(path_at(directory) / written);
  else {
    std::istringstream all(search);
    for (std::string one; program.real.empty() && std::getline(all, one, ';');)
      if (const fs::path dir(wide(one)); dir.is_absolute()) program.real = there(dir / written);
  }
  if (program.real.empty()) {
    program.how = ending::not_found;
    program.why = name + ": there is no such program";
  } else if (is_batch_file(path_at(program.real).native())) {
    program.how = ending::not_executable;
    program.why = name + ": scripts of cmd.exe are not run, since their arguments are read as commands there; name the "
                         "program that the script starts";
  }
  return program;
}

} // namespace cordon::windows_shim
