// SPDX-License-Identifier: BSL-1.0
/// Errors and their positions: one enumeration of errors, one diagnostic, one result type. The algebra throws nothing;
/// callers convert errors at their own boundary.
#pragma once

#include "../detail/table.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon {

/// What can be wrong with a document, a literal or a policy. The numbers are stable.
enum class diagnostic_code : std::uint8_t {
  ok = 0,
  syntax = 1,            ///< the text violates the grammar of its format
  unknown_key = 2,       ///< a key that the format does not define
  duplicate_key = 3,     ///< a key that occurs twice in one object
  missing_key = 4,       ///< a required key is missing
  bad_type = 5,          ///< a value whose type the key does not accept
  bad_value = 6,         ///< a word or number that the key does not accept
  empty_list = 7,        ///< an empty list that a reader could take for "no limit"
  bad_path = 8,          ///< a path that has no normal form
  relative_path = 9,     ///< a relative path in a format that requires absolute ones
  duplicate_place = 10,  ///< two entries for one path or name
  bad_pattern = 11,      ///< an invalid host pattern
  bad_limit = 12,        ///< an invalid limit
  policy_too_large = 13, ///< the policy does not fit in its storage
  unreadable = 14,       ///< a file that cannot be read
  target_refused = 15,   ///< the target lacks a mechanism that the policy requires
  unknown_call = 16,     ///< a system call that no architecture has
  not_empty = 17,        ///< a policy to write to that is not as default-constructed
};

/// A kind of error, and its words.
struct diagnostic_code_row {
  diagnostic_code which; ///< the kind
  std::string_view name; ///< as in error messages and tests
};

/// All errors.
inline constexpr diagnostic_code_row diagnostic_code_table[]{{diagnostic_code::ok, "ok"},
                                                             {diagnostic_code::syntax, "syntax"},
                                                             {diagnostic_code::unknown_key, "unknown_key"},
                                                             {diagnostic_code::duplicate_key, "duplicate_key"},
                                                             {diagnostic_code::missing_key, "missing_key"},
                                                             {diagnostic_code::bad_type, "bad_type"},
                                                             {diagnostic_code::bad_value, "bad_value"},
                                                             {diagnostic_code::empty_list, "empty_list"},
                                                             {diagnostic_code::bad_path, "bad_path"},
                                                             {diagnostic_code::relative_path, "relative_path"},
                                                             {diagnostic_code::duplicate_place, "duplicate_place"},
                                                             {diagnostic_code::bad_pattern, "bad_pattern"},
                                                             {diagnostic_code::bad_limit, "bad_limit"},
                                                             {diagnostic_code::policy_too_large, "policy_too_large"},
                                                             {diagnostic_code::unreadable, "unreadable"},
                                                             {diagnostic_code::target_refused, "target_refused"},
                                                             {diagnostic_code::unknown_call, "unknown_call"},
                                                             {diagnostic_code::not_empty, "not_empty"}};
static_assert(detail::is_in_order(diagnostic_code_table));

/// Returns: the name of the error.
[[nodiscard]] constexpr std::string_view name(diagnostic_code code) {
  const auto i = static_cast<std::size_t>(code);
  return i < std::size(diagnostic_code_table) ? diagnostic_code_table[i].name : "unknown";
}

/// An error and its position in the text, counted from 1 (0: no position). `subject` is the offending text, valid as
/// long as the input. The compiler warns if a caller drops one.
struct [[nodiscard]] diagnostic {
  diagnostic_code code = diagnostic_code::ok; ///< `diagnostic_code::ok`: no error
  std::uint32_t line = 0;                     ///< from 1; 0: not about a text
  std::uint32_t column = 0;                   ///< in bytes, from 1
  std::string_view subject{};                 ///< what the error is about; valid as long as the text

  friend constexpr bool operator==(const diagnostic&, const diagnostic&) = default; ///< Compares every member.
};

/// A value, or the error if there is no value. Use `*` and `->` only if the result converts to true. `value_or` and
/// `and_then` are those of std::expected.
template <class T, class Error = diagnostic> class [[nodiscard]] result {
public:
  constexpr result(const T& value) : value_(value) {}              ///< A value.
  constexpr result(T&& value) : value_(static_cast<T&&>(value)) {} ///< A value.
  constexpr result(const Error& e) : error_(e) {}                  ///< An error.
  constexpr result(diagnostic_code code) : error_{code} {}         ///< An error without more about it.

  [[nodiscard]] constexpr explicit operator bool() const {
    return error_.code == diagnostic_code::ok;
  }                                                           ///< Is there a value?
  [[nodiscard]] constexpr T& operator*() & { return value_; } ///< The value; without one, a default-constructed one.
  /// The value; without one, a default-constructed one.
  [[nodiscard]] constexpr const T& operator*() const& { return value_; }
  /// The value; without one, a default-constructed one.
  [[nodiscard]] constexpr T operator*() && { return static_cast<T&&>(value_); }
  [[nodiscard]] constexpr T* operator->() { return &value_; }             ///< Access to the value.
  [[nodiscard]] constexpr const T* operator->() const { return &value_; } ///< Access to the value.
  [[nodiscard]] constexpr Error error() const {
    return error_;
  } ///< The error; `diagnostic_code::ok` if there is a value.

  /// The value, or `other` if there is none.
  template <class U> [[nodiscard]] constexpr T value_or(U&& other) const& {
    return *this ? value_ : static_cast<T>(static_cast<U&&>(other));
  }
  /// The value, or `other` if there is none.
  template <class U> [[nodiscard]] constexpr T value_or(U&& other) && {
    return *this ? static_cast<T&&>(value_) : static_cast<T>(static_cast<U&&>(other));
  }
  /// What `f(value)` returns, which is a result with the same type of error; the error if there is no value.
  template <class F> [[nodiscard]] constexpr auto and_then(F&& f) const& {
    using next = decltype(f(value_));
    return *this ? f(value_) : next(error_);
  }
  /// Returns: `f(value)`, a result too; without a value, the error.
  template <class F> [[nodiscard]] constexpr auto and_then(F&& f) && {
    using next = decltype(f(static_cast<T&&>(value_)));
    return *this ? f(static_cast<T&&>(value_)) : next(error_);
  }

private:
  T value_{};
  Error error_{};
};

namespace detail {

/// What `f(to)` writes to a value that is as default-constructed, or the error that it returns.
template <class T, class F> [[nodiscard]] constexpr auto written_by(F&& f) {
  using made = result<T, decltype(f(*static_cast<T*>(nullptr)))>;
  made to{T()};
  if (const auto e = f(*to); e.code != diagnostic_code::ok) return made(e);
  return to;
}

} // namespace detail
} // namespace cordon
