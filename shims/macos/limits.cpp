// SPDX-License-Identifier: BSL-1.0
#include "limits.hpp"

#include "../common/run/wanted_limits.hpp"

#include <sys/resource.h>

#include <cstdint>
#include <string_view>

namespace cordon::macos_shim {
namespace {

struct known {
  limit which;
  int resource;
  std::uint64_t unit;
  std::string_view grade;
};
constexpr known all[]{{limit::cpu, RLIMIT_CPU, 1'000'000'000, "best_effort"},
                      {limit::open_files, RLIMIT_NOFILE, 1, "enforced"},
                      {limit::file_size, RLIMIT_FSIZE, 1, "enforced"}};

} // namespace

std::vector<bsd_shim::resource_limit> limits_of(const limits& wanted, std::vector<stated_limit>& stated) {
  std::vector<bsd_shim::resource_limit> made;
  shim::each_wanted(wanted, [&](limit l) {
    const bool ours = row_of(l).by_cordon;
    stated.push_back({l, wanted[l], ours ? "enforced" : "none", ours ? "cordon" : ""});
    for (const known& k : all)
      if (k.which == l) {
        const std::uint64_t value = (wanted[l] + k.unit - 1) / k.unit;
        made.push_back({k.resource, value, value});
        stated.back().grade = k.grade;
        stated.back().by = "setrlimit";
      }
  });
  return made;
}

} // namespace cordon::macos_shim
