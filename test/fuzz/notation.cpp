// SPDX-License-Identifier: BSL-1.0
// Notation: a valid text prints to one that means the same and prints to itself. An error has a position in the text.
#include "must.hpp"

#include <cordon/notation/parse.hpp>
#include <cordon/notation/print.hpp>
#include <cordon/policy/heap.hpp>

#include <algorithm>
#include <string>

using namespace cordon;

namespace {

std::string printed(const loaded_policy& p) {
  std::string out;
  notation::print(p, [&](std::string_view piece) { out += piece; });
  return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of(data, size);
  loaded_policy p;
  const diagnostic d = notation::parse(text, p, {"/srv/job", "/home/u"});
  if (d.code != diagnostic_code::ok) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    must(d.code == diagnostic_code::policy_too_large || (d.line >= 1 && d.line <= lines && d.column >= 1));
    return 0;
  }
  const std::string canonical = printed(p);
  loaded_policy again;
  must(notation::parse(canonical, again).code == diagnostic_code::ok);
  must(again == p && printed(again) == canonical);
  must((p & p) == p && p <= p);
  return 0;
}
