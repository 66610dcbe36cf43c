// SPDX-License-Identifier: BSL-1.0
#include "project_of_run.hpp"

#include "../common/host.hpp"
#include "../common/projects.hpp"
#include "subcommand.hpp"

#include <cordon/format/place.hpp>
#include <cordon/run/named_directory.hpp>

#include <utility>

namespace cordon::cli {

project_of_run::project_of_run(const std::optional<std::string>& workspace, const std::optional<std::string>& directory,
                               const format::host_facts& facts)
    : facts_(facts) {
  if (directory) directory_ = look_up("--cwd " + *directory, *directory);
  if (workspace) workspace_ = look_up("--workspace " + *workspace, *workspace);
}

judged_name project_of_run::look_up(std::string what, const std::string& directory) const {
  judged_name way = shim::way_to(std::move(what), directory);
  check_way(way, shim::projects_of_caller(), links_of_host(facts_.home));
  return way;
}

project project_of_run::find() const {
  if (!workspace_)
    return find_project_of(directory_ ? directory_->real : look_up("the current directory", name_at(facts_.base)).real,
                           shim::projects_of_caller());
  const std::string& root = workspace_->real;
  if (project_place_of(root, facts_.system) == project_place::root)
    throw usage_error(workspace_->name + ": the root directory is no workspace; name a directory below it");
  return {root, "--workspace names it", false, {root}};
}

const std::vector<std::string>& project_of_run::places() {
  if (!found_) found_ = find();
  return found_->places;
}

project_settings project_of_run::settings() const { return found_ ? find_settings(*found_) : project_settings(); }

std::vector<judged_name> project_of_run::judged() const {
  std::vector<judged_name> all{{"the current directory", facts_.base}};
  for (const std::optional<judged_name>& named : {directory_, workspace_})
    if (named) all.push_back(*named);
  if (found_)
    for (const std::string& place : found_->places) all.push_back({"the project", place});
  return all;
}

std::optional<std::string> project_of_run::directory() const {
  if (!directory_) return {};
  return name_at(directory_->real);
}

std::optional<project_choice> project_of_run::choice() const {
  if (!found_) return {};
  return project_choice{found_->root, found_->why};
}

} // namespace cordon::cli
