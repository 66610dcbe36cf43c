// SPDX-License-Identifier: BSL-1.0
/// Two hundred runs, sixteen at a time, from four threads.
#include <cordon/run/load.hpp>
#include <cordon/run/run_pool.hpp>

#include <atomic>
#include <cstdio>
#include <future>
#include <thread>
#include <utility>
#include <vector>

int main() {
  constexpr int threads = 4, runs = 50;
  const cordon::host_policy policy = cordon::load_policy_text("job", "level process_exec\nrun /usr\nnetwork none\n");
  cordon::run_pool pool(16);
  std::atomic<int> right = 0;
  std::vector<std::jthread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      std::vector<std::future<cordon::report>> mine;
      for (int i = 0; i < runs; ++i) {
        cordon::run_request request = cordon::request_for(policy, {"/usr/bin/env", "echo", "done"});
        request.directory = "/usr";
        request.in = cordon::input::nothing();
        request.keep.emplace();
        mine.push_back(pool.submit(std::move(request)));
      }
      for (std::future<cordon::report>& f : mine) right += f.get().output.text() == "done\n";
    });
  all.clear();
  std::printf("%d of %d\n", right.load(), threads * runs);
  return right == threads * runs ? 0 : 1;
}
