// SPDX-License-Identifier: BSL-1.0
#include "second_names.hpp"

#include <cordon/preset.hpp>

#include <sys/stat.h>

#include <string>

namespace cordon::shim {

namespace {

/// What a name gives of the file itself, and not of the directory that it stands in.
constexpr rights of_inode = right::read | right::write | right::run | right::attributes | right::connect;

} // namespace

void state_second_names(std::vector<stated_gap>& to, const loaded_policy& p) {
  const auto files = p.files();
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (files.up(i) == no_slot || files.place(i) == run_temp) continue;
    const rights around = rights::from_bits(files[files.up(i)].value), own = rights::from_bits(files[i].value);
    const bool is_narrowed = !((around & of_inode) <= own);
    const std::string place(files.place(i));
    struct stat st {};
    if (!is_narrowed || ::lstat(place.c_str(), &st) != 0 || S_ISDIR(st.st_mode) || st.st_nlink < 2) continue;
    to.push_back({gap_kind::unenforced, "files.second_name:" + place,
                  "the file has " + std::to_string(st.st_nlink) +
                      " names (hard links): what the policy takes away here, it leaves where another name is granted"});
  }
}

} // namespace cordon::shim
