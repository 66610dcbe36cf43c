// SPDX-License-Identifier: BSL-1.0
/// Command lines and environment blocks, checked with independent readers.
#include "../dice.hpp"

#include <windows/launch/command_line.hpp>
#include <windows/launch/environment_block.hpp>

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace cordon::windows_shim;

namespace {

using words = std::vector<std::wstring>;

/// Splits as the C runtime does: 2n backslashes and a quote are n backslashes and a quote that delimits. 2n + 1 and a
/// quote are n and a literal quote. "" between quotes is one quote.
words read_back(std::wstring_view line) {
  words out;
  std::size_t i = 0;
  if (line[0] == L'"') {
    const std::size_t end = line.find(L'"', 1);
    out.emplace_back(line.substr(1, end - 1));
    i = end + 1;
  }
  for (;;) {
    while (i < line.size() && (line[i] == L' ' || line[i] == L'\t')) ++i;
    if (i == line.size()) return out;
    std::wstring word;
    for (bool quoted = false; i < line.size() && (quoted || (line[i] != L' ' && line[i] != L'\t'));) {
      std::size_t n = 0;
      while (i + n < line.size() && line[i + n] == L'\\') ++n;
      i += n;
      if (i == line.size() || line[i] != L'"') {
        word.append(n, L'\\');
        if (i < line.size() && (quoted || (line[i] != L' ' && line[i] != L'\t'))) word += line[i++];
        continue;
      }
      word.append(n / 2, L'\\');
      ++i;
      if (n % 2 != 0) word += L'"';
      else if (quoted && i < line.size() && line[i] == L'"') word += L'"', ++i;
      else quoted = !quoted;
    }
    out.push_back(word);
  }
}

std::wstring line_of(const words& argv) { return command_line(argv); }

} // namespace

TEST_SUITE("windows text") {

  TEST_CASE("windows text: command lines are quoted as in hand-written examples") {
    CHECK(line_of({L"C:\\a b\\t.exe", L"x"}) == L"\"C:\\a b\\t.exe\" x");
    CHECK(line_of({L"t", L"", L"a b", L"a\\", L"a b\\", L"\"", L"\\\"", L"a\tb"}) ==
          L"\"t\" \"\" \"a b\" a\\ \"a b\\\\\" \"\\\"\" \"\\\\\\\"\" \"a\tb\"");
    CHECK_THROWS_AS((void)line_of({}), std::invalid_argument);
    CHECK_THROWS_AS((void)line_of({L"a\"b"}), std::invalid_argument);
    CHECK_THROWS_AS((void)line_of({L"t", std::wstring(L"a\0b", 3)}), std::invalid_argument);
    CHECK_THROWS_AS((void)line_of({L"t", std::wstring(40'000, L'x')}), std::invalid_argument);
    CHECK(line_of({L"t", std::wstring(longest_command_line - 4, L'x')}).size() == longest_command_line);
  }

  TEST_CASE("windows text: random arguments read back unchanged") {
    constexpr std::wstring_view letters = L"ab \t\"\\\\\\\"\n\v'%^&|<>\u00E9\u65E5";
    dice d(3);
    for (int round = 0; round < 5000; ++round) {
      words argv{L"C:\\Program Files\\t.exe"};
      for (std::uint32_t n = d.below(6); n > 0; --n) {
        std::wstring a;
        for (std::uint32_t k = d.below(9); k > 0; --k) a += letters[d.below(letters.size())];
        argv.push_back(a);
      }
      CHECK(read_back(command_line(argv)) == argv);
    }
  }

  TEST_CASE("windows text: batch files are recognised in every spelling") {
    for (const wchar_t* name : {L"a.bat", L"A.CMD", L"C:\\x\\a.Bat ", L"a.cmd. .", L".bat"}) CHECK(is_batch_file(name));
    for (const wchar_t* name : {L"a.exe", L"bat", L"a.bat.exe", L"a.batx", L""}) CHECK(!is_batch_file(name));
    static_assert(is_batch_file(L"x.bat..") && !is_batch_file(L"x.bat.com"));
  }

  TEST_CASE("windows text: an environment block is sorted and free of duplicates") {
    const auto text = [](std::wstring_view with_bars) {
      std::wstring out(with_bars);
      for (wchar_t& c : out)
        if (c == L'|') c = L'\0';
      return out;
    };
    CHECK(environment_block({}) == text(L"||"));
    CHECK(environment_block({L"b=2", L"A=1", L"_=x"}) == text(L"A=1|b=2|_=x||"));
    CHECK(environment_block({L"Path=a", L"PATH=b"}) == text(L"PATH=b||"));
    CHECK(environment_block({L"=C:=C:\\x", L"E="}) == text(L"E=||"));
    CHECK(environment_block({L"AB=1", L"A=2", L"A_=3"}) == text(L"A=2|AB=1|A_=3||"));
    CHECK_THROWS_AS((void)environment_block({L"NAME"}), std::invalid_argument);
    CHECK_THROWS_AS((void)environment_block({std::wstring(L"A=\0", 3)}), std::invalid_argument);
  }

} // TEST_SUITE
