// SPDX-License-Identifier: BSL-1.0
/// A private terminal for the program, behind the user's. The program's settings of its terminal, and its input and
/// output there, do not affect the user's terminal.
#pragma once

#include "../child/descriptor.hpp"

#include <sys/ioctl.h>
#include <termios.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace cordon::linux_shim {

class terminal {
public:
  /// When does the program get what the user types?
  enum class input : std::uint8_t {
    never,     ///< the terminal is an output
    on_demand, ///< once the program reads from it or sets its modes; other programs may read keys until then
    at_once,
  };

  /// The terminal behind stdin and stdout, which takes keys at once, or behind stdout or stderr, which takes none.
  /// Returns: null unless one of them is a terminal with this process in its foreground. Throws: `refused` if no new
  /// terminal can be made.
  [[nodiscard]] static std::unique_ptr<terminal> behind_streams();
  /// The terminal behind the controlling terminal of this process; it takes keys on demand. Returns: null without a
  /// controlling terminal. Throws: `refused`.
  [[nodiscard]] static std::unique_ptr<terminal> behind_controlling();
  ~terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;

  /// The program's end.
  [[nodiscard]] int inner() const { return inner_.get(); }
  [[nodiscard]] input takes() const { return takes_; }
  /// Call it once the child has its copy: the other end reports the end only after the last copy is closed.
  void forget_inner() { inner_ = {}; }
  /// Takes the outer end of the terminal that the init process has made in place of this one.
  void replace(descriptor outer) { outer_ = std::move(outer); }
  /// Returns: a non-blocking descriptor of cordon's end.
  [[nodiscard]] descriptor outer() const;
  /// Returns: a descriptor of the user's terminal.
  [[nodiscard]] descriptor user() const;

  /// Puts the user's terminal into raw mode, in which every key reaches the program's terminal. Returns: false if this
  /// process is not in the foreground of it.
  bool take_keys();
  /// Gives the user's terminal its own modes back. Returns: had it others?
  bool give_keys_back();
  [[nodiscard]] bool has_keys() const { return raw_; }
  /// Copies what the program's terminal does with output, after the program may have changed it: other programs write
  /// to the user's terminal too, and need their own newlines.
  void follow_output();
  /// Does one of the keys interrupt the programs in the foreground of the program's terminal?
  [[nodiscard]] bool interrupts(std::string_view keys) const;
  /// The program reads the end of a file.
  void end_input() const;
  /// Sets the size of the program's terminal to that of the user's.
  void resize() const;

private:
  terminal(descriptor person, input takes, const termios& modes);

  descriptor person_; ///< the user's terminal
  input takes_;
  descriptor outer_, inner_;
  termios modes_{}; ///< of the user's terminal
  termios raw_modes_{};
  bool raw_ = false;
};

} // namespace cordon::linux_shim
