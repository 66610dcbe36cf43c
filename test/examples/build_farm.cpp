// SPDX-License-Identifier: BSL-1.0
/// A build farm: compiles many sources, sixteen at a time, each in a directory that no neighbour can reach.
///   build_farm DIRECTORY SOURCE...
#include <cordon/run/load.hpp>
#include <cordon/run/run_pool.hpp>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr std::size_t at_a_time = 16;

/// One directory a job; the tools of the system, and no network.
std::string policy_for(const fs::path& own) {
  return "level process_exec\n"
         "run /usr\nread /etc\nwrite " +
         own.string() +
         "\n"
         "network none\nabilities spawn\n"
         "limit timeout 20s\nlimit output 1MiB\nlimit processes 64\n";
}

cordon::run_request job_for(const fs::path& source, const fs::path& own) {
  fs::create_directories(own);
  fs::copy_file(source, own / source.filename(), fs::copy_options::overwrite_existing);
  const cordon::host_policy policy = cordon::load_policy_text("farm", policy_for(own));
  cordon::run_request r =
      cordon::request_for(policy, {"/usr/bin/cc", "-c", source.filename().string(), "-o", "object.o"});
  r.directory = own.string();
  r.environment = std::vector<std::string>{"PATH=/usr/bin:/bin", "TMPDIR=" + own.string()};
  r.in = cordon::input::nothing();
  r.keep.emplace(); // head and tail of the compiler's messages
  return r;
}

struct finished {
  fs::path source;
  std::future<cordon::report> report;
};

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: build_farm DIRECTORY SOURCE...\n", stderr), 2;
  const fs::path top = fs::absolute(argv[1]);
  cordon::run_pool pool(at_a_time);
  std::vector<finished> all;
  for (int i = 2; i < argc; ++i) all.push_back({argv[i], pool.submit(job_for(argv[i], top / std::to_string(i - 1)))});

  std::map<std::string, int> sums;
  for (finished& f : all) {
    const cordon::report r = f.report.get();
    ++sums[std::string(cordon::name(r.ended.how)) + " " + std::to_string(r.ended.number)];
    if (cordon::exit_status(r.ended) != 0)
      std::printf("%s: %s\n%s", f.source.c_str(), r.ended.why.c_str(), r.error.text().c_str());
  }
  for (const auto& [how, number] : sums) std::printf("%4d %s\n", number, how.c_str());
}
