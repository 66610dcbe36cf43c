// SPDX-License-Identifier: BSL-1.0
#include "bwrap.hpp"

#include "../files/memory_file.hpp"
#include "init_wrapped_image.hpp"
#include "own_view.hpp"
#include "view.hpp"
#include "view_writer.hpp"

#include <cordon/backend/mounts/planned_mount.hpp>
#include <cordon/run/given_places.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/resolve.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <map>

namespace cordon::linux_shim {
namespace {

/// The paths at which distributions install bwrap. The caller controls PATH, and a program found there would run
/// unconfined.
constexpr const char* usual_places[]{"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/run/wrappers/bin/bwrap",
                                     "/run/current-system/sw/bin/bwrap"};

[[nodiscard]] descriptor find_bwrap() {
  for (const char* place : usual_places) {
    descriptor file(::open(place, O_PATH | O_CLOEXEC));
    if (!file) continue;
    struct stat st {};
    const bool trusted = ::fstat(file.get(), &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == 0 &&
                         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    if (trusted) return file;
    throw refused::because<reasons::bwrap_not_trusted>(place);
  }
  throw refused::because<reasons::no_bwrap>();
}

[[nodiscard]] int first_program() {
  static const descriptor file = own_program(init_wrapped_image, "the program that bwrap starts");
  return file.get();
}

/// Keeps the examined inodes open, so that bwrap binds the same ones.
class held_places {
public:
  [[nodiscard]] bubblewrap::found find(std::string_view place) {
    const auto [entry, is_new] = seen_.try_emplace(std::string(place));
    auto& [what, fd] = entry->second;
    if (!is_new) return {what, fd.get()};
    what = sure(look(entry->first, fd), place).what;
    return {what, fd.get()};
  }

  [[nodiscard]] std::vector<descriptor> take() {
    std::vector<descriptor> all;
    for (auto& [place, found] : seen_)
      if (found.second) all.push_back(std::move(found.second));
    return all;
  }

private:
  std::map<std::string, std::pair<file_type, descriptor>, std::less<>> seen_;
};

} // namespace

planned_wrapper::planned_wrapper(const bubblewrap::rules<heap>& rules, const view_options& options)
    : points_(options.settings), program_(find_bwrap()) {
  bubblewrap::rules<heap> real = rules;
  real.mounts = placed(rules.mounts, options.temp);
  std::string words;
  std::size_t count = 0;
  const auto add = [&](std::string_view word) {
    words.append(word).push_back('\0');
    ++count;
  };
  // The real root becomes 65534, as in `id_map`.
  if (::geteuid() == 0)
    for (const char* word : {"--uid", "65534", "--gid", "65534"}) add(word);
  mounts::each_planned_mount(
      mounts::view(real.mounts), [](std::string_view place) { return look(std::string(place)).what; },
      [&](const mounts::planned_mount& m) {
        (void)points_.stand(m, {m.there, {}, 0});
      });
  points_.close();
  held_places held;
  bubblewrap::each_argument(
      real,
      [&](std::string_view place) { // a process's files in /proc are gone before bwrap looks for them
        return is_given(place, true) ? bubblewrap::found{file_type::absent} : held.find(place);
      },
      add,
      [&](auto&& say) {
        for (const std::string_view place : mounts::roots_alone) // bwrap makes no mount point there
          if (::geteuid() == 0 && look(std::string(place)).what == file_type::file)
            say(std::string_view("--ro-bind"), std::string_view("/dev/null"), place);
        for (const link_on_the_way& l : missing_links(mounts::view(real.mounts), options.links))
          say(std::string_view("--symlink"), std::string_view(l.target), std::string_view(l.place));
        if (!mounts::has_own(mounts::view(real.mounts), mounts::own_run)) return;
        for (const auto& [place, mode] : runtime_directories())
          say(std::string_view("--perms"), std::string_view(mode == 0700 ? "0700" : "0755"), std::string_view("--dir"),
              std::string_view(place));
      });
  // bwrap takes the program from argv alone. Only the last word ends the options: a path or a link may be called `--`.
  words.resize(words.size() - std::string_view("--").size() - 1);
  if (--count > bubblewrap::most_arguments) throw refused::because<reasons::bwrap_arguments>();
  arguments_ = memory_file(words, "the arguments of bwrap");
  open_ = held.take();
  for (const descriptor& fd : open_) places_.push_back(fd.get());
  it_ = {program_.get(), arguments_.get(), first_program(), places_};
}

} // namespace cordon::linux_shim
