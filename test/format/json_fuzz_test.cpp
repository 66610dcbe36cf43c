// SPDX-License-Identifier: BSL-1.0
/// Random bytes as documents: they are refused with a position inside the text, without other effects.
#include "dice.hpp"
#include "effort.hpp"
#include "random_documents.hpp"
#include "vectors.hpp"

#include <cordon.hpp>
#include <cordon/format/read.hpp>
#include <cordon/format/write.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace cordon::format;

namespace {

const int samples = effort(40'000);

const host_facts facts{platform::linux_, "/home/u", "/srv", nullptr};

/// Is that position in the text, or directly after its end?
bool is_within(const std::string& text, std::uint32_t line, std::uint32_t column) {
  const std::vector<std::string> lines = vectors::split(text + "\n", '\n');
  return line >= 1 && line <= lines.size() && column >= 1 && column <= lines[line - 1].size() + 1;
}

/// Parses a text. Returns: `read`, or the code of the error. Its position must be within the text.
diagnostic_code outcome(const std::string& text) {
  try {
    const loaded_policy p = lower_lexically(read("fuzz", text, facts), facts);
    CHECK(lower_lexically(read("fuzz", write_json(p), facts), facts) == p);
  } catch (const bad_document& e) {
    if (!is_within(text, e.line(), e.column())) FAIL_CHECK(e.what() << "\n" << text);
    return e.code();
  }
  return diagnostic_code::ok;
}

/// Changes, drops, duplicates or inserts a few bytes.
void damage(std::string& text, dice& d) {
  constexpr std::string_view tokens[]{"{",    "}",     "[",       "]",    "\"", ",",    ":", "\\",
                                      "null", "1e999", "\\u0000", "\xff", "\n", "/../", "-"};
  for (std::uint32_t i = d.below(4) + 1; i-- > 0 && !text.empty();) {
    const std::size_t at = d.below(text.size());
    const std::size_t line = text.rfind('\n', at) + 1, end = text.find('\n', at);
    switch (d.below(7)) {
    case 0: text[at] = static_cast<char>(d.below(256)); break;
    case 1: text.erase(at, d.below(9) + 1); break;
    case 2: text.insert(at, text.substr(d.below(text.size()), d.below(40))); break;
    case 3: text.insert(at, d.one_of(tokens)); break;
    case 4: text.insert(line, text.substr(line, end == text.npos ? end : end + 1 - line)); break;
    case 5:
      if (const std::size_t colon = text.find(": ", line); colon < end && end != text.npos)
        text.replace(colon + 2, end - colon - 2, "[7],");
      break;
    default: text.resize(at); break;
    }
  }
}

} // namespace

TEST_CASE("fuzz: random bytes are refused") {
  int read = 0;
  for (int seed = 0; seed < samples / 10; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    std::string text(d.below(200), ' ');
    for (char& c : text)
      c = static_cast<char>(d.percent(50) ? d.below(256) : static_cast<unsigned char>("{}[]\",:\\ \n1t"[d.below(12)]));
    CAPTURE(seed);
    read += outcome(text) == diagnostic_code::ok;
  }
  CHECK(read < 3); // {} is a valid one
}

TEST_CASE("fuzz: damaged documents are read, or refused with a line and column") {
  int read = 0, codes[32]{};
  for (int seed = 0; seed < samples; ++seed) {
    dice d(static_cast<std::uint64_t>(seed));
    std::string text = write_json(lower_lexically(random_documents::random(d), facts));
    damage(text, d);
    CAPTURE(seed);
    const diagnostic_code code = outcome(text);
    ++codes[static_cast<std::size_t>(code)];
    read += code == diagnostic_code::ok;
  }
  CHECK(read > samples / 250);
  for (const diagnostic_code wanted :
       {diagnostic_code::syntax, diagnostic_code::unknown_key, diagnostic_code::duplicate_key,
        diagnostic_code::bad_type, diagnostic_code::bad_value}) {
    CAPTURE(name(wanted));
    CHECK(codes[static_cast<std::size_t>(wanted)] > 0);
  }
}
