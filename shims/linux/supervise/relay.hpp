// SPDX-License-Identifier: BSL-1.0
/// Copies bytes through cordon: from a pipe or terminal of the program to a descriptor of cordon or to memory, or in
/// the other direction. A slow reader or writer delays no other relay.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/run/captured_output.hpp>

#include <poll.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cordon::linux_shim {

struct relay {
  descriptor from{}; ///< none: only `left` remains to be written
  descriptor to{};
  captured_output* keep = nullptr; ///< the destination instead of `to`
  bool counted = false;            ///< against the limit on output
  bool inward = false;             ///< towards the program
  std::string left{};              ///< bytes read for which `to` had no room
  std::size_t sent = 0;            ///< bytes of `left` already written
  bool spliced = false;            ///< from pipe to pipe, without examining the bytes
  bool blocked = false;            ///< `to` has no room
  bool piped = false;              ///< `to` is a pipe
  bool lost = false;               ///< the reader was gone before all bytes had been passed on
  std::uint64_t read = 0;          ///< bytes read from `from` in all
  int error = 0;                   ///< why output was lost when the relay ended; EPIPE: the reader is gone
  std::uint64_t owed = 0;          ///< bytes up to the end of the program; they are passed on without a time limit
  /// Called with every piece that is passed on.
  const std::function<void(std::string_view)>* listener = nullptr;

  [[nodiscard]] bool is_open() const { return from || !left.empty(); }
  [[nodiscard]] bool may_lose_reader() const { return piped && is_open(); }
  [[nodiscard]] bool owes() const { return !left.empty() || (from && read < owed); }
};

/// Returns: a descriptor for `to`, because other processes may share `fd`. It is a separate non-blocking open of the
/// same pipe or terminal, if that succeeds, else a duplicate.
[[nodiscard]] descriptor unwaiting(int fd);

[[nodiscard]] bool is_pipe(int fd);

struct written {
  std::size_t size = 0;
  int error = 0; ///< why nothing more can be written
};

/// Writes until the destination has no room. No SIGPIPE is delivered.
[[nodiscard]] written put_all(int to, std::string_view bytes);

/// Ends the relay if the reader is gone, although there is nothing to write: the program's next write then fails, as it
/// does without cordon.
void notice_reader(relay& r);

/// Records the bytes that are still to be passed on at the end of the program.
void settle(relay& r);

/// Returns: the event to wait for. A relay towards the program reads only as much as the pipe has room for.
[[nodiscard]] pollfd awaited(const relay& r);

/// Copies the available bytes after the awaited event. Ends the relay at the end of its source, or if the reader is
/// gone. Adds to `count`, and passes on at most `most` bytes in all.
void copy(relay& r, std::uint64_t& count, std::uint64_t most);

} // namespace cordon::linux_shim
