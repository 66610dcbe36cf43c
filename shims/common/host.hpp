// SPDX-License-Identifier: BSL-1.0
/// The functions that the command line needs of the system.
#pragma once

#include <cordon/policy/preset.hpp>
#include <cordon/run/run.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// UTF-8, or the system's bytes unchanged; the program's name first.
using arguments = std::vector<std::string>;

/// Must run before anything else.
[[nodiscard]] arguments begin_process(int argc, char** argv);

/// Returns: the resource of which this process has too little to work at all, with the remedy; empty if it has enough.
/// Otherwise a stack or a heap that ends during a start would cause a crash without a message.
[[nodiscard]] std::string missing_resource();

[[nodiscard]] platform this_platform();
/// Returns: the path of the file of this process's program; empty if the system does not provide it.
[[nodiscard]] std::string own_program();
/// Returns: the path of the user's home; empty if there is none.
[[nodiscard]] std::string home_place();
/// Returns: the home of this process's account, whatever $HOME is; empty if unknown.
[[nodiscard]] std::string account_home();
/// Returns: the files and directories below a directory that their modes close to other users, none below another. The
/// first 100 000 entries are looked at; after them, every directory counts as closed.
[[nodiscard]] std::vector<std::string> closed_below(std::string_view directory);
/// Returns: the home of an account, by its number; empty if unknown.
[[nodiscard]] std::string home_of_account(long long owner);
/// Returns: the user whose files are this process's own, see `owner`; empty if it may become any user, as root may.
[[nodiscard]] std::optional<long long> caller();
/// Returns: the path of a file in its canonical spelling. Throws: `refused` if the file does not exist.
[[nodiscard]] std::string place_of_file(const std::string& name);
/// Returns: the path of a directory in that spelling, and the links on it, each read once. Throws: `refused` if
/// missing.
[[nodiscard]] judged_name way_to(std::string name, const std::string& directory);
/// Returns: the owner of the file at a path. See `owner_of` (run/project.hpp).
[[nodiscard]] long long owner(const std::string& place);
/// Returns: the names in a directory; empty if it cannot be listed or has more than some hundred.
[[nodiscard]] std::optional<std::vector<std::string>> names_in(std::string_view directory);
/// Directories that every program of the system reads under any policy, and that no preset names.
[[nodiscard]] std::vector<std::string> open_places();
/// Returns: the interpreters in the first line of a program, and theirs in turn, as far as the kernel follows them. For
/// `env`, also the program that it starts by name. Empty if the file is no script, or cannot be read. Source:
/// execve(2), "Interpreter scripts".
[[nodiscard]] std::vector<std::string> interpreters_of(std::string_view program);
/// Returns: the machine's host name; empty if the system does not provide it.
[[nodiscard]] std::string host_name();
/// Returns: true once in `seconds` for each user. `what` is a file name. Always true if the time of the last call
/// cannot be stored: on Windows, and if the user has no state directory.
[[nodiscard]] bool is_first_within(const std::string& what, std::uint32_t seconds);
/// Writes to this process's stdout or stderr; ignores a closed reader.
void write_on(stream to, std::string_view bytes);
/// Ends this process by the default action of a signal, without a core file. Returns where signals end no process.
void end_by_signal(int signal);
/// Is this process's stdout a terminal?
[[nodiscard]] bool writes_to_terminal();
/// Is stderr a terminal, and this process in its foreground, so that a user reads messages at once?
[[nodiscard]] bool is_watched();

} // namespace cordon::shim
