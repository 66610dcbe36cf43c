// SPDX-License-Identifier: BSL-1.0
#include <cordon/linux/launch.hpp>

#include <sys/wait.h>

int main() {
  char name[] = "true";
  char* const argv[] = {name, nullptr};
  char* const envp[] = {nullptr};
  cordon::linux_shim::command what;
  what.path = "/bin/true";
  what.argv = argv;
  what.envp = envp;
  const cordon::linux_shim::launched child = cordon::linux_shim::launch(what, {});
  if (!child) return 1;
  int status = 0;
  return waitpid(child.pid, &status, 0) == child.pid && status == 0 ? 0 : 1;
}
