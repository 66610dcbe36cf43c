// SPDX-License-Identifier: BSL-1.0
#include "memory_file.hpp"

#include "../child/momentary.hpp"
#include "../child/raw_syscall.hpp"
#include "path_resolver.hpp"

#include <cordon/run/reasons.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cordon::linux_shim {
namespace {

constexpr unsigned not_executable = 8, executable = 0x10; // MFD_NOEXEC_SEAL and MFD_EXEC, Linux 6.3

[[nodiscard]] descriptor make(unsigned mode) {
  const auto made = [](unsigned more) {
    return descriptor(
        static_cast<int>(raw_syscall(SYS_memfd_create, "cordon", MFD_CLOEXEC | MFD_ALLOW_SEALING | more)));
  };
  descriptor file = made(mode);
  if (!file && errno == EINVAL) file = made(0);
  return file;
}

[[nodiscard]] bool fill(const descriptor& file, const void* from, std::size_t size) {
  for (const auto* left = static_cast<const char*>(from); size > 0;) {
    const ssize_t written = ::write(file.get(), left, size);
    if (written < 0) return false;
    left += written;
    size -= static_cast<std::size_t>(written);
  }
  return ::lseek(file.get(), 0, SEEK_SET) == 0;
}

[[nodiscard]] bool seal(const descriptor& file) {
  return ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
}

/// A process that executes an unreadable file is not dumpable, from the first instruction (would_dump, fs/exec.c).
[[nodiscard]] bool let_execute(const descriptor& file) { return ::fchmod(file.get(), 0111) == 0; }

/// Makes a file without a name, in a directory that allows execution. No process can open it for writing again. Else
/// empty.
[[nodiscard]] descriptor unnamed_program(std::span<const unsigned char> image) {
  const char* const named = std::getenv("TMPDIR");
  for (const char* directory : {named != nullptr ? named : "/tmp", "/var/tmp", "/dev/shm"}) {
    const descriptor file(::open(directory, O_TMPFILE | O_EXCL | O_WRONLY | O_CLOEXEC, 0700));
    if (!file || !fill(file, image.data(), image.size()) || !let_execute(file)) continue;
    const std::string place = descriptor_path(file.get());
    if (descriptor program(::open(place.c_str(), O_PATH | O_CLOEXEC)); program && ::access(place.c_str(), X_OK) == 0)
      return program;
  }
  return {};
}

[[noreturn]] void refuse(const char* what) { throw refused::because<reasons::no_file>(what, std::strerror(errno)); }

} // namespace

descriptor memory_file(std::string_view bytes, const char* what) {
  descriptor file = make(not_executable);
  if (!file || !fill(file, bytes.data(), bytes.size()) || !seal(file)) refuse(what);
  return file;
}

descriptor own_program(std::span<const unsigned char> image, const char* what) {
  descriptor file = make(executable);
  if (!file && errno == EACCES) {
    if ((file = unnamed_program(image))) return file;
    if (is_momentary(errno) || errno == ENOSPC || errno == EDQUOT) refuse(what);
    throw no_own_program(std::string("cannot make ") + what);
  }
  if (!file || !fill(file, image.data(), image.size()) || !let_execute(file) || !seal(file)) refuse(what);
  return file;
}

} // namespace cordon::linux_shim
