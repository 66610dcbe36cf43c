// SPDX-License-Identifier: BSL-1.0
/// What a command line asks of the system that it runs on.
#pragma once

#include <cordon/policy/preset.hpp>
#include <cordon/run/run.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// UTF-8, or whatever bytes the system hands over; the program's name first.
using arguments = std::vector<std::string>;

/// Before anything else.
[[nodiscard]] arguments begin_process(int argc, char** argv);

/// What this process has too little of to work at all, with the remedy; empty where it has enough. A stack or a heap that
/// ends in the middle of a start would be a crash without words.
[[nodiscard]] std::string missing_resource();

[[nodiscard]] platform this_platform();
/// The place of the user's home; empty where there is none.
[[nodiscard]] std::string home_place();
/// The home that the system has for an account, by its number; empty where it knows none.
[[nodiscard]] std::string home_of_account(long long owner);
/// Whose files are this process's own, see `owner`; none where it may become any other user, as root may.
[[nodiscard]] std::optional<long long> caller();
/// The place of a file, in the one spelling that the system has for it. Throws `refused` where there is none.
[[nodiscard]] std::string place_of_file(const std::string& name);
/// Where a directory is, in that spelling, and the links on the way, each read once. Throws `refused` where there is none.
[[nodiscard]] judged_name way_to(std::string name, const std::string& directory);
/// Who owns what is at a place. See `owner_of` (run/project.hpp).
[[nodiscard]] long long owner(const std::string& place);
/// The names in a directory; nothing where it cannot be listed or has more than some hundred.
[[nodiscard]] std::optional<std::vector<std::string>> names_in(std::string_view directory);
/// Directories that every program there reads, whatever a policy says, and no preset names.
[[nodiscard]] std::vector<std::string> open_places();
/// The interpreters that the first line of a program names, and theirs in turn, as far as the kernel follows them; with
/// `env` also the program that it starts by name. Empty where the file is no script, or cannot be read.
/// Source: execve(2), "Interpreter scripts".
[[nodiscard]] std::vector<std::string> interpreters_of(std::string_view program);
/// The machine's own name; empty where the system does not say.
[[nodiscard]] std::string host_name();
/// True once in so many seconds for each user. `what` is a file name. Always true where the system cannot keep the time of
/// the last call: on Windows, and where the user has no state directory.
[[nodiscard]] bool is_first_within(const std::string& what, std::uint32_t seconds);
/// Writes to this process's own stdout or stderr, as far as somebody reads there.
void write_on(stream to, std::string_view bytes);
/// Is this process's own stdout a terminal?
[[nodiscard]] bool writes_to_terminal();
/// Does somebody see what is said on stderr while it is said, and is this the program to say it?
[[nodiscard]] bool is_watched();

} // namespace cordon::shim
