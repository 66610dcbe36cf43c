// SPDX-License-Identifier: BSL-1.0
#include "../host.hpp"
#include "named_path.hpp"
#include "projects.hpp"
#include "written_roots.hpp"

#include <cordon/run/links/links.hpp>
#include <cordon/run/links/planted.hpp>
#include <cordon/run/named_directory.hpp>

#include <filesystem>
#include <string>
#include <utility>

namespace cordon::shim {
namespace {

[[nodiscard]] std::string planted_in_run(const link_on_the_way& link) {
  return cordon::detail::planted_in(link, projects_of_caller(), links_of_host({}).as_root, read_written_roots());
}

[[nodiscard]] std::string planted_anywhere(const link_on_the_way& link) {
  written_roots roots = read_written_roots();
  roots.known = false;
  link_on_the_way open = link;
  open.only_caller_writes = false;
  return cordon::detail::planted_in(open, projects_of_caller(), links_of_host({}).as_root, roots);
}

} // namespace

void complete(link_facts& links) {
  const link_facts here = links_of_host({});
  links.as_root = here.as_root;
  if (links.home.empty()) links.home = home_place();
  if (links.read == nullptr) links.read = here.read;
  if (links.planted_in == nullptr) links.planted_in = planted_in_run;
}

void check_directory(const judged_name& way) {
  link_facts links;
  links.planted_in = planted_anywhere;
  check_way(way, links);
}

judged_name check_named(std::string name, const std::string& path) {
  link_facts links;
  complete(links);
  if (links.read == nullptr) return {std::move(name), path}; // Windows: users make no links
  cordon::detail::followed way = cordon::detail::follow(path, links.read);
  judged_name found{std::move(name), std::move(way.end), std::move(way.links)};
  check_way(found, links);
  return found;
}

void check_named_file(const std::string& file) {
  std::error_code ec;
  const std::filesystem::path whole = std::filesystem::absolute(path_at(file), ec);
  if (!ec) (void)check_named(file, place_of(whole));
}

} // namespace cordon::shim
