// SPDX-License-Identifier: BSL-1.0
/// Do a backend's rules say what the policy says, but for the plan's gaps? Every right is asked at every place that can
/// make a difference, so that the answers are a proof and not a sample.
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

/// Asks one plan. Each method asks about one sort of thing and nothing where the rules know none of it; `f(difference)`
/// is called where rules and policy differ and no gap says why.
template <class Backend, class S, class Rules, class F> class questions {
public:
  questions(const basic_policy<S>& p, const plan<Rules>& made, F& f)
      : p_(p), made_(made), f_(f), gaps_(made.gaps), places_(places_of(p, made.rules)) {}

  [[nodiscard]] const tally& all() const { return all_; }

  /// Every right at every place.
  void about_files() {
    for (const std::string& place : places_)
      for_each(verb::everything, [&](right what) {
        const bool permitted = permits(made_.rules, what, place);
        ask(
            permitted, value(place).has(what), [&] { return excuses(what, place, permitted); },
            [&] { return std::string(name(what)) + " " + place; });
      });
  }

  /// The same of the policy's own places as they stand, where rules tell what lies there: a file, a socket, or a
  /// directory.
  void about_inodes() {
    if constexpr (requires { permits(made_.rules, right::read, "/", file_type::file); })
      for (std::uint32_t i = 0; i < p_.files().size(); ++i) {
        const std::string place(p_.files().place(i));
        const rights changes = right::write | right::attributes, granted = value(place);
        const auto check = [&](right what, file_type there, std::string_view text) {
          const bool permitted = permits(made_.rules, what, place, there);
          // Where these are one permission, a gap tells of a place that has only one of them.
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

  /// May a directory be made in a directory as it stands? That can ask for less than to make a file.
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

  /// No directory may be moved away that holds a place whose rule goes by its name.
  void about_ways() {
    if constexpr (requires { each_guarded_ancestor(made_.rules, [](std::string_view, bool) {}); })
      each_guarded_ancestor(made_.rules, [&](std::string_view directory, bool moves) {
        ask(
            moves, false, [] { return false; }, [&] { return "rename " + std::string(directory); });
      });
  }

  /// A place with two names has the same rights by both.
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

  void about_facilities() {
    if constexpr (requires { permits(made_.rules, process_feature::spawn); })
      for (std::size_t i = 0; i < facility_names.size(); ++i) {
        const auto which = static_cast<process_feature>(i);
        const bool permitted = permits(made_.rules, which);
        ask(
            permitted, allows(p_, which), [&] { return excused(which, permitted); },
            [&] { return std::string(name(which)); });
      }
  }

  /// Both ends of each range of the policy's ports, and what lies beside them.
  void about_ports() {
    if constexpr (requires { listens(made_.rules, 1); }) {
      const auto sockets = p_.sockets();
      const host::ports wanted = host::port_grant_of(sockets.at(sockets.find(sockets::listening))).allowed;
      const bool network = p_.level == level::network, any = p_.template is_any<axis_id::sockets>();
      // `before`: how many ports stand before it that are wanted too, of which rules name only so many.
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

  /// The abilities that the rules can tell.
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

  /// Does one of the gaps say why they differ? Of a place that is asked for as it stands, not one that says that it holds
  /// for such a place all the same. O(depth * gap types * log n).
  [[nodiscard]] bool excuses(right what, std::string_view place, bool permitted,
                             file_type there = file_type::unknown) const {
    if constexpr (requires { Backend::explains(gaps_, made_.rules, p_, what, place, permitted, there); })
      return Backend::explains(gaps_, made_.rules, p_, what, place, permitted, there);
    else
      return gaps_.any_above(place, [&](const gap& g) {
        for (const gap_type& t : Backend::gap_types())
          if (t.id == g.what && explains(t, g.place, p_.files(), what, place, permitted) &&
              (there == file_type::unknown || !t.excluded_rights.has(what)))
            return true;
        return false;
      });
  }
  [[nodiscard]] bool excused(process_feature which, bool permitted) const {
    for (const gap_type& t : Backend::gap_types())
      if (t.features.has(which) && permitted == (t.kind == gap_kind::unenforced) && gaps_.has(t.id)) return true;
    return false;
  }

  const basic_policy<S>& p_;
  const plan<Rules>& made_;
  F& f_;
  const gap_index<gap_list<typename Rules::storage>> gaps_;
  const std::set<std::string> places_;
  tally all_;
};

/// Asks every question; calls `f(difference)` for each on which rules and policy differ and no gap of the plan says why.
/// O(questions * (log n + depth)).
template <class Backend, class S, class Rules, class F>
[[nodiscard]] tally verify(const basic_policy<S>& p, const plan<Rules>& made, F&& f) {
  questions<Backend, S, Rules, F> q(p, made, f);
  q.about_files();
  q.about_inodes();
  q.about_new_directories();
  q.about_ways();
  q.about_names();
  q.about_facilities();
  q.about_ports();
  q.about_abilities();
  return q.all();
}

} // namespace cordon::verifying
