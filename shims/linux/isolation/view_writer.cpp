// SPDX-License-Identifier: BSL-1.0
#include "view_writer.hpp"

#include "../../posix/new_link.hpp"
#include "../files/path_resolver.hpp"

#include <cordon/policy/path.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace cordon::linux_shim {

using namespace std::string_literals;

// An inode of tmpfs takes about a kilobyte of kernel memory, which the size limit does not count (tmpfs(5), nr_inodes).
std::string mode_option(const std::string& mode, std::uint64_t bytes) {
  constexpr std::uint64_t bytes_of_file = 4096, least = 1024;
  if (bytes == 0) return "mode\0"s + mode + "\0"s;
  const std::uint64_t inodes = std::max(bytes / bytes_of_file, least);
  return "mode\0"s + mode + "\0size\0"s + std::to_string(bytes) + "\0nr_inodes\0"s + std::to_string(inodes) + "\0"s;
}

view_step& view_writer::add(view_act what, std::string_view place) {
  return add({.what = what, .place = inside(place)});
}

view_step& view_writer::add_made(view_act what, std::string_view place, std::uint32_t mode) {
  leave_masks(place);
  if (!masks_.empty()) masks_.back().used = true;
  const std::string_view above = path::parent(place);
  return add({.what = what,
              .place = inside(above),
              .name = keep(std::string(place.substr(place.rfind('/') + 1))),
              .mode = mode});
}

view_step& view_writer::add_link(std::string_view place, std::string target) {
  const char* const to = keep(std::move(target));
  view_step& made = add_made(view_act::link, place);
  made.from = to;
  return made;
}

view_step& view_writer::add_fresh(std::string_view place, const char* system, std::string options,
                                  std::uint64_t attributes) {
  return add({.what = view_act::fresh,
              .place = inside(place),
              .from = system,
              .options = keep(std::move(options)),
              .attributes = attributes});
}

view_step& view_writer::add_bind(std::string_view place, std::string_view from, const inode_id& source,
                                 std::uint64_t attributes) {
  return add({.what = view_act::bind,
              .place = inside(place),
              .from = keep(std::string(from)),
              .attributes = attributes,
              .source = source});
}

view_step& view_writer::add_mask(std::string_view place) {
  leave_masks(place);
  masks_.push_back({std::string(place), steps.size(), false});
  return add_fresh(place, "tmpfs", mode_option("0111"), frozen);
}

view_step& view_writer::add_mask_file(std::string_view place) {
  if (null_.type == 0) null_ = sure(look("/dev/null"), "/dev/null").is;
  if (null_.type != S_IFCHR) throw refused::because<reasons::no_null_device>();
  return add_bind(place, "/dev/null", null_, frozen);
}

void view_writer::leave_masks(std::string_view next) {
  while (!masks_.empty() && !path::covers(masks_.back().place, next)) {
    if (masks_.back().used) open_masks_.push_back(std::move(masks_.back()));
    masks_.pop_back();
  }
}

void view_writer::seal_masks() {
  leave_masks("/");
  for (const mask& m : open_masks_) {
    steps[m.launch_stage].attributes = still;
    add(view_act::seal, m.place);
  }
  open_masks_.clear();
}

} // namespace cordon::linux_shim
