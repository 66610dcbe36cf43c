// SPDX-License-Identifier: BSL-1.0
/// Tools that start a sandbox of their own, which fails inside this one: macOS refuses sandbox-exec within a sandbox
/// ("sandbox_apply: Operation not permitted"). Each row says what such a tool must be told so that the outer sandbox is
/// the only one, and its state stays in the workspace. Data; a host adds rows for its own tools.
///
/// This is a help and never the boundary. It holds back where it is not certain: a tool that is told nothing fails with
/// its own message, while one that is told too much loses a sandbox, or is a program that nobody knows.
#pragma once

#include "../policy/path.hpp"
#include "../policy/policy.hpp"
#include "word_list.hpp"

#include <array>
#include <span>

namespace cordon {

/// What a tool is told, unless it is told so already.
struct added_option {
  std::string_view text;      ///< one argument, with a dash: `--no-sandbox`, `--strategy=local`. Its name ends at `=`
  std::string_view path{};    ///< its value, the next argument: a path relative to the workspace. Empty: no value
  std::string_view said_by{}; ///< names of other options that decide the same. Lists have one space between words
};

/// One tool, or one of its subcommands. What is added goes directly behind the subcommand: before `--`, before operands
/// whose arguments are not the tool's, and before the caller's own options, so that his win where the last one counts.
struct nested_sandbox {
  std::string_view tool;       ///< a file name, or the absolute path of the only file that is meant
  std::string_view subcommand; ///< the first argument, exactly; empty: the tool has none
  std::span<const added_option> added{};
  std::string_view valued{};  ///< options whose value is the next argument, besides those added
  std::string_view whole{};   ///< operands behind which all arguments are the tool's own, up to `--`
  std::string_view opening{}; ///< operands that change nothing. Behind any other one, arguments are not the tool's
};

namespace nested {

// SwiftPM 5.6 and later, Sources/CoreCommands/Options.swift. Its paths are relative to the current directory there, so
// they are given absolute. Without the last three it writes to the home directory.
inline constexpr std::array<added_option, 4> swiftpm{{{"--disable-sandbox"},
                                                      {"--cache-path", ".build/cordon/cache"},
                                                      {"--config-path", ".build/cordon/config"},
                                                      {"--security-path", ".build/cordon/security"}}};
inline constexpr std::string_view swiftpm_valued =
    "-c -j -s --configuration --jobs --package-path --scratch-path --build-path --multiroot-data-file --destination "
    "--swift-sdks-path --experimental-swift-sdks-path --toolset --pkg-config-path --manifest-cache --netrc-file "
    "--resolver-fingerprint-checking --resolver-signing-entity-checking --default-registry-url -Xcc -Xswiftc -Xlinker "
    "-Xcxx -Xxcbuild -Xbuild-tools-swiftc -Xmanifest --triple --sdk --toolchain --arch --swift-sdk "
    "--experimental-swift-sdk --sanitize --explicit-target-dependency-import-check --build-system -debug-info-format "
    "--experimental-test-entry-point-path --experimental-lto-mode --traits --experimental-traits --target --product "
    "--test-product --num-workers --specifier --filter --skip --xunit-output --test-output --configuration-path "
    "--event-stream-output-path --event-stream-version --allow-writing-to-directory --allow-network-connections "
    "--package";
// Any other operand of `swift package` is a plug-in, and what follows is the plug-in's, as it is behind `plugin NAME`.
inline constexpr std::string_view swiftpm_commands =
    "add-dependency add-product add-setting add-target add-target-dependency archive-source clean completion-tool "
    "compute-checksum config describe diagnose-api-breaking-changes dump-package dump-pif dump-symbol-graph edit "
    "experimental-install experimental-uninstall init migrate purge-cache reset resolve show-dependencies "
    "show-executables show-traits tools-version unedit update";

} // namespace nested

/// SwiftPM, through the driver and by its own names. The driver takes a subcommand as the first argument alone, behind
/// an option it is the compiler (swift-driver, Driver.invocationRunMode).
inline constexpr std::array<nested_sandbox, 8> nested_sandboxes{{
    {"swift", "build", nested::swiftpm, nested::swiftpm_valued},
    {"swift", "test", nested::swiftpm, nested::swiftpm_valued, "list last"},
    {"swift", "run", nested::swiftpm, nested::swiftpm_valued},
    {"swift", "package", nested::swiftpm, nested::swiftpm_valued, nested::swiftpm_commands, "plugin"},
    {"swift-build", "", nested::swiftpm, nested::swiftpm_valued},
    {"swift-test", "", nested::swiftpm, nested::swiftpm_valued, "list last"},
    {"swift-run", "", nested::swiftpm, nested::swiftpm_valued},
    {"swift-package", "", nested::swiftpm, nested::swiftpm_valued, nested::swiftpm_commands, "plugin"},
}};

/// A program as it was looked up. Both are absolute paths in normal form. A tool goes by the name that it is started by
/// (`swift` and `swiftc` are links to one file in a toolchain for Linux), so `entry` names it.
struct resolved_program {
  std::string_view entry; ///< what was found: links in the directory's name followed, the last component as it is
  std::string_view file;  ///< the same with every link followed: what the kernel runs
};

namespace nested {

/// Does the policy let the place be run but not be changed? Else the program is not the system's or the user's word,
/// but that of what is confined.
template <class S> [[nodiscard]] constexpr bool is_settled(const basic_policy<S>& p, std::string_view place) {
  if (!path::is_normal(place)) return false;
  const rights allowed = rights::from_bits(p.files().lookup(place));
  return allowed.has(right::run) && (allowed & (right::write | right::create | right::remove)).empty();
}

[[nodiscard]] constexpr bool is_tool(std::string_view tool, std::string_view entry) {
  if (tool.find('/') != tool.npos) return tool == entry;
  return tool == entry.substr(entry.rfind('/') + 1);
}

/// The first row for that command, or one that adds nothing.
[[nodiscard]] constexpr nested_sandbox find(std::span<const nested_sandbox> table, std::string_view entry,
                                            std::span<const std::string_view> arguments) {
  for (const nested_sandbox& row : table)
    if (is_tool(row.tool, entry) && (row.subcommand.empty() || (!arguments.empty() && row.subcommand == arguments[0])))
      return row;
  return {};
}

[[nodiscard]] constexpr bool has_value(const nested_sandbox& row, std::string_view argument) {
  for (const added_option& o : row.added)
    if (!o.path.empty() && o.text == argument) return true;
  return guard::has_word(row.valued, argument);
}

/// Do the tool's own arguments, those behind the subcommand, decide what the option would?
[[nodiscard]] constexpr bool is_said(const nested_sandbox& row, std::span<const std::string_view> arguments,
                                     const added_option& o) {
  bool whole = false;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string_view argument = arguments[i];
    if (guard::is_option(argument)) {
      const std::string_view name = guard::long_option_of(argument).name;
      if (name == guard::long_option_of(o.text).name || guard::has_word(o.said_by, name)) return true;
      if (has_value(row, argument)) ++i;
    } else if (guard::has_word(row.whole, argument)) whole = true;
    else if (!whole && !guard::has_word(row.opening, argument)) return false;
  }
  return false;
}

/// Writes a path of a row as it is in the workspace. False if it has no normal form there or leads out of it.
constexpr bool place_in(std::string_view relative, std::string_view workspace, path::normal& to) {
  if (!path::is_normal(workspace)) return false;
  path::normalize(relative, workspace, {}, to);
  return to && path::covers(workspace, to.view());
}

[[nodiscard]] constexpr bool has_places(const nested_sandbox& row, std::string_view workspace) {
  path::normal to;
  for (const added_option& o : row.added)
    if (!o.path.empty() && !place_in(o.path, workspace, to)) return false;
  return true;
}

} // namespace nested

/// Calls `f(argument)` for each argument that the program is to be given (neither has the program's own name), the text
/// valid during the call. True if something was added; what is there is never changed, and doing it twice adds nothing.
/// Rows of `own` are looked at before the built-in ones; the first that fits decides, so one that adds nothing takes a
/// tool out.
/// Nothing is added under profile unrestricted, which has no outer sandbox (else the caller sees to it that there is
/// one); for a program whose entry or file the policy does not let be run, or lets be changed; or where a row's paths
/// are none in `workspace`, an absolute path in normal form. O(options of the row x size of the arguments).
template <class S, class F>
constexpr bool without_nested_sandbox(const basic_policy<S>& p, const resolved_program& program,
                                      std::span<const std::string_view> arguments, std::string_view workspace, F&& f,
                                      std::span<const nested_sandbox> own = {}) {
  nested_sandbox row;
  if (p.profile != profile::unrestricted && nested::is_settled(p, program.entry) &&
      nested::is_settled(p, program.file)) {
    row = nested::find(own, program.entry, arguments);
    if (row.tool.empty()) row = nested::find(nested_sandboxes, program.entry, arguments);
    if (!nested::has_places(row, workspace)) row = {};
  }
  const std::size_t before = row.subcommand.empty() ? 0 : 1;
  if (before != 0) f(arguments[0]);
  const std::span<const std::string_view> rest = arguments.subspan(before);
  bool changed = false;
  path::normal value;
  for (const added_option& o : row.added) {
    if (nested::is_said(row, rest, o)) continue;
    changed = true;
    f(o.text);
    if (!o.path.empty() && nested::place_in(o.path, workspace, value)) f(value.view());
  }
  for (const std::string_view argument : rest) f(argument);
  return changed;
}

} // namespace cordon
