// SPDX-License-Identifier: BSL-1.0
/// JSON with positions. Boost.JSON parses and validates the text, but keeps no positions. For an error in a value's
/// meaning, the value is found again in the text by its path from the root. Duplicate keys and nesting above 64 are
/// errors.
#pragma once

#include "error.hpp"

#include <boost/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace cordon::format::json {

inline constexpr std::size_t deepest = 64; ///< nesting of objects and lists; deeper texts are refused

namespace detail {

/// Walks over valid JSON text.
class walker {
public:
  explicit walker(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t at() {
    at_ = text_.find_first_not_of(" \t\r\n", at_);
    return at_;
  }
  [[nodiscard]] char look() { return text_[at()]; }
  void step() { at_ = at() + 1; }

  /// Returns the content of the string here, and moves after it.
  std::string string() {
    const std::size_t from = at();
    skip();
    const std::string_view token = text_.substr(from, at_ - from);
    if (token.find('\\') == token.npos) return std::string(token.substr(1, token.size() - 2));
    return std::string(boost::json::parse(boost::json::string_view(token.data(), token.size())).as_string());
  }

  /// Moves after the value here.
  void skip() {
    std::size_t depth = 0;
    do {
      const char c = look();
      if (c == '"') {
        for (++at_; text_[at_] != '"'; ++at_)
          if (text_[at_] == '\\') ++at_;
        ++at_;
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        --depth;
        ++at_;
      } else if (c == ',' || c == ':') ++at_;
      else {
        at_ = text_.find_first_of(" \t\r\n,]}", at_);
        if (at_ == text_.npos) at_ = text_.size();
      }
    } while (depth != 0);
  }

  /// Calls `f(offset of the element or key, key)` for each element of the container here. The walker is before the
  /// element (after the colon), and `f` must move after it. Moves after the container, unless f returns false.
  template <class F> void each(F&& f) {
    const bool object = look() == '{';
    const char end = object ? '}' : ']';
    for (step(); look() != end;) {
      const std::size_t from = at();
      std::string key;
      if (object) {
        key = string();
        step();
      }
      if (!f(from, key)) return;
      if (look() == ',') step();
    }
    step();
  }

private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Offset of the first duplicate key in an object.
inline std::optional<std::size_t> duplicate_key(walker& w) {
  std::optional<std::size_t> found;
  if (w.look() != '{' && w.look() != '[') return w.skip(), found;
  const bool object = w.look() == '{';
  std::unordered_set<std::string> seen;
  w.each([&](std::size_t from, const std::string& key) {
    if (object && !seen.insert(key).second) found = from;
    else found = duplicate_key(w);
    return !found;
  });
  return found;
}

} // namespace detail

/// Line and column of a byte, counted from 1; columns in characters.
struct position {
  std::uint32_t line = 1;   ///< from 1
  std::uint32_t column = 1; ///< in characters, from 1
};

/// The position of a byte. O(n).
[[nodiscard]] inline position position_of(std::string_view text, std::size_t offset) {
  position p;
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      ++p.line;
      p.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++p.column;
  }
  return p;
}

/// A text and its parsed value.
class text {
public:
  /// Parses the text; `file` is its name in messages. Throws: bad_document.
  text(std::string file, std::string content) : file_(std::move(file)), content_(std::move(content)) {
    boost::json::parse_options options;
    options.max_depth = deepest;
    boost::json::stream_parser parser({}, options);
    boost::system::error_code ec;
    const std::size_t used = parser.write_some(content_.data(), content_.size(), ec);
    if (!ec && used < content_.size()) fail(diagnostic_code::syntax, used, "more text after the end of the JSON value");
    if (!ec) parser.finish(ec);
    if (ec == boost::json::error::too_deep)
      fail(diagnostic_code::syntax, used, "nested deeper than " + std::to_string(deepest) + " levels");
    if (ec == boost::json::error::incomplete)
      fail(diagnostic_code::syntax, content_.size(), "the JSON text ends too early");
    if (ec) fail(diagnostic_code::syntax, used, "not valid JSON: " + ec.message());
    root_ = parser.release();
    detail::walker w(content_);
    if (const auto twice = detail::duplicate_key(w)) {
      detail::walker key(std::string_view(content_).substr(*twice));
      fail(diagnostic_code::duplicate_key, *twice, "the key " + shown(key.string()) + " stands here a second time");
    }
  }

  [[nodiscard]] const boost::json::value& root() const { return root_; } ///< The parsed value.
  [[nodiscard]] std::string_view content() const { return content_; }    ///< The text, as it was read.

  /// Throws: bad_document with the position of that byte.
  [[noreturn]] void fail(diagnostic_code code, std::size_t offset, const std::string& message) const {
    const position p = position_of(content_, offset);
    throw bad_document(code, file_, p.line, p.column, message);
  }

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
  [[nodiscard]] std::size_t offset(bool of_key = false) const {
    detail::walker w(text_->content());
    std::vector<const node*> way;
    for (const node* n = this; n->above_ != nullptr; n = n->above_) way.push_back(n);
    while (!way.empty()) {
      const node& next = *way.back();
      way.pop_back();
      std::size_t index = 0, key_at = 0;
      const bool object = w.look() == '{';
      w.each([&](std::size_t from, const std::string& key) {
        key_at = from;
        if (object ? key == next.key_ : index++ == next.index_) return false;
        w.skip();
        return true;
      });
      if (way.empty() && of_key && object) return key_at;
    }
    return w.at();
  }

  /// Throws: bad_document with the position of the value.
  [[noreturn]] void fail(diagnostic_code code, const std::string& message) const {
    text_->fail(code, offset(), (key_.empty() ? "" : std::string(key_) + ": ") + message);
  }
  /// Throws: bad_document, with the keys that are known here.
  [[noreturn]] void unknown_key(std::string_view known) const {
    text_->fail(diagnostic_code::unknown_key, offset(true),
                "unknown key " + shown(key_) + "; known here: " + std::string(known));
  }

private:
  node(const node& above, const boost::json::value& v, std::string_view key, std::size_t index)
      : text_(above.text_), above_(&above), value_(&v), key_(key), index_(index) {}

  const text* text_;
  const node* above_ = nullptr;
  const boost::json::value* value_;
  std::string_view key_{};
  std::size_t index_ = 0;
};

} // namespace cordon::format::json
