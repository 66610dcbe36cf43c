// SPDX-License-Identifier: BSL-1.0
#include "project_of_run.hpp"

#include "../common/host.hpp"
#include "../common/links/named_path.hpp"
#include "../common/links/projects.hpp"
#include "../common/links/written_roots.hpp"
#include "subcommand.hpp"

#include <cordon/format/place.hpp>
#include <cordon/run/named_directory.hpp>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace cordon::cli {

project_of_run::project_of_run(const std::optional<std::string>& workspace, const std::optional<std::string>& directory,
                               const format::host_facts& facts)
    : facts_(facts) {
  if (directory) directory_ = look_up("--cwd " + *directory, *directory);
  else check_way_here();
  if (workspace) workspace_ = look_up("--workspace " + *workspace, *workspace);
}

void project_of_run::check_way_here() const {
  const char* const way = std::getenv("PWD");
  if (way == nullptr || way[0] != '/' || facts_.base == place_of(path_at(way))) return;
  std::error_code ec;
  if (!std::filesystem::equivalent(path_at(way), path_at(facts_.base), ec) || ec) return;
  (void)shim::check_named("the current directory", way);
}

judged_name project_of_run::look_up(std::string what, const std::string& directory) const {
  judged_name way = shim::way_to(std::move(what), directory);
  shim::check_directory(way);
  return way;
}

project project_of_run::find() const {
  if (!workspace_) {
    const std::string directory =
        directory_ ? directory_->real : look_up("the current directory", name_at(facts_.base)).real;
    project found = find_project_of(directory, shim::projects_of_caller());
    return found.root.empty() ? found : kept(std::move(found), directory);
  }
  const std::string& root = workspace_->real;
  if (project_place_of(root, facts_.system) == project_place::root)
    throw usage_error(workspace_->name + ": the root directory is no workspace; name a directory below it");
  return {root, "--workspace names it", false, {root}};
}

project project_of_run::kept(project found, const std::string& directory) {
  const written_roots roots = shim::read_written_roots();
  const written_root* const earlier = cordon::detail::earlier_project(roots, found.root, directory);
  if (earlier == nullptr) return found;
  std::string why = "an earlier run had it, and a program may have removed its mark; the project around it is " +
                    found.root + ", which " + found.why + "; take that with --workspace " + found.root;
  return {earlier->place, std::move(why), false, {earlier->place}, true};
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
  return project_choice{found_->root, found_->why, workspace_.has_value(), found_->is_kept};
}

} // namespace cordon::cli
