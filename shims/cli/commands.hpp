// SPDX-License-Identifier: BSL-1.0
/// The commands of the tool: arguments in, text out, exit status back. Every decision is made by the library.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace cordon::cli {

/// Command lines that cannot be meant: exit 2, for `run` 125.
class usage_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// What a command line chose, to be carried out after all of it has been read.
using action = std::function<int()>;

/// `after_dashes`: the words behind `--`, which are not the tool's own; null if there was none.
void add_run(CLI::App& app, action& chosen, const std::vector<std::string>* after_dashes);
void add_check(CLI::App& app, action& chosen);
void add_meet(CLI::App& app, action& chosen);
void add_within(CLI::App& app, action& chosen);
void add_explain(CLI::App& app, action& chosen);
void add_compile(CLI::App& app, action& chosen);
void add_doctor(CLI::App& app, action& chosen);
void add_schema(CLI::App& app, action& chosen);

} // namespace cordon::cli
