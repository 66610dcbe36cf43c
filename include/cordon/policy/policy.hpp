// SPDX-License-Identifier: BSL-1.0
/// The policy: a product of axes, each of which lists what is allowed. `a & b` allows what both allow; `a <= b` means
/// that a allows no more than b. Both compare axis by axis. There is no join: widening is an edit that takes a token
/// (widen.hpp).
///
/// A default-constructed policy allows nothing.
#pragma once

#include "../detail/stop.hpp"
#include "../host/host_axis.hpp"
#include "abilities.hpp"
#include "axis.hpp"
#include "diagnostic.hpp"
#include "environment.hpp"
#include "limits.hpp"
#include "name.hpp"
#include "path_tree.hpp"
#include "profile.hpp"
#include "rights.hpp"
#include "socket.hpp"
#include "step_function_builder.hpp"
#include "storage.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace cordon {

/// Which calls pass if the policy does not deny them explicitly.
enum class syscalls : std::uint8_t {
  inherit, ///< every call except the dangerous ones of the baseline
  strict,  ///< only the calls that ordinary tools need
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 2> syscalls_names{"inherit", "strict"};
/// Returns: the name of the mode, as in documents.
[[nodiscard]] constexpr std::string_view name(syscalls s) { return syscalls_names[static_cast<std::size_t>(s)]; }

// `strict` allows less, but comes last: use `within`.
bool operator<(syscalls, syscalls) = delete;
bool operator<=(syscalls, syscalls) = delete;
bool operator>(syscalls, syscalls) = delete;
bool operator>=(syscalls, syscalls) = delete;
/// Does the first mode allow no more than the second?
[[nodiscard]] constexpr bool within(syscalls a, syscalls b) { return a == b || a == syscalls::strict; }
[[nodiscard]] constexpr syscalls meet(syscalls a, syscalls b) { return within(a, b) ? a : b; } ///< The stricter mode.

namespace detail {
template <axis_id P> struct tree_of { using type = name_tree; };
template <> struct tree_of<axis_id::workspace> { using type = path_tree; };
template <> struct tree_of<axis_id::files> { using type = path_tree; };
template <> struct tree_of<axis_id::hosts> { using type = host_tree; };
template <> struct tree_of<axis_id::denied_hosts> { using type = denied_tree; };
template <> struct tree_of<axis_id::sockets> { using type = socket_tree; };
template <> struct tree_of<axis_id::environment> { using type = environment_tree; };

/// Calls `f.template operator()<P>()` for each part in order until one returns false.
template <class F, std::size_t... I> constexpr bool each_part(F&& f, std::index_sequence<I...>) {
  return (f.template operator()<static_cast<axis_id>(I)>() && ...);
}
template <class F> constexpr bool each_part(F&& f) {
  return each_part(static_cast<F&&>(f), std::make_index_sequence<part_count>{});
}
} // namespace detail

template <axis_id P> using tree_of = typename detail::tree_of<P>::type; ///< the tree of a part

/// Is the part one of the two parts of the hosts axis, whose order compares both together?
[[nodiscard]] constexpr bool is_of_hosts(axis_id p) { return p == axis_id::hosts || p == axis_id::denied_hosts; }

/// The root place of a part's tree, with the value that allows everything beneath it (for denied hosts: that denies
/// it).
template <axis_id P> [[nodiscard]] constexpr entry everything() {
  if constexpr (P == axis_id::workspace || P == axis_id::files) return {"/", verb::everything.bits(), {}};
  else if constexpr (is_of_hosts(P)) return {host::everything, 1, {}};
  else return {"*", 1, {}};
}

/// The axes that are plain values.
struct plain_axes {
  cordon::profile profile = cordon::profile::worktree;   ///< how strictly the policy is enforced
  cordon::level level = cordon::level::none;             ///< what the policy may be used for at most
  cordon::fallback fallback = cordon::fallback::enforce; ///< what happens if a mechanism is missing
  cordon::syscalls syscalls = cordon::syscalls::inherit; ///< which calls pass
  bool interpreters = false;                             ///< guard: may interpreters be started
  cordon::abilities abilities{};                         ///< process-wide powers
  cordon::limits limits{};                               ///< limits

  /// What both allow.
  friend constexpr plain_axes operator&(const plain_axes& a, const plain_axes& b) {
    return {meet(a.profile, b.profile),   meet(a.level, b.level),           meet(a.fallback, b.fallback),
            meet(a.syscalls, b.syscalls), a.interpreters && b.interpreters, a.abilities & b.abilities,
            a.limits & b.limits};
  }
  /// Does `b` allow all that `a` allows?
  friend constexpr bool operator<=(const plain_axes& a, const plain_axes& b) {
    return within(a.profile, b.profile) && within(a.level, b.level) && within(a.fallback, b.fallback) &&
           within(a.syscalls, b.syscalls) && a.interpreters <= b.interpreters && a.abilities <= b.abilities &&
           a.limits <= b.limits;
  }
  friend constexpr bool operator==(const plain_axes&, const plain_axes&) = default; ///< Compares every axis.
};

/// The base is private, so that the plain axes are never compared or copied in place of the whole policy.
template <class Storage> class basic_policy : private plain_axes {
public:
  using storage = Storage;     ///< what holds the entries
  using plain_axes::abilities; ///< process-wide powers
  using plain_axes::fallback;  ///< what happens if a mechanism is missing
  using plain_axes::interpreters;
  using plain_axes::level;    ///< what the policy may be used for at most
  using plain_axes::limits;   ///< limits
  using plain_axes::profile;  ///< how strictly the policy is enforced
  using plain_axes::syscalls; ///< which calls pass

  // What returns a view or a reference does not compile for a temporary policy, whose storage ends with the statement.
  [[nodiscard]] constexpr plain_axes& plain() & { return *this; }            ///< The axes that are no step functions.
  [[nodiscard]] constexpr const plain_axes& plain() const& { return *this; } ///< The axes that are no step functions.
  void plain() const&& = delete;

  /// One of the axes that are step functions. A view is valid as long as the policy.
  template <axis_id P> [[nodiscard]] constexpr step_function<tree_of<P>> view() const& {
    const list l = list_of(P);
    return {storage_.all_slots() + l.first, l.size, storage_.text()};
  }
  /// The same for a temporary policy: it answers in the same expression.
  template <axis_id P> [[nodiscard]] constexpr auto view() const&& {
    const basic_policy& self = *this;
    return step_function_of_temporary<tree_of<P>>(self.template view<P>());
  }
  /// What the host program's tools may do.
  [[nodiscard]] constexpr auto capabilities() const& { return view<axis_id::capabilities>(); }
  [[nodiscard]] constexpr auto workspace() const& { return view<axis_id::workspace>(); } ///< for the host's file tools
  [[nodiscard]] constexpr auto files() const& { return view<axis_id::files>(); }         ///< for spawned processes
  /// Which hosts and ports may be reached.
  [[nodiscard]] constexpr host_axis hosts() const& { return {view<axis_id::hosts>(), view<axis_id::denied_hosts>()}; }
  void hosts() const&& = delete;
  /// Sockets that may be listened on or made.
  [[nodiscard]] constexpr auto sockets() const& { return view<axis_id::sockets>(); }
  [[nodiscard]] constexpr auto calls() const& { return view<axis_id::calls>(); } ///< all except those explicitly denied
  /// Variables that pass, are set or removed.
  [[nodiscard]] constexpr auto environment() const& { return view<axis_id::environment>(); }
  [[nodiscard]] constexpr auto executables() const& { return view<axis_id::executables>(); } ///< guard
  /// The same for a temporary policy: it answers in the same expression.
  [[nodiscard]] constexpr auto capabilities() const&& {
    return std::move(*this).template view<axis_id::capabilities>();
  }
  /// The same for a temporary policy: it answers in the same expression.
  [[nodiscard]] constexpr auto workspace() const&& { return std::move(*this).template view<axis_id::workspace>(); }
  /// The same for a temporary policy: it answers in the same expression.
  [[nodiscard]] constexpr auto files() const&& { return std::move(*this).template view<axis_id::files>(); }
  /// The same for a temporary policy: it answers in the same expression.
  [[nodiscard]] constexpr auto sockets() const&& { return std::move(*this).template view<axis_id::sockets>(); }
  /// The same for a temporary policy: it answers in the same expression.
  [[nodiscard]] constexpr auto calls() const&& { return std::move(*this).template view<axis_id::calls>(); }
  /// The same for a temporary policy: it answers in the same expression.
  [[nodiscard]] constexpr auto environment() const&& { return std::move(*this).template view<axis_id::environment>(); }
  /// The same for a temporary policy: it answers in the same expression.
  [[nodiscard]] constexpr auto executables() const&& { return std::move(*this).template view<axis_id::executables>(); }

  /// Is the axis *any*? Such an axis allows everything, so a meet returns the other operand's axis.
  template <axis_id P> [[nodiscard]] constexpr bool is_any() const {
    if constexpr (P == axis_id::denied_hosts) return view<P>().empty();
    else if constexpr (P == axis_id::hosts) return hosts().is_any();
    const auto v = view<P>();
    return v.size() == 1 && v.place(0) == everything<P>().place && v[0].value == everything<P>().value;
  }

  /// Calls `fill(builder)` to fill one part. Each part is filled at most once; a part that is never filled allows
  /// nothing. O(n log n) in the entries, O(n) if they are added in the order of the walk.
  template <axis_id P, class Fill> constexpr diagnostic write(Fill&& fill) {
    step_function_builder<tree_of<P>, Storage> writer(storage_);
    const std::uint32_t first = storage_.size();
    fill(writer);
    const diagnostic d = writer.close();
    lists_[static_cast<std::size_t>(P)] = {first, storage_.size() - first};
    return d;
  }
  /// Makes the files axis share the list of the workspace axis. O(1).
  constexpr void share_paths() { lists_[static_cast<std::size_t>(axis_id::files)] = list_of(axis_id::workspace); }
  /// Makes one part *any*. Returns: `policy_too_large` if the storage is full.
  template <axis_id P> constexpr diagnostic write_any() {
    if constexpr (P != axis_id::denied_hosts) {
      const entry all = everything<P>();
      if (!storage_.push(all.place, {}, all.value)) return {diagnostic_code::policy_too_large};
      lists_[static_cast<std::size_t>(P)] = {storage_.size() - 1, 1};
    }
    return {};
  }

  /// Is the policy as default-constructed? Functions that write to a policy refuse any other. O(1).
  [[nodiscard]] constexpr bool is_default() const {
    for (const list& l : lists_)
      if (l.size != 0) return false;
    return storage_.size() == 0 && plain() == plain_axes{};
  }

  /// Do the files axis and the workspace axis share one list? If so, a result for one holds for both. O(1).
  [[nodiscard]] constexpr bool shares_paths() const { return list_of(axis_id::files) == list_of(axis_id::workspace); }

private:
  struct list {
    std::uint32_t first = 0, size = 0; ///< slots of the storage
    friend constexpr bool operator==(list, list) = default;
  };
  [[nodiscard]] constexpr list list_of(axis_id p) const { return lists_[static_cast<std::size_t>(p)]; }

  list lists_[part_count]{};
  Storage storage_{};
};

namespace detail {

/// Do the files axis and the workspace axis of both share one list? Then a result for one holds for the other.
template <class A, class B>
[[nodiscard]] constexpr bool share_paths(const basic_policy<A>& a, const basic_policy<B>& b) {
  return a.shares_paths() && b.shares_paths();
}

/// Does `holds.template operator()<P>()` return true for each part? Skips the parts of the hosts axis, and the files
/// part if both policies share its list with the workspace part.
template <class A, class B, class F>
constexpr bool each_part_of_both(const basic_policy<A>& a, const basic_policy<B>& b, F&& holds) {
  const bool one_list = share_paths(a, b);
  return each_part([&]<axis_id P>() {
    return is_of_hosts(P) || (P == axis_id::files && one_list) || holds.template operator()<P>();
  });
}

} // namespace detail

/// Does `b` allow all that `a` allows, on every axis? The two may be in different storages. O(n + m).
template <class A, class B>
[[nodiscard]] constexpr bool operator<=(const basic_policy<A>& a, const basic_policy<B>& b) {
  return a.plain() <= b.plain() &&
         detail::each_part_of_both(a, b, [&]<axis_id P>() { return a.template view<P>() <= b.template view<P>(); }) &&
         a.hosts() <= b.hosts();
}

/// Do both allow the same? O(n + m).
template <class A, class B>
[[nodiscard]] constexpr bool operator==(const basic_policy<A>& a, const basic_policy<B>& b) {
  return a.plain() == b.plain() &&
         detail::each_part_of_both(a, b, [&]<axis_id P>() { return a.template view<P>() == b.template view<P>(); }) &&
         a.hosts() == b.hosts();
}

/// Writes what both policies allow, their greatest lower bound, into `to`, an empty policy. The three may be in
/// different storages. Returns: `policy_too_large` if the result does not fit, `not_empty` if `to` is not as
/// default-constructed. O(n + m).
template <class A, class B, class To>
constexpr diagnostic meet(const basic_policy<A>& a, const basic_policy<B>& b, basic_policy<To>& to) {
  if (!to.is_default()) return {diagnostic_code::not_empty};
  to.plain() = a.plain() & b.plain();
  diagnostic d;
  const bool one_list = detail::share_paths(a, b);
  detail::each_part([&]<axis_id P>() {
    if (P == axis_id::files && one_list) {
      to.share_paths();
      return true;
    }
    d = to.template write<P>([&](auto& out) { out.add_meet(a.template view<P>(), b.template view<P>()); });
    return d.code == diagnostic_code::ok;
  });
  return d;
}

/// What both policies allow, in the larger of their storages. Returns: `policy_too_large` if it does not fit. O(n + m).
template <class A, class B>
[[nodiscard]] constexpr result<basic_policy<roomier<A, B>>> meet(const basic_policy<A>& a, const basic_policy<B>& b) {
  return detail::written_by<basic_policy<roomier<A, B>>>([&](auto& to) { return meet(a, b, to); });
}

/// What both policies allow, in the larger of their storages. Stops the process (or the build) if the result does not
/// fit; `meet` returns an error instead.
template <class A, class B>
[[nodiscard]] constexpr basic_policy<roomier<A, B>> operator&(const basic_policy<A>& a, const basic_policy<B>& b) {
  basic_policy<roomier<A, B>> to;
  if (meet(a, b, to).code != diagnostic_code::ok) detail::this_policy_holds_more_than_its_storage();
  return to;
}

/// The policy for constants: flat, trivially copyable, at most 32 KiB. Its slots hold the meet of two policies with 256
/// paths each.
using policy = basic_policy<fixed_storage<640, 22'000>>;
static_assert(sizeof(policy) <= 32 * 1024);

/// The policy for values that are known at run time, of any size: heap.hpp.
class heap;
using loaded_policy = basic_policy<heap>; ///< a policy of any size, for run time

} // namespace cordon
