// SPDX-License-Identifier: BSL-1.0
/// A file that a program may read and not change, handed over as an open descriptor.
#pragma once

#include "../child/descriptor.hpp"

namespace cordon::linux_shim {

/// The regular file behind `fd` opened again for reading, at the same offset, through a read-only mount of its own. The
/// kernel then refuses to change its mode, owner, times, extended attributes and flags by the new descriptor and by
/// /proc/self/fd (EROFS; mnt_want_write_file, fs/namespace.c), which a descriptor of the machine's mount permits to
/// the file's owner whatever it was opened for.
/// Empty, with errno, where the file has no name any more (ESTALE), or this process can make no mount.
/// The two descriptors do not share their offset. Costs one child that makes a mount namespace.
[[nodiscard]] descriptor reopen_read_only(int fd);

} // namespace cordon::linux_shim
