// SPDX-License-Identifier: BSL-1.0
/// A run on paper: everything that is needed to run it again, or to answer in its place.
#pragma once

#include "run.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon {

struct record {
  /// Of output, as it came.
  struct piece {
    std::uint64_t at = 0; ///< nanoseconds since the start
    stream from = stream::output;
    std::string bytes;
  };

  std::vector<std::string> argv;
  std::string directory;
  loaded_policy policy; ///< that was in force
  cordon::profile profile{};
  std::vector<std::string> accepted_gaps;
  std::vector<std::string> environment; ///< names of the variables that the program had
  std::optional<std::string> input;     ///< bytes that it was given to read; none: it read the caller's stdin
  std::string backend;
  std::vector<mechanism> mechanisms;
  outcome ended;
  std::vector<piece> output;

  /// All that came on one stream.
  [[nodiscard]] std::string all_of(stream from) const;
};

/// Listens to a run. Memory grows with the output.
class recorder {
public:
  /// Sees what the request asks for, and hears before its own listener does. Both must outlive the run.
  explicit recorder(run_request& request);
  [[nodiscard]] record finish(const report& r) &&;

private:
  record made_;
  std::uint64_t start_;
  std::function<void(stream, std::string_view)> next_;
};

/// As JSON, bytes lossless, keys in a fixed order; the last one is the digest of the text before it.
[[nodiscard]] std::string to_json(const record& r);
/// Throws format::bad_document, also where the digest is not of the text.
[[nodiscard]] record read_record(const std::string& file, const std::string& content);

/// What to ask for to have it again: the recorded policy, the profile that was in force, the same words, directory, bytes
/// to read, and all output kept.
[[nodiscard]] run_request to_replay(const record& r);
/// Mechanisms of the record that are not in force now.
[[nodiscard]] std::vector<std::string> missing_mechanisms(const record& r, const report& now);
/// How a run under that request differs from its record, in words.
[[nodiscard]] std::vector<std::string> differences(const record& r, const report& now);

/// Records that answer in place of runs, in their order.
class tape {
public:
  explicit tape(std::vector<record> all) : all_(std::move(all)) {}
  /// The next one. Throws `refused` where it is of other words, or there is none left.
  [[nodiscard]] const record& answer(const std::vector<std::string>& argv);
  [[nodiscard]] std::size_t left() const { return all_.size() - next_; }

private:
  std::vector<record> all_;
  std::size_t next_ = 0;
};

} // namespace cordon
