// prints: parse
// prints: nodiscard
// SPDX-License-Identifier: BSL-1.0
#include <cordon.hpp>
#include <cordon/notation/parse.hpp>

#pragma GCC diagnostic error "-Wunused-result"

cordon::policy policy_of_text(std::string_view text) {
  cordon::policy p;
#ifdef CONTROL
  if (cordon::notation::parse(text, p).code != cordon::diagnostic_code::ok) p = {};
#else
  cordon::notation::parse(text, p);
#endif
  return p;
}
