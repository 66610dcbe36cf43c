// SPDX-License-Identifier: BSL-1.0
/// Tools that start a sandbox themselves, which fails inside the outer one: macOS refuses sandbox-exec within a sandbox
/// ("sandbox_apply: Operation not permitted"). Each row lists the options that turn the inner sandbox of such a tool
/// off and keep its state in the workspace. The table is data; an application adds rows for its own tools.
///
/// This is a convenience and never the boundary. In doubt it adds nothing: a tool without the options fails with its
/// own message. A tool with too many options loses a sandbox, or may be an unknown program.
#pragma once

#include "../policy/path.hpp"
#include "../policy/policy.hpp"
#include "word_list.hpp"

#include <array>
#include <span>

namespace cordon {

/// An option to add, unless the arguments have it already.
struct added_option {
  std::string_view text;   ///< one argument, with a dash: `--no-sandbox`, `--strategy=local`. The name ends at `=`
  std::string_view path{}; ///< its value, added as the next argument: a path relative to the workspace. Empty: no value
  std::string_view said_by{}; ///< other options that decide the same. Lists have one space between words
};

/// One tool, or one of its subcommands. Options are added directly after the subcommand: before `--`, before operands
/// whose arguments are not the tool's, and before the caller's own options, which win if the last one counts.
struct nested_sandbox {
  std::string_view tool;                 ///< a file name, or the absolute path of the only file that is meant
  std::string_view subcommand;           ///< the first argument, exactly; empty: any
  std::span<const added_option> added{}; ///< options that turn the inner sandbox off
  std::string_view valued{};             ///< options whose value is the next argument, besides those added
  std::string_view whole{};              ///< operands after which all arguments up to `--` are the tool's own
  std::string_view opening{}; ///< operands that change nothing. After any other operand, arguments are not the tool's
};

namespace nested {

// SwiftPM 5.6 and later, Sources/CoreCommands/Options.swift. SwiftPM resolves paths against its working directory, so
// these are added as absolute paths. Without the last three options, SwiftPM writes to the home directory.
/// What SwiftPM gets.
inline constexpr std::array<added_option, 4> swiftpm{{{"--disable-sandbox"},
                                                      {"--cache-path", ".build/cordon/cache"},
                                                      {"--config-path", ".build/cordon/config"},
                                                      {"--security-path", ".build/cordon/security"}}};
/// Its options whose value is the next argument.
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
// Any other operand of `swift package` is a plug-in. The arguments after it are the plug-in's, as after `plugin NAME`.
/// Its commands of its own.
inline constexpr std::string_view swiftpm_commands =
    "add-dependency add-product add-setting add-target add-target-dependency archive-source clean completion-tool "
    "compute-checksum config describe diagnose-api-breaking-changes dump-package dump-pif dump-symbol-graph edit "
    "experimental-install experimental-uninstall init migrate purge-cache reset resolve show-dependencies "
    "show-executables show-traits tools-version unedit update";

} // namespace nested

/// SwiftPM, started by the driver and by its own names. The driver takes a subcommand only as the first argument; after
/// an option, it is the compiler (swift-driver, Driver.invocationRunMode).
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

/// A program as the caller looked it up. Both are absolute paths in normal form. A tool is identified by the name that
/// starts it: in a toolchain for Linux, `swift` and `swiftc` are links to one file. So `entry` names the tool.
struct resolved_program {
  std::string_view entry; ///< the path found: symbolic links in the directory resolved, the last component as it is
  std::string_view file;  ///< the same with every symbolic link resolved: the file that the kernel runs
};

namespace nested {

/// True if the policy allows running the path, but not changing it. Otherwise the sandboxed program may have replaced
/// the file.
template <class S> [[nodiscard]] constexpr bool is_settled(const basic_policy<S>& p, std::string_view place) {
  if (!path::is_normal(place)) return false;
  const rights allowed = rights::from_bits(p.files().lookup(place));
  return allowed.has(right::run) && (allowed & (right::write | right::create | right::remove)).empty();
}

/// Does an entry of an executables axis name the tool? A tool with a slash is a path.
[[nodiscard]] constexpr bool is_tool(std::string_view tool, std::string_view entry) {
  if (tool.find('/') != tool.npos) return tool == entry;
  return tool == entry.substr(entry.rfind('/') + 1);
}

/// The first row that matches the command, or an empty row that adds nothing.
[[nodiscard]] constexpr nested_sandbox find(std::span<const nested_sandbox> table, std::string_view entry,
                                            std::span<const std::string_view> arguments) {
  for (const nested_sandbox& row : table)
    if (is_tool(row.tool, entry) && (row.subcommand.empty() || (!arguments.empty() && row.subcommand == arguments[0])))
      return row;
  return {};
}

/// Is the next argument the value of this one?
[[nodiscard]] constexpr bool has_value(const nested_sandbox& row, std::string_view argument) {
  for (const added_option& o : row.added)
    if (!o.path.empty() && o.text == argument) return true;
  return guard::has_word(row.valued, argument);
}

/// True if the tool's own arguments, those after the subcommand, already decide what option `o` decides.
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

/// Writes a row's path as an absolute path in the workspace. Returns: false if it has no normal form or leads out of
/// the workspace.
constexpr bool place_in(std::string_view relative, std::string_view workspace, path::normal& to) {
  if (!path::is_normal(workspace)) return false;
  path::normalize(relative, workspace, {}, to);
  return to && path::covers(workspace, to.view());
}

/// Do all paths of the row lie in the workspace?
[[nodiscard]] constexpr bool has_places(const nested_sandbox& row, std::string_view workspace) {
  path::normal to;
  for (const added_option& o : row.added)
    if (!o.path.empty() && !place_in(o.path, workspace, to)) return false;
  return true;
}

} // namespace nested

/// Calls `f(argument)` for each argument to start the program with; the text is valid during the call. Neither list has
/// the program's own name. Existing arguments are kept, and a second call adds nothing. Rows of `own` are checked
/// before the built-in ones. The first match decides, so a row that adds nothing disables the built-in one.
/// Nothing is added under profile unrestricted, which has no outer sandbox; under other profiles the caller must apply
/// one. Nothing is added if the policy denies running the program's entry or file, or allows changing them. Nothing is
/// added if a row's paths are invalid in `workspace`, an absolute path in normal form.
/// Returns: true if an argument was added. O(options of the row x size of the arguments).
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
