// SPDX-License-Identifier: BSL-1.0
/// Ends the build or the process after a programming error. In a constant expression, the build stops and the compiler
/// prints the name of the function, which is the message. At run time, the process writes a sentence to stderr and
/// aborts before it confines a program too little.
///
/// Each function of the library that stops has a twin that returns the error:
///
///   stops                     returns the error
///   policy_of(clauses)        try_policy_of(clauses)
///   a & b                     meet(a, b)
///   narrow(p, root)           try_narrow(p, root), narrow(p, root, to)
///   widen(p, token, ...)      try_widen(p, token, ...)
///   limits.set(limit, value)  limits.try_set(limit, value)
///
/// The functions of namespace dsl stop the build alone: at run time the clause has the error. A policy_stack stops the
/// process if its scopes end out of order; that has no twin.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace cordon::detail {

/// Writes `cordon: SENTENCE` to stderr and aborts.
[[noreturn]] inline void stop(const char* sentence) {
  std::fputs("cordon: ", stderr);
  std::fputs(sentence, stderr);
  std::fputs("\n", stderr);
  std::abort();
}

[[noreturn]] inline void this_policy_holds_more_than_its_storage() {
  stop("this policy holds more than its storage: it has too many entries or too much text; use loaded_policy, or a "
       "function that returns the error: try_policy_of, meet, try_narrow or try_widen");
}
[[noreturn]] inline void a_path_must_be_absolute_and_in_normal_form() {
  stop("the path is wrong: it is not absolute and in normal form; write it as /dir/file, or use try_narrow or "
       "try_widen");
}
[[noreturn]] inline void a_limit_must_not_be_zero() {
  stop("the limit is wrong: it is 0, which is not a limit; leave it out for no limit, or use try_set");
}

// These stop the build alone: at run time the clause has the error, or policy_of writes it.
[[noreturn]] inline void a_place_is_granted_twice() { std::abort(); }
[[noreturn]] inline void a_host_pattern_must_be_valid() { std::abort(); }
[[noreturn]] inline void ports_must_be_a_number_or_a_range() { std::abort(); }
[[noreturn]] inline void a_variable_must_have_a_name() { std::abort(); }
[[noreturn]] inline void a_system_call_must_have_a_name() { std::abort(); }
[[noreturn]] inline void a_program_must_have_a_name() { std::abort(); }

} // namespace cordon::detail
