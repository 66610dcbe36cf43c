// SPDX-License-Identifier: BSL-1.0
// Measures a Landlock ruleset of a policy with many paths: each is opened without following links, checked, and its
// rights reduced to those valid for the type of inode. As a ratio to the plain loop of open, add and close.
//   rules [--check] [ROUNDS]
#include "ways.hpp"

#include <cordon/backend/landlock.hpp>
#include <cordon/format/read.hpp>
#include <cordon/run/resolve.hpp>

#include "linux/child/landlock_calls.hpp"
#include "linux/prepare/ruleset.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace cordon;
using namespace cordon::linux_shim;

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "rules: %s\n", what);
  std::exit(1);
}

void add_plainly(const std::vector<std::pair<std::string, std::uint32_t>>& places, int abi) {
  const landlock_calls::ruleset all{landlock::handled(abi), 0, landlock::scoped(abi)};
  const int ruleset = static_cast<int>(::syscall(landlock_calls::create_ruleset, &all, landlock::ruleset_size(abi), 0));
  if (ruleset < 0) stop("no Landlock here");
  for (const auto& [place, access] : places) {
    const int fd = ::open(place.c_str(), O_PATH | O_CLOEXEC);
    const landlock_calls::path_beneath rule{access, fd};
    if (::syscall(landlock_calls::add_rule, ruleset, landlock_calls::rule_path_beneath, &rule, 0) != 0)
      stop("a rule was refused");
    ::close(fd);
  }
  ::close(ruleset);
}

} // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const int rounds = argc > (check ? 2 : 1) ? std::atoi(argv[check ? 2 : 1]) : 200;
  const long abi = ::syscall(landlock_calls::create_ruleset, nullptr, 0, 1);
  if (abi < 1 || rounds < 1) stop("no Landlock here");
  std::string top = "/var/tmp/cordon-bench-XXXXXX";
  if (::mkdtemp(top.data()) == nullptr) stop("no directory");
  bool good = true;
  for (const int count : {10, 100, 1000}) {
    format::document d;
    d.presets.emplace();
    d.files.emplace();
    const int known = static_cast<int>(abi);
    std::vector<std::pair<std::string, std::uint32_t>> places;
    for (int i = 0; i < count; ++i) {
      const std::string place = top + "/" + std::to_string(i);
      std::filesystem::create_directory(place);
      d.files->push_back({place, verb::read});
      places.emplace_back(place, landlock::access_of(verb::read, known));
    }
    for (const auto& a : landlock::default_places) // every policy has these
      places.emplace_back(a.place, landlock::for_inode(landlock::access_of(a.allowed, known), false));
    const auto made = landlock::compile(format::lower_lexically(d, {}), {known});
    bool within = false;
    for (int left = check ? 3 : 1; left > 0 && !within; --left)
      within = compare((std::to_string(count) + " places").c_str(), rounds,
                       {{"open, add, close", 0, [&] { add_plainly(places, known); }},
                        {"cordon", 1.10, [&] { (void)make_ruleset(made.rules, {}); }}});
    good &= within;
  }
  std::filesystem::remove_all(top);
  return good || !check ? 0 : 1;
}
