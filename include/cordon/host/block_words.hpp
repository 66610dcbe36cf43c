// SPDX-License-Identifier: BSL-1.0
/// Reduces a union of patterns to the fewest prefixes with the same meaning for addresses, in addition to its `*`.
#pragma once

#include "name_words.hpp"

namespace cordon::host {

namespace detail {

/// The properties that all addresses of a prefix share.
struct block_summary {
  port_set allowed; ///< on every address
  port_set wanted;  ///< on every address, the ports to write in addition to `*`
  bool uniform = true;
  bool any = false; ///< an address has wanted ports
  prefix where{};   ///< if `any`: the smallest prefix with all wanted ports

  constexpr block_summary(step_function<host_tree> of, ports star, const prefix& block) {
    allowed.add({});
    wanted.add({});
    port_set before, here, mine;
    bool first = true;
    address from, to;
    each_elementary_range(function_set<1>{of}, block, [&](const elementary_range& cell, const deciding_entries<1>& in) {
      const ports all = port_grant_of(of.at(in[0])).allowed;
      mine.clear();
      each_missing(all, cell.address_class == address_class::global ? star : ports(), [&](port_range r) {
        mine.append(r);
        return true;
      });
      if (!first && !(mine.view() == here.view())) uniform = false;
      if (!mine.view().empty()) {
        if (!any) from = cell.first;
        to = cell.last;
        any = true;
      }
      here.assign(mine.view());
      before.assign(allowed.view());
      allowed.pick({before.view(), all}, [](std::uint32_t i) { return i == 3; });
      before.assign(wanted.view());
      wanted.pick({before.view(), mine.view()}, [](std::uint32_t i) { return i == 3; });
      first = false;
      return true;
    });
    where = any ? common(from, to) : block;
  }
};

template <class F> class block_words {
public:
  constexpr block_words(step_function<host_tree> of, ports star, F& f) : of_(of), star_(star), f_(f) {}

  constexpr bool write(family f) {
    const prefix all = whole(f);
    const auto all_of = [&](ports p) { return each_missing(p, {}, [&](port_range r) { return write_block(all, r); }); };
    if (!has_blocks(of_, f)) return all_of(port_grant_of(of_.at(of_.find(everything))).allowed);
    root_.assign(block_summary(of_, star_, all).allowed.view());
    if (!all_of(root_.view())) return false;
    // Each prefix on the current path leaves one half pending.
    std::array<pending, 129> open{};
    std::size_t size = 1;
    for (open[0] = {all, true}; size != 0;) {
      const pending at = open[--size];
      const block_summary s(of_, star_, at.block);
      if (!s.any) continue;
      const bool jumps = !s.uniform && s.where != at.block;
      if (!jumps && at.block.length != 0 && !write(at, s)) return false;
      if (s.uniform) continue;
      if (jumps) open[size++] = {s.where, true};
      else {
        open[size++] = {at.block.half(true), false};
        open[size++] = {at.block.half(false), false};
      }
    }
    return true;
  }

private:
  struct pending {
    prefix block{};
    bool alone = false; ///< outside of the block, only the root's ports are wanted
  };

  constexpr bool write(const pending& at, const block_summary& s) {
    port_set said;
    if (at.alone) said.assign(root_.view());
    else {
      const block_summary above(of_, star_, prefix_of(at.block.first, at.block.length - 1));
      said.pick({above.wanted.view(), root_.view()}, [](std::uint32_t in) { return in != 0; });
    }
    port_set but;
    but.pick({s.allowed.view(), s.wanted.view(), said.view()},
             [](std::uint32_t in) { return (in & 1) != 0 && (in & 6) != 2; });
    return each_missing(s.allowed.view(), but.view(), [&](port_range r) { return write_block(at.block, r); });
  }

  constexpr bool write_block(const prefix& block, port_range r) {
    pattern p;
    p.shape = shape::block;
    p.block = block;
    p.ports = r;
    return static_cast<bool>(f_(p));
  }

  step_function<host_tree> of_;
  ports star_;
  F& f_;
  port_set root_{};
};

} // namespace detail

/// Calls `f(pattern)` with the prefixes, until f returns false. Returns: true if it never did. O(n log n) for evenly
/// distributed addresses.
template <class F> constexpr bool each_block_word(step_function<host_tree> of, F&& f) {
  const ports star = port_grant_of(of.at(of.find(every_name))).allowed;
  detail::block_words<F> words(of, star, f);
  return words.write(family::v4) && words.write(family::v6);
}

} // namespace cordon::host
