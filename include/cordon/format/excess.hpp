// SPDX-License-Identifier: BSL-1.0
/// What a policy allows beyond a ceiling, as text for people and programs.
#pragma once

#include "../policy/heap.hpp"
#include "../policy/limit_text.hpp"
#include "../policy/within.hpp"
#include "utf8.hpp"
#include "write.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::format {

/// One thing that the child has and the ceiling has not. `child` and `ceiling` are words of the policy language. For a
/// host, `child` has the ports that only the child allows.
struct excess_text {
  std::string_view axis; ///< of a constant
  std::string place;     ///< the path, host or name
  std::string child;     ///< what the child allows there
  std::string ceiling;   ///< what the ceiling allows there

  friend bool operator==(const excess_text&, const excess_text&) = default; ///< Compares every text.
};

namespace detail {

inline constexpr std::string_view any_port = "any port", no_port = "no port";

/// The verb of the set, or `allow` and its rights.
[[nodiscard]] inline std::string verb_text(rights r) {
  for (const verb_row& row : verb_table)
    if (row.allowed == r) return std::string(row.name);
  return r == verb::everything ? "do anything" : text_of(r);
}

/// The value in its largest whole unit: `512MiB`, `10m`, `64`.
[[nodiscard]] inline std::string limit_as_text(limit l, std::uint64_t value) {
  if (value == limits::unlimited) return "no limit";
  limit_text::unit best{"", 1};
  if (is_duration(l)) best = limit_text::longest_whole_unit(value);
  else if (row_of(l).quantity == limit_text::quantity::size)
    for (const limit_text::unit& u : limit_text::size_units)
      if (u.spelling.find('i') != u.spelling.npos && value % u.factor == 0) best = u;
  return std::to_string(value / best.factor) + std::string(best.spelling);
}

/// `80,8000-8999`, `any port` or `no port`.
[[nodiscard]] inline std::string ports_text(host::ports all) {
  if (all.is_all()) return std::string(any_port);
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    host::pattern_text one;
    host::print_range(all[i], one);
    out += (out.empty() ? "" : ",") + std::string(one.view());
  }
  return out.empty() ? std::string(no_port) : out;
}

/// A number of an axis as a word of the policy language.
[[nodiscard]] inline std::string value_text(const violation& e, std::uint64_t value) {
  const auto index = static_cast<std::size_t>(value);
  switch (e.axis) {
  case axis::profile: return std::string(profile_names[index]);
  case axis::level: return std::string(level_names[index]);
  case axis::fallback: return std::string(fallback_names[index]);
  case axis::syscalls:
    return e.place.empty() ? std::string(syscalls_names[index]) : value != 0 ? "not denied" : "denied";
  case axis::workspace:
  case axis::files: return verb_text(rights::from_bits(static_cast<std::uint32_t>(value)));
  case axis::limits: {
    limit l{};
    (void)from_name(limit_names, e.place, l);
    return limit_as_text(l, value);
  }
  case axis::abilities: {
    std::string out;
    const abilities all = abilities::from_bits(static_cast<std::uint32_t>(value));
    for (std::size_t i = 0; i < ability_names.size(); ++i)
      if (all.has(static_cast<ability>(i))) out += (out.empty() ? "" : ",") + std::string(ability_names[i]);
    return all.is_any() ? "any" : out.empty() ? "none" : out;
  }
  case axis::environment: return value == variable::absent ? "remove" : value == variable::passes ? "pass" : "set";
  case axis::capabilities:
  case axis::hosts:
  case axis::sockets:
  case axis::guard: break;
  }
  return value != 0 ? "yes" : "no";
}

/// Writes the excess of the hosts axis as patterns.
class host_excess {
public:
  host_excess(const host_axis& child, const host_axis& ceiling) : child_(child), ceiling_(ceiling) {}

  /// The excess at a place of the tree. False if an excess that was written before has it too.
  bool write(std::string_view place, excess_text& to) {
    const std::string more = beyond(place);
    to = {name(axis::hosts), std::string(host::text_of_place(place).view()), more, allowed(ceiling_, place)};
    if (host::is_block(place)) {
      const auto& all = child_.allowed;
      const std::string_view given = all.at(all.find(place)).place;
      if (host::is_block(given) && host::block_of(given).first == host::block_of(place).first)
        to.place = host::text_of_place(given).view();
      return true;
    }
    if (!host::is_name_place(place)) return true;
    if (host::is_exact(place)) return !written_.contains(std::string(host::name_of(place)));
    const host::place_text itself = host::exact_place(place);
    if (place == host::every_name) return true;
    if (beyond(itself.view()) == more) written_.emplace(place);
    else to.place = "*." + to.place;
    return true;
  }

private:
  [[nodiscard]] static host::ports at(step_function<host_tree> f, std::string_view place) {
    return host::port_grant_of(f.at(f.find(place))).allowed;
  }
  [[nodiscard]] static std::string allowed(const host_axis& h, std::string_view place) {
    host::port_set left;
    left.pick({at(h.allowed, place), at(h.denied.as<host_tree>(), place)}, [](std::uint32_t in) { return in == 1; });
    return ports_text(left.view());
  }
  /// The ports that the child allows and the ceiling does not.
  [[nodiscard]] std::string beyond(std::string_view place) const {
    host::port_set more;
    more.pick({at(child_.allowed, place), at(child_.denied.as<host_tree>(), place), at(ceiling_.allowed, place),
               at(ceiling_.denied.as<host_tree>(), place)},
              [](std::uint32_t in) { return (in & 3) == 1 && (in >> 2) != 1; });
    return ports_text(more.view());
  }

  host_axis child_, ceiling_;
  std::set<std::string> written_; ///< names that are written with all below them
};

/// The words of one entry of an axis that has entries, if they are no number.
inline void write_payloads(const violation& e, const loaded_policy& child, const loaded_policy& ceiling,
                           excess_text& to) {
  const auto text = [&](const loaded_policy& p, std::string& value) {
    if (e.axis == axis::sockets && e.place == sockets::listening)
      value = ports_text(host::port_grant_of(p.sockets().at(p.sockets().find(e.place))).allowed);
    if (e.axis != axis::environment) return;
    const entry found = p.environment().at(p.environment().find(e.place));
    if (variable::is_set(found.value)) value = "set " + std::string(e.place) + "=" + std::string(found.payload);
  };
  text(child, to.child);
  text(ceiling, to.ceiling);
}

/// The host with its ports, as patterns.
[[nodiscard]] inline std::string host_text(const std::string& place, const std::string& ports) {
  if (ports == any_port) return place;
  std::string out;
  for (std::size_t from = 0; from <= ports.size();) {
    const std::size_t end = std::min(ports.find(',', from), ports.size());
    out += (out.empty() ? "" : " ") + place + ":" + ports.substr(from, end - from);
    from = end + 1;
  }
  return out;
}

/// What the child has, and what the ceiling says of it.
struct excess_sentence {
  std::string child, ceiling;
};

[[nodiscard]] inline excess_sentence sentence_of_socket(const excess_text& e) {
  if (e.place == sockets::listening)
    return {"may listen on " + e.child,
            e.ceiling == no_port ? std::string("does not allow it") : "allows " + e.ceiling};
  const std::string what = e.place == "*"                 ? "any socket"
                           : e.place == sockets::own      ? "sockets among the processes of the run"
                           : e.place == sockets::loopback ? "the loopback network"
                                                          : "the socket " + e.place;
  return {"may use " + what, "does not allow it"};
}

/// `who` is who has the rights of a path.
[[nodiscard]] inline excess_sentence sentence_of(const excess_text& e, std::string_view who) {
  if (e.axis == name(axis::files) || e.axis == name(axis::workspace))
    return {std::string(who) + "may " + e.child + " " + e.place,
            e.ceiling == "hide" ? std::string("allows nothing there") : "allows " + e.ceiling};
  if (e.axis == name(axis::hosts))
    return {"may connect to " + host_text(e.place, e.child),
            e.ceiling == no_port ? std::string("does not allow it")
                                 : "allows " + host_text(e.place, e.ceiling) + " alone"};
  if (e.axis == name(axis::sockets)) return sentence_of_socket(e);
  if (e.axis == name(axis::environment))
    return {(e.child.starts_with("set ") ? e.child : e.child + " " + e.place),
            e.ceiling == "remove" ? "does not allow it" : "allows " + e.ceiling};
  if (e.axis == name(axis::limits)) return {"limit " + e.place + ": " + e.child, "allows " + e.ceiling};
  if (e.axis == name(axis::abilities)) return {"abilities " + e.child, "allows " + e.ceiling};
  if (e.axis == name(axis::syscalls) && !e.place.empty()) return {"may call " + e.place, "denies it"};
  if (e.axis == name(axis::capabilities))
    return {e.place == "*" ? "has every capability" : "has the capability " + e.place, "does not allow it"};
  if (e.axis == name(axis::guard) && e.place.empty()) return {"may start interpreters", "does not allow it"};
  if (e.axis == name(axis::guard))
    return {e.place == "*" ? "may start any program" : "may start " + e.place, "does not allow it"};
  return {std::string(e.axis) + " " + e.child, "requires " + e.ceiling};
}

} // namespace detail

/// Returns: every excess, axis by axis; empty if the child is within the ceiling. O(n + m), O(n log n) in the hosts.
[[nodiscard]] inline std::vector<excess_text> excess_of(const loaded_policy& child, const loaded_policy& ceiling) {
  std::vector<excess_text> all;
  detail::host_excess hosts(child.hosts(), ceiling.hosts());
  excess(child, ceiling, [&](const violation& e) {
    excess_text text{name(e.axis), std::string(e.place), detail::value_text(e, e.granted),
                     detail::value_text(e, e.ceiling)};
    if (e.axis == axis::hosts && !hosts.write(e.place, text)) return;
    detail::write_payloads(e, child, ceiling, text);
    all.push_back(std::move(text));
  });
  return all;
}

/// One line for each excess, as `cordon within` prints them: `may connect to api.example.com:80; the ceiling allows
/// api.example.com:443 alone`. What processes and the host's own tools both may at a path is one line. O(n^2) in the
/// paths.
[[nodiscard]] inline std::string text_of(const std::vector<excess_text>& all) {
  const auto has_twin = [&](const excess_text& e, axis other) {
    excess_text twin = e;
    twin.axis = name(other);
    return std::find(all.begin(), all.end(), twin) != all.end();
  };
  std::string out;
  for (const excess_text& e : all) {
    if (e.axis == name(axis::workspace) && has_twin(e, axis::files)) continue;
    const bool both = e.axis == name(axis::files) && has_twin(e, axis::workspace);
    const auto [has, ceiling] = detail::sentence_of(e, both                              ? ""
                                                       : e.axis == name(axis::workspace) ? "the host's tools "
                                                                                         : "processes ");
    out += printable(has) + "; the ceiling " + printable(ceiling) + "\n";
  }
  return out;
}

} // namespace cordon::format
