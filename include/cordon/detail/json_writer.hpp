// SPDX-License-Identifier: BSL-1.0
/// Writes JSON, piece by piece, into a function that takes text. The caller determines the order of members, so the
/// same values give the same bytes.
///
///   std::string text;
///   auto out = [&](std::string_view piece) { text += piece; };
///   json_writer to(out);
///   to.object(json_layout::lines, [&] {
///     to.member("name", "a");
///     to.list("ports", json_layout::one_line, [&] {
///       to.number(80);
///       to.number(443);
///     });
///   });
///   to.end_line(); // {\n  "name": "a",\n  "ports": [80, 443]\n}\n
#pragma once

#include "json_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon {

/// How the items of an object or a list are separated. Layouts with line ends indent them by one level more.
///
///   lines      each item has a line, and so has the closing bracket; {} or [] if there is no item
///   hanging    the first item follows the bracket, each other item has a line
///   filled     as one_line, but an item after `start_line` begins a line
///   one_line   {"a": 1, "b": [2, 3]}
///   compact    {"a":1,"b":[2,3]}
enum class json_layout : std::uint8_t { lines, hanging, filled, one_line, compact };

struct json_style {
  std::size_t indent = 2; ///< spaces for each level
  json_controls controls = json_controls::code_points;
};

/// Each member function writes an item of the innermost object or list, or the value of the key before. Allocates
/// nothing.
template <class Out> class json_writer {
public:
  constexpr explicit json_writer(Out& out, json_style style = {}) : out_(out), style_(style) {}

  /// Calls `body()`, which writes the members.
  template <class F> constexpr void object(json_layout how, F&& body) { nest("{", "}", how, body); }
  template <class F> constexpr void object(std::string_view name, json_layout how, F&& body) {
    key(name);
    object(how, body);
  }
  /// Calls `body()`, which writes the items.
  template <class F> constexpr void list(json_layout how, F&& body) { nest("[", "]", how, body); }
  template <class F> constexpr void list(std::string_view name, json_layout how, F&& body) {
    key(name);
    list(how, body);
  }

  constexpr void key(std::string_view name) {
    text(name);
    out_(layout_ == json_layout::compact ? ":" : ": ");
    has_key_ = true;
  }
  template <class... Pieces> constexpr void text(const Pieces&... pieces) {
    item();
    out_("\"");
    (escape_json(std::string_view(pieces), out_, style_.controls), ...);
    out_("\"");
  }
  /// Calls `body(out)`, which writes the pieces of a string's text.
  template <class F> constexpr void text_of(F&& body) {
    item();
    out_("\"");
    const auto escaped = [this](std::string_view piece) { escape_json(piece, out_, style_.controls); };
    body(escaped);
    out_("\"");
  }
  constexpr void number(std::uint64_t n) {
    item();
    digits(n, out_);
  }
  constexpr void boolean(bool b) {
    item();
    out_(b ? "true" : "false");
  }
  constexpr void null() {
    item();
    out_("null");
  }
  /// A value that is JSON already, in one line.
  constexpr void json(std::string_view value) {
    item();
    out_(value);
  }

  constexpr void member(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  /// Writes null for an empty text.
  constexpr void member_or_null(std::string_view name, std::string_view value) {
    key(name);
    if (value.empty()) null();
    else text(value);
  }
  constexpr void member_number(std::string_view name, std::uint64_t n) {
    key(name);
    number(n);
  }
  constexpr void member_flag(std::string_view name, bool b) {
    key(name);
    boolean(b);
  }
  /// A list of strings in one line.
  template <class List> constexpr void member_texts(std::string_view name, const List& all) {
    list(name, json_layout::one_line, [&] {
      for (const auto& one : all) text(one);
    });
  }
  /// A list of objects, one a line. Calls `members(one)` for each.
  template <class List, class F> constexpr void member_objects(std::string_view name, const List& all, F&& members) {
    list(name, json_layout::lines, [&] {
      for (const auto& one : all) object(json_layout::one_line, [&] { members(one); });
    });
  }

  /// In the layout filled: the next item begins a line.
  constexpr void start_line() { starts_line_ = true; }
  /// Ends a document, so that another one may follow.
  constexpr void end_line() {
    out_("\n");
    has_items_ = false;
  }
  /// Continues an object or a list whose begin is written already, as are `level` indented levels with it.
  constexpr void resume(json_layout how, std::size_t level, bool has_items) {
    layout_ = how;
    level_ = level;
    has_items_ = has_items;
  }

  /// Calls `to(text)` with the decimal digits.
  template <class To> static constexpr void digits(std::uint64_t n, To&& to) {
    char all[20]{};
    std::size_t at = sizeof all;
    do all[--at] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    to(std::string_view(all + at, sizeof all - at));
  }

private:
  [[nodiscard]] static constexpr bool is_indented(json_layout how) {
    return how != json_layout::one_line && how != json_layout::compact;
  }

  template <class F> constexpr void nest(std::string_view open, std::string_view close, json_layout how, F& body) {
    item();
    out_(open);
    const json_layout outer = layout_;
    const bool had_items = has_items_;
    layout_ = how;
    has_items_ = false;
    level_ += is_indented(how) ? 1 : 0;
    body();
    level_ -= is_indented(how) ? 1 : 0;
    if (how == json_layout::lines && has_items_) new_line();
    layout_ = outer;
    has_items_ = had_items;
    out_(close);
  }
  /// Writes what separates an item from the one before.
  constexpr void item() {
    if (has_key_) {
      has_key_ = false;
      return;
    }
    if (has_items_) out_(",");
    if (begins_line()) new_line();
    else if (has_items_ && layout_ != json_layout::compact) out_(" ");
    has_items_ = true;
    starts_line_ = false;
  }
  [[nodiscard]] constexpr bool begins_line() const {
    return layout_ == json_layout::lines || (layout_ == json_layout::hanging && has_items_) ||
           (layout_ == json_layout::filled && starts_line_);
  }
  constexpr void new_line() {
    out_("\n");
    for (std::size_t i = 0; i < level_ * style_.indent; ++i) out_(" ");
  }

  Out& out_;
  json_style style_;
  json_layout layout_ = json_layout::one_line;
  std::size_t level_ = 0;
  bool has_items_ = false, has_key_ = false, starts_line_ = false;
};

} // namespace cordon
