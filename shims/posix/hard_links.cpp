// SPDX-License-Identifier: BSL-1.0
#include "hard_links.hpp"

#include <cordon/gap/run_gap_types.hpp>
#include <cordon/policy/preset.hpp>

#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace cordon::shim {
namespace {

/// The rights that a name gives to the file itself, not to the directory that contains it.
constexpr rights of_inode = right::read | right::write | right::run | right::attributes | right::connect;

/// A file with several names, represented by the narrowed name that gives the fewest rights.
struct seen_file {
  std::string place;
  std::uint32_t below = 0; ///< index of the policy's path below which that name was found
  rights allowed;
  std::uint64_t names = 0, narrowed = 0;
  bool differ = false; ///< do the narrowed names give different rights?
  [[nodiscard]] bool has_more_elsewhere() const { return narrowed < names || differ; }
};

/// One search of all narrowed paths of a policy.
class search {
public:
  search(const loaded_policy& p, std::size_t most) : files_(p.files()), most_(most) {}

  void look_below(std::uint32_t i) {
    const std::string place(files_.place(i));
    struct stat st {};
    if (!is_narrowed(i, place) || ::lstat(place.c_str(), &st) != 0) return;
    if (!S_ISDIR(st.st_mode)) return note(i, place, st);
    // The walk has already seen a directory inside a walked one, with the policy's rules for it.
    if (path::covers(walked_, place) && !walked_.empty()) return;
    walked_ = place;
    walk(i, place);
  }

  void state(std::vector<reported_gap>& to) const {
    std::map<std::uint32_t, std::vector<const seen_file*>> by_place;
    for (const auto& [inode, f] : found_)
      if (f.has_more_elsewhere()) by_place[f.below].push_back(&f);
    for (auto& [i, all] : by_place)
      std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->place < b->place; });
    for (const auto& [i, all] : by_place) {
      if (all.size() > most_listed)
        add(to, std::string(files_.place(i)), std::to_string(all.size()) + " files below it have");
      else
        for (const seen_file* f : all) add(to, f->place, "the file has " + std::to_string(f->names));
    }
    for (const std::uint32_t i : unfinished_)
      if (!by_place.contains(i) || by_place.at(i).size() <= most_listed)
        to.push_back(gap_of(run_gaps::files_second_name, files_.place(i),
                            "not everything below it could be looked at (at most " + std::to_string(most_) +
                                " entries are): files may have other names (hard links), with what is granted there"));
  }
  [[nodiscard]] std::size_t entries() const { return entries_; }

private:
  static void add(std::vector<reported_gap>& to, const std::string& place, const std::string& what) {
    to.push_back(
        gap_of(run_gaps::files_second_name, place,
               what + " names (hard links) elsewhere: what the policy takes away here, it leaves where another name "
                      "is granted"));
  }

  /// Does the path give fewer rights to a file than the nearest grant around `files_[i]`?
  [[nodiscard]] bool is_narrowed(std::uint32_t i, std::string_view place) const {
    if (files_.parent(i) == no_slot || place == run_temp) return false;
    const rights around = rights::from_bits(files_[files_.parent(i)].value),
                 own = rights::from_bits(files_.lookup(place));
    return !((around & of_inode) <= own);
  }

  void note(std::uint32_t i, const std::string& place, const struct stat& st) {
    if (st.st_nlink < 2 || !is_narrowed(i, place)) return;
    const rights own = rights::from_bits(files_.lookup(place)) & of_inode;
    seen_file& f = found_[{st.st_dev, st.st_ino}];
    if (f.names == 0) f = {place, i, own, st.st_nlink};
    ++f.narrowed;
    if (own == f.allowed) return;
    f.differ = true;
    if (own <= f.allowed) {
      f.place = place;
      f.below = i;
      f.allowed = own;
    }
  }

  /// Ignores a directory of another user that cannot be listed: no program of this user has linked a file in it.
  void miss(std::uint32_t i, const FTSENT& e) {
    const bool foreign = e.fts_info == FTS_DNR && e.fts_errno == EACCES &&
                         (e.fts_statp->st_uid != ::geteuid() || is_of_system(e.fts_path));
    if (!foreign && e.fts_errno != ENOENT) unfinished_.insert(i);
  }
  /// In a user namespace that does not map root, root's directories seem to belong to user 65534.
  [[nodiscard]] static bool is_of_system(std::string_view place) {
    const auto all = preset_places::system(platform::linux_);
    return std::any_of(all.begin(), all.end(), [&](std::string_view s) { return path::covers(s, place); });
  }

  /// fts(3): does not follow links, and enters directories through descriptors.
  void walk(std::uint32_t i, std::string place) {
    char* const roots[]{place.data(), nullptr};
    const std::unique_ptr<FTS, int (*)(FTS*)> all(::fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, nullptr), ::fts_close);
    if (!all) return void(unfinished_.insert(i));
    while (const FTSENT* const e = ::fts_read(all.get())) {
      if (e->fts_info == FTS_DP) continue;
      if (entries_ >= most_) return void(unfinished_.insert(i));
      ++entries_;
      if (e->fts_info == FTS_F || e->fts_info == FTS_DEFAULT) note(i, e->fts_path, *e->fts_statp);
      else if (e->fts_info == FTS_NS || e->fts_info == FTS_ERR || e->fts_info == FTS_DNR) miss(i, *e);
    }
  }

  step_function<path_tree> files_;
  std::size_t most_, entries_ = 0;
  std::string walked_;
  std::map<std::pair<dev_t, ino_t>, seen_file> found_;
  std::set<std::uint32_t> unfinished_; ///< paths that were not walked to the end
};

} // namespace

std::size_t append_hard_links(std::vector<reported_gap>& to, const loaded_policy& p, std::size_t most) {
  search all(p, most);
  const auto files = p.files();
  for (std::uint32_t i = 0; i < files.size(); ++i) all.look_below(i);
  all.state(to);
  return all.entries();
}

} // namespace cordon::shim
