// SPDX-License-Identifier: BSL-1.0
#include "attempt.hpp"

#include <cordon/run/named_directory.hpp>

#include <filesystem>

namespace cordon::shim {

std::unique_ptr<attempt> make_attempt(const loaded_policy& policy, run_request& request, report& r, bool confined) {
  return std::make_unique<macos_shim::attempt>(policy, request, r, confined);
}

std::string place_to_run_in(const run_request& request) {
  std::error_code ec;
  const std::filesystem::path asked =
      request.directory ? std::filesystem::path(*request.directory) : std::filesystem::current_path(ec);
  const std::filesystem::path real = std::filesystem::canonical(asked, ec);
  if (ec) throw refused(asked.string() + ": " + ec.message());
  return real.string();
}

loaded_policy resolve_here(const run_request& request) {
  loaded_policy p = resolve(request.policy, request.links);
  if (request.directory) check_way_by_policy("the directory to run in", *request.directory, p, request.links);
  return p;
}

std::vector<std::string> words_for_guard(const std::vector<std::string>& argv) { return argv; }

} // namespace cordon::shim
