// SPDX-License-Identifier: BSL-1.0
/// The gap types of unveil and pledge.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::unveil {

inline constexpr gap_type gap_types[]{
    {"unveil.read_with_list",
     gap_kind::tightened,
     right::read | right::list,
     gap_extent::entry,
     {},
     "reading files and listing directories are one permission: a path with only one of the rights gets neither"},
    {"unveil.write_with_attributes",
     gap_kind::tightened,
     right::write | right::attributes,
     gap_extent::entry,
     {},
     "writing and changing attributes are one permission: a path with only one of the rights gets neither"},
    {"unveil.create_with_remove",
     gap_kind::tightened,
     right::create | right::remove,
     gap_extent::entry,
     {},
     "creating and removing entries are one permission: a path with only one of the rights gets neither"},
    {"unveil.connect",
     gap_kind::tightened,
     right::connect,
     gap_extent::beneath,
     {},
     "unveil cannot tell unix sockets from writable files: none can be connected to"},
    {"unveil.accounts",
     gap_kind::unenforced,
     right::read,
     gap_extent::place,
     {},
     "names of users and groups can be read: the promise getpw, without which no shell starts, bypasses unveil for "
     "them"},
    {"unveil.links",
     gap_kind::unenforced,
     {},
     gap_extent::place,
     {},
     "a hard link to a read-only file can be created in a writable directory and written to there, as far as the "
     "file's owner and mode allow"},
    {"unveil.hosts",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::some_host,
     "pledge opens the network as a whole or not at all: listed hosts are not reached"},
    {"unveil.sockets",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::listen | process_feature::any_port | process_feature::loopback,
     "pledge opens the network as a whole or not at all: without any host there are no ports and no loopback"},
    {"unveil.network",
     gap_kind::unenforced,
     {},
     gap_extent::place,
     process_feature::listen | process_feature::any_port | process_feature::loopback,
     "pledge opens the network as a whole or not at all: any host includes any port and the loopback"},
};

namespace detail {
enum what : unsigned {
  read_with_list,
  write_with_attributes,
  create_with_remove,
  connect,
  accounts,
  links,
  hosts,
  sockets,
  network
};
} // namespace detail

} // namespace cordon::unveil
