// SPDX-License-Identifier: BSL-1.0
/// The commands of the tool: arguments in, text out, exit status back. Every decision is made by the library.
#pragma once

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

/// Command lines that cannot be meant: exit 2, for `run` 125.
class usage_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Writes one line to stderr, after the tool's name, as a terminal may have it.
void complain(std::string_view text);
/// The text with all but its line ends as a terminal may have it.
[[nodiscard]] std::string printable_lines(std::string_view text);

struct choice;

/// One command while it is described: where the words behind it are put, and what is done then. The library that reads
/// them appears in command.cpp alone, since all that it does at a program's start it does for every file that sees it.
class subcommand {
public:
  subcommand(CLI::App& reader, choice& chosen) : reader_(&reader), chosen_(&chosen) {}

  void about(const char* text);
  /// The heading of the options that follow.
  void group(const char* title) { group_ = title; }
  void option(const char* name, std::string& to, const char* text, bool required = false);
  void option(const char* name, std::optional<std::string>& to, const char* text);
  /// Each time one more.
  void option(const char* name, std::vector<std::string>& to, const char* text);
  void flag(const char* name, bool& to, const char* text);
  /// Words without a name.
  void files(std::vector<std::string>& to, const char* text, int least, int most);
  /// What follows the options, from the first word that is none or from `--` on, is not the tool's own.
  void rest(std::vector<std::string>& to, const char* text);
  [[nodiscard]] bool takes_rest() const { return rest_ != nullptr; }
  /// What is done once all words have been read.
  void action(std::function<int()> what);

private:
  CLI::App* reader_;
  choice* chosen_;
  const char* group_ = "Options";
  std::vector<std::string>* rest_ = nullptr;
};

struct named_subcommand {
  std::string_view name;
  std::function<void(subcommand&)> describe;
};

/// The exit status. Wrong words and refusals are told on stderr.
int carry_out(std::span<const named_subcommand> all, std::vector<std::string> arguments);

void describe_run(subcommand& c);
void describe_check(subcommand& c);
void describe_meet(subcommand& c);
void describe_within(subcommand& c);
void describe_explain(subcommand& c);
void describe_compile(subcommand& c);
void describe_doctor(subcommand& c);
void describe_schema(subcommand& c);
void describe_replay(subcommand& c);

} // namespace cordon::cli
