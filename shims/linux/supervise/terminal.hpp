// SPDX-License-Identifier: BSL-1.0
/// A terminal of the program's own, between it and the one that a person sits at. What the program does to its terminal,
/// reads from it or pushes into it stays inside.
#pragma once

#include "../child/descriptor.hpp"

#include <termios.h>

#include <memory>

namespace cordon::linux_shim {

class terminal {
public:
  /// Null unless stdout or stderr is a terminal in whose foreground this process is. If stdin and stdout are, that one
  /// passes keys as they are from now on, and has its modes back in the end. Throws `refused` where no new one can be had.
  [[nodiscard]] static std::unique_ptr<terminal> make();
  ~terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;

  /// The program's end.
  [[nodiscard]] int inner() const { return inner_.get(); }
  /// Is it the program's controlling one, with keys, and not a way out alone?
  [[nodiscard]] bool takes_keys() const { return person_ == 0; }
  /// Once the child has it: what comes out of the other end ends with the last who holds this one.
  void forget_inner() { inner_ = {}; }
  /// A descriptor for cordon's end, which never waits.
  [[nodiscard]] descriptor outer() const;
  /// Gives the program's terminal the size of the person's.
  void resize() const;

private:
  terminal(int person, descriptor outer, descriptor inner, const termios& modes);

  int person_; ///< which of our descriptors
  descriptor outer_, inner_;
  termios modes_{};
};

} // namespace cordon::linux_shim
