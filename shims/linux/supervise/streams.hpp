// SPDX-License-Identifier: BSL-1.0
/// What a program gets as stdin, stdout and stderr.
#pragma once

#include "supervise.hpp"
#include "terminal.hpp"

#include <cordon/policy/heap.hpp>
#include <cordon/run/denials.hpp>
#include <cordon/run/run.hpp>

#include <memory>

namespace cordon::linux_shim {

/// The gap `stdio.reopen:0`, where the program gets the caller's own pipe as stdin.
void state_streams(std::vector<reported_gap>& to, const run_request& request, const loaded_policy& p);

/// What the request says, or cordon's own three as they are, but for those that go through cordon: what is counted or
/// listened to; sockets, which handed over would be a way out that no filter sees; pipes, which the program could open in
/// the other direction by /proc/self/fd (but for stdin, unless it is asked for); terminals, of which the program gets one
/// of its own or none; files of which the policy gives less than of what lies around them, since a descriptor leads past
/// the mounts that see to it; and devices and files in memory, which may be more than bytes.
class streams {
public:
  /// What keeps the program from the caller's files: nothing, rights alone, or a view with read-only mounts as well.
  enum class hold : std::uint8_t { nothing, rights, view };

  /// Changes `what` so that the program gets its ends; `to` keeps what the request wants kept. `own`: see
  /// `terminal::make`. What is not confined gets everything that is not counted. Throws `refused` for a directory, which
  /// no mount of the program's would keep from leading out of its view.
  streams(const loaded_policy& p, const run_request& request, const terminal* own, hold by, report& to, command& what);
  /// Moves the caller's offsets to where the program has left its own.
  ~streams();
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;

  /// Once the child has its copies.
  void forget_childs_ends() { childs_ = {}; }
  /// They point into this object, the request and the report.
  [[nodiscard]] relays take() { return std::move(relays_); }
  /// Did stderr go through here?
  [[nodiscard]] bool hears_errors() const { return hears_errors_; }
  /// What it said of refusals.
  [[nodiscard]] std::vector<denial> take_denials() { return denials_.take(); }

private:
  void give_input(const loaded_policy& p, const input& in, command& what);
  void pass_stream(const loaded_policy& p, int which, const terminal* own, bool through, command& what);
  /// The file through a read-only mount, and where none can be made its bytes through a pipe.
  void pass_read_only(const loaded_policy& p, int which, int file, command& what);
  [[nodiscard]] relay make_pipe(int which, command& what);
  void pass_through(int which, command& what);
  /// Gives stderr the pipe of stdout, where the caller's are one. False where they are not.
  [[nodiscard]] bool join(command& what);
  void pass_terminal(int which, const terminal* own, command& what);
  void give(int which, descriptor end, command& what);

  /// A file that is open twice: the kernel keeps an offset for each.
  struct reopened {
    descriptor callers, programs;
    off_t start = 0;
  };

  hold by_;
  relays relays_;
  std::vector<reopened> reopened_;
  std::array<descriptor, 3> childs_;
  std::array<std::function<void(std::string_view)>, 3> listeners_;
  denial_finder denials_;
  bool hears_errors_ = false, relays_input_ = false, has_limit_ = false;
};

} // namespace cordon::linux_shim
