// SPDX-License-Identifier: BSL-1.0
/// Runs git in a scratch directory.
#pragma once

#include "scratch.hpp"

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

inline void git(const scratch& s, const std::string& arguments) {
  const std::string command = "cd " + s.top.string() +
                              " && GIT_CONFIG_GLOBAL=/dev/null git -c user.name=n -c user.email=e -c "
                              "protocol.file.allow=always " +
                              arguments + " >git.out 2>&1";
  CAPTURE(command);
  REQUIRE(std::system(command.c_str()) == 0);
}
