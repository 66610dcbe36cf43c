// SPDX-License-Identifier: BSL-1.0
/// What the kernel runs beside a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// The interpreters that the first line of a file names, and theirs in turn, as far as the kernel follows them; with `env`
/// also the program that it starts by name. Empty where the file is no script, or cannot be read.
/// Source: execve(2), "Interpreter scripts".
[[nodiscard]] std::vector<std::string> run_with(std::string_view program);

} // namespace cordon::shim
