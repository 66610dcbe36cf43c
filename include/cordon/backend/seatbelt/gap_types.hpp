// SPDX-License-Identifier: BSL-1.0
/// The gap types of a sandbox profile.
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
     "the names in the root directory can be listed: macOS starts no program that cannot read them"},
    {"seatbelt.system",
     gap_kind::unenforced,
     right::read | right::list,
     gap_extent::beneath,
     {},
     "every program can read this path: it holds programs of the system, or the loader's cache of libraries"},
    {"seatbelt.spelling",
     gap_kind::unenforced,
     every_right,
     gap_extent::beneath,
     {},
     "this path has another name (/tmp is /private/tmp, and so are /var and /etc), and rights granted there hold here; "
     "grant both names the same rights to close this",
     every_right},
    {"seatbelt.spelling_denied",
     gap_kind::tightened,
     every_right,
     gap_extent::beneath,
     {},
     "this path has another name (/tmp is /private/tmp, and so are /var and /etc): only rights that both names have "
     "are allowed",
     every_right},
    {"seatbelt.unwritable",
     gap_kind::tightened,
     every_right,
     gap_extent::beneath,
     {},
     "a profile cannot contain a path with a control character, or longer than 1023 bytes: its grants are left out, "
     "and its restrictions apply to the whole grant around it"},
    {"seatbelt.ancestors",
     gap_kind::tightened,
     right::remove,
     gap_extent::place,
     {},
     "a directory cannot be renamed if a path below must keep its name: the path would leave its rule"},
    {"seatbelt.links",
     gap_kind::tightened,
     {},
     gap_extent::place,
     {},
     "hard links cannot be created: a second name of the file could have other rights"},
    {"seatbelt.hosts",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::some_host,
     "a profile cannot restrict hosts by name: without a gateway no listed host is reached"},
    {"seatbelt.listen",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::listen,
     "a profile lists ports one by one: of long ranges only the first 1024 ports can be listened on"},
};

namespace detail {
enum what : unsigned { root_listing, system, spelling, spelling_denied, unwritable, ancestors, links, hosts, listen };
} // namespace detail

} // namespace cordon::seatbelt
