// SPDX-License-Identifier: BSL-1.0
/// The record of a run: all data that is needed to run it again, or to replay its result without a run.
#pragma once

#include "run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

/// What was requested, in force and observed, as data.
struct record {
  /// A piece of output, in order of arrival.
  struct piece {
    std::uint64_t at = 0;         ///< nanoseconds since the start
    stream from = stream::output; ///< the stream that it was written to
    std::string bytes;            ///< the bytes, unchanged
  };

  std::vector<std::string> argv;          ///< the arguments of the request
  std::string directory;                  ///< the working directory
  loaded_policy policy;                   ///< the policy in force
  cordon::profile profile{};              ///< the profile that was in force
  project_settings settings;              ///< what the policy protects of the project
  std::vector<std::string> accepted_gaps; ///< gaps that the caller accepted
  std::vector<std::string> environment;   ///< names of the program's variables
  std::optional<std::string> input;       ///< the bytes on its stdin; empty: it read the caller's stdin
  std::string backend;                    ///< what confined the program
  std::vector<mechanism> mechanisms;      ///< what enforced the policy
  outcome ended;                          ///< how the run ended
  std::vector<piece> output;              ///< all output, in order of arrival

  /// All output of one stream.
  [[nodiscard, gnu::abi_tag("abi_0")]] std::string all_of(stream from) const;
};

/// The most output that a record holds, in bytes, if the policy has no limit of its own.
inline constexpr std::uint64_t most_recorded = std::uint64_t{64} << 20;

/// Records a run through its output listener. Memory grows with the output, which the policy limits: to `most_recorded`
/// where it has no limit.
class recorder {
public:
  /// Reads the request and receives output before the request's own listener. Both must outlive the run.
  [[gnu::abi_tag("abi_0")]] explicit recorder(run_request& request);
  /// The record of the run that the report is about; the recorder is then used up.
  [[nodiscard]] record finish(const report& r) &&;

private:
  record made_;
  std::uint64_t start_;
  callback<void(stream, std::string_view)> next_;
};

inline namespace abi_0 {

/// As JSON, without loss of bytes, keys in a fixed order; the last member is the digest of the text before it.
[[nodiscard]] std::string to_json(const record& r);
/// Throws: format::bad_document, also if the digest does not match the text.
[[nodiscard]] record read_record(const std::string& file, const std::string& content);

/// Returns: the request that repeats the run: the recorded policy, the profile that was in force, the same arguments,
/// directory and stdin bytes, and all output kept.
[[nodiscard]] run_request to_replay(const record& r);
/// The mechanisms in the record that are not in force now.
[[nodiscard]] std::vector<std::string> missing_mechanisms(const record& r, const report& now);
/// The differences between a run of that request and its record, as text.
[[nodiscard]] std::vector<std::string> differences(const record& r, const report& now);

} // namespace abi_0

/// Records that replace runs, in their order.
class tape {
public:
  explicit tape(std::vector<record> all) : all_(std::move(all)) {} ///< Starts at the first record.
  /// Returns: the next record. Throws: `refused` if its arguments differ, or if no record is left.
  [[nodiscard, gnu::abi_tag("abi_0")]] const record& answer(const std::vector<std::string>& argv);
  [[nodiscard]] std::size_t left() const { return all_.size() - next_; } ///< The number of records that are left.

private:
  std::vector<record> all_;
  std::size_t next_ = 0;
};

} // namespace cordon
