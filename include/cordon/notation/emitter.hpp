// SPDX-License-Identifier: BSL-1.0
/// The second pass over a validated text: writes its step functions one by one.
#pragma once

#include "../host/set.hpp"
#include "../policy/policy.hpp"
#include "lines.hpp"

namespace cordon::notation::detail {

class emitter : lines {
public:
  constexpr emitter(std::string_view text, parse_context f) : lines(text, f) {}

  /// Adds the entries of one part from the validated lines.
  template <axis_id P, class Out> constexpr void fill(Out& out) {
    if constexpr (P == axis_id::calls) out.add({"*", 1, {}});
    if constexpr (P == axis_id::environment) return fill_environment(out);
    else if constexpr (is_of_hosts(P)) return fill_hosts<P>(out);
    else if constexpr (P == axis_id::sockets) return fill_sockets(out);
    else if constexpr (P == axis_id::workspace) shares_paths() ? fill_lines<axis_id::files>(out) : fill_lines<P>(out);
    else fill_lines<P>(out);
  }

  /// Does a grant apply to both path axes: is the first line `only`, and no line of the workspace axis? O(n).
  [[nodiscard]] constexpr bool shares_paths() const {
    bool first = true, only = false, workspace = false;
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      only = only || (first && key.text == "only");
      first = false;
      workspace = workspace || same(key.text, "workspace"sv);
      return skip(rest);
    });
    return only && !workspace;
  }

  /// Calls `f(part, rights, glob:PATTERN)` for every pattern of paths, in the order of the text.
  template <class F> constexpr void each_glob(F&& f) {
    const bool both = shares_paths();
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      word w = key;
      glob_ = {};
      rights_ = {};
      if (same(key.text, "unix"sv)) (void)place(key, rest);
      else if (!same(key.text, "workspace"sv) || rest.next(w)) (void)grant(w, rest);
      if (glob_.empty()) return skip(rest);
      if (same(key.text, "unix"sv)) f(axis_id::sockets, rights_, glob_);
      else if (both || same(key.text, "workspace"sv)) f(axis_id::workspace, rights_, glob_);
      if (!same(key.text, "unix"sv) && !same(key.text, "workspace"sv)) f(axis_id::files, rights_, glob_);
      return skip(rest);
    });
  }

  /// Calls `f(name, is it dropped)` for every name of a preset, in the order of the text.
  template <class F> constexpr void each_preset(F&& f) const {
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      const bool drops = same(key.text, "drop"sv);
      word w;
      if (!drops && !same(key.text, "preset"sv)) return skip(rest);
      if (drops) (void)rest.next(w);
      while (rest.next(w)) f(w, drops);
      return {};
    });
  }

  /// Calls `f(port)` for every port of a `publish` line, in the order of the text.
  template <class F> constexpr void each_published(F&& f) const {
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      if (!same(key.text, "publish"sv)) return skip(rest);
      for (word w; rest.next(w);) f(host::parse_published_port(w.text).value);
      return {};
    });
  }

  /// Returns: `duplicate_place` at the second occurrence of a path or name.
  template <axis_id P> constexpr diagnostic second(std::string_view twice) {
    constexpr bool of_paths = P == axis_id::files || P == axis_id::workspace || P == axis_id::sockets;
    int count = 0;
    diagnostic found{diagnostic_code::duplicate_place};
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      word last = key;
      const bool mine = P == axis_id::workspace ? same(key.text, "workspace"sv)
                        : P == axis_id::files   ? !same(key.text, "workspace"sv)
                                                : same(key.text, key_of(P));
      for (word w; rest.next(w);) {
        last = w;
        const std::string_view named = !w.quoted && same(w.text, "any"sv) ? everything<P>().place : content(w);
        if (mine && !of_paths && named == twice && ++count == 2) found = at(w, diagnostic_code::duplicate_place);
      }
      if (mine && of_paths && normalize(last) && normal_.view() == twice && ++count == 2)
        found = at(last, diagnostic_code::duplicate_place);
      return {};
    });
    return found;
  }

private:
  template <axis_id P, class Out> constexpr void fill_lines(Out& out) {
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      word w = key;
      if constexpr (P == axis_id::files || P == axis_id::workspace) {
        const bool tools = same(key.text, "workspace"sv);
        if (tools != (P == axis_id::workspace)) return skip(rest);
        if (tools && !rest.next(w)) return {};
        if (same(w.text, "none"sv) || same(w.text, "files"sv) || failed(grant(w, rest))) {
          whole<P>(w, rest, out);
          return skip(rest);
        }
        if (same(w.text, "any"sv)) whole<P>(w, rest, out);
        else if (glob_.empty()) out.add({normal_.view(), rights_.bits(), {}});
      } else {
        if (!same(key.text, key_of(P))) return skip(rest);
        while (rest.next(w))
          if (P == axis_id::calls) out.add({w.text, 0, {}});
          else if (!w.quoted && same(w.text, "any"sv)) out.add(everything<P>());
          else if (w.quoted || !same(w.text, "none"sv)) out.add({content(w), 1, {}});
      }
      return {};
    });
  }

  /// `files any`, `workspace any`: the whole tree.
  template <axis_id P, class Out> constexpr void whole(word w, words& rest, Out& out) {
    if (same(w.text, "files"sv) && !rest.next(w)) return;
    if (same(w.text, "any"sv)) out.add(everything<P>());
  }

  [[nodiscard]] static constexpr std::string_view key_of(axis_id p) {
    switch (p) {
    case axis_id::capabilities: return "capabilities"sv;
    case axis_id::sockets: return "unix"sv;
    case axis_id::calls: return "deny"sv;
    case axis_id::executables: return "executables"sv;
    default: return {};
    }
  }

  /// The lines connect and refuse each add up to one set. `network any`, or refuse without connect, allows every host.
  template <axis_id P, class Tree, class Storage> constexpr void fill_hosts(step_function_builder<Tree, Storage>& out) {
    host_set<Storage> all;
    bool limited = false;
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      const bool mine = same(key.text, P == axis_id::hosts ? "connect"sv : "refuse"sv);
      limited = limited || mine;
      for (word w; rest.next(w);)
        if (mine) all.add(pattern_of(content(w), facts_));
        else if (same(key.text, "network"sv)) limited = same(w.text, "none"sv);
      return {};
    });
    if (P == axis_id::hosts && !limited) return out.add(everything<P>());
    if (all.close().code != diagnostic_code::ok) return out.note_full();
    out.add_all(all.view().template as<Tree>());
  }

  template <class Out> constexpr void fill_sockets(Out& out) {
    host::port_set ports;
    bool own = false;
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      if (same(key.text, "unix"sv) && !failed(place(key, rest)) && glob_.empty()) out.add({normal_.view(), 1, {}});
      for (word w; rest.next(w);) {
        host::port_range r;
        if (same(key.text, "sockets"sv) && same(w.text, "any"sv)) out.add(everything<axis_id::sockets>());
        own = own || (same(key.text, "sockets"sv) && same(w.text, "own"sv));
        if (same(key.text, "loopback"sv) && same(w.text, "yes"sv)) out.add({sockets::loopback, 1, {}});
        if (same(key.text, "listen"sv) && host::parse_ports(w.text, r)) ports.add(r);
      }
      return {};
    });
    each_published([&](const host::published_port& p) {
      ports.add({p.port, p.port});
      own = true;
    });
    if (own) out.add({sockets::own, 1, {}});
    sockets::add_listening(ports, out);
  }

  /// Adds each name or prefix once, with the combined value of all lines: of two set lines the last one, and remove
  /// takes precedence over set, set over pass. O(n log n) in the names.
  template <class Storage> constexpr void fill_environment(step_function_builder<environment_tree, Storage>& out) {
    bool any = false;
    Storage given{};
    (void)each_line([&](const word& key, words& rest) -> diagnostic {
      const bool passes = same(key.text, "pass"sv), sets = same(key.text, "set"sv),
                 all = same(key.text, "environment"sv);
      if (!passes && !sets && !all && !same(key.text, "remove"sv)) return skip(rest);
      for (word w; rest.next(w);) {
        if (all) {
          any = same(w.text, "any"sv);
          continue;
        }
        const std::string_view text = content(w);
        const std::string_view name = sets ? text.substr(0, text.find('=')) : text;
        const std::string_view set_to = sets ? text.substr(name.size() + 1) : std::string_view();
        if (!given.push(name, set_to,
                        passes ? variable::passes
                        : sets ? variable::set(set_to.size())
                               : variable::absent))
          out.note_full();
      }
      return {};
    });
    if (any) return out.add(everything<axis_id::environment>());
    add_variables(given, out);
  }

  /// Sorts the words of all lines, so that those of one name are adjacent and follow the prefixes that cover it.
  template <class Storage>
  static constexpr void add_variables(Storage& given, step_function_builder<environment_tree, Storage>& out) {
    slot* const s = given.all_slots();
    const std::uint32_t n = given.size();
    const auto name = [&](const slot& x) { return std::string_view(given.text() + x.first, x.length); };
    cordon::detail::sort(s, n, [&](const slot& a, const slot& b) {
      const auto o = environment_tree::order(name(a), name(b));
      return o < 0 || (o == 0 && a.first < b.first);
    });
    constexpr std::uint8_t passed = 1, removed = 2;
    side_table<Storage, std::uint8_t> lines(n); // which lines name an entry or a prefix of it
    for (std::uint32_t i = 0, over = no_slot; i < n;) {
      const std::uint32_t first = i;
      const std::string_view mine = name(s[first]);
      while (over != no_slot && !environment_tree::covers(name(s[over]), mine)) over = s[over].parent;
      std::uint8_t named = over == no_slot ? std::uint8_t{0} : lines[over];
      entry e{mine, variable::absent, {}};
      for (; i < n && same(name(s[i]), mine); ++i)
        if (s[i].value == variable::absent) named |= removed;
        else if (s[i].value == variable::passes) named |= passed;
        else e = {mine, s[i].value, {given.text() + s[i].first + s[i].length, s[i].value - variable::set(0)}};
      s[first].parent = over;
      lines[first] = named;
      over = first;
      if ((named & removed) != 0) e = {mine, variable::absent, {}};
      else if (e.value == variable::absent && (named & passed) != 0) e.value = variable::passes;
      out.add(e);
    }
  }
};

} // namespace cordon::notation::detail
