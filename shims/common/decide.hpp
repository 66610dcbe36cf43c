// SPDX-License-Identifier: BSL-1.0
/// What is decided about a run before anything is made for it, the same on every system.
#pragma once

#include <cordon/run/availability.hpp>
#include <cordon/run/run.hpp>

#include <span>
#include <string>
#include <string_view>

namespace cordon::shim {

/// Throws `refused` for a request that names no program, or has a text that ends early for the system: a NUL in an
/// argument, or in the name of a directory or file.
void check_texts(const run_request& request);

/// The report of a run of which there is nothing to tell any more, with the reason.
[[nodiscard]] report empty_report(std::string why);
inline constexpr const char* taken_before = "the report of this run has been taken before";
inline constexpr const char* moved_from = "this run has been moved to another object";

/// For systems on which no rules lead to one. Throws `refused`.
void check_no_gateway(const run_request& request);

/// Decides with what there is, and says so in the report. The request's policy gets the profile and the fallback that were
/// asked for this run: they are part of what is in force. Throws `refused`.
[[nodiscard]] selection_result choose(const availability& here, run_request& request, report& r);

/// The place of the directory to run in, which is judged with the links of the request. Throws `refused`.
[[nodiscard]] std::string place_to_run_in(run_request& request);

/// What the policy itself says about starting this program in this directory; both are places. Throws `refused`.
void check_start(const loaded_policy& p, const std::string& program, const std::string& directory);

/// What the guard makes of arguments is advice, unless somebody wants more; the policy's own word on programs is not.
/// `words`: the arguments as the guard reads them. Throws `refused`.
void check_words(const loaded_policy& p, const run_request& request, std::span<const std::string_view> words,
                 report& r);

/// Throws `refused` where the profile accepts less than what is in force.
void check_gaps(const report& r, const std::vector<std::string>& accepted);

} // namespace cordon::shim
