// SPDX-License-Identifier: BSL-1.0
/// The text of a profile.
#pragma once

#include "default_rules.hpp"
#include "rules.hpp"

namespace cordon::seatbelt {

namespace detail {

/// Writes a string literal: quote and backslash are escaped, no other byte has a meaning in it.
template <class Out> constexpr void write_quoted(std::string_view text, Out& out) {
  out("\"");
  for (std::size_t from = 0; from < text.size();) {
    std::size_t end = text.find_first_of("\"\\", from);
    if (end == text.npos) end = text.size();
    out(text.substr(from, end - from));
    if (end < text.size()) {
      out("\\");
      out(text.substr(end, 1));
    }
    from = end + 1;
  }
  out("\"");
}

template <class Out> constexpr void write_number(std::uint32_t n, Out& out) {
  char digits[10]{};
  std::size_t at = 10;
  do digits[--at] = static_cast<char>('0' + n % 10);
  while ((n /= 10) != 0);
  out(std::string_view(digits + at, 10 - at));
}

} // namespace detail

/// `(ACTION OPERATIONS (BEFORE"PLACE"AFTER)`
template <class Out>
constexpr void write_rule(std::string_view action, std::string_view operations, std::string_view before,
                          std::string_view place, std::string_view after, Out& out) {
  for (const std::string_view piece : {std::string_view("("), action, std::string_view(" "), operations, before})
    out(piece);
  detail::write_quoted(place, out);
  out(after);
  out(")\n");
}

namespace detail {

template <class Out>
constexpr void write_names(std::string_view head, std::string_view filter, const std::string_view* names,
                           std::size_t count, Out& out) {
  out(head);
  for (std::size_t i = 0; i < count; ++i) {
    out(" (");
    out(filter);
    out(" ");
    write_quoted(names[i], out);
    out(")");
  }
  out(")\n");
}

/// Writes all rules of one action at one path and beneath it.
template <class Out>
constexpr void write_place(std::string_view action, std::uint32_t what, std::string_view place, Out& out) {
  bool any = false;
  for (const operation_names& o : path_operations) {
    if ((what & o.bits) != o.bits) continue;
    for (const std::string_view piece : {any ? std::string_view() : std::string_view("("),
                                         any ? std::string_view() : action, std::string_view(" "), o.names})
      out(piece);
    any = true;
  }
  if (any) {
    out(" (subpath ");
    write_quoted(place, out);
    out("))\n");
  }
  if ((what & (READ | LIST)) == READ)
    write_rule(action, "file-read-data", " (require-all (subpath ", place, ") (require-not (vnode-type DIRECTORY)))",
               out);
  if ((what & (READ | LIST)) == LIST)
    write_rule(action, "file-read-data", " (require-all (subpath ", place, ") (vnode-type DIRECTORY))", out);
  if ((what & CONNECT) != 0) write_rule(action, "network-outbound", " (remote unix-socket (subpath ", place, "))", out);
}

/// Allows the metadata of the directories above the path, from the root down, except those above `before` and those
/// that another rule allows: realpath and getcwd read each of them. Skips a directory that a rule denies: two rules at
/// one path would depend on precedence.
template <class S, class Out>
constexpr void write_way(const rules<S>& r, std::string_view place, std::string_view before, Out& out) {
  const auto places = r.view(r.places);
  for (std::size_t end = place.find('/', 1); end != place.npos; end = place.find('/', end + 1)) {
    const std::string_view dir = place.substr(0, end);
    if (!before.empty() && path::covers(dir, before)) continue;
    const std::uint32_t i = places.find(dir);
    const bool denied_here =
        i != no_slot && places.place(i) == dir && (places[i].value & METADATA << denied_shift) != 0;
    if (denied_here || last_match(r, METADATA, dir)) continue;
    write_rule("allow", "file-read-metadata file-test-existence", " (literal ", dir, ")", out);
  }
}

/// Returns what every process may do with the device at the path; a denial of exactly this path omits it.
[[nodiscard]] constexpr std::uint32_t of_device(std::string_view place) {
  for (const default_device& d : machine_devices)
    if (d.place == place) return d.allowed.bits() | METADATA;
  return is_own_stream(place) ? READ | LIST | WRITE | METADATA : 0U;
}

template <class S, class Out> constexpr void write_files(const rules<S>& r, Out& out) {
  const auto places = r.view(r.places), fences = r.view(r.fences);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const std::string_view place = places.place(i);
    write_place("allow", places[i].value & all_operations, place, out);
    write_place("deny", places[i].value >> denied_shift & all_operations & ~of_device(place), place, out);
  }
  std::string_view before;
  for (std::uint32_t i = 0; i < places.size(); ++i)
    if ((places[i].value & METADATA) != 0) {
      write_way(r, places.place(i), before, out);
      before = places.place(i);
    }
  write_rule("allow", "file-read-data file-read-metadata file-test-existence", " (literal ", "/", ")", out);
  for (const default_device& d : machine_devices)
    write_rule("allow",
               d.allowed.has(right::write) ? "file-read-data file-read-metadata file-test-existence file-write-data"
                                           : "file-read-data file-read-metadata file-test-existence",
               " (literal ", d.place, ")", out);
  constexpr std::string_view used = "file-read-data file-read-metadata file-test-existence file-write-data";
  for (const std::string_view place : standard_streams) write_rule("allow", used, " (literal ", place, ")", out);
  write_rule("allow", used, " (literal ", probe_device, ")", out);
  write_rule("allow", used, " (subpath ", own_descriptors, ")", out);
  for (const std::string_view place : system_places) write_place("allow", system_operations, place, out);
  for (std::uint32_t i = 0; i < fences.size(); ++i)
    write_rule("deny", "file-write-unlink", " (literal ", fences.place(i), ")", out);
}

template <class Out> constexpr void write_port(std::string_view before, std::uint32_t port, Out& out) {
  out(before);
  write_number(port, out);
  out("\"))\n");
}

template <class S, class Out> constexpr void write_network(const rules<S>& r, Out& out) {
  if (r.any_host) {
    out("(allow network-outbound (remote ip \"*:*\"))\n");
    write_rule("allow", "network-outbound", " (remote unix-socket (literal ", name_socket, "))", out);
    write_names("(allow mach-lookup", "global-name", name_services, std::size(name_services), out);
    if (!r.loopback) out("(deny network-outbound (remote ip \"localhost:*\"))\n");
  }
  if (r.any_host || r.gateway != 0)
    write_names("(allow mach-lookup", "global-name", trust_services, std::size(trust_services), out);
  if (r.loopback) out("(allow network-outbound (remote ip \"localhost:*\"))\n");
  if (r.gateway != 0) write_port("(allow network-outbound (remote ip \"localhost:", r.gateway, out);
  if (r.any_port) out("(allow network-bind network-inbound (local ip \"*:*\"))\n");
  for (std::uint32_t i = 0; i < r.ports.size(); ++i)
    for (std::uint32_t port = r.ports.all_slots()[i].value >> 16; port <= (r.ports.all_slots()[i].value & 0xFFFF);
         ++port)
      write_port("(allow network-bind network-inbound (local ip \"*:", port, out);
}

} // namespace detail

/// Writes the profile, piece by piece: `out(std::string_view)`. The caller should pass it to the launcher through a
/// file or a descriptor: arguments are visible in the process list. O(n + components of the paths).
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  out(preamble);
  if (r.fork) out("(allow process-fork)\n");
  detail::write_names("(allow sysctl-read", "sysctl-name-prefix", sysctl_prefixes, std::size(sysctl_prefixes), out);
  detail::write_names("(allow mach-lookup", "global-name", services, std::size(services), out);
  detail::write_files(r, out);
  detail::write_network(r, out);
}

} // namespace cordon::seatbelt
