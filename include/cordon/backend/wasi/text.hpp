// SPDX-License-Identifier: BSL-1.0
/// The rules as JSON: arguments for wasmtime, the object `preopens` for node, a list for a program of one's own.
/// `siblings` stand beside; who prepares a run opens the directories that they mean, and leaves out names that `is_name`
/// refuses.
#pragma once

#include "rules.hpp"

namespace cordon::wasi {

namespace detail {

/// The bytes of one UTF-8 character at the start of the text; 0 if there is none.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  const std::size_t n = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool too_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool no_character = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return too_long || no_character ? 0 : n;
}

/// A JSON string, quotes included. The text is UTF-8.
template <class Out> constexpr void write_string(std::string_view text, Out&& out) {
  out("\"");
  for (std::size_t from = 0; from < text.size();) {
    std::size_t end = from;
    while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x20 && text[end] != '"' && text[end] != '\\')
      ++end;
    if (end != from) out(text.substr(from, end - from));
    if (end == text.size()) break;
    const auto c = static_cast<unsigned char>(text[end]);
    const char escape[]{
        '\\', static_cast<char>(c), 'u', '0', '0', "0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]};
    if (c >= 0x20) out(std::string_view(escape, 2));
    else {
      out("\\");
      out(std::string_view(escape + 2, 5));
    }
    from = end + 1;
  }
  out("\"");
}

/// Calls `item(i)` for each index, with commas and line ends in between.
template <class Out, class F> constexpr void write_list(std::uint32_t count, Out&& out, F&& item) {
  for (std::uint32_t i = 0; i < count; ++i) {
    out(i == 0 ? "\n  " : ",\n  ");
    item(i);
  }
}

} // namespace detail

/// Can the runtime be told to open a directory of that name? All take UTF-8; wasmtime splits at the first `::`.
[[nodiscard]] constexpr bool is_name(std::string_view place, runtime r) {
  for (std::size_t i = 0, n = 0; i < place.size(); i += n)
    if (n = detail::utf8_length(place.substr(i)); n == 0) return false;
  return r != runtime::wasmtime || (place.find("::") == place.npos && place.back() != ':');
}

/// What wasmtime gets before its preopens: no network, whatever its defaults become, and of the environment what the run
/// has. Values never stand in arguments.
inline constexpr std::string_view wasmtime_options[]{
    "run",    "-S", "inherit-network=n", "-S", "tcp=n", "-S", "udp=n", "-S", "allow-ip-name-lookup=n", "-S",
    "http=n", "-S", "inherit-env=y"};

template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  const auto preopens = r.view(r.preopens), siblings = r.view(r.siblings), except = r.view(r.except);
  const auto access_text = [](std::uint32_t a) { return a == read_write ? "\"read-write\"" : "\"read-only\""; };
  out("{\"runtime\": ");
  detail::write_string(name(r.runtime), out);
  if (r.runtime == runtime::wasmtime) {
    out(",\n \"argv\": [");
    for (const std::string_view word : wasmtime_options) {
      if (word != wasmtime_options[0]) out(", ");
      detail::write_string(word, out);
    }
    for (std::uint32_t i = 0; i < preopens.size(); ++i) {
      // One string: neither part ends in what the other begins with, and no name has what separates them.
      out(",\n  \"--dir\", ");
      const auto inside = [&](std::string_view piece) {
        if (piece != "\"") out(piece);
      };
      out("\"");
      detail::write_string(preopens.place(i), inside);
      out("::");
      detail::write_string(preopens.place(i), inside);
      out("\"");
    }
    out("]");
  } else if (r.runtime == runtime::node) {
    out(",\n \"preopens\": {");
    detail::write_list(preopens.size(), out, [&](std::uint32_t i) {
      detail::write_string(preopens.place(i), out);
      out(": ");
      detail::write_string(preopens.place(i), out);
    });
    out("}");
  } else {
    out(",\n \"preopens\": [");
    detail::write_list(preopens.size(), out, [&](std::uint32_t i) {
      out("{\"host\": ");
      detail::write_string(preopens.place(i), out);
      out(", \"guest\": ");
      detail::write_string(preopens.place(i), out);
      out(", \"access\": ");
      out(access_text(preopens[i].value));
      out("}");
    });
    out("]");
  }
  out(",\n \"siblings\": [");
  detail::write_list(siblings.size(), out, [&](std::uint32_t i) {
    out("{\"directory\": ");
    detail::write_string(siblings.place(i), out);
    out(", \"access\": ");
    out(access_text(siblings[i].value));
    out("}");
  });
  out("],\n \"except\": [");
  detail::write_list(except.size(), out, [&](std::uint32_t i) { detail::write_string(except.place(i), out); });
  out("]}\n");
}

} // namespace cordon::wasi
