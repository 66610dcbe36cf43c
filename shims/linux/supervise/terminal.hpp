// SPDX-License-Identifier: BSL-1.0
/// A private terminal for the program, behind the user's. The program's settings of its terminal, and its input and
/// output there, do not affect the user's terminal.
#pragma once

#include "../child/descriptor.hpp"

#include <termios.h>

#include <memory>

namespace cordon::linux_shim {

class terminal {
public:
  /// Returns: null unless stdout or stderr is a terminal with this process in its foreground. If stdin and stdout both
  /// are terminals, the user's terminal is in raw mode until the destruction. Throws: `refused` if no new terminal can
  /// be made.
  [[nodiscard]] static std::unique_ptr<terminal> make();
  ~terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;

  /// The program's end.
  [[nodiscard]] int inner() const { return inner_.get(); }
  /// Is it the program's controlling terminal with input, not only an output?
  [[nodiscard]] bool takes_keys() const { return person_ == 0; }
  /// Call it once the child has its copy: the other end reports the end only after the last copy is closed.
  void forget_inner() { inner_ = {}; }
  /// Returns: a non-blocking descriptor of cordon's end.
  [[nodiscard]] descriptor outer() const;
  /// Sets the size of the program's terminal to that of the user's.
  void resize() const;

private:
  terminal(int person, descriptor outer, descriptor inner, const termios& modes);

  int person_; ///< descriptor number of the user's terminal
  descriptor outer_, inner_;
  termios modes_{};
};

} // namespace cordon::linux_shim
