// SPDX-License-Identifier: BSL-1.0
/// JSON with positions. Boost.JSON parses and validates the text, but keeps no positions. For an error in a value's
/// meaning, the value is found again in the text by its path from the root. Duplicate keys and nesting above 64 are
/// errors.
#pragma once

#include "error.hpp"

#include <boost/json.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace cordon::format::json {

inline constexpr std::size_t deepest = 64; ///< nesting of objects and lists; deeper texts are refused

inline namespace abi_0 {

/// Line and column of a byte, counted from 1; columns in characters.
struct position {
  std::uint32_t line = 1;   ///< from 1
  std::uint32_t column = 1; ///< in characters, from 1
};

/// The position of a byte. O(n).
[[nodiscard]] position position_of(std::string_view text, std::size_t offset);

/// A text and its parsed value.
class text {
public:
  /// Parses the text; `file` is its name in messages. Throws: bad_document.
  text(std::string file, std::string content);

  [[nodiscard]] const boost::json::value& root() const { return root_; } ///< The parsed value.
  [[nodiscard]] std::string_view content() const { return content_; }    ///< The text, as it was read.

  /// Throws: bad_document with the position of that byte.
  [[noreturn]] void fail(diagnostic_code code, std::size_t offset, const std::string& message) const;

private:
  std::string file_;
  std::string content_;
  boost::json::value root_;
};

/// A value and its path from the root.
class node {
public:
  explicit node(const text& t) : text_(&t), value_(&t.root()) {} ///< The root of a text, which must outlive the node.

  [[nodiscard]] const boost::json::value& value() const { return *value_; } ///< The value itself.
  [[nodiscard]] bool is_null() const { return value_->is_null(); }          ///< Is it null?
  /// The key of the member; empty for an element or the root.
  [[nodiscard]] std::string_view key() const { return key_; }

  /// The value as a string. Throws: bad_document for another type.
  [[nodiscard]] std::string_view string(std::string_view wanted = "a string") const {
    if (!value_->is_string()) fail(diagnostic_code::bad_type, "must be " + std::string(wanted));
    const auto& s = value_->get_string();
    return {s.data(), s.size()};
  }
  /// Is it this string?
  [[nodiscard]] bool is_string(std::string_view s) const {
    return value_->is_string() && std::string_view(value_->get_string().data(), value_->get_string().size()) == s;
  }
  /// True if the value is a string that begins with `start`.
  [[nodiscard]] bool is_string_behind(std::string_view start) const {
    return value_->is_string() &&
           std::string_view(value_->get_string().data(), value_->get_string().size()).starts_with(start);
  }
  /// The value as a boolean. Throws: bad_document for another type.
  [[nodiscard]] bool boolean() const {
    if (!value_->is_bool()) fail(diagnostic_code::bad_type, "must be true or false");
    return value_->get_bool();
  }

  /// Calls `f(node)` for each element. Throws: bad_type with the sentence, if the value is not a list.
  template <class F> void each(std::string_view wanted, F&& f) const {
    if (!value_->is_array()) fail(diagnostic_code::bad_type, "must be " + std::string(wanted));
    std::size_t i = 0;
    for (const auto& v : value_->get_array()) f(node(*this, v, {}, i++));
  }
  [[nodiscard]] bool is_list() const { return value_->is_array(); } ///< Is it a list?
  /// The number of elements; 0 if it is no list.
  [[nodiscard]] std::size_t size() const { return value_->is_array() ? value_->get_array().size() : 0; }

  /// Calls `f(key, node)` for each member.
  template <class F> void members(std::string_view wanted, F&& f) const {
    if (!value_->is_object()) fail(diagnostic_code::bad_type, "must be " + std::string(wanted));
    for (const auto& m : value_->get_object()) {
      const std::string_view key(m.key().data(), m.key().size());
      f(key, node(*this, m.value(), key, 0));
    }
  }

  /// Offset of the value, or of its key, in the text.
  [[nodiscard]] std::size_t offset(bool of_key = false) const;

  /// Throws: bad_document with the position of the value.
  [[noreturn]] void fail(diagnostic_code code, const std::string& message) const;
  /// Throws: bad_document, with the keys that are known here.
  [[noreturn]] void unknown_key(std::string_view known) const;

private:
  node(const node& above, const boost::json::value& v, std::string_view key, std::size_t index)
      : text_(above.text_), above_(&above), value_(&v), key_(key), index_(index) {}

  const text* text_;
  const node* above_ = nullptr;
  const boost::json::value* value_;
  std::string_view key_{};
  std::size_t index_ = 0;
};

} // namespace abi_0

} // namespace cordon::format::json
