// SPDX-License-Identifier: BSL-1.0
/// Rights: the set of operations that a policy may allow on a path. There are eight single rights and four verbs for
/// the usual sets. `&` is the meet, `<=` means "allows no more than".
#pragma once

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

inline constexpr std::array<std::string_view, 8> right_names{"read",   "list",   "run",        "write",
                                                             "create", "remove", "attributes", "connect"};

[[nodiscard]] constexpr std::string_view name(right r) { return right_names[static_cast<std::size_t>(r)]; }

/// A set of rights; empty by default.
class rights {
public:
  constexpr rights() = default;
  constexpr rights(right r) : bits_(static_cast<std::uint8_t>(1U << static_cast<unsigned>(r))) {}
  [[nodiscard]] static constexpr rights from_bits(std::uint32_t bits) {
    rights r;
    r.bits_ = static_cast<std::uint8_t>(bits);
    return r;
  }

  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr bool has(right r) const { return (bits_ >> static_cast<unsigned>(r) & 1U) != 0; }

  friend constexpr rights operator|(rights a, rights b) { return from_bits(a.bits_ | b.bits_); }
  friend constexpr rights operator&(rights a, rights b) { return from_bits(a.bits_ & b.bits_); }
  friend constexpr rights operator-(rights a, rights b) { return from_bits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator<=(rights a, rights b) { return (a & b) == a; }
  friend constexpr bool operator==(rights, rights) = default;

private:
  std::uint8_t bits_ = 0;
};

[[nodiscard]] constexpr rights operator|(right a, right b) { return rights(a) | rights(b); }

/// The verbs of documents and notation.
namespace verb {
inline constexpr rights hide{};
inline constexpr rights read = right::read | right::list;
inline constexpr rights run = read | right::run;
inline constexpr rights write = run | right::write | right::create | right::remove | right::attributes;
inline constexpr rights everything = write | right::connect;
} // namespace verb

/// Calls `f(right)` for each right in the set, in the order of the enumeration.
template <class F> constexpr void for_each(rights set, F&& f) {
  for (unsigned i = 0; i < right_names.size(); ++i)
    if (set.has(static_cast<right>(i))) f(static_cast<right>(i));
}

} // namespace cordon
