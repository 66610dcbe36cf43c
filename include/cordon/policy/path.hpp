// SPDX-License-Identifier: BSL-1.0
/// Paths: absolute byte strings in lexical normal form, and the tree of them. No function here accesses the file
/// system.
#pragma once

#include "../detail/same.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::path {

/// Longest path that open(2) accepts, in bytes without the NUL. Linux: PATH_MAX is 4096, include/uapi/linux/limits.h.
inline constexpr std::size_t longest = 4095;

/// Why a written path has no normal form.
enum class flaw : std::uint8_t { none, empty, nul, no_base, no_home, other_home, too_long };

/// Returns: the name of the flaw.
[[nodiscard]] constexpr std::string_view name(flaw f) {
  constexpr std::string_view names[]{"none", "empty", "nul", "no_base", "no_home", "other_home", "too_long"};
  return names[static_cast<std::size_t>(f)];
}

/// Describes the flaw and how to correct it.
[[nodiscard]] constexpr std::string_view explain(flaw f) {
  switch (f) {
  case flaw::none: return "the path is fine";
  case flaw::empty: return "a path must not be empty; write . for the document's directory";
  case flaw::nul: return "a path must not contain a NUL byte";
  case flaw::no_base: return "a relative path needs a directory that it is relative to; write it absolute";
  case flaw::no_home: return "~ needs an absolute $HOME";
  case flaw::other_home: return "only ~ and ~/... are known, not ~name";
  case flaw::too_long: return "a path is at most 4095 bytes long";
  }
  return "unknown";
}

namespace detail {

/// Appends the components of `text` to the normal form in `out`; `size` 0 is the root. Reads through a pointer: constant
/// evaluation pays for each call.
constexpr bool append(std::string_view text, char* out, std::size_t& size) {
  const char* const from = text.data();
  const std::size_t all = text.size();
  std::size_t at = size;
  for (std::size_t i = 0; i < all; ++i) {
    const std::size_t first = i;
    while (i < all && from[i] != '/') ++i;
    const std::size_t length = i - first;
    if (length == 0 || (length == 1 && from[first] == '.')) continue;
    if (length == 2 && from[first] == '.' && from[first + 1] == '.') {
      while (at != 0 && out[--at] != '/') {}
      continue;
    }
    if (at + 1 + length > longest) return false;
    out[at++] = '/';
    for (std::size_t k = first; k < i; ++k) out[at++] = from[k];
  }
  size = at;
  return true;
}

[[nodiscard]] constexpr bool has_nul(std::string_view text) {
  const char* c = text.data();
  for (std::size_t left = text.size(); left != 0; --left)
    if (*c++ == '\0') return true;
  return false;
}

} // namespace detail

/// A path in normal form, or the flaw because of which it has none.
struct normal {
  flaw why = flaw::none;    ///< why the path is invalid
  std::size_t size = 0;     ///< bytes of `text`
  char text[longest + 1]{}; ///< the path, ending with NUL

  [[nodiscard]] constexpr explicit operator bool() const { return why == flaw::none; } ///< Is the path valid?
  /// The path; valid as long as this object.
  [[nodiscard]] constexpr std::string_view view() const { return {text, size}; }
};

/// Writes the normal form of a path to `to`. `~` and `~/...` start at `home`, which must be absolute. Any other path
/// without a leading slash is relative to `base`. `.`, `..`, empty components and a trailing slash are removed. `base`
/// and `home` are empty if unknown. O(n).
constexpr void normalize(std::string_view written, std::string_view base, std::string_view home, normal& to) {
  to.size = 0;
  to.why = flaw::none;
  if (written.empty()) return void(to.why = flaw::empty);
  if (detail::has_nul(written)) return void(to.why = flaw::nul);
  std::string_view start;
  if (written.front() == '~') {
    if (written.size() > 1 && written[1] != '/') return void(to.why = flaw::other_home);
    if (home.empty() || home.front() != '/') return void(to.why = flaw::no_home);
    start = home;
    written.remove_prefix(1);
  } else if (written.front() != '/') {
    if (base.empty() || base.front() != '/') return void(to.why = flaw::no_base);
    start = base;
  }
  if (!detail::append(start, to.text, to.size) || !detail::append(written, to.text, to.size))
    return void(to.why = flaw::too_long);
  if (to.size == 0) to.text[to.size++] = '/';
}

/// The path in normal form. Relative ones start at `base`, and `~` at `home`; without these, both are invalid. O(n).
[[nodiscard]] constexpr normal normalize(std::string_view written, std::string_view base = {},
                                         std::string_view home = {}) {
  normal n;
  normalize(written, base, home, n);
  return n;
}

/// Is this already the normal form of an absolute path?
[[nodiscard]] constexpr bool is_normal(std::string_view p) {
  if (p.empty() || p.front() != '/' || p.size() > longest) return false;
  if (p.size() == 1) return true;
  std::size_t length = 1; // of the component so far; 1 so that the first slash does not end an empty component
  bool dots = false;
  for (const char c : p) {
    if (c == '\0' || (c == '/' && (length == 0 || (dots && length <= 2)))) return false;
    dots = c == '/' || (dots && c == '.');
    length = c == '/' ? 0 : length + 1;
  }
  return length != 0 && !(dots && length <= 2);
}

/// Is `place` the subtree's root or beneath it? O(n).
[[nodiscard]] constexpr bool covers(std::string_view root, std::string_view place) {
  if (root.size() == 1) return true;
  if (place.size() < root.size() || (place.size() > root.size() && place[root.size()] != '/')) return false;
  return cordon::detail::same({place.data(), root.size()}, root);
}

/// The order of a walk that visits a directory before its entries: a slash sorts before every other byte.
[[nodiscard]] constexpr std::strong_ordering order(std::string_view a, std::string_view b) {
  if (a.size() == 1) a = {};
  if (b.size() == 1) b = {};
  const std::size_t n = a.size() < b.size() ? a.size() : b.size();
  const char* const x = a.data();
  const char* const y = b.data();
  std::size_t i = 0;
  while (i < n && x[i] == y[i]) ++i;
  if (i == n) return a.size() <=> b.size();
  const auto rank = [](char c) { return c == '/' ? 0 : static_cast<int>(static_cast<unsigned char>(c)) + 1; };
  return rank(x[i]) <=> rank(y[i]);
}

/// The parent directory; the root is its own parent.
[[nodiscard]] constexpr std::string_view parent(std::string_view place) {
  const char* const text = place.data();
  std::size_t cut = place.size();
  while (cut > 1 && text[cut - 1] != '/') --cut;
  return cut <= 1 ? std::string_view("/", 1) : std::string_view(text, cut - 1);
}

/// The prefix of `place` that is one component longer than its first `from` bytes.
[[nodiscard]] constexpr std::string_view next_on_the_way(std::string_view place, std::size_t from) {
  const char* const text = place.data();
  const std::size_t size = place.size();
  std::size_t end = from == 1 ? 1 : from + 1;
  while (end < size && text[end] != '/') ++end;
  return {text, end < size ? end : size};
}

} // namespace cordon::path
