// SPDX-License-Identifier: BSL-1.0
/// Checks that macOS has the functions that the launcher looks up at run time: a name missing in libSystem fails this
/// link.
#include <macos/launch.hpp>

extern "C" {
int sandbox_init_with_parameters(const char*, unsigned long long, const char* const*, char**);
void sandbox_free_error(char*);
int sandbox_check(int, const char*, int, ...);
}

int main(int argc, char** argv) {
  char* error = nullptr;
  if (argc > 1 && sandbox_init_with_parameters(argv[1], 0, nullptr, &error) != 0) sandbox_free_error(error);
  cordon::macos_shim::command what;
  what.path = argv[0], what.argv = argv, what.envp = argv;
  const cordon::macos_shim::launched l = cordon::macos_shim::launch(what, {});
  return sandbox_check(0, nullptr, 0) == 1 && l ? 0 : 1;
}
