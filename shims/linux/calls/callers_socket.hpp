// SPDX-License-Identifier: BSL-1.0
/// What a supervisor needs of the thread whose call waits (seccomp_unotify(2)): the memory at an address, and a copy of
/// the descriptor that the call names.
#pragma once

#include "../child/descriptor.hpp"

#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>

namespace cordon::linux_shim {

/// Copies memory of the calling thread. Returns: false if not all of it could be read. A program whose memory is private
/// (PR_SET_DUMPABLE) can be read too: its user namespace belongs to this process.
[[nodiscard]] bool copy_memory(const seccomp_notif& asked, std::uint64_t address, void* to, std::size_t size);

/// Copies descriptor `args[0]` of the call (pidfd_getfd(2), Linux 5.6), so that the program cannot exchange it between a
/// check and the use. Returns: none, with errno, if it cannot be copied, or if the call no longer waits.
[[nodiscard]] descriptor copied_socket(int listener, const seccomp_notif& asked);

} // namespace cordon::linux_shim
