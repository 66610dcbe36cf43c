// SPDX-License-Identifier: BSL-1.0
#include "../common/decide.hpp"
#include "../common/host.hpp"
#include "../common/run/attempt.hpp"

#include <cordon/run/links/link_checks.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

namespace cordon::shim {

std::string place_to_run_in(run_request& request) {
  const std::string name =
      request.directory ? "the directory to run in " + *request.directory : "the current directory";
  judged_name way = way_to(name, request.directory.value_or("."));
  cordon::detail::check_unchanged(way.links, request.links);
  // The name that getcwd(2) returns contains no links.
  if (!request.directory && !way.links.empty())
    throw refused::because<reasons::link_appeared_for>(name, way.links.front().place);
  return request.links.judged.emplace_back(std::move(way)).real;
}

std::vector<std::string> words_for_guard(const std::vector<std::string>& argv) { return argv; }

} // namespace cordon::shim
