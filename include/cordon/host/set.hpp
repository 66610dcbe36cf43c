// SPDX-License-Identifier: BSL-1.0
/// Host patterns as one step function: their union. A place allows all ports of the patterns that cover it, so
/// `example.com:443` and `api.example.com:80` allow api.example.com on both ports.
#pragma once

#include "../policy/diagnostic.hpp"
#include "pattern.hpp"
#include "sort.hpp"
#include "tree.hpp"

namespace cordon {

/// Collects patterns in any order, then closes. `Storage` as for policies; patterns may repeat each other.
template <class Storage> class host_set {
public:
  /// Adds a pattern, which must have no flaw. If the storage is full, `close` reports it.
  constexpr void add(const host::pattern& p) {
    switch (p.shape) {
    case host::shape::every: return put(host::every_name, p.ports, unnamed);
    case host::shape::tree: return put(p.name.view(), p.ports, 0);
    case host::shape::below: return put(p.name.view(), p.ports, not_itself);
    case host::shape::exact: return put(host::exact_place(p.name.view()).view(), p.ports, 0);
    case host::shape::block:
      for (const host::address_class r : {host::address_class::global, host::address_class::special_purpose})
        if (has(p.block, r)) put(host::place_of(p.block, r).view(), p.ports, 0);
    }
  }
  /// Adds every host.
  constexpr void add_any() { put(host::everything, {}, 0); }

  /// Ends the collection. Returns: `policy_too_large` if the storage is full or a place has more port ranges than
  /// `port_set::most`. O(n log n) in the patterns, O(n) if they were added in tree order.
  constexpr diagnostic close() {
    slot* const s = given_.all_slots();
    const auto before = [&](const slot& a, const slot& b) { return host::order(place(a), place(b)) < 0; };
    for (std::uint32_t i = 1; i < given_.size(); ++i)
      if (before(s[i], s[i - 1])) {
        host::sort_places(s, given_.size(), given_.text());
        break;
      }
    for (std::uint32_t i = 0; i < given_.size();) i = lower_place(i);
    given_.truncate(0);
    return {full_ ? diagnostic_code::policy_too_large : diagnostic_code::ok};
  }

  /// The step function, valid as long as the set. It is valid as a function of `denied_tree` too.
  [[nodiscard]] constexpr step_function<host_tree> view() const& {
    return {done_.all_slots(), done_.size(), done_.text()};
  }
  void view() const&& = delete;

private:
  // In the slot of a collected pattern, `value` holds both ends of its ports and `parent` the marks. unnamed: the
  // pattern is `*`, which names no particular host. not_itself: it is `*.d`, stored under d.
  static constexpr std::uint32_t unnamed = 1, not_itself = 2;

  struct sets {
    host::port_set allowed, named;
    constexpr void start(host::port_grant r) {
      allowed.assign(r.allowed);
      named.assign(r.named);
    }
    constexpr void add(host::port_range r, bool names) {
      allowed.add(r);
      if (names) named.add(r);
    }
    [[nodiscard]] constexpr host::port_grant view() const { return {allowed.view(), named.view()}; }
    [[nodiscard]] constexpr bool is_full() const { return allowed.is_full() || named.is_full(); }
  };

  constexpr void put(std::string_view where, host::port_range r, std::uint32_t marks) {
    if (!given_.push(where, {}, static_cast<std::uint32_t>(r.first) << 16 | r.last)) full_ = true;
    else given_.all_slots()[given_.size() - 1].parent = marks;
  }

  [[nodiscard]] constexpr std::string_view place(const slot& s) const { return {given_.text() + s.first, s.length}; }
  [[nodiscard]] static constexpr host::port_range range(const slot& s) {
    return {static_cast<std::uint16_t>(s.value >> 16), static_cast<std::uint16_t>(s.value & 0xFFFF)};
  }

  /// Writes the place of the pattern at `i`, and for `d` also `=d` if that differs. Returns: the index after its
  /// patterns.
  constexpr std::uint32_t lower_place(std::uint32_t i) {
    const slot* const s = given_.all_slots();
    const std::string_view where = place(s[i]);
    const std::uint32_t above = view().nearest_covering(last_, where);
    const std::uint32_t first = i;
    bool differs = false;
    {
      sets all;
      all.start(host::port_grant_of(view().at(above)));
      for (; i < given_.size() && detail::same(place(s[i]), where); ++i) {
        all.add(range(s[i]), (s[i].parent & unnamed) == 0);
        differs = differs || (s[i].parent & not_itself) != 0;
      }
      write(where, all, above);
    }
    if (host::is_exact(where) || !host::is_name_place(where)) return i;
    for (; i < given_.size() && host::is_exact(place(s[i])) && detail::same(host::name_of(place(s[i])), where); ++i)
      differs = true;
    if (!differs) return i;
    sets itself;
    itself.start(host::port_grant_of(view().at(above)));
    for (std::uint32_t k = first; k != i; ++k)
      if ((s[k].parent & not_itself) == 0) itself.add(range(s[k]), true);
    const host::place_text exact = host::exact_place(where);
    write(exact.view(), itself, view().nearest_covering(last_, exact.view()));
    return i;
  }

  /// Appends an entry unless it equals the one above it.
  constexpr void write(std::string_view where, const sets& what, std::uint32_t above) {
    full_ = full_ || what.is_full();
    host::port_grant_writer text;
    const entry e = text.write(where, what.view()), over = view().at(above);
    if (full_ || (e.value == over.value && detail::same(e.payload, over.payload))) return;
    full_ = !done_.push(e.place, e.payload, e.value);
    if (full_) return;
    last_ = done_.size() - 1;
    done_.all_slots()[last_].parent = above;
  }

  Storage given_{}, done_{};
  bool full_ = false;
  std::uint32_t last_ = no_slot;
};

} // namespace cordon
