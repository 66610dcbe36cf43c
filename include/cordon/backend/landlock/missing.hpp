// SPDX-License-Identifier: BSL-1.0
/// What an ABI of Landlock lacks: rights that it cannot express, and kernel interfaces that it does not restrict.
#pragma once

#include "../../policy/path_tree.hpp"
#include "access.hpp"
#include "gap_types.hpp"

namespace cordon::landlock::detail {

/// Returns the rights that have an access bit under that ABI.
[[nodiscard]] constexpr rights expressible(int abi) {
  rights all;
  for_each(verb::everything, [&](right r) {
    if (access_of(r, abi) != 0) all = all | r;
  });
  return all;
}

/// Executing a file requires reading it: do_open_execat opens for reading, and hook_file_open checks both rights.
[[nodiscard]] constexpr rights useful(rights r) { return r.has(right::read) ? r : r - right::run; }

/// Adds a gap for each right that is granted without a right that the kernel also requires. Returns false if the gaps
/// are full.
template <class Gaps> [[nodiscard]] constexpr bool note_missing_partners(Gaps& gaps, step_function<path_tree> entries) {
  bool fits = true;
  for (const entry e : entries) {
    const rights r = rights::from_bits(e.value);
    if (r.has(right::run) && !r.has(right::read)) fits = gaps.add(gaps::run_without_read, e.place) && fits;
    if (r.has(right::create) && !r.has(right::write)) fits = gaps.add(gaps::create_without_write, e.place) && fits;
  }
  return fits;
}

/// Adds the gaps of every policy under that ABI. Returns false if the gaps are full.
template <class Gaps> [[nodiscard]] constexpr bool note_missing_words(Gaps& gaps, int abi) {
  constexpr struct {
    std::uint32_t access, scope; ///< what restricts it, in any ABI that has it
    const gap_type& what;
  } conditional[]{{TRUNCATE, 0, gaps::truncation},  {IOCTL_DEV, 0, gaps::ioctl},
                  {0, SIGNAL, gaps::signal},        {0, ABSTRACT_UNIX_SOCKET, gaps::abstract},
                  {RESOLVE_UNIX, 0, gaps::connect}, {REFER, 0, gaps::refer}};
  bool fits = true;
  for (const gap_type* t : {&gaps::attributes, &gaps::existence, &gaps::proc}) fits = gaps.add(*t) && fits;
  for (const auto& c : conditional)
    if ((handled(abi) & c.access) != c.access || (scoped(abi) & c.scope) != c.scope) fits = gaps.add(c.what) && fits;
  // Only a mount namespace can provide a private one.
  fits = gaps.add(gaps::shared_memory) && fits;
  return gaps.add(gaps::terminals) && fits;
}

} // namespace cordon::landlock::detail
