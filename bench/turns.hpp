// SPDX-License-Identifier: BSL-1.0
/// Measures peers in the same rounds, so that other load on the machine affects all of them.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

/// Calls `f` with each peer once a round, each round in another order: the kernel cleans up after one while the next
/// one runs.
template <class Peer, class F> void in_turns(std::vector<Peer>& peers, int rounds, F&& f) {
  static std::mt19937 dice(1);
  std::vector<Peer*> order;
  for (Peer& p : peers) order.push_back(&p);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), dice);
    for (Peer* p : order) f(*p);
  }
}
