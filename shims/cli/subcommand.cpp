// SPDX-License-Identifier: BSL-1.0
#include "subcommand.hpp"

#include "refusal_text.hpp"

#include "../common/host.hpp"

#include <cordon/format/error.hpp>
#include <cordon/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <new>
#include <span>
#include <utility>

namespace cordon::cli {

/// The result of parsing a command line.
struct choice {
  std::function<int()> action;
  std::vector<std::string> after_dashes; ///< includes the dashes
};

void complain(std::string_view text) { std::fprintf(stderr, "cordon: %s\n", format::printable(text).c_str()); }

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = 0; end != text.npos; text.remove_prefix(end == text.npos ? text.size() : end + 1)) {
    end = text.find('\n');
    out += format::printable(text.substr(0, end));
    if (end != text.npos) out += '\n';
  }
  return out;
}

void subcommand::about(const char* text) { reader_->description(text); }

void subcommand::option(const char* name, std::string& to, const char* text, bool required) {
  CLI::Option* const made = reader_->add_option(name, to, text)->group(group_);
  if (required) made->required();
  else if (!to.empty()) made->capture_default_str();
}

void subcommand::option(const char* name, std::optional<std::string>& to, const char* text) {
  reader_->add_option(name, to, text)->group(group_);
}

void subcommand::option(const char* name, std::vector<std::string>& to, const char* text) {
  reader_->add_option(name, to, text)->group(group_)->expected(1)->take_all();
}

void subcommand::flag(const char* name, bool& to, const char* text) {
  reader_->add_flag(name, to, text)->group(group_);
}

void subcommand::files(std::vector<std::string>& to, const char* text, int least, int most) {
  reader_->add_option("FILE", to, text)->required()->expected(least, most);
}

void subcommand::words(const char* name, std::vector<std::string>& to, const char* text, int most) {
  reader_->add_option(name, to, text)->expected(0, most);
}

void subcommand::rest(std::vector<std::string>& to, const char* text) {
  reader_->prefix_command();
  reader_->footer(text);
  rest_ = &to;
}

void subcommand::action(std::function<int()> what) {
  reader_->callback([reader = reader_, chosen = chosen_, to = rest_, what = std::move(what)] {
    chosen->action = what;
    if (to == nullptr) return;
    *to = reader->remaining();
    if (!to->empty() && to->front().starts_with("-")) throw usage_error("unknown option " + to->front());
    const std::vector<std::string>& after = chosen->after_dashes;
    if (!after.empty()) to->insert(to->end(), after.begin() + (to->empty() ? 1 : 0), after.end());
  });
}

namespace {

/// `cordon VERSION (COMMIT)`
[[nodiscard]] std::string version_text(std::string_view commit) {
  std::string text = "cordon " + std::string(version);
  if (!commit.empty()) text.append(" (").append(commit).append(")");
  return text;
}

[[nodiscard]] std::string unknown(const std::string& asked, std::span<const named_subcommand> all) {
  std::string text = "unknown command " + asked + "; there are";
  for (const named_subcommand& c : all) text.append(" ").append(c.name);
  return text;
}

/// CLI11 returns what follows `--` in a subcommand to the main command, so it is removed first.
[[nodiscard]] std::vector<std::string> take_after_dashes(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> after(dashes, arguments.end());
  arguments.erase(dashes, arguments.end());
  return after;
}

/// Returns: the exit status. Throws: what the action throws, and errors of CLI11.
int parse_and_act(std::span<const named_subcommand> described, std::vector<std::string> arguments,
                  std::string_view commit) {
  CLI::App app{"cordon runs programs that are not trusted under one policy", "cordon"};
  app.require_subcommand(1);
  app.allow_windows_style_options(false); // otherwise /C:/work would be an option
  app.set_version_flag("--version", version_text(commit));
  choice chosen;
  bool takes_rest = false;
  for (const named_subcommand& c : described) {
    subcommand s(*app.add_subcommand(std::string(c.name)), chosen);
    c.describe(s);
    takes_rest = s.takes_rest();
  }
  if (described.size() == 1 && takes_rest) chosen.after_dashes = take_after_dashes(arguments);
  if (!arguments.empty()) arguments.erase(arguments.begin()); // the program's own name
  std::reverse(arguments.begin(), arguments.end());           // the order that CLI11 expects
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& e) { return app.exit(e); }
  return chosen.action();
}

} // namespace

int carry_out(std::span<const named_subcommand> all, std::vector<std::string> arguments, std::string_view commit) {
  const std::string asked = arguments.size() > 1 ? arguments[1] : "";
  const auto one = std::find_if(all.begin(), all.end(), [&](const named_subcommand& c) { return c.name == asked; });
  const bool runs_program = one != all.end() && one->status == status_of::program;
  const int bad = runs_program ? 125 : 2;
  try {
    if (const std::string missing = shim::missing_resource(); !missing.empty()) throw usage_error(missing);
    if (one == all.end() && !asked.empty() && !asked.starts_with('-')) throw usage_error(unknown(asked, all));
    // One subcommand is described if its name is there, else all of them, for a list.
    return parse_and_act(one == all.end() ? all : std::span(one, 1), std::move(arguments), commit);
  } catch (const format::bad_document& e) {
    // `check` and similar commands print errors in the format of compilers, so that editors can jump to the position.
    if (runs_program) complain(e.what());
    else std::fprintf(stderr, "%s\n", format::printable(e.what()).c_str());
  } catch (const refused& e) { complain(text_of(e)); } catch (const std::bad_alloc&) {
    complain("cordon has too little memory: free some, or raise this process's limit (ulimit -v)");
  } catch (const std::exception& e) { complain(e.what()); }
  return bad;
}

} // namespace cordon::cli
