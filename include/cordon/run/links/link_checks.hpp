// SPDX-License-Identifier: BSL-1.0
/// How `resolve` (resolve.hpp) finds the links on the paths of a policy and checks them. links.hpp defines which links
/// are trusted.
#pragma once

#include "../../format/place.hpp"
#include "../../format/rewrite.hpp"
#include "../reasons.hpp"
#include "../refused.hpp"
#include "links.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cordon {

/// Returns: the resolved path. Throws: `refused` if a granted path does not exist. A path without rights that does not
/// exist keeps its name: there is nothing to hide yet, and nothing may be created there.
[[nodiscard]] inline std::string resolved_place(const std::string& place, rights allowed,
                                                const std::vector<std::string>& may_be_missing = {}) {
  if (place == run_temp) return place;
  std::error_code ec;
  const std::filesystem::path real = std::filesystem::canonical(place, ec);
  if (!ec) return real.string();
  if (allowed.empty()) return std::filesystem::weakly_canonical(place, ec).lexically_normal().string();
  std::error_code ignored;
  const bool link = std::filesystem::is_symlink(std::filesystem::symlink_status(place, ignored));
  if (ec != std::errc::no_such_file_or_directory) throw refused::because<reasons::path_unresolved>(place, ec.message());
  if (link) throw refused::because<reasons::path_dangling>(place);
  if (std::find(may_be_missing.begin(), may_be_missing.end(), place) != may_be_missing.end()) return place;
  throw refused::because<reasons::path_missing>(place);
}

namespace detail {

[[noreturn]] inline void refuse_link(const std::string& name, const std::string& link, const std::string& why,
                                     const std::string& end) {
  throw refused::because<reasons::link_named>(name, link, why, end);
}

/// Throws: `refused` if one of these links lies on a path that was looked up before.
inline void check_unchanged(const std::vector<link_on_the_way>& links, const link_facts& facts) {
  for (const link_on_the_way& link : links)
    for (const judged_name& before : facts.judged)
      if (path::covers(link.place, before.real))
        throw refused::because<reasons::link_appeared_for>(before.name, link.place);
}

/// `follow`, for enforcement. Throws: `refused` if a path that was looked up before would now resolve to another.
[[nodiscard]] inline followed follow_again(std::string_view place, const link_facts& facts) {
  followed to = follow(place, facts.read);
  check_unchanged(to.links, facts);
  return to;
}

/// The directory that a path must stay in.
struct top_place {
  std::string place, real;              ///< empty if there is no such directory
  std::vector<link_on_the_way> links{}; ///< the links on its path
};

/// A resolved path of a policy. All decisions about the path use this one look-up.
struct found_place {
  std::string real;
  rights allowed;
  std::vector<link_on_the_way> links{};
  top_place top{};
  /// The untrusted links on the path below `top`. A grant with at least one of them is carried.
  std::vector<std::string> carriers{};
  /// A path of a preset, by a link that a program of an earlier run may have created: it is passed over. A grant that a
  /// person wrote is refused instead.
  bool is_dropped = false;

  [[nodiscard]] bool is_carried() const { return !allowed.empty() && !carriers.empty(); }
};

[[nodiscard]] inline std::vector<found_place> find_places(step_function<path_tree> all, const link_facts& facts) {
  std::vector<found_place> found;
  found.reserve(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string place(all.place(i));
    const rights r = rights::from_bits(all[i].value);
    found_place f{resolved_place(place, r, facts.may_be_missing), r};
    std::error_code ec;
    if (f.real != place || (r.empty() && std::filesystem::is_symlink(std::filesystem::symlink_status(place, ec)))) {
      followed to = follow_again(place, facts);
      f.real = std::move(to.end);
      f.links = std::move(to.links);
    }
    found.push_back(std::move(f));
  }
  return found;
}

/// Calls `f(link, root)` for the first link on a grant's path that a program of an earlier run may have created, and that
/// leads out of `root`, which the program could write.
template <class F> void if_planted(const found_place& place, const link_facts& facts, F&& f) {
  if (facts.planted_in == nullptr || place.allowed.empty() || place.is_dropped) return;
  for (const link_on_the_way& link : place.links)
    if (const std::string root = facts.planted_in(link); !root.empty() && !path::covers(root, place.real))
      return f(link, root);
}

/// Drops such grants of presets. `written`: the same paths as they were written.
inline void drop_planted(std::vector<found_place>& found, step_function<path_tree> written, const link_facts& facts) {
  for (std::uint32_t i = 0; i < written.size(); ++i)
    if (!found[i].links.empty() && is_of_preset(written.place(i), facts.home))
      if_planted(found[i], facts, [&](const link_on_the_way&, const std::string&) { found[i].is_dropped = true; });
}

/// Throws: `refused` for such a grant.
inline void check_planted(const std::vector<found_place>& found, const link_facts& facts) {
  for (const found_place& f : found)
    if_planted(f, facts, [&](const link_on_the_way& link, const std::string& root) {
      refuse_link("the policy", link.place,
                  "that a program of an earlier run may have made, and leads out of " + root + ", to " + f.real,
                  f.real);
    });
}

/// The links on granted paths, and `more`, each once.
[[nodiscard]] inline std::vector<link_on_the_way> links_to_grants(const std::vector<found_place>& found,
                                                                  std::vector<link_on_the_way> more) {
  for (const found_place& f : found)
    if (!f.allowed.empty() && !f.is_dropped) more.insert(more.end(), f.links.begin(), f.links.end());
  std::sort(more.begin(), more.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  const auto same = [](const auto& a, const auto& b) { return a.place == b.place; };
  more.erase(std::unique(more.begin(), more.end(), same), more.end());
  return more;
}

/// The policy with these paths, except the carried ones.
[[nodiscard]] inline loaded_policy with_places(const loaded_policy& p, const std::vector<found_place>& workspace,
                                               const std::vector<found_place>& files) {
  return rewritten(p, [&]<axis_id P>(auto& out) {
    if constexpr (P == axis_id::workspace || P == axis_id::files) {
      std::map<std::string_view, rights> places;
      for (const found_place& f : P == axis_id::files ? files : workspace) {
        if (f.is_carried() || f.is_dropped) continue;
        const auto [at, added] = places.emplace(f.real, f.allowed);
        if (!added) at->second = at->second & f.allowed;
      }
      for (const auto& [place, r] : places) out.add({place, r.bits(), {}});
      return true;
    }
    return false;
  });
}

/// Finds the links on one path axis that must not be followed.
class symlink_checker {
public:
  /// The axis, its paths as written, and the same paths resolved.
  symlink_checker(axis_id axis, step_function<path_tree> written, std::vector<found_place>& found,
                  const link_facts& facts)
      : axis_(axis), written_(written), found_(found), facts_(facts) {}

  /// Throws: `refused` if a path has fewer rights than its parent, but the program may replace a link on it: then only
  /// the old target would be protected. Marks carried grants. `resolved` is the whole policy.
  void mark(const loaded_policy& resolved) {
    for (std::uint32_t i = 0; i < written_.size(); ++i) {
      found_place& f = found_[i];
      if (f.links.empty() || f.is_dropped) continue;
      if ((written_.at(written_.parent(i)).value & ~f.allowed.bits()) != 0)
        for (const link_on_the_way& link : f.links)
          if (!is_of_system(link, resolved, axis_, facts_) && is_replaceable(resolved, axis_, link.place))
            throw refused::because<reasons::link_replaceable>(place(i), link.place, f.real);
      f.top = top_of(i);
      f.carriers = carriers_of(i, resolved);
    }
  }

  /// Throws: `refused` if a carried grant adds rights through a link that the program may replace, or that leads out of
  /// `top`. `others`: the grants that are not carried.
  void judge(const loaded_policy& resolved, step_function<path_tree> now, step_function<path_tree> others) const {
    for (std::uint32_t i = 0; i < written_.size(); ++i) {
      const std::string& real = found_[i].real;
      const entry deciding = others.at(others.find(real));
      if (!found_[i].is_carried() || (now.lookup(real) & ~deciding.value) == 0) continue;
      const top_place& top = found_[i].top;
      const std::vector<std::string>& links = found_[i].carriers;
      const auto refuse = [&](const std::string& link, const std::string& why) {
        throw refused::because<reasons::link_not_trusted>(place(i), link, why, real);
      };
      for (const std::string& link : links)
        if (is_replaceable(resolved, axis_, link)) refuse(link, "that the program may replace, and leads to " + real);
      if (is_of_preset(place(i), facts_.home)) {
        if (path::covers(real, facts_.home)) refuse(links.back(), "to " + real + ", which is around " + facts_.home);
        continue;
      }
      if (!path::covers(top.real, real)) refuse(links.back(), "that leads out of " + top.place + ", to " + real);
      if (deciding.place.size() > top.real.size() && path::covers(top.real, deciding.place))
        refuse(links.back(), "that leads to " + real + ", where the policy says otherwise");
    }
  }

private:
  [[nodiscard]] std::string place(std::uint32_t i) const { return std::string(written_.place(i)); }

  /// The deepest granted directory around a path, or the directory that the path was written relative to. Its name is
  /// empty if there is none.
  [[nodiscard]] top_place top_of(std::uint32_t i) const {
    std::uint32_t above = written_.parent(i);
    while (above != no_slot && found_[above].allowed.empty()) above = written_.parent(above);
    const auto base = facts_.beneath.find(place(i));
    if (base != facts_.beneath.end() && base->second.size() > written_.at(above).place.size()) {
      followed to = follow_again(base->second, facts_);
      return {base->second, std::move(to.end), std::move(to.links)};
    }
    if (above == no_slot) return {};
    return {place(above), found_[above].real, found_[above].links};
  }

  /// The links on the path below `top`, without the system's own. Throws: `refused` if the path to `top` has changed
  /// since it was looked up.
  [[nodiscard]] std::vector<std::string> carriers_of(std::uint32_t i, const loaded_policy& resolved) const {
    std::vector<std::string> below;
    const top_place& top = found_[i].top;
    if (top.place.empty()) return below;
    const std::vector<link_on_the_way>& all = found_[i].links;
    if (top.links.size() > all.size() || !std::equal(top.links.begin(), top.links.end(), all.begin()))
      throw refused::because<reasons::path_changed>(top.place, place(i));
    for (std::size_t n = top.links.size(); n < all.size(); ++n)
      if (!is_of_system(all[n], resolved, axis_, facts_)) below.push_back(all[n].place);
    return below;
  }

  axis_id axis_;
  step_function<path_tree> written_;
  std::vector<found_place>& found_;
  const link_facts& facts_;
};

/// Limits the rights at each named path's target to those of the name; skips the names in `settled`. Adds the links on
/// granted paths to `links`.
template <axis_id P>
void clamp_to_named(loaded_policy& p, const std::vector<named_place>& named, const link_facts& facts = {},
                    step_function<path_tree> settled = {}, std::vector<link_on_the_way>* links = nullptr) {
  const auto now = p.view<P>();
  std::map<std::string, rights> places;
  for (const named_place& n : named) {
    if (n.place == run_temp || settled.at(settled.find(n.place)).place == n.place) continue;
    const followed to = follow_again(n.place, facts);
    const std::string& real = to.end;
    if (links != nullptr && !n.allowed.empty()) links->insert(links->end(), to.links.begin(), to.links.end());
    const auto [at, is_new] = places.emplace(real, rights::from_bits(now.lookup(real)));
    at->second = at->second & n.allowed;
  }
  std::erase_if(places, [&](const auto& bound) { return now.lookup(bound.first) == bound.second.bits(); });
  if (places.empty()) return;
  for (std::uint32_t i = 0; i < now.size(); ++i)
    places.emplace(std::string(now.place(i)), rights::from_bits(now[i].value));
  p = rewritten(p, [&]<axis_id Q>(auto& out) {
    if constexpr (P == Q)
      for (const auto& [place, r] : places) out.add({place, r.bits(), {}});
    return P == Q;
  });
}

/// Throws: `refused` if the policy lets the program replace a link on a path that was looked up before.
inline void check_judged(const loaded_policy& resolved, const link_facts& facts) {
  for (const judged_name& before : facts.judged)
    for (const link_on_the_way& link : before.links)
      if (is_replaceable(resolved, axis_id::files, link.place))
        refuse_link(before.name, link.place, "that the program may replace", before.real);
}

} // namespace detail

} // namespace cordon
