// SPDX-License-Identifier: BSL-1.0
/// The file behind a descriptor that a program may get as a stream, and what the policy says about it.
#pragma once

#include <cordon/policy/heap.hpp>

#include <string>
#include <string_view>

#include <sys/stat.h>

namespace cordon::linux_shim {

class stream_file {
public:
  stream_file(const loaded_policy& policy, int fd);
  stream_file(const stream_file&) = delete;
  stream_file& operator=(const stream_file&) = delete;

  [[nodiscard]] bool is_open() const { return flags_ >= 0; }
  /// Is it a descriptor that leads to other files, or neither reads nor writes?
  [[nodiscard]] bool is_place() const;
  /// Is it no file: a descriptor of a process, of events or of a namespace?
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_regular() const { return S_ISREG(status_.st_mode); }

  /// Is it the end of a pipe that the stream's own direction cannot use, such as a write end as stdin? By
  /// /proc/self/fd, the program could use the pipe in the other direction.
  [[nodiscard]] bool is_wrong_end() const;
  /// Must its bytes go through cordon, whatever the request?
  [[nodiscard]] bool is_relayed() const;
  /// Does the policy forbid every change of a file that has a name and is open for reading alone? No process can see a
  /// change of a file without a name.
  [[nodiscard]] bool is_read_only() const;
  /// Does the policy grant the file less than a directory around it? Mounts enforce that, which a descriptor bypasses.
  [[nodiscard]] bool is_reduced() const;
  [[nodiscard]] bool allows(right wanted) const;

private:
  [[nodiscard]] bool allows_socket() const;

  const loaded_policy& policy_;
  int fd_, flags_;
  struct stat status_ {};
  std::string kernel_name_; ///< a path, or a name such as "pipe:[7]"
  /// The path if it leads to this file here. Another mount namespace, a mount above the file, or the removal of the
  /// name give a file a path that means another one.
  std::string_view path_;
};

} // namespace cordon::linux_shim
