// SPDX-License-Identifier: BSL-1.0
#include <cstdio>
#include <cstring>

#include "attempt.hpp"

int main(int count, char** words) {
  using namespace attempt;
  const std::span<const act> tables[] = {file_acts(),      metadata_acts(),      socket_acts(),     process_acts(),
                                         namespace_acts(), kernel_acts(),        ring_acts(),       inherited_acts(),
                                         work_acts(),      tree_acts(),          own_socket_acts(), unix_socket_acts(),
                                         netlink_acts(),   swapped_socket_acts()};
  if (count < 2) {
    for (const auto table : tables)
      for (const act& each : table) std::puts(each.name);
    return static_cast<int>(outcome::broken);
  }
  for (const auto table : tables)
    for (const act& each : table)
      if (std::strcmp(each.name, words[1]) == 0) return static_cast<int>(each.run({count - 2, words + 2}));
  return static_cast<int>(broken("no act of that name"));
}
