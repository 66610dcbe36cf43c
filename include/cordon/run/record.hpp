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

struct record {
  /// A piece of output, in order of arrival.
  struct piece {
    std::uint64_t at = 0; ///< nanoseconds since the start
    stream from = stream::output;
    std::string bytes;
  };

  std::vector<std::string> argv;
  std::string directory;
  loaded_policy policy; ///< the policy in force
  cordon::profile profile{};
  std::vector<std::string> accepted_gaps;
  std::vector<std::string> environment; ///< names of the program's variables
  std::optional<std::string> input;     ///< the bytes on its stdin; empty: it read the caller's stdin
  std::string backend;
  std::vector<mechanism> mechanisms;
  outcome ended;
  std::vector<piece> output;

  /// All output of one stream.
  [[nodiscard]] std::string all_of(stream from) const;
};

/// Records a run through its output listener. Memory grows with the output.
class recorder {
public:
  /// Reads the request and receives output before the request's own listener. Both must outlive the run.
  explicit recorder(run_request& request);
  [[nodiscard]] record finish(const report& r) &&;

private:
  record made_;
  std::uint64_t start_;
  std::function<void(stream, std::string_view)> next_;
};

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

/// Records that replace runs, in their order.
class tape {
public:
  explicit tape(std::vector<record> all) : all_(std::move(all)) {}
  /// Returns: the next record. Throws: `refused` if its arguments differ, or if no record is left.
  [[nodiscard]] const record& answer(const std::vector<std::string>& argv);
  [[nodiscard]] std::size_t left() const { return all_.size() - next_; }

private:
  std::vector<record> all_;
  std::size_t next_ = 0;
};

} // namespace cordon
