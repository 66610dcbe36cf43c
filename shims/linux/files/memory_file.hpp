// SPDX-License-Identifier: BSL-1.0
/// Files of cordon that no process can change.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cordon::linux_shim {

/// Makes a sealed file of these bytes, at offset 0. Throws: `refused` with `what`, the purpose of the file.
[[nodiscard]] descriptor memory_file(std::string_view bytes, const char* what);

/// The host cannot execute a program that cordon carries.
class no_own_program : public refused {
public:
  static constexpr std::string_view
      fact = "vm.memfd_noexec is 2, and no directory for temporary files lets a file be executed",
      remedy = "let files be executed in $TMPDIR, or sysctl -w vm.memfd_noexec=1";
  explicit no_own_program(const std::string& what)
      : refused(reasons::no_own_program, text_of(reasons::no_own_program, {what, fact, remedy})) {}
};

/// Makes an executable file that only a privileged process can read. It is a sealed file in memory. If the kernel
/// executes none of these (vm.memfd_noexec is 2, Linux 6.3), it is a file without a name in a directory for temporary
/// files. Throws: `refused`; no_own_program if neither can be executed.
[[nodiscard]] descriptor own_program(std::span<const unsigned char> image, const char* what);

} // namespace cordon::linux_shim
