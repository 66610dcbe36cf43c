// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>

/// One act that a confined program might try, tried for real. The exit status of the program is the outcome.
namespace attempt {

/// happened: the act took effect. refused: the system said no (its errno is printed). broken: the test is wrong.
enum class outcome : int { happened = 0, refused = 1, broken = 2 };

/// The words behind the name of the act. A missing or malformed word ends the program as broken.
class arguments {
public:
  arguments(int count, char** words) : words_(words, static_cast<std::size_t>(count)) {}

  [[nodiscard]] int count() const { return static_cast<int>(words_.size()); }
  [[nodiscard]] char* text(int index) const;
  [[nodiscard]] char** rest(int index) const;
  /// Decimal, 0x hexadecimal, or `@FILE`: the number that another process is about to write into FILE (waits two seconds).
  [[nodiscard]] long number(int index) const;
  /// A number, or `=TEXT`: the address of TEXT. What a raw system call takes.
  [[nodiscard]] long word(int index) const;

private:
  std::span<char*> words_;
};

struct act {
  const char* name;
  outcome (*run)(arguments);
};

/// Happened if a system call gave `result` >= 0, else refused with errno.
outcome answer(long result);
/// Prints `refused: NAME`.
outcome refused_with(int error);
/// Refused by something that has no errno.
outcome refused_because(const char* reason);
outcome broken(const char* what);

/// Ends a process that the act has made. Happened if it exited 0, refused with the errno that it exited with,
/// refused by the signal that ended it otherwise.
outcome answer_of_child(int pid);

std::span<const act> file_acts();
std::span<const act> metadata_acts();
std::span<const act> socket_acts();
std::span<const act> own_socket_acts();
std::span<const act> unix_socket_acts();
std::span<const act> netlink_acts();
std::span<const act> swapped_socket_acts();
std::span<const act> process_acts();
std::span<const act> namespace_acts();
std::span<const act> kernel_acts();
std::span<const act> ring_acts();
std::span<const act> inherited_acts();
std::span<const act> work_acts();
std::span<const act> tree_acts();

} // namespace attempt
