// SPDX-License-Identifier: BSL-1.0
#include "path_resolver.hpp"

#include <cordon/run/links/links.hpp>

#include <utility>

namespace cordon {
namespace {

using linux_shim::descriptor;

/// Reads the link and the owner of its directory through one descriptor of that directory.
[[nodiscard]] std::optional<link_on_the_way> read(const std::string& directory, const std::string& name) {
  const descriptor in = linux_shim::open_resolved(directory);
  struct stat st {};
  if (!in || ::fstat(in.get(), &st) != 0) return {};
  std::optional<std::string> target = linux_shim::read_link(in.get(), name.c_str());
  if (!target) return {};
  const bool others_write = (st.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return link_on_the_way{linux_shim::joined(directory, name), *std::move(target), st.st_uid == 0 && !others_write,
                         st.st_uid == ::geteuid() && !others_write};
}

} // namespace

link_facts cordon::abi_0::links_of_host(std::string home) { return {read, ::geteuid() == 0, std::move(home)}; }

} // namespace cordon
