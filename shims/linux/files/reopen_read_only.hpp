// SPDX-License-Identifier: BSL-1.0
/// Gives a program an open descriptor of a file that it may read but not change.
#pragma once

#include "../child/descriptor.hpp"

namespace cordon::linux_shim {

/// Opens the regular file or FIFO behind `fd` again for reading, at the same offset, through a private read-only mount.
/// The kernel then refuses changes of mode, owner, times, extended attributes and flags by the new descriptor and by
/// /proc/self/fd (EROFS; mnt_want_write_file, fs/namespace.c). A descriptor of the host's mount permits these to the
/// file's owner, whatever its open mode.
/// The two descriptors do not share their offset. Costs one child that makes a mount namespace.
/// Returns: empty, with errno, if the file has no name (ESTALE) or this process can make no mount.
[[nodiscard]] descriptor reopen_read_only(int fd);

} // namespace cordon::linux_shim
