// SPDX-License-Identifier: BSL-1.0
/// What unveil and pledge cannot say.
#pragma once

#include "../../gap/gap_type.hpp"

namespace cordon::unveil {

inline constexpr gap_type gap_types[]{
    {"unveil.read_with_list",
     gap_kind::tightened,
     right::read | right::list,
     gap_extent::entry,
     {},
     "reading files and listing directories are one permission: a place that has only one of them gets neither"},
    {"unveil.write_with_attributes",
     gap_kind::tightened,
     right::write | right::attributes,
     gap_extent::entry,
     {},
     "writing and changing attributes are one permission: a place that has only one of them gets neither"},
    {"unveil.create_with_remove",
     gap_kind::tightened,
     right::create | right::remove,
     gap_extent::entry,
     {},
     "making and removing entries are one permission: a place that has only one of them gets neither"},
    {"unveil.connect",
     gap_kind::tightened,
     right::connect,
     gap_extent::beneath,
     {},
     "unix sockets cannot be told from files that may be written: none can be connected to"},
    {"unveil.accounts",
     gap_kind::unenforced,
     right::read,
     gap_extent::place,
     {},
     "the names of users and groups show: the promise getpw, without which no shell starts, reads them past unveil"},
    {"unveil.links",
     gap_kind::unenforced,
     {},
     gap_extent::place,
     {},
     "a hard link to a file that may only be read can be made where files may be written, and written to there, as far "
     "as"
     " the file's owner and mode allow"},
    {"unveil.hosts",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::some_host,
     "a promise opens the network as a whole or not at all: listed hosts are not reached"},
    {"unveil.sockets",
     gap_kind::tightened,
     {},
     gap_extent::place,
     process_feature::listen | process_feature::any_port | process_feature::loopback,
     "a promise opens the network as a whole or not at all: without any host there are no ports and no loopback"},
    {"unveil.network",
     gap_kind::unenforced,
     {},
     gap_extent::place,
     process_feature::listen | process_feature::any_port | process_feature::loopback,
     "a promise opens the network as a whole or not at all: with any host come any port and the loopback"},
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
