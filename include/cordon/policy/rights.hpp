// SPDX-License-Identifier: BSL-1.0
/// Rights: the set of operations that a policy may allow on a path. There are eight single rights and four verbs for
/// the usual sets. `&` is the meet, `<=` means "allows no more than".
#pragma once

#include "../detail/table.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace cordon {

/// One operation on a path.
enum class right : std::uint8_t {
  read,       ///< read the content of a file
  list,       ///< list a directory
  run,        ///< execute a file
  write,      ///< change the content of an existing file
  create,     ///< create a directory entry
  remove,     ///< remove or rename a directory entry
  attributes, ///< mode, owner, times, extended attributes
  connect,    ///< connect to a unix socket
};

/// A right and its name.
struct right_row {
  right which;           ///< the right
  std::string_view name; ///< in documents, the policy language and rules
};

inline constexpr right_row right_table[]{{right::read, "read"}, ///< every right, in the order of the enumeration
                                         {right::list, "list"},      {right::run, "run"},
                                         {right::write, "write"},    {right::create, "create"},
                                         {right::remove, "remove"},  {right::attributes, "attributes"},
                                         {right::connect, "connect"}};
static_assert(detail::is_in_order(right_table));

inline constexpr auto right_names = detail::names_of(right_table); ///< names of the enumerators, by value

// Sets of rights have an order, single rights have none: write `rights(a) <= b`.
bool operator<(right, right) = delete;
bool operator<=(right, right) = delete;
bool operator>(right, right) = delete;
bool operator>=(right, right) = delete;

/// Returns: the name of the right, as in documents.
[[nodiscard]] constexpr std::string_view name(right r) { return right_names[static_cast<std::size_t>(r)]; }

/// A set of rights; empty by default.
class rights {
public:
  /// The bits that a set takes, for code that packs sets into numbers.
  static constexpr unsigned width = right_names.size();

  constexpr rights() = default;
  /// The set of one right.
  constexpr rights(right r) : bits_(static_cast<std::uint16_t>(1U << static_cast<unsigned>(r))) {}
  /// Bits in the order of the enumeration; others are ignored.
  [[nodiscard]] static constexpr rights from_bits(std::uint32_t bits) {
    rights r;
    r.bits_ = static_cast<std::uint16_t>(bits & ((1U << width) - 1));
    return r;
  }

  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; } ///< Bits in the order of the enumeration.
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }    ///< Is it empty?
  /// Is the right in it?
  [[nodiscard]] constexpr bool has(right r) const { return (bits_ >> static_cast<unsigned>(r) & 1U) != 0; }

  /// The rights of either.
  friend constexpr rights operator|(rights a, rights b) { return from_bits(a.bits_ | b.bits_); }
  /// The rights of both.
  friend constexpr rights operator&(rights a, rights b) { return from_bits(a.bits_ & b.bits_); }
  /// The rights of `a` that `b` lacks.
  friend constexpr rights operator-(rights a, rights b) { return from_bits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator<=(rights a, rights b) { return (a & b) == a; } ///< Is every right of `a` in `b`?
  friend constexpr bool operator==(rights, rights) = default;                   ///< Compares the sets.

private:
  static_assert(width <= 16);
  std::uint16_t bits_ = 0;
};

/// The set of two rights.
[[nodiscard]] constexpr rights operator|(right a, right b) { return rights(a) | rights(b); }

/// The verbs of documents and notation.
namespace verb {
inline constexpr rights hide{};                           ///< no right
inline constexpr rights read = right::read | right::list; ///< read and list
inline constexpr rights run = read | right::run;          ///< the same, and execute
/// All but connect.
inline constexpr rights write = run | right::write | right::create | right::remove | right::attributes;
inline constexpr rights everything = rights::from_bits(~0U); ///< every right
} // namespace verb

/// A verb of the policy language, and its rights.
struct verb_row {
  std::string_view name; ///< as in a line of the policy language
  rights allowed;        ///< what it grants
};

/// The verbs that documents and the policy language have for sets of rights.
inline constexpr verb_row verb_table[]{
    {"read", verb::read}, {"run", verb::run}, {"write", verb::write}, {"hide", verb::hide}};

inline constexpr auto verb_names = detail::names_of(verb_table); ///< names of the enumerators, by value

/// Calls `f(right)` for each right in the set, in the order of the enumeration.
template <class F> constexpr void for_each(rights set, F&& f) {
  for (unsigned i = 0; i < right_names.size(); ++i)
    if (set.has(static_cast<right>(i))) f(static_cast<right>(i));
}

} // namespace cordon
