// SPDX-License-Identifier: BSL-1.0
#include "../common/links/written_roots.hpp"

#include "descriptor.hpp"
#include "state_directory.hpp"

#include <cordon/policy/preset.hpp>
#include <cordon/query/query.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace cordon::shim {
namespace {

constexpr const char* file_name = "written-roots";

[[nodiscard]] directory_identity identity_of(const std::string& directory) {
  struct stat st {};
  if (::stat(directory.c_str(), &st) != 0) return {};
  return {static_cast<std::uint64_t>(st.st_dev), static_cast<std::uint64_t>(st.st_ino)};
}

/// Is it a file that this user alone can have written?
[[nodiscard]] bool is_own(const descriptor& file) {
  struct stat st {};
  return file && ::fstat(file.get(), &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == ::geteuid() && st.st_nlink == 1 &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

[[nodiscard]] std::string content_of(const descriptor& file) {
  std::string text;
  for (char block[8192]; text.size() < cordon::detail::longest_list_of_roots;) {
    const ssize_t size = ::read(file.get(), block, sizeof block);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(block, static_cast<std::size_t>(size));
  }
  return text;
}

/// The directories that the program can create files in, without those below another one.
[[nodiscard]] std::vector<written_root> roots_of(const loaded_policy& p, const std::optional<project_choice>& project) {
  std::vector<written_root> all;
  const auto files = p.files();
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    std::string place(files.place(i));
    if (place == run_temp || !rights::from_bits(files[i].value).has(right::create)) continue;
    if (i != 0 && rights::from_bits(files.at(files.parent(i)).value).has(right::create)) continue;
    const bool is_project = project && project->root == place;
    const root_use use = !is_project ? root_use::granted : project->is_named ? root_use::named : root_use::project;
    const directory_identity identity = identity_of(place);
    all.push_back({std::move(place), identity, use});
  }
  return all;
}

[[nodiscard]] std::string lines_of(const std::vector<written_root>& roots) {
  std::string lines;
  for (const written_root& root : roots) lines += cordon::detail::line_of(root);
  return lines;
}

[[noreturn]] void refuse() { throw refused::because<reasons::not_written>(state_place() + "/" + file_name); }

/// In one call: what another process reads is a list, or none at all.
void write_list(const descriptor& file, std::string_view text) {
  if (::ftruncate(file.get(), 0) != 0 || ::write(file.get(), text.data(), text.size()) != ssize_t(text.size()))
    refuse();
}

/// Drops directories that are no longer at their path. A list that is still too long becomes an unknown one.
[[nodiscard]] std::string compacted(std::vector<written_root> roots) {
  std::erase_if(roots, [](const written_root& root) { return identity_of(root.place) != root.identity; });
  std::string text = std::string(cordon::detail::list_of_roots) + lines_of(roots);
  return text.size() < cordon::detail::longest_list_of_roots ? text : std::string("cordon-roots full\n");
}

[[nodiscard]] descriptor open_list(const descriptor& directory, int how) {
  return descriptor(::openat(directory.get(), file_name, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
}

void add_to_list(const descriptor& directory, std::vector<written_root> wanted) {
  const descriptor file = open_list(directory, O_RDWR | O_CREAT | O_APPEND);
  if (!is_own(file) || ::flock(file.get(), LOCK_EX) != 0) refuse();
  const std::string text = content_of(file);
  written_roots now = cordon::detail::read_roots(text);
  if (!text.empty() && !now.known) return; // every directory counts already
  std::erase_if(wanted, [&](const written_root& root) {
    return std::find(now.all.begin(), now.all.end(), root) != now.all.end();
  });
  now.all.insert(now.all.end(), wanted.begin(), wanted.end());
  std::string all = std::string(cordon::detail::list_of_roots) + lines_of(now.all);
  if (all.size() >= cordon::detail::longest_list_of_roots) all = compacted(std::move(now.all));
  write_list(file, all);
}

} // namespace

std::string place_of_roots() {
  (void)state_directory(); // made before a run could make it
  return state_place();
}

written_roots read_written_roots() {
  const descriptor directory = state_directory(missing_directory::stays);
  if (!directory) return {};
  const descriptor file = open_list(directory, O_RDONLY);
  // Another run may be writing it anew.
  if (!is_own(file) || ::flock(file.get(), LOCK_SH) != 0) return {};
  written_roots roots = cordon::detail::read_roots(content_of(file));
  roots.identify = identity_of;
  return roots;
}

void remember_roots(const loaded_policy& p, const std::optional<project_choice>& project) {
  const descriptor directory = state_directory();
  if (!directory) return;
  std::vector<written_root> wanted = roots_of(p, project);
  const descriptor file = open_list(directory, O_RDONLY);
  if (file && is_own(file)) {
    const written_roots now = cordon::detail::read_roots(content_of(file));
    const auto is_new = [&](const written_root& root) {
      return std::find(now.all.begin(), now.all.end(), root) == now.all.end();
    };
    if (now.known && std::none_of(wanted.begin(), wanted.end(), is_new)) return;
  }
  add_to_list(directory, std::move(wanted));
}

} // namespace cordon::shim
