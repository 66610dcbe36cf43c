// SPDX-License-Identifier: BSL-1.0
/// One-letter options of tools that combine several in one word, the value attached to the last one: `tar -xzf/etc/x`.
/// For other tools, the text alone does not show whether `-xf/etc/x` holds a path, since `-Isrc/x` may look the same.
#pragma once

#include "program_name.hpp"
#include "word_list.hpp"

#include <array>

namespace cordon::guard {

/// Letters of options with a value, for a tool.
struct option_letters {
  std::string_view names; ///< names of the tool, with blanks between
  std::string_view paths; ///< letters whose value may be a path
  std::string_view texts; ///< letters with a value that is not a path
};

// Sources: the manuals tar(1), bsdtar(1), curl(1), wget(1), rsync(1), GNU coreutils 9, grep(1), sed(1), gawk(1), make(1),
// patch(1), cpio(1), ssh(1), zip(1), gpg(1).
/// The tools that are known.
inline constexpr std::array<option_letters, 15> lettered_tools{{
    {"tar gtar bsdtar", "CfFgIKLTX", "bHNV"},
    {"curl", "bcdDEFKoT", "ACehHmPQrtuUwxXyYz"},
    {"wget", "aioOP", "ABDeIlQRtTUwX"},
    {"rsync", "efT", "BM@"},
    {"cp mv ln install", "t", "gmoS"},
    {"sort", "oT", "kSt"},
    {"grep egrep fgrep", "f", "ABCdDem"},
    {"sed gsed", "f", "Eels"},
    {"awk gawk mawk nawk", "Efi", "eFlv"},
    {"make gmake", "CfIoW", "Ejl"},
    {"patch", "Bdior", "DFgpVYz"},
    {"cpio", "DEFIO", "CHMR"},
    {"ssh scp sftp", "FiISE", "bBcDeJlLmoOpPQRswWX"},
    {"zip unzip", "bdO", "ntxiP"},
    {"gpg gpg2", "o", "rRu"},
}};

/// The value attached to the options of a word, as that program parses it. Empty if no value may be a path. O(letters).
[[nodiscard]] constexpr std::string_view attached_path(std::string_view program, std::string_view word) {
  if (!word.starts_with('-') || word.starts_with("--")) return {};
  const program_name name = program_name_of(program);
  for (const option_letters& tool : lettered_tools) {
    if (find_word(tool.names, [&](std::string_view n) { return name.is(n); }).empty()) continue;
    for (std::size_t i = 1; i < word.size() && !has(tool.texts, word[i]); ++i)
      if (has(tool.paths, word[i])) return word.substr(i + 1);
  }
  return {};
}

} // namespace cordon::guard
