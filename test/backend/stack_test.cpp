// SPDX-License-Identifier: BSL-1.0
/// The stack that compiling a policy of fixed storage needs beside the plan itself, which the caller holds: each backend
/// runs in a thread with just that stack, in a child process that an overflow ends.
#include <cordon.hpp>
#include <cordon/backend/backends.hpp>

#include <doctest/doctest.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>

using namespace cordon::dsl;

namespace {

const cordon::policy job = cordon::policy_of({can_run("/usr"), can_write("/srv/app"), hidden("/srv/app/.git"),
                                              can_connect("*.example.com:443"), passes("LC_*")});

template <class Backend> struct compiled {
  static constexpr const auto& target = Backend::targets[0].target;
  using plan = decltype(compile(job, target));

  static void* run(void*) {
    const plan made = compile(job, target);
    asm volatile("" : : "r"(&made) : "memory"); // so that the plan exists
    return nullptr;
  }
};

/// Returns whether `run` ends in a thread with so much stack.
[[nodiscard]] bool fits(std::size_t stack, void* (*run)(void*)) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr std::size_t page = 4096;
    pthread_attr_t attributes;
    pthread_t thread;
    const bool started = ::pthread_attr_init(&attributes) == 0 &&
                         ::pthread_attr_setstacksize(&attributes, (stack + page - 1) / page * page) == 0 &&
                         ::pthread_create(&thread, &attributes, run, nullptr) == 0;
    ::_exit(started && ::pthread_join(thread, nullptr) == 0 ? 0 : 1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

constexpr std::size_t kib = 1024;

template <class Backend> void check(std::size_t at_most) {
  CAPTURE(Backend::name);
  CHECK(fits(sizeof(typename compiled<Backend>::plan) + at_most, compiled<Backend>::run));
}

} // namespace

TEST_CASE("stack: beside its plan, a backend needs less than 64 KiB, and that of Linux less than 128 KiB") {
  check<cordon::on_linux::backend>(128 * kib);
  check<cordon::on_linux::bwrap_backend>(128 * kib);
  check<cordon::landlock::backend>(64 * kib);
  check<cordon::seccomp::backend>(64 * kib);
  check<cordon::namespaces::backend>(64 * kib);
  check<cordon::bubblewrap::backend>(64 * kib);
  check<cordon::container::backend>(64 * kib);
  check<cordon::seatbelt::backend>(64 * kib);
  check<cordon::appcontainer::backend>(64 * kib);
  check<cordon::unveil::backend>(64 * kib);
  check<cordon::wasi::backend>(64 * kib);
}

TEST_CASE("stack: an overflow is seen") {
  CHECK(!fits(sizeof(compiled<cordon::wasi::backend>::plan), compiled<cordon::wasi::backend>::run));
}
