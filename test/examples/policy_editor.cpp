// SPDX-License-Identifier: BSL-1.0
/// What an editor of policies shows: the position of an error, or for each path the rights and the line that decides.
///   policy_editor FILE [PATH...]
#include <cordon.hpp>
#include <cordon/format/error.hpp>
#include <cordon/format/read.hpp>
#include <cordon/notation/line_of.hpp>
#include <cordon/notation/parse.hpp>
#include <cordon/policy/heap.hpp>
#include <cordon/query/query.hpp>

#include <cstdio>
#include <string>

namespace {

/// `/srv/app: read list run, by line 3`
void explain(const cordon::loaded_policy& p, const std::string& text, const std::string& place) {
  std::string granted;
  cordon::entry clause;
  for (const cordon::right_row& row : cordon::right_table) {
    const cordon::verdict v = cordon::process_may(p, row.which, place);
    if (v.allowed()) granted += " " + std::string(row.name);
    if (v.axis == cordon::axis::files) clause = v.clause;
  }
  std::printf("%s:%s", place.c_str(), granted.empty() ? " nothing" : granted.c_str());
  const auto at = cordon::notation::line_of(text, cordon::axis::files, clause.place);
  std::printf(at ? ", by line %u\n" : ", by no line\n", static_cast<unsigned>(at.line));
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: policy_editor FILE [PATH...]\n", stderr), 2;
  try {
    const std::string text = cordon::format::content_of(argv[1]);
    (void)cordon::format::read(argv[1], text, {}); // throws with position and message
    const auto policy = cordon::notation::parse<cordon::loaded_policy>(text);
    if (!policy) return std::printf("%s: not in the policy language\n", argv[1]), 1;
    for (int i = 2; i < argc; ++i) explain(*policy, text, argv[i]);
    return 0;
  } catch (const cordon::format::bad_document& e) { return std::printf("%s\n", e.what()), 1; }
}
