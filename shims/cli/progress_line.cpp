// SPDX-License-Identifier: BSL-1.0
#include "progress_line.hpp"

#include "../common/host.hpp"

#include <cstdio>
#include <string>

namespace cordon::cli {
namespace {

constexpr std::uint32_t patience = 3000,
                        again = 1000; // milliseconds without output before the first line; between two lines

[[nodiscard]] std::string size_text(std::uint64_t bytes) {
  constexpr const char* units[]{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 10'000 && unit < 4; ++unit) bytes >>= 10;
  return std::to_string(bytes) + " " + units[unit];
}

void show(const progress& p) {
  std::string line = "\r\033[Kcordon: " + std::to_string(p.wall / 1'000'000'000) + " s";
  if (p.output_bytes > 0) line += ", " + size_text(p.output_bytes) + " of output";
  if (p.memory > 0) line += ", " + size_text(p.memory) + " of memory";
  std::fputs(line.c_str(), stderr);
}

} // namespace

report watch(process_run& program, bool silent) {
  if (silent || !shim::is_watched() || program.is_interactive()) return program.wait();
  bool shown = false;
  const auto clear = [&] {
    if (shown) std::fputs("\r\033[K", stderr);
    shown = false;
  };
  // Clears the line before each call of `advance`, since the program's output would follow it on the same line.
  while (!program.advance()) {
    while (!program.wait_for(shown ? again : patience)) {
      if (program.is_interactive()) continue; // it got the terminal meanwhile
      show(program.so_far());
      shown = true;
    }
    clear();
  }
  clear();
  return program.take();
}

} // namespace cordon::cli
