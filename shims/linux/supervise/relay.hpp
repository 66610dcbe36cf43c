// SPDX-License-Identifier: BSL-1.0
/// Bytes that go through cordon on their way: from a pipe or a terminal of the program's to one of cordon's own
/// descriptors or to memory, or the other way. Nobody who does not read or write holds up anything else.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/run/captured_output.hpp>

#include <poll.h>

#include <cstdint>
#include <functional>
#include <string>

namespace cordon::linux_shim {

struct relay {
  descriptor from{}; ///< none: what is `left` is all
  descriptor to{};
  captured_output* keep = nullptr; ///< instead of `to`
  bool counted = false;            ///< against the limit on output
  bool inward = false;             ///< towards the program
  std::string left{};              ///< of what was read, where there was no room for it
  std::size_t sent = 0;            ///< of what is left
  bool spliced = false;            ///< from pipe to pipe, without a look at the bytes
  bool blocked = false;            ///< there is no room in `to`
  std::uint64_t read = 0;          ///< bytes, of all that came from `from`
  int error = 0;                   ///< why the relay ended with output that was not written; EPIPE: its reader is gone
  std::uint64_t owed = 0; ///< of these, what was there when the program ended: it is passed on without a time limit
  /// Is told of every piece that is passed on.
  const std::function<void(std::string_view)>* listener = nullptr;

  [[nodiscard]] bool is_open() const { return from || !left.empty(); }
  [[nodiscard]] bool owes() const { return !left.empty() || (from && read < owed); }
};

/// For `to`, where a descriptor is shared with others: one that does not wait, of the same pipe or terminal, if that can
/// be opened.
[[nodiscard]] descriptor unwaiting(int fd);

[[nodiscard]] bool is_pipe(int fd);

/// Notes what there is to be passed on at the end of the program.
void settle(relay& r);

/// What to wait for. Towards the program only what its pipe has room for is read.
[[nodiscard]] pollfd awaited(const relay& r);

/// Copies what there is when what was awaited has come, and ends the relay with its source, or when nobody reads any more.
/// Adds to `count`, and passes no more than `most` in all.
void copy(relay& r, std::uint64_t& count, std::uint64_t most);

} // namespace cordon::linux_shim
