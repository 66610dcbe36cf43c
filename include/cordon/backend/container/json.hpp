// SPDX-License-Identifier: BSL-1.0
/// JSON as text, piece by piece. The writer determines the order of members, so the same rules give the same bytes.
#pragma once

#include "../json_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::container {

/// Passes pieces on, escaped for a JSON string.
template <class Out> struct escaping {
  Out& out;
  constexpr void operator()(std::string_view piece) const { escape_json(piece, out); }
};

/// How a list or an object is laid out.
enum class layout : std::uint8_t { lines, one_line };

template <class Out> class json_writer {
public:
  constexpr explicit json_writer(Out& out) : out_(out) {}

  /// Calls `body()`, which writes the members.
  template <class F> constexpr void object(layout how, F&& body) { nest("{", "}", how, body); }
  template <class F> constexpr void object(std::string_view name, layout how, F&& body) {
    key(name), object(how, body);
  }
  template <class F> constexpr void list(std::string_view name, layout how, F&& body) {
    key(name);
    nest("[", "]", how, body);
  }

  constexpr void key(std::string_view name) {
    text(name);
    out_(": ");
    has_key_ = true;
  }
  template <class... Pieces> constexpr void text(const Pieces&... pieces) {
    item();
    out_("\"");
    (escape_json(std::string_view(pieces), out_), ...);
    out_("\"");
  }
  /// Calls `body(out)`, which writes the pieces of a string's text.
  template <class F> constexpr void text_of(F&& body) {
    item();
    out_("\"");
    escaping<Out> inside{out_};
    body(inside);
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

  constexpr void member(std::string_view name, std::string_view value) { key(name), text(value); }
  constexpr void member_number(std::string_view name, std::uint64_t n) { key(name), number(n); }
  constexpr void member_flag(std::string_view name, bool b) { key(name), boolean(b); }

  template <class To> static constexpr void digits(std::uint64_t n, To&& to) {
    char all[20]{};
    std::size_t at = sizeof all;
    do all[--at] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    to(std::string_view(all + at, sizeof all - at));
  }

private:
  template <class F> constexpr void nest(std::string_view open, std::string_view close, layout how, F& body) {
    item();
    out_(open);
    const bool was_line = line_, was_used = used_;
    line_ = was_line || how == layout::one_line;
    used_ = false;
    ++depth_;
    body();
    --depth_;
    if (!line_ && used_) new_line();
    line_ = was_line, used_ = was_used;
    out_(close);
  }
  constexpr void item() {
    if (has_key_) return void(has_key_ = false);
    if (used_) out_(line_ ? ", " : ",");
    if (!line_ && depth_ != 0) new_line();
    used_ = true;
  }
  constexpr void new_line() {
    out_("\n");
    for (std::size_t i = 0; i < depth_; ++i) out_("  ");
  }

  Out& out_;
  std::size_t depth_ = 0;
  bool line_ = false, used_ = false, has_key_ = false;
};

} // namespace cordon::container
