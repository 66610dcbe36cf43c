// SPDX-License-Identifier: BSL-1.0
/// Decisions about a run before anything is created for it, the same on every system.
#pragma once

#include <cordon/run/availability.hpp>
#include <cordon/run/run.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shim {

/// Throws: `refused` if the request names no program, or if an argument or the name of a directory or file contains a
/// NUL. The system would cut the text off there.
void check_texts(const run_request& request);

/// Returns: a report with only this reason, for a run whose report is no longer available.
[[nodiscard]] report empty_report(const reason& why);

/// Throws: `refused` if the request has a gateway. For systems on which no rules lead to one.
void check_no_gateway(const run_request& request);
/// Throws: `refused` if the request publishes ports. For systems that lack it.
void check_no_publishing(const run_request& request);
/// Throws: `refused` if the caller is to write the input while the program runs. For systems that lack it.
void check_no_input_pipe(const run_request& request);

/// Selects from the available mechanisms, and records the selection in the report. Sets the profile and the fallback
/// that were requested for this run in the request's policy, since they are in force. Throws: `refused`.
[[nodiscard]] selection_result choose(const availability& here, run_request& request, report& r);

/// Returns: the resolved working directory; adds its links to the request. Throws: `refused`.
[[nodiscard]] std::string place_to_run_in(run_request& request);

/// Checks whether the policy allows this program to start in this directory; both are resolved paths. Throws:
/// `refused`.
void check_start(const loaded_policy& p, const std::string& program, const std::string& directory);

/// Checks the arguments. The guard's findings are advice, unless the request sets a stricter mode; the policy's rules
/// for programs always bind. `words`: the arguments in the form that the guard reads. Throws: `refused`.
void check_words(const loaded_policy& p, const run_request& request, std::span<const std::string_view> words,
                 report& r);

/// Adds the gap of each service that documents grant.
void state_services(std::vector<reported_gap>& to, const std::vector<format::granted_service>& services);

/// Adds the gaps that a confined run can have on every system: files that match a pattern later, and files that the
/// caller trusts and the program may change.
void state_run_gaps(std::vector<reported_gap>& to, const loaded_policy& p, const run_request& request);

/// Throws: `refused` if the profile accepts fewer gaps than are left.
void check_gaps(const report& r, const std::vector<std::string>& accepted);

} // namespace cordon::shim
