// SPDX-License-Identifier: BSL-1.0
/// Namespaces of a program's own: what its first process makes before there is a program.
#pragma once

#include "landlock_calls.hpp"
#include "view.hpp"

#include <cordon/backend/linux.hpp>
#include <cordon/run/launch.hpp>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace cordon::linux_shim {

/// A Landlock rule for a place of the view. Part of it is new in each, so that only the child can open it.
struct own_rule {
  const char* place = "";
  std::uint64_t access = 0; ///< LANDLOCK_ACCESS_FS_* that such an inode may carry
};

/// Plain memory for the child. All of it belongs to somebody else, may be used for any number of launches at once, and
/// must outlive each.
struct isolation {
  bool network = true;   ///< a network of its own
  bool loopback = false; ///< in which programs reach one another
  bool keyring = false;  ///< a session keyring of its own, where a filter lets anybody use one
  std::span<const view_step> view{};
  landlock_calls::ruleset ruleset{};
  std::size_t ruleset_size = 0; ///< as much of it as the kernel knows; 0: no Landlock
  std::span<const own_rule> rules{};
  const char* user_map = ""; ///< one line for /proc/self/uid_map, as user_namespaces(7) has it
  const char* group_map = "";
  int reaper = -1;   ///< the sealed executable that the first process becomes, see `reaper_program`
  int lifeline = -1; ///< see `lifeline`
};

/// The isolation that the rules of a policy ask for, with all that it points at.
class planned_isolation {
public:
  /// Looks at every place that the view shows. Throws `refused`, as `view` does.
  planned_isolation(const on_linux::rules<heap>& rules, const std::string& temp);
  planned_isolation(const planned_isolation&) = delete;
  planned_isolation& operator=(const planned_isolation&) = delete;

  [[nodiscard]] const isolation& get() const { return it_; }
  /// What the view could not do, where a launch failed there.
  [[nodiscard]] std::string told(std::uint32_t part) const { return view_.told(part); }

private:
  void add_rules(const landlock::rules<heap>& files, const std::string& temp);

  view view_;
  std::deque<std::string> texts_;
  std::vector<own_rule> rules_;
  std::string user_map_, group_map_;
  isolation it_;
};

/// The line that maps an id outside to the same inside; the real root, who owns the machine's files and settings, to
/// nobody: what looks like root inside would be taken for one.
[[nodiscard]] std::string id_map(unsigned outside);

/// The program of the first process as a sealed file in memory, made at the first call. Throws `refused` where the
/// kernel lets nobody execute such a file (vm.memfd_noexec).
[[nodiscard]] int reaper_program();

/// The reading end of a pipe that nobody writes to; its end is the end of this process. Made at the first call.
[[nodiscard]] int lifeline();

} // namespace cordon::linux_shim
