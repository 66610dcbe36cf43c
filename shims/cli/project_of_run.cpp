// SPDX-License-Identifier: BSL-1.0
#include "project_of_run.hpp"

#include "../common/host.hpp"
#include "command.hpp"

#include <cordon/run/named_directory.hpp>

namespace cordon::cli {
namespace {

[[nodiscard]] project named_project(const std::string& directory, platform on) {
  const std::string root = shim::place_of_file(directory);
  if (project_place_of(root, on) == project_place::root)
    throw usage_error("--workspace " + directory + ": the root directory is no workspace; name a directory below it");
  return {root, "--workspace names it", false, {root}};
}

} // namespace

const std::vector<std::string>& project_of_run::places() {
  if (!found_)
    found_ = workspace_ ? named_project(*workspace_, facts_.system) : find_project(directory_, search_facts());
  return found_->places;
}

void project_of_run::check_named(const char* option, const std::optional<std::string>& name) const {
  if (name) check_way_by_projects(option, *name, search_facts(), links_of_host(facts_.home));
}

project_facts project_of_run::search_facts() const {
  return {.homes = {facts_.home},
          .owner = shim::owner,
          .caller = shim::caller(),
          .home = shim::home_of_account,
          .system = facts_.system};
}

std::optional<project_choice> project_of_run::choice() const {
  if (!found_) return {};
  return project_choice{found_->root, found_->why};
}

} // namespace cordon::cli
