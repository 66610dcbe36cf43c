// SPDX-License-Identifier: BSL-1.0
/// Checks that a backend's rules match the policy, except for the plan's gaps. It checks every right on every path that
/// can make a difference, so the result is a proof and not a sample.
#pragma once

#include "../gap/file_type.hpp"
#include "../gap/plan.hpp"
#include "../query/query.hpp"
#include "gap_index.hpp"
#include "places.hpp"
#include "tally.hpp"

#include <span>
#include <string>

namespace cordon::verifying {

/// Checks one plan. Each method checks one class of objects, and does nothing if the rules do not support that class.
/// Calls `f(difference)` if rules and policy differ and no gap explains it.
template <class Backend, class S, class Rules, class F> class questions {
public:
  /// The questions about one policy and its plan; `f` gets each difference.
  questions(const basic_policy<S>& p, const plan<Rules>& made, F& f)
      : p_(p), made_(made), f_(f), gaps_(made.gaps), places_(places_of(p, made.rules)) {}

  [[nodiscard]] const tally& all() const { return all_; } ///< The numbers of all questions so far.

  /// Checks every right on every path.
  void about_files() {
    for (const std::string& place : places_)
      for_each(verb::everything, [&](right what) {
        const bool permitted = permits(made_.rules, what, place);
        ask(
            permitted, value(place).has(what), [&] { return excuses(what, place, permitted); },
            [&] { return std::string(name(what)) + " " + place; });
      });
  }

  /// The same for the policy's own paths, if the rules distinguish what exists there: a file, a socket, or a directory.
  void about_inodes() {
    if constexpr (requires { permits(made_.rules, right::read, "/", file_type::file); })
      for (std::uint32_t i = 0; i < p_.files().size(); ++i) {
        const std::string place(p_.files().place(i));
        const rights changes = right::write | right::attributes, granted = value(place);
        const auto check = [&](right what, file_type there, std::string_view text) {
          const bool permitted = permits(made_.rules, what, place, there);
          // If the mechanism has one permission for both, a gap reports each path that has only one of them.
          if (!permitted && changes.has(what) && !(changes <= granted)) return;
          ask(
              permitted, granted.has(what), [&] { return excuses(what, place, permitted, there); },
              [&] { return std::string(name(what)) + std::string(text) + place; });
        };
        for_each(changes | right::read | right::run, [&](right what) { check(what, file_type::file, " the file "); });
        check(right::connect, file_type::socket, " the socket ");
        check(right::list, file_type::directory, " the directory ");
      }
  }

  /// May a process create a directory in an existing directory? That can require fewer rights than to create a file.
  void about_new_directories() {
    if constexpr (requires { permits(made_.rules, right::create, "/", file_type::directory); })
      for (const std::string& place : places_) {
        const std::string child = (place == "/" ? "" : place) + "/<child>";
        const bool permitted = permits(made_.rules, right::create, child, file_type::directory);
        ask(
            permitted, value(child).has(right::create),
            [&] { return excuses(right::create, child, permitted, file_type::directory); },
            [&] { return "create the directory " + child; });
      }
  }

  /// No process may rename a directory that contains a path whose rule identifies it by name.
  void about_ways() {
    if constexpr (requires { each_guarded_ancestor(made_.rules, [](std::string_view, bool) {}); })
      each_guarded_ancestor(made_.rules, [&](std::string_view directory, bool moves) {
        ask(
            moves, false, [] { return false; }, [&] { return "rename " + std::string(directory); });
      });
  }

  /// A file with two names has the same rights by both.
  void about_names() {
    if constexpr (requires { other_name(made_.rules, "/"); })
      for (const std::string& place : places_)
        if (const auto other = other_name(made_.rules, place); !other.view().empty())
          for_each(verb::everything, [&](right what) {
            const bool permitted = permits(made_.rules, what, other.view());
            ask(
                permitted, permits(made_.rules, what, place),
                [&] { return excuses(what, other.view(), permitted, file_type::file); },
                [&] { return std::string(name(what)) + " " + std::string(other.view()) + ", which is " + place; });
          });
  }

  /// Asks about each process feature.
  void about_process_features() {
    if constexpr (requires { permits(made_.rules, process_feature::spawn); })
      for (std::size_t i = 0; i < process_feature_names.size(); ++i) {
        const auto which = static_cast<process_feature>(i);
        const bool permitted = permits(made_.rules, which);
        ask(
            permitted, allows(p_, which), [&] { return excused(which, permitted); },
            [&] { return std::string(name(which)); });
      }
  }

  /// Checks both ends of each range of the policy's ports, and the ports next to them.
  void about_ports() {
    if constexpr (requires { listens(made_.rules, 1); }) {
      const auto sockets = p_.sockets();
      const host::ports wanted = host::port_grant_of(sockets.at(sockets.find(sockets::listening))).allowed;
      const bool network = p_.level == level::network, any = p_.template is_any<axis_id::sockets>();
      // `before`: the number of allowed ports below this one. The rules can name at most `Backend::most_ports`.
      const auto check = [&](std::uint32_t port, std::uint32_t before) {
        if (port == 0 || port > host::last_port) return;
        const bool permitted = listens(made_.rules, static_cast<std::uint16_t>(port));
        ask(
            permitted, network && (any || wanted.contains(port)),
            [&] { return before >= Backend::most_ports && excused(process_feature::listen, permitted); },
            [&] { return "listen " + std::to_string(port); });
      };
      std::uint32_t before = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto [first, last] = wanted[i];
        check(first, before), check(last, before + last - first);
        before += last - first + 1U;
        check(first - 1U, before), check(last + 1U, before);
      }
      if (wanted.empty()) check(1, 0), check(host::last_port, 0);
    }
  }

  /// Checks the abilities that the rules can distinguish.
  void about_abilities() {
    if constexpr (requires { Backend::abilities; })
      for (const ability which : Backend::abilities)
        ask(
            permits(made_.rules, which), p_.abilities.has(which), [] { return false; },
            [&] { return "ability " + std::string(name(which)); });
  }

private:
  template <class Excuse, class Text> void ask(bool permitted, bool allowed, Excuse&& excuse, Text&& text) {
    const bool fine = permitted == allowed || excuse();
    all_.count(permitted == allowed, fine);
    if (!fine) f_(difference{text(), permitted});
  }

  [[nodiscard]] rights value(std::string_view place) const { return rights::from_bits(p_.files().lookup(place)); }

  /// Does one of the gaps explain the difference? For an existing file, ignores gap types whose `excluded_rights`
  /// contain the right. O(depth * gap types * log n).
  [[nodiscard]] bool excuses(right what, std::string_view place, bool permitted,
                             file_type there = file_type::unknown) const {
    if constexpr (requires { Backend::explains(gaps_, made_.rules, p_, what, place, permitted, there); })
      return Backend::explains(gaps_, made_.rules, p_, what, place, permitted, there);
    else
      return gaps_.any_above(place, [&](const gap& g) {
        for (const gap_type& t : Backend::gap_types())
          if (g.is(t) && explains(t, g.place, p_.files(), what, place, permitted) &&
              (there == file_type::unknown || !t.excluded_rights.has(what)))
            return true;
        return false;
      });
  }
  [[nodiscard]] bool excused(process_feature which, bool permitted) const {
    for (const gap_type& t : Backend::gap_types())
      if (t.features.has(which) && permitted == (t.kind == gap_kind::unenforced) && gaps_.has(t)) return true;
    return false;
  }

  const basic_policy<S>& p_;
  const plan<Rules>& made_;
  F& f_;
  const gap_index<gap_list<typename Rules::storage>> gaps_;
  const std::set<std::string> places_;
  tally all_;
};

/// Runs every check. Calls `f(difference)` for each difference between rules and policy that no gap of the plan
/// explains. O(checks * (log n + depth)).
template <class Backend, class S, class Rules, class F>
[[nodiscard]] tally verify(const basic_policy<S>& p, const plan<Rules>& made, F&& f) {
  questions<Backend, S, Rules, F> q(p, made, f);
  q.about_files();
  q.about_inodes();
  q.about_new_directories();
  q.about_ways();
  q.about_names();
  q.about_process_features();
  q.about_ports();
  q.about_abilities();
  return q.all();
}

} // namespace cordon::verifying
