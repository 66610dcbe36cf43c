// SPDX-License-Identifier: BSL-1.0
/// The commands of the tool: arguments in, text out, exit status back. The library makes every decision.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace cordon::cli {

/// Invalid command lines: exit status 2, for `run` 125.
class usage_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Writes one line to stderr, after the tool's name, with control characters escaped.
void complain(std::string_view text);
/// Escapes all control characters except line ends, for a terminal.
[[nodiscard]] std::string printable_lines(std::string_view text);

struct choice;

/// Describes one command: where its arguments are stored, and its action. Only subcommand.cpp includes CLI11, because
/// each file that includes it repeats its static initialization at program start.
class subcommand {
public:
  subcommand(CLI::App& reader, choice& chosen) : reader_(&reader), chosen_(&chosen) {}

  void about(const char* text);
  /// The heading of the options that follow.
  void group(const char* title) { group_ = title; }
  void option(const char* name, std::string& to, const char* text, bool required = false);
  void option(const char* name, std::optional<std::string>& to, const char* text);
  /// Each occurrence adds one value.
  void option(const char* name, std::vector<std::string>& to, const char* text);
  void flag(const char* name, bool& to, const char* text);
  /// Positional arguments.
  void files(std::vector<std::string>& to, const char* text, int least, int most);
  /// Positional arguments that are no files, at most so many.
  void words(const char* name, std::vector<std::string>& to, const char* text, int most);
  /// Arguments for the program, from the first one that is not an option, or from `--` on.
  void rest(std::vector<std::string>& to, const char* text);
  [[nodiscard]] bool takes_rest() const { return rest_ != nullptr; }
  /// Called once all arguments have been read.
  void action(std::function<int()> what);

private:
  CLI::App* reader_;
  choice* chosen_;
  const char* group_ = "Options";
  std::vector<std::string>* rest_ = nullptr;
};

/// Whose exit status a command ends with.
enum class status_of : std::uint8_t {
  command, ///< 2 for errors of its own, printed as compilers print them
  program, ///< of the program that it runs: 125 for errors of its own, printed after the tool's name
};

struct named_subcommand {
  std::string_view name;
  std::function<void(subcommand&)> describe;
  status_of status = status_of::command;
};

/// Returns: the exit status. Prints usage errors and refusals on stderr. `commit`: of the sources, for `--version`; empty
/// if unknown.
int carry_out(std::span<const named_subcommand> all, std::vector<std::string> arguments, std::string_view commit = {});

} // namespace cordon::cli
