// SPDX-License-Identifier: BSL-1.0
/// The rules as JSON: arguments for wasmtime, the object `preopens` for node, a list for programs that embed wasmtime.
/// `siblings` is a separate list: the caller opens the directories that it describes, except names that `is_name`
/// refuses.
#pragma once

#include "../../detail/utf8.hpp"
#include "../json_text.hpp"
#include "rules.hpp"

namespace cordon::wasi {

namespace detail {

/// Writes a JSON string, quotes included. The text must be UTF-8.
template <class Out> constexpr void write_string(std::string_view text, Out&& out) {
  out("\""), escape_json(text, out), out("\"");
}

/// Calls `item(i)` for each index, with commas and line ends between.
template <class Out, class F> constexpr void write_list(std::uint32_t count, Out&& out, F&& item) {
  for (std::uint32_t i = 0; i < count; ++i) {
    out(i == 0 ? "\n  " : ",\n  ");
    item(i);
  }
}

/// Writes the exceptions that are UTF-8. Another one can only be in a directory whose children are not opened:
/// `compile` refuses all other cases.
template <class Out> constexpr void write_exceptions(step_function<path_tree> except, Out&& out) {
  bool is_first = true;
  for (std::uint32_t i = 0; i < except.size(); ++i) {
    if (!utf8::is_text(except.place(i))) continue;
    out(is_first ? "\n  " : ",\n  ");
    write_string(except.place(i), out);
    is_first = false;
  }
}

} // namespace detail

/// Returns whether the runtime can open a directory of that name. All require UTF-8; wasmtime splits at the first `::`.
[[nodiscard]] constexpr bool is_name(std::string_view place, runtime r) {
  for (std::size_t i = 0, n = 0; i < place.size(); i += n)
    if (n = utf8::character_size(place.substr(i)); n == 0) return false;
  return r != runtime::wasmtime || (place.find("::") == place.npos && place.back() != ':');
}

/// Arguments of wasmtime before its preopens: no network, whatever its defaults become, and the environment of the run.
/// Values of variables are never arguments.
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
      // One string: no name contains `::` or ends with `:`, so wasmtime splits it between the two names.
      out(",\n  \"--dir\", \"");
      escape_json(preopens.place(i), out);
      out("::");
      escape_json(preopens.place(i), out);
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
  detail::write_exceptions(except, out);
  out("]}\n");
}

} // namespace cordon::wasi
