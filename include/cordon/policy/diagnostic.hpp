// SPDX-License-Identifier: BSL-1.0
/// Errors and their positions: one enumeration of errors, one diagnostic, one result type. The algebra throws nothing;
/// callers convert errors at their own boundary.
#pragma once

#include <cstdint>
#include <string_view>

namespace cordon {

/// What can be wrong with a document, a literal or a policy. The numbers are stable.
enum class errc : std::uint8_t {
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
};

[[nodiscard]] constexpr std::string_view name(errc code) {
  switch (code) {
  case errc::ok: return "ok";
  case errc::syntax: return "syntax";
  case errc::unknown_key: return "unknown_key";
  case errc::duplicate_key: return "duplicate_key";
  case errc::missing_key: return "missing_key";
  case errc::bad_type: return "bad_type";
  case errc::bad_value: return "bad_value";
  case errc::empty_list: return "empty_list";
  case errc::bad_path: return "bad_path";
  case errc::relative_path: return "relative_path";
  case errc::duplicate_place: return "duplicate_place";
  case errc::bad_pattern: return "bad_pattern";
  case errc::bad_limit: return "bad_limit";
  case errc::policy_too_large: return "policy_too_large";
  case errc::unreadable: return "unreadable";
  case errc::target_refused: return "target_refused";
  case errc::unknown_call: return "unknown_call";
  }
  return "unknown";
}

/// An error and its position in the text, counted from 1 (0: no position). `subject` is the offending text, valid as
/// long as the input.
struct diagnostic {
  errc code = errc::ok;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string_view subject{};

  friend constexpr bool operator==(const diagnostic&, const diagnostic&) = default;
};

/// A value, or the diagnostic if there is no value. Use `*` and `->` only if the result converts to true.
template <class T> class [[nodiscard]] result {
public:
  constexpr result(const T& value) : value_(value) {}
  constexpr result(T&& value) : value_(static_cast<T&&>(value)) {}
  constexpr result(diagnostic d) : error_(d) {}
  constexpr result(errc code) : error_{code} {}

  [[nodiscard]] constexpr explicit operator bool() const { return error_.code == errc::ok; }
  [[nodiscard]] constexpr T& operator*() { return value_; }
  [[nodiscard]] constexpr const T& operator*() const { return value_; }
  [[nodiscard]] constexpr T* operator->() { return &value_; }
  [[nodiscard]] constexpr const T* operator->() const { return &value_; }
  [[nodiscard]] constexpr const diagnostic& error() const { return error_; }

private:
  T value_{};
  diagnostic error_{};
};

} // namespace cordon
