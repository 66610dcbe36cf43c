// SPDX-License-Identifier: BSL-1.0
/// The tables of hosts, checked with and without an IDNA library: without one, every text that needs it is refused.
#pragma once

#include "../vectors.hpp"
#include "lists.hpp"

#include <doctest/doctest.h>

namespace host_rows {

using namespace cordon;

template <class Idna> inline constexpr bool knows_idna = true;
template <> inline constexpr bool knows_idna<host::no_idna> = false;

/// Does the text need the IDNA library?
inline bool needs_idna(const std::string& text) {
  return (host::classify(text).kinds & host::character_class::beyond_ascii) != 0 || text.find("xn--") != text.npos;
}

template <class Idna> void check_patterns(Idna&& idna, std::size_t least) {
  for (const vectors::row& row : vectors::table("host_patterns.tsv", least)) {
    const std::string text = row.text("pattern");
    CAPTURE(row.line());
    CAPTURE(text);
    const host::pattern p = host::parse(text, idna);
    const std::string found = p ? std::string(host::text_of(p).view()) : std::string(host::name(p.why));
    if (!knows_idna<std::decay_t<Idna>> && needs_idna(text)) {
      CHECK(found == "bad_idna");
      continue;
    }
    CHECK((p ? "valid" : "error") == row.text("result"));
    CHECK(found == row.text("canonical"));
    if (p) CHECK(host::text_of(host::parse(found, idna)).view() == found);
  }
}

inline const char* name_of(host::ruling r) {
  constexpr const char* names[]{"allow", "refuse", "malformed"};
  return names[static_cast<std::size_t>(r)];
}

/// `ask(text)` parses the requested host.
template <class Idna, class Ask> void check_matches(Idna&& idna, Ask&& ask, std::size_t least) {
  std::size_t checked = 0;
  for (const vectors::row& row : vectors::table("host_match.tsv", least)) {
    const std::string allowed = row.text("allowed"), asked = row.text("asked");
    if (!knows_idna<std::decay_t<Idna>> && (needs_idna(allowed) || needs_idna(asked))) continue;
    ++checked;
    std::string words = allowed;
    for (const std::string& d : row.words("denied")) words += " !" + d;
    CAPTURE(row.line());
    CAPTURE(asked);
    const lists::large a(words, idna);
    CHECK(a.fine);
    CHECK(name_of(host::decide(a.view(), ask(asked)).ruling) == row.text("verdict"));
  }
  CHECK(checked + 10 > least);
}

template <class Idna> void check_covers(Idna&& idna, std::size_t least) {
  for (const vectors::row& row : vectors::table("host_covers.tsv", least)) {
    CAPTURE(row.line());
    const lists::large a(row.text("a"), idna), b(row.text("b"), idna);
    CHECK((a.fine && b.fine));
    CHECK((b.view() <= a.view() ? "yes" : "no") == row.text("covers"));
  }
}

template <class Idna> void check_meets(Idna&& idna, std::size_t least) {
  for (const vectors::row& row : vectors::table("host_meet.tsv", least)) {
    CAPTURE(row.line());
    const lists::large a(row.text("a"), idna), b(row.text("b"), idna), wanted(row.text("meet"), idna);
    const lists::meet ab(a.view(), b.view()), ba(b.view(), a.view());
    CHECK((a.fine && b.fine && wanted.fine && ab.fine() && ba.fine()));
    CHECK(ab.view() == wanted.view());
    CHECK(ba.view() == wanted.view());
    std::vector<std::string> words = row.words("meet");
    std::sort(words.begin(), words.end());
    CHECK(lists::joined(lists::words_of(ab.view())) == lists::joined(words));
    CHECK(lists::joined(lists::words_of(ba.view())) == lists::joined(words));
  }
}

template <class Idna> void check_dials(Idna&& idna, std::size_t least) {
  for (const vectors::row& row : vectors::table("resolved_address.tsv", least)) {
    std::string words = row.text("allowed");
    for (const std::string& d : row.words("denied")) words += " !" + d;
    CAPTURE(row.line());
    const lists::large a(words, idna);
    std::vector<host::address> own;
    for (const std::string& o : row.words("own")) own.push_back(host::parse_address(o).value);
    const host::parsed_address to = host::parse_address(row.text("address"));
    host::requested_host q = host::parse_requested_host(row.text("name"), idna);
    CHECK((a.fine && to));
    q.port = static_cast<std::uint16_t>(std::stoi(row.text("port")));
    CHECK((host::may_dial(a.view(), q, to.value, own).allowed() ? "permit" : "refuse") == row.text("verdict"));
  }
}

} // namespace host_rows
