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
    else fill_lines<P>(out);
  }

  /// Calls `f(part, rights, glob:PATTERN)` for every pattern of paths, in the order of the text.
  template <class F> constexpr void each_glob(F&& f) {
    each_line([&](const word& key, words& rest) -> diagnostic {
      word w = key;
      glob_ = {};
      rights_ = {};
      if (key.text == "unix") (void)place(key, rest);
      else if (key.text != "workspace" || rest.next(w)) (void)grant(w, rest);
      if (!glob_.empty())
        f(key.text == "unix"        ? axis_id::sockets
          : key.text == "workspace" ? axis_id::workspace
                                    : axis_id::files,
          rights_, glob_);
      return skip(rest);
    });
  }

  /// Returns: `duplicate_place` at the second occurrence of a path or name.
  template <axis_id P> constexpr diagnostic second(std::string_view twice) {
    constexpr bool of_paths = P == axis_id::files || P == axis_id::workspace || P == axis_id::sockets;
    int count = 0;
    diagnostic found{errc::duplicate_place};
    each_line([&](const word& key, words& rest) -> diagnostic {
      word last = key;
      const bool mine = P == axis_id::workspace ? key.text == "workspace"
                        : P == axis_id::files   ? key.text != "workspace"
                                                : key.text == key_of(P);
      for (word w; rest.next(w);) {
        last = w;
        const std::string_view named = !w.quoted && w.text == "any" ? everything<P>().place : content(w);
        if (mine && !of_paths && named == twice && ++count == 2) found = at(w, errc::duplicate_place);
      }
      if (mine && of_paths && normalize(last) && normal_.view() == twice && ++count == 2)
        found = at(last, errc::duplicate_place);
      return {};
    });
    return found;
  }

private:
  template <axis_id P, class Out> constexpr void fill_lines(Out& out) {
    each_line([&](const word& key, words& rest) -> diagnostic {
      word w = key;
      if constexpr (P == axis_id::files || P == axis_id::workspace) {
        const bool tools = key.text == "workspace";
        if (tools != (P == axis_id::workspace)) return skip(rest);
        if (tools && !rest.next(w)) return {};
        if (w.text == "none" || w.text == "files" || failed(grant(w, rest))) {
          whole<P>(w, rest, out);
          return skip(rest);
        }
        if (w.text == "any") whole<P>(w, rest, out);
        else if (glob_.empty()) out.add({normal_.view(), rights_.bits(), {}});
      } else {
        if (key.text != key_of(P)) return skip(rest);
        while (rest.next(w))
          if (P == axis_id::calls) out.add({w.text, 0, {}});
          else if (!w.quoted && w.text == "any") out.add(everything<P>());
          else if (w.quoted || w.text != "none") out.add({content(w), 1, {}});
      }
      return {};
    });
  }

  /// `files any`, `workspace any`: the whole tree.
  template <axis_id P, class Out> constexpr void whole(word w, words& rest, Out& out) {
    if (w.text == "files" && !rest.next(w)) return;
    if (w.text == "any") out.add(everything<P>());
  }

  [[nodiscard]] static constexpr std::string_view key_of(axis_id p) {
    switch (p) {
    case axis_id::capabilities: return "capabilities";
    case axis_id::sockets: return "unix";
    case axis_id::calls: return "deny";
    case axis_id::executables: return "executables";
    default: return {};
    }
  }

  /// The lines connect and refuse each add up to one set. `network any`, or refuse without connect, allows every host.
  template <axis_id P, class Tree, class Storage> constexpr void fill_hosts(step_function_builder<Tree, Storage>& out) {
    host_set<Storage> all;
    bool limited = false;
    each_line([&](const word& key, words& rest) -> diagnostic {
      const bool mine = key.text == (P == axis_id::hosts ? "connect" : "refuse");
      limited = limited || mine;
      for (word w; rest.next(w);)
        if (mine) all.add(pattern_of(content(w), facts_));
        else if (key.text == "network") limited = w.text == "none";
      return {};
    });
    if (P == axis_id::hosts && !limited) return out.add(everything<P>());
    if (all.close().code != errc::ok) return out.note_full();
    out.add_all(all.view().template as<Tree>());
  }

  template <class Out> constexpr void fill_sockets(Out& out) {
    host::port_set ports;
    each_line([&](const word& key, words& rest) -> diagnostic {
      if (key.text == "unix" && !failed(place(key, rest)) && glob_.empty()) out.add({normal_.view(), 1, {}});
      for (word w; rest.next(w);) {
        host::port_range r;
        if (key.text == "sockets" && w.text == "any") out.add(everything<axis_id::sockets>());
        if (key.text == "loopback" && w.text == "yes") out.add({sockets::loopback, 1, {}});
        if (key.text == "listen" && host::parse_ports(w.text, r)) ports.add(r);
      }
      return {};
    });
    sockets::add_listening(ports, out);
  }

  /// Calls `f(key, word)` for every word of the pass, set and remove lines, in the order of the text, until f returns
  /// false. True if f never returned false.
  template <class F> constexpr bool variables(F&& f) {
    return !failed(each_line([&](const word& key, words& rest) -> diagnostic {
      const bool mine = key.text == "pass" || key.text == "set" || key.text == "remove";
      for (word w; rest.next(w);)
        if (mine && !f(key.text, w)) return {errc::bad_value};
      return {};
    }));
  }
  [[nodiscard]] static constexpr std::string_view name_in(std::string_view key, std::string_view text) {
    return key == "set" ? text.substr(0, text.find('=')) : text;
  }

  /// Adds each name or prefix once, with the combined value of all lines. O(n^2) in the names.
  template <class Out> constexpr void fill_environment(Out& out) {
    bool any = false;
    each_line([&](const word& key, words& rest) -> diagnostic {
      for (word w; rest.next(w);)
        if (key.text == "environment") any = w.text == "any";
      return {};
    });
    if (any) return out.add(everything<axis_id::environment>());
    variables([&](std::string_view key, const word& w) {
      char own[path::longest]{};
      const std::string_view text = copy(content(w), own);
      const std::string_view name = name_in(key, text);
      bool first = true, removed = false, passes = false;
      std::uint32_t set = 0;
      char value[path::longest]{};
      variables([&](std::string_view k, const word& v) {
        if (v.text.data() == w.text.data()) return true;
        const std::string_view n = name_in(k, content(v));
        if (n == name && v.text.data() < w.text.data()) first = false;
        return true;
      });
      variables([&](std::string_view k, const word& v) {
        const std::string_view t = content(v);
        const std::string_view n = name_in(k, t);
        removed = removed || (k == "remove" && names::covers(n, name));
        passes = passes || (k == "pass" && names::covers(n, name));
        if (k == "set" && n == name) {
          const std::string_view c = copy(t.substr(n.size() + 1), value);
          set = variable::set(c.size());
        }
        return true;
      });
      if (!first) return true;
      if (removed) out.add({name, variable::absent, {}});
      else if (set != 0) out.add({name, set, {value, set - 2}});
      else if (passes) out.add({name, variable::passes, {}});
      return true;
    });
  }
  static constexpr std::string_view copy(std::string_view from, char* to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    return {to, from.size()};
  }
};

} // namespace cordon::notation::detail
