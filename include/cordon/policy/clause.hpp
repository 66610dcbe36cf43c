// SPDX-License-Identifier: BSL-1.0
/// One clause of a policy that is written in C++, and the error of a list of clauses:
///
///   const auto made = try_policy_of({can_write(dir), can_connect(pattern)});
///   if (!made) std::puts(text_of(made.error()).c_str());
///   // clause 1, can_write("data"): the path is not absolute and in normal form; write it as /dir/file
#pragma once

#include "../detail/ascii.hpp"
#include "../detail/stop.hpp"
#include "../detail/table.hpp"
#include "../detail/utf8.hpp"
#include "../host/parse.hpp"
#include "../host/pattern.hpp"
#include "abilities.hpp"
#include "axis.hpp"
#include "diagnostic.hpp"
#include "environment.hpp"
#include "name.hpp"
#include "owned_text.hpp"
#include "path.hpp"
#include "step_function.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace cordon {

/// The functions of namespace dsl, in the order of dsl.hpp. `none` is a clause that the caller filled in.
enum class clause_function : std::uint8_t {
  none,
  grant,
  can_read,
  can_run,
  can_write,
  hidden,
  can_connect,
  cannot_connect,
  can_listen,
  can_use_loopback,
  can_use_own_sockets,
  can_use_socket,
  can_use,
  cannot_call,
  passes,
  sets,
  can_start,
};

/// A clause function and its name.
struct clause_function_row {
  /// The function.
  clause_function which;
  /// As it is written in C++.
  std::string_view name;
  diagnostic_code wrong = diagnostic_code::ok; ///< the code of a wrong argument; ok if no argument can be wrong
  std::string_view why{};     ///< the argument is wrong; of a host pattern, `explain` of its flaw says more
  std::string_view instead{}; ///< what to write
};

namespace detail {

inline constexpr std::string_view no_normal_path = "the path is not absolute and in normal form";
inline constexpr std::string_view normal_path = "write it as /dir/file";
inline constexpr std::string_view no_pattern = "the host pattern is invalid";
inline constexpr std::string_view a_pattern = "write it as example.com, *.example.com:443 or 10.0.0.0/8";
inline constexpr std::string_view no_variable = "a variable has a name without = and NUL and a content without NUL";

} // namespace detail

/// All functions that make a clause. Errors read this table.
inline constexpr clause_function_row clause_function_table[]{
    {clause_function::none, "clause"},
    {clause_function::grant, "grant", diagnostic_code::bad_path, detail::no_normal_path, detail::normal_path},
    {clause_function::can_read, "can_read", diagnostic_code::bad_path, detail::no_normal_path, detail::normal_path},
    {clause_function::can_run, "can_run", diagnostic_code::bad_path, detail::no_normal_path, detail::normal_path},
    {clause_function::can_write, "can_write", diagnostic_code::bad_path, detail::no_normal_path, detail::normal_path},
    {clause_function::hidden, "hidden", diagnostic_code::bad_path, detail::no_normal_path, detail::normal_path},
    {clause_function::can_connect, "can_connect", diagnostic_code::bad_pattern, detail::no_pattern, detail::a_pattern},
    {clause_function::cannot_connect, "cannot_connect", diagnostic_code::bad_pattern, detail::no_pattern,
     detail::a_pattern},
    {clause_function::can_listen, "can_listen", diagnostic_code::bad_value, "this is no port and no range of ports",
     "write it as 8080 or 8000-8999"},
    {clause_function::can_use_loopback, "can_use_loopback"},
    {clause_function::can_use_own_sockets, "can_use_own_sockets"},
    {clause_function::can_use_socket, "can_use_socket", diagnostic_code::bad_path, detail::no_normal_path,
     detail::normal_path},
    {clause_function::can_use, "can_use"},
    {clause_function::cannot_call, "cannot_call", diagnostic_code::bad_value,
     "this cannot be the name of a system call", "write it in lower case, as memfd_create"},
    {clause_function::passes, "passes", diagnostic_code::bad_value, detail::no_variable,
     "write it as NAME, or PREFIX*"},
    {clause_function::sets, "sets", diagnostic_code::bad_value, detail::no_variable,
     "write the name as NAME, without a star"},
    {clause_function::can_start, "can_start", diagnostic_code::bad_value, "a program has a name without a star and NUL",
     "write it as git or /usr/bin/git"},
};
static_assert(detail::is_in_order(clause_function_table));

/// Returns: the name of the clause function.
[[nodiscard]] constexpr std::string_view name(clause_function f) {
  return clause_function_table[static_cast<std::size_t>(f)].name;
}

/// One statement of a policy: an entry of a part (a grant applies to both path axes), or abilities. Its texts are views
/// of the arguments.
struct clause {
  /// The part that the clause sets.
  axis_id axis{};
  /// The place, and what is allowed there.
  entry what{};
  /// Of a clause about abilities.
  cordon::abilities abilities{};
  host::pattern pattern{};                    ///< parsed; only for the parts of the hosts axis
  clause_function function{};                 ///< that made the clause
  diagnostic_code code = diagnostic_code::ok; ///< not ok: an argument is wrong, and no policy has this clause
  std::string_view subject{};                 ///< the first argument, or the wrong one
};

namespace detail {

/// Is the text a valid first argument of that function? Host patterns are checked by their parser.
[[nodiscard]] constexpr bool is_argument(clause_function f, std::string_view text) {
  switch (f) {
  case clause_function::grant:
  case clause_function::can_read:
  case clause_function::can_run:
  case clause_function::can_write:
  case clause_function::hidden:
  case clause_function::can_use_socket: return path::is_normal(text);
  case clause_function::can_connect:
  case clause_function::cannot_connect: return static_cast<bool>(host::parse(text));
  case clause_function::can_listen: {
    host::port_range unused;
    return host::parse_ports(text, unused);
  }
  case clause_function::cannot_call:
    for (const char c : text)
      if (!ascii::is_lower(c) && !ascii::is_digit(c) && c != '_') return false;
    return !text.empty();
  case clause_function::passes: return names::is_place(text) && variable::is_name(text);
  case clause_function::sets: return variable::is_name(text) && !names::is_prefix(text);
  case clause_function::can_start: return names::is_place(text) && !names::is_prefix(text);
  case clause_function::none:
  case clause_function::can_use_loopback:
  case clause_function::can_use_own_sockets:
  case clause_function::can_use: break;
  }
  return true;
}

/// Ends the build.
constexpr void refuse_argument(clause_function f) {
  switch (clause_function_table[static_cast<std::size_t>(f)].wrong) {
  case diagnostic_code::bad_path: return a_path_must_be_absolute_and_in_normal_form();
  case diagnostic_code::bad_pattern: return a_host_pattern_must_be_valid();
  default: break;
  }
  if (f == clause_function::can_listen) ports_must_be_a_number_or_a_range();
  if (f == clause_function::cannot_call) a_system_call_must_have_a_name();
  if (f == clause_function::can_start) a_program_must_have_a_name();
  if (f == clause_function::passes || f == clause_function::sets) a_variable_must_have_a_name();
}

/// The clause with its code, which is checked already or stops the build.
[[nodiscard]] constexpr clause checked(clause c, bool right) {
  if (right) return c;
  if (std::is_constant_evaluated()) refuse_argument(c.function);
  c.code = clause_function_table[static_cast<std::size_t>(c.function)].wrong;
  return c;
}

} // namespace detail

/// The first argument of a clause function, or of those that take the same. A wrong string literal stops the build also
/// in code that runs later.
template <clause_function F> class clause_argument {
public:
  /// A literal: an invalid one stops the build.
  template <std::size_t N> consteval clause_argument(const char (&literal)[N]) : text_(literal) {
    if (!detail::is_argument(F, text_)) detail::refuse_argument(F);
  }
  /// An array that is filled at run time.
  template <std::size_t N> constexpr clause_argument(char (&filled)[N]) : text_(filled) {}
  /// A text of the caller, which must outlive the clause.
  template <class T>
  requires std::convertible_to<const T&, std::string_view>
  constexpr clause_argument(const T& text) : text_(text) {}

  /// The text.
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

private:
  std::string_view text_;
};

/// A path.
using path_argument = clause_argument<clause_function::grant>;
/// A pattern of hosts.
using pattern_argument = clause_argument<clause_function::can_connect>;

/// Why a list of clauses is no policy. It owns its text.
struct [[nodiscard]] policy_error {
  /// The error is about the policy as a whole.
  static constexpr std::uint32_t no_clause = 0xFFFFFFFF;

  /// The kind of the error.
  diagnostic_code code = diagnostic_code::ok;
  std::uint32_t index = no_clause; ///< of the wrong clause, from 0
  std::uint32_t other = no_clause; ///< of the earlier clause that names the same; only for `duplicate_place`
  /// The function that made the clause.
  clause_function function{};
  host::flaw flaw{}; ///< only for `bad_pattern`
  /// Its argument, cut to this size.
  owned_text<300> subject{};
};

/// A policy, or why there is none.
template <class Policy> using policy_result = result<Policy, policy_error>;

/// One sentence *what failed: why; what to do*.
class error_text {
public:
  /// Valid as long as this object.
  [[nodiscard]] constexpr std::string_view view() const { return text_.view(); }
  /// Ends with NUL.
  [[nodiscard]] constexpr const char* c_str() const { return text_.view().data(); }
  /// Compares the texts.
  friend constexpr bool operator==(const error_text& a, std::string_view b) { return a.view() == b; }

  /// Adds a text.
  constexpr void add(std::string_view piece) {
    if (piece.size() > most - text_.size()) piece = piece.substr(0, most - text_.size());
    text_.add(piece);
  }
  /// Adds a decimal number.
  constexpr void add_number(std::uint32_t n) { text_.add_number(n, 10); }

private:
  static constexpr std::size_t most = 1000; // the rest stays NUL
  host::small_text<most + 24> text_{};
};

/// `clause 2, can_write("data"): the path is not absolute and in normal form; write it as /dir/file`. Clauses count
/// from 1.
[[nodiscard]] constexpr error_text text_of(const policy_error& e) {
  const clause_function_row& row = clause_function_table[static_cast<std::size_t>(e.function)];
  error_text to;
  if (e.index == policy_error::no_clause) {
    to.add(e.code == diagnostic_code::ok
               ? "the policy: every clause is right; use it"
               : "the policy holds more than its storage: it has too many clauses or ports, or too much "
                 "text; use loaded_policy, or fewer clauses");
    return to;
  }
  to.add("clause ");
  to.add_number(e.index + 1);
  to.add(", ");
  to.add(row.name);
  to.add("(");
  if (!std::string_view(e.subject).empty() || row.wrong != diagnostic_code::ok) {
    to.add("\"");
    utf8::write_printable(e.subject, [&](std::string_view piece) { to.add(piece); });
    to.add(e.subject.is_cut() ? "...\"" : "\"");
  }
  to.add("): ");
  if (e.code == diagnostic_code::duplicate_place) {
    to.add("clause ");
    to.add_number(e.other + 1);
    to.add(" names the same; remove one of them");
    return to;
  }
  to.add(e.flaw != host::flaw::none ? host::explain(e.flaw) : row.why);
  to.add("; ");
  to.add(row.instead);
  return to;
}

} // namespace cordon
