// SPDX-License-Identifier: BSL-1.0
/// Host names in canonical form: labels of a-z 0-9 - _ in lower case, 253 bytes at most, no trailing dot.
#pragma once

#include "../detail/ascii.hpp"
#include "text.hpp"

#include <array>
#include <string_view>

namespace cordon::host {

/// RFC 1035, 2.3.4, as text: 255 octets on the wire are 253 characters.
inline constexpr std::size_t longest_name = 253;
inline constexpr std::size_t longest_label = 63; ///< bytes of a label (RFC 1035)

using name_text = small_text<longest_name>; ///< a host name of any valid length

/// Replaces a missing IDNA library: labels that need one are refused.
struct no_idna {
  /// Refuses every label that is not ASCII.
  constexpr bool operator()(std::string_view /*label*/, name_text& /*to*/) const { return false; }
};

/// The flaw of a written name; the first one if there are several.
enum class name_flaw : std::uint8_t { none, idna, label, too_long };

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 4> name_flaw_names{"none", "idna", "label", "too_long"};
/// Returns: the name of the flaw.
[[nodiscard]] constexpr std::string_view name(name_flaw e) { return name_flaw_names[static_cast<std::size_t>(e)]; }

/// A host name in the form that patterns are compared in.
struct canonical_name {
  name_flaw why = name_flaw::none; ///< why it is invalid
  /// True if the last label is a number, decimal or 0x hexadecimal: programs then parse the name as an address (WHATWG
  /// URL, 3.5).
  bool ends_in_number = false;
  name_text text{}; ///< lower case, without a dot at its end
};

/// inside: the rule for documents. anywhere: the rule for requests of programs, since names exist whose labels start or
/// end with a hyphen.
enum class hyphens : std::uint8_t { inside, anywhere };

namespace detail {

[[nodiscard]] constexpr bool is_label(std::string_view label, const character_classes& seen, hyphens allowed) {
  if (!seen.only(character_class::digit | character_class::hex_letter | character_class::letter |
                 character_class::hyphen))
    return false;
  if (label.empty() || label.size() > longest_label) return false;
  return allowed == hyphens::anywhere || (label.front() != '-' && label.back() != '-');
}

[[nodiscard]] constexpr bool is_number(std::string_view label, const character_classes& seen) {
  if (seen.only(character_class::digit)) return !label.empty();
  return label.size() >= 2 && label[0] == '0' && ascii::lower(label[1]) == 'x' &&
         classify(label.substr(2)).only(character_class::digit | character_class::hex_letter);
}

/// True if IDNA applies to the label. Other labels are not checked by IDNA: r3---sn-4g5e6nz7 is a name in use.
[[nodiscard]] constexpr bool needs_idna(std::string_view label, const character_classes& seen) {
  if ((seen.kinds & character_class::beyond_ascii) != 0) return true;
  return label.size() >= 4 && label[2] == '-' && label[3] == '-' && ascii::lower(label[0]) == 'x' &&
         ascii::lower(label[1]) == 'n';
}

/// Calls f with each piece between dots.
template <class F> constexpr void each_label(std::string_view name, F&& f) {
  const char* const text = name.data();
  const std::size_t size = name.size();
  for (std::size_t first = 0, i = 0;; ++i)
    if (i == size || text[i] == '.') {
      f(std::string_view(text + first, i - first));
      if (i == size) return;
      first = i + 1;
    }
}

} // namespace detail

/// Converts a written name, without its optional trailing dot, to canonical form. `idna(label, to)` writes the A-label
/// form of one label, which may be several labels. It returns false if there is none.
template <class Idna>
constexpr void canonicalise(std::string_view written, hyphens allowed, Idna&& idna, canonical_name& to) {
  to = {};
  const auto flawed = [&](name_flaw why) {
    if (to.why == name_flaw::none || why < to.why) to.why = why;
  };
  const auto append = [&](std::string_view label, const character_classes& seen) {
    to.ends_in_number = detail::is_number(label, seen);
    if (!to.text.empty()) to.text.add('.');
    to.text.add_lower(label);
  };
  detail::each_label(written, [&](std::string_view label) {
    const character_classes seen = classify(label);
    if (!detail::needs_idna(label, seen)) {
      if (!detail::is_label(label, seen, allowed)) flawed(name_flaw::label);
      append(label, seen);
      return;
    }
    name_text mapped;
    bool fine = idna(label, mapped) && !mapped.is_cut();
    detail::each_label(mapped.view(), [&](std::string_view one) {
      const character_classes seen_here = classify(one);
      fine = fine && detail::is_label(one, seen_here, hyphens::inside);
      append(one, seen_here);
    });
    if (!fine) flawed(name_flaw::idna);
  });
  if (to.text.is_cut()) flawed(name_flaw::too_long);
}

/// True if the text is a name in canonical form.
[[nodiscard]] constexpr bool is_name(std::string_view text) {
  if (text.size() > longest_name) return false;
  bool fine = true;
  detail::each_label(text, [&](std::string_view label) {
    fine = fine && detail::is_label(label, classify(label), hyphens::anywhere);
    for (const char c : label) fine = fine && !ascii::is_upper(c);
  });
  return fine;
}

} // namespace cordon::host
