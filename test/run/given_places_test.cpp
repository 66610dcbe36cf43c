// SPDX-License-Identifier: BSL-1.0
#include "holds.hpp"

#include <cordon/run/given_places.hpp>

using namespace cordon;

TEST_CASE("given_places: every program gets a few devices and /proc; a view can hide what is not about processes") {
  for (const bool has_view : {false, true}) {
    CHECK(is_given("/proc", has_view));
    CHECK(is_given("/dev", has_view));
    for (const char* place :
         {"/proc/self", "/proc/self/maps", "/proc/thread-self/x", "/proc/17/environ", "/dev/null", "/dev/urandom"}) {
      CAPTURE(place);
      CHECK(is_given(place, has_view));
    }
    for (const char* place : {"/procs", "/dev/shm", "/dev/sda", "/dev/nullx", "/etc", "/"}) {
      CAPTURE(place);
      CHECK(!is_given(place, has_view));
    }
    for (const char* place : {"/proc/cpuinfo", "/proc/sys/kernel", "/proc/selfish"})
      CHECK(is_given(place, has_view) == !has_view);
    for (const char* place : {"/dev/full", "/dev/tty", "/dev/fd", "/dev/stdin", "/dev/pts/3", "/dev/ptmx"})
      CHECK(is_given(place, has_view) == has_view);
  }
  HOLDS(is_given("/proc/1", true) && !is_given("/proc/1x", true));
}
