// SPDX-License-Identifier: BSL-1.0
#include "descriptor.hpp"
#include "new_link.hpp"

#include <cordon/run/links/links.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <utility>

namespace cordon {
namespace {

#ifdef O_NOFOLLOW_ANY // macOS 11, open(2)
constexpr int through_no_link = O_NOFOLLOW_ANY;
#else
constexpr int through_no_link = O_NOFOLLOW;
#endif
#ifdef O_SEARCH
constexpr int to_look_up = O_SEARCH;
#else
constexpr int to_look_up = O_RDONLY;
#endif

/// Reads the link and the owner of its directory through one descriptor of that directory.
[[nodiscard]] std::optional<link_on_the_way> read(const std::string& directory, const std::string& name) {
  const shim::descriptor in(::open(directory.c_str(), to_look_up | O_DIRECTORY | O_CLOEXEC | through_no_link));
  if (!in && errno == ELOOP) shim::refuse_new_link(directory);
  struct stat st {};
  std::string target(PATH_MAX, '\0');
  const ssize_t size =
      in && ::fstat(in.get(), &st) == 0 ? ::readlinkat(in.get(), name.c_str(), target.data(), target.size()) : -1;
  if (size < 0) return {};
  target.resize(static_cast<std::size_t>(size));
  const bool others_write = (st.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return link_on_the_way{(directory == "/" ? directory : directory + "/") + name, std::move(target),
                         st.st_uid == 0 && !others_write, st.st_uid == ::geteuid() && !others_write};
}

} // namespace

link_facts cordon::abi_0::links_of_host(std::string home) { return {read, ::geteuid() == 0, std::move(home)}; }

} // namespace cordon
