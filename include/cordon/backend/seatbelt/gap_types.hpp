// SPDX-License-Identifier: BSL-1.0
/// What a sandbox profile cannot say.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::seatbelt {

inline constexpr rights every_right = verb::everything;

inline constexpr gap_type gap_types[]{
    {"seatbelt.root_listing",
     gap_kind::unenforced,
     right::list,
     gap_extent::place,
     {},
     "the names in the root directory show: macOS starts no program that cannot read them"},
    {"seatbelt.system",
     gap_kind::unenforced,
     right::read | right::list,
     gap_extent::beneath,
     {},
     "every program may read what stands here: programs of the system, or the loader's cache of libraries"},
    {"seatbelt.spelling",
     gap_kind::unenforced,
     every_right,
     gap_extent::beneath,
     {},
     "this place has another name (/tmp is /private/tmp, and so are /var and /etc), and what is granted there holds "
     "here;"
     " give both names the same rights to close this",
     every_right},
    {"seatbelt.spelling_denied",
     gap_kind::tightened,
     every_right,
     gap_extent::beneath,
     {},
     "this place has another name (/tmp is /private/tmp, and so are /var and /etc), and only what both allow is "
     "allowed",
     every_right},
    {"seatbelt.unwritable",
     gap_kind::tightened,
     every_right,
     gap_extent::beneath,
     {},
     "a path with a control character, or longer than 1023 bytes, cannot stand in a profile: what it grants is left "
     "out,"
     " and what it restricts is taken from the grant around it"},
    {"seatbelt.ancestors",
     gap_kind::tightened,
     right::remove,
     gap_extent::place,
     {},
     "a directory keeps its name where something beneath must keep its own: renamed, it would take that place out of "
     "its rule"},
    {"seatbelt.links",
     gap_kind::tightened,
     {},
     gap_extent::place,
     {},
     "no hard links can be made: a second name would carry what a file is to a place with other rights"},
    {"seatbelt.hosts",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::some_host,
     "a profile cannot tell hosts apart: without a gateway that does, no host is reached"},
    {"seatbelt.listen",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::listen,
     "a profile names ports one by one: of long ranges only the first 1024 ports can be waited on"},
};

namespace detail {
enum what : unsigned { root_listing, system, spelling, spelling_denied, unwritable, ancestors, links, hosts, listen };
} // namespace detail

} // namespace cordon::seatbelt
