// SPDX-License-Identifier: BSL-1.0
/// The stdin, stdout and stderr of a program.
#pragma once

#include "supervise.hpp"
#include "terminal.hpp"

#include <cordon/policy/heap.hpp>
#include <cordon/run/denials.hpp>
#include <cordon/run/run.hpp>

#include <memory>

namespace cordon::linux_shim {

class stream_file;

/// The program's own terminals; each may be null, and both may be one.
struct own_terminals {
  terminal* output = nullptr;
  terminal* controlling = nullptr;
};

/// Adds the gap `stdio.reopen:0` if the program gets the caller's own pipe as stdin.
void state_streams(std::vector<reported_gap>& to, const run_request& request, const loaded_policy& p);

/// The streams of the request, or cordon's own three, with these exceptions, which go through cordon:
/// - streams that are counted or have a listener;
/// - sockets: a program could send through them past every filter;
/// - pipes: the program could open them in the other direction by /proc/self/fd (stdin only on request);
/// - terminals: the program gets private ones or none;
/// - files that have fewer rights than a directory around them: a descriptor bypasses the mounts that enforce this;
/// - devices and files in memory, which allow more than reading and writing bytes.
class streams {
public:
  /// The mechanism that keeps the caller's files from the program: none, rights alone, or also a view with read-only
  /// mounts.
  enum class hold : std::uint8_t { nothing, rights, view };

  /// Changes `what` so that the program gets its ends; `to` receives the captured output of the request. An
  /// unconfined program gets every stream that is not counted. Throws: `refused` for a directory,
  /// because no mount of the program keeps it from leading out of its view.
  streams(const loaded_policy& p, const run_request& request, own_terminals own, hold by, report& to, command& what);
  /// Moves the caller's file offsets to where the program stopped reading.
  ~streams();
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;

  /// Call it once the child has its copies.
  void forget_childs_ends() { childs_ = {}; }
  /// Returns: the relays. They point into this object, the request and the report. Call it after the launch, which may
  /// replace terminals.
  [[nodiscard]] relays take();
  /// The caller's end of `input::pipe`; else none.
  [[nodiscard]] const descriptor& input() const { return input_; }
  void close_input() { input_ = {}; }
  /// Did stderr go through cordon?
  [[nodiscard]] bool hears_errors() const { return hears_errors_; }
  /// Returns: the denials that stderr mentioned.
  [[nodiscard]] std::vector<denial> take_denials() { return denials_.take(); }

private:
  void give_input(const loaded_policy& p, const cordon::input& in, command& what);
  void pass_stream(const loaded_policy& p, int which, bool through, command& what);
  /// Passes the file through a read-only mount, or, if that fails, its bytes through a pipe.
  void give_wrong_end(int which, bool through, command& what);
  void pass_read_only(const stream_file& file, int which, int fd, command& what);
  [[nodiscard]] relay make_pipe(int which, command& what);
  void pass_through(int which, int fd, command& what);
  /// Gives stderr the pipe of stdout. Returns: false if the caller's two are different files.
  [[nodiscard]] bool join(command& what);
  void pass_terminal(int which, command& what);
  void give(int which, descriptor end, command& what);

  /// A file that is open twice: the kernel keeps a separate offset for each.
  struct reopened {
    descriptor callers, programs;
    off_t start = 0;
  };

  /// A file whose bytes go through a pipe, and the end from which the program reads.
  struct read_ahead {
    descriptor file, pipe;
  };

  own_terminals own_;
  hold by_;
  relays relays_;
  std::vector<reopened> reopened_;
  read_ahead ahead_;
  std::array<descriptor, 3> childs_;
  descriptor input_;
  std::array<std::function<void(std::string_view)>, 3> listeners_;
  denial_finder denials_;
  bool hears_errors_ = false, relays_input_ = false, has_limit_ = false;
};

} // namespace cordon::linux_shim
