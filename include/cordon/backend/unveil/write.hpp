// SPDX-License-Identifier: BSL-1.0
/// The system calls that enforce a plan, as text: one a line, in their order.
#pragma once

#include "rules.hpp"

namespace cordon::unveil {

namespace detail {

/// Writes a string literal of C. Bytes outside printable ASCII become three octal digits, so that a digit after them is
/// not read as part of the escape.
template <class Out> constexpr void write_quoted(std::string_view text, Out& out) {
  out("\"");
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const char octal[]{'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                       static_cast<char>('0' + (byte & 7))};
    if (c == '"' || c == '\\') out("\\");
    if (byte >= 0x20 && byte < 0x7F) out(std::string_view(&c, 1));
    else out(std::string_view(octal, 4));
  }
  out("\"");
}

template <class Out> constexpr void write_unveil(std::string_view place, std::uint32_t permissions, Out& out) {
  out("unveil(");
  write_quoted(place, out);
  out(", \"");
  for (std::size_t i = 0; i < permission_letters.size(); ++i)
    if ((permissions >> i & 1) != 0) out(permission_letters.substr(i, 1));
  out("\")\n");
}

} // namespace detail

/// Calls `f(place, permissions)` for every unveil: default paths, then the policy's. There is always at least one:
/// without any, unveil(NULL, NULL) would leave everything visible. O(n).
template <class S, class F> constexpr void each_unveil(const rules<S>& r, F&& f) {
  const auto places = r.view(r.places);
  for (const default_place& a : default_places) f(a.place, a.permissions | places.lookup(a.place));
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    bool done = false;
    for (const default_place& a : default_places) done = done || a.place == places.place(i);
    if (!done) f(places.place(i), places[i].value);
  }
}

/// Writes the promises of the program. They must be in pledge's second argument: without it the kernel clears pledge
/// *and* unveil when it executes the program. sys/kern/kern_exec.c
template <class S, class Out> constexpr void write_promises(const rules<S>& r, Out&& out) {
  out(every_promise);
  for (const promise_name& p : promise_names)
    if ((r.promises & p.bit) != 0) {
      out(" ");
      out(p.words);
    }
}

/// Writes the calls, piece by piece: `out(std::string_view)`. O(n).
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  each_unveil(r, [&](std::string_view place, std::uint32_t p) { detail::write_unveil(place, p, out); });
  out("unveil(NULL, NULL)\npledge(\"");
  out(launcher_promises);
  out("\", \"");
  write_promises(r, out);
  out("\")\n");
}

} // namespace cordon::unveil
