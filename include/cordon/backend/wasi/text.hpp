// SPDX-License-Identifier: BSL-1.0
/// The rules as JSON: arguments for wasmtime, the object `preopens` for node, a list for programs that embed wasmtime.
/// `siblings` is a separate list: the caller opens the directories that it describes, except names that `is_name`
/// refuses.
#pragma once

#include "../../detail/json_writer.hpp"
#include "../../detail/utf8.hpp"
#include "rules.hpp"

#include <string_view>
#include <type_traits>

namespace cordon::wasi {

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

namespace detail {

template <class S, class Out> class text_writer {
public:
  constexpr text_writer(const rules<S>& r, Out& out) : r_(r), to_(out, {.indent = 1}) {}

  constexpr void write() {
    to_.object(json_layout::hanging, [&] {
      to_.member("runtime", name(r_.runtime));
      if (r_.runtime == runtime::wasmtime) arguments();
      else if (r_.runtime == runtime::node) preopens_by_name();
      else preopens_with_access();
      siblings();
      exceptions();
    });
    to_.end_line();
  }

private:
  constexpr void arguments() {
    to_.list("argv", json_layout::filled, [&] {
      for (const std::string_view word : wasmtime_options) to_.text(word);
      const auto preopens = r_.view(r_.preopens);
      for (std::uint32_t i = 0; i < preopens.size(); ++i) {
        to_.start_line();
        to_.text("--dir");
        // One string: no name contains `::` or ends with `:`, so wasmtime splits it between the two names.
        to_.text(preopens.place(i), "::", preopens.place(i));
      }
    });
  }
  constexpr void preopens_by_name() {
    const auto preopens = r_.view(r_.preopens);
    to_.object("preopens", json_layout::filled, [&] {
      for (std::uint32_t i = 0; i < preopens.size(); ++i) {
        to_.start_line();
        to_.member(preopens.place(i), preopens.place(i));
      }
    });
  }
  constexpr void preopens_with_access() {
    directories("preopens", r_.view(r_.preopens), [&](std::string_view place) {
      to_.member("host", place);
      to_.member("guest", place);
    });
  }
  constexpr void siblings() {
    directories("siblings", r_.view(r_.siblings), [&](std::string_view place) { to_.member("directory", place); });
  }
  /// Writes an object for each directory: what `names(place)` writes, and the access.
  template <class F> constexpr void directories(std::string_view key, step_function<path_tree> all, F&& names) {
    to_.list(key, json_layout::filled, [&] {
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        to_.start_line();
        to_.object(json_layout::one_line, [&] {
          names(all.place(i));
          to_.member("access", all[i].value == read_write ? "read-write" : "read-only");
        });
      }
    });
  }
  /// Writes the exceptions that are UTF-8. Another one can only be in a directory whose children are not opened:
  /// `compile` refuses all other cases.
  constexpr void exceptions() {
    const auto except = r_.view(r_.except);
    to_.list("except", json_layout::filled, [&] {
      for (std::uint32_t i = 0; i < except.size(); ++i) {
        if (!utf8::is_text(except.place(i))) continue;
        to_.start_line();
        to_.text(except.place(i));
      }
    });
  }

  const rules<S>& r_;
  json_writer<Out> to_;
};

} // namespace detail

/// Writes the rules as text for a person or a runtime. O(n).
template <class S, class Out> constexpr void write(const rules<S>& r, Out&& out) {
  detail::text_writer<S, std::remove_reference_t<Out>>(r, out).write();
}

} // namespace cordon::wasi
