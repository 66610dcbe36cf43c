// SPDX-License-Identifier: BSL-1.0
/// Files of cordon's own that nobody can change any more.
#pragma once

#include "../child/descriptor.hpp"

#include <cordon/run/refused.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cordon::linux_shim {

/// A sealed file of these bytes, at its beginning. Throws `refused`, naming `what` it was to be.
[[nodiscard]] descriptor memory_file(std::string_view bytes, const char* what);

/// This host executes no program of cordon's own.
class no_own_program : public refused {
public:
  static constexpr std::string_view
      reason = "vm.memfd_noexec is 2, and no directory for temporary files lets a file be executed",
      remedy = "let files be executed in $TMPDIR, or sysctl -w vm.memfd_noexec=1";
  explicit no_own_program(const std::string& what)
      : refused(what + ": " + std::string(reason) + "; " + std::string(remedy)) {}
};

/// A file to be executed, and by nobody without power to be read: a sealed one in memory, and where the kernel executes
/// none of these (vm.memfd_noexec is 2, Linux 6.3) one without a name in a directory for temporary files. Throws `refused`,
/// no_own_program where neither is executed.
[[nodiscard]] descriptor own_program(std::span<const unsigned char> image, const char* what);

} // namespace cordon::linux_shim
