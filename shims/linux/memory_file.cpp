// SPDX-License-Identifier: BSL-1.0
#include "memory_file.hpp"

#include "raw.hpp"

#include <cordon/run/resolve.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

namespace cordon::linux_shim {
namespace {

constexpr unsigned not_executable = 8, executable = 0x10; // MFD_NOEXEC_SEAL and MFD_EXEC, Linux 6.3

[[nodiscard]] descriptor make(const void* from, std::size_t size, unsigned mode, const char* what) {
  const auto made = [](unsigned more) {
    return descriptor(static_cast<int>(raw(SYS_memfd_create, "cordon", MFD_CLOEXEC | MFD_ALLOW_SEALING | more)));
  };
  descriptor file = made(mode);
  if (!file && errno == EINVAL) file = made(0);
  const auto* left = static_cast<const char*>(from);
  while (file && size > 0) {
    const ssize_t written = ::write(file.get(), left, size);
    if (written < 0) file = {};
    else left += written, size -= static_cast<std::size_t>(written);
  }
  // Whoever executes what it may not read is nobody's to look into, from the first instruction (would_dump, fs/exec.c).
  const bool unread = !file || mode != executable || ::fchmod(file.get(), 0111) == 0;
  const int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (!file || !unread || ::lseek(file.get(), 0, SEEK_SET) != 0 || ::fcntl(file.get(), F_ADD_SEALS, seals) != 0)
    throw refused(std::string("cannot make ") + what + ": " + std::strerror(errno) +
                  (errno == EACCES && mode == executable ? "; sysctl -w vm.memfd_noexec=1" : ""));
  return file;
}

} // namespace

descriptor memory_file(std::string_view bytes, const char* what) {
  return make(bytes.data(), bytes.size(), not_executable, what);
}

descriptor memory_program(std::span<const unsigned char> image, const char* what) {
  return make(image.data(), image.size(), executable, what);
}

} // namespace cordon::linux_shim
