// SPDX-License-Identifier: BSL-1.0
/// Access lists after their owner was killed, and those of real files.
#include "../scratch.hpp"
#include "filed_lists.hpp"
#include "running.hpp"

#include <windows/access/system_lists.hpp>

using namespace cordon::windows_shim;
using namespace windows_tests;

TEST_SUITE("windows journal") {

  TEST_CASE("windows journal: lists are restored after a kill at any step, but not while their owner lives") {
    int step = 0;
    for (finished e{99, {}}; e.status == 99; ++step) {
      const scratch s;
      filed_lists lists;
      lists.top = s.top;
      for (const wchar_t* name : {L"a", L"b", L"c"}) (void)lists.write(name, L"D:AI(A;ID;FA;;;SY)");
      e = run(child({L"grant", s.top.wstring(), std::to_wstring(step)}));
      {
        const handle alive = announce(L"cordon.killed");
        REQUIRE(alive);
        const bool left = std::filesystem::exists(s.top / "cordon.killed.journal");
        (void)recover(lists, s.top);
        CHECK(std::filesystem::exists(s.top / "cordon.killed.journal") == left);
      }
      CHECK(recover(lists, s.top).failed.empty());
      for (const wchar_t* name : {L"a", L"b", L"c"}) {
        std::wstring list;
        CHECK(lists.read(name, list) == 0);
        CHECK(list == L"D:AI(A;ID;FA;;;SY)");
      }
      CHECK(!std::filesystem::exists(s.top / "cordon.killed.journal"));
    }
    CHECK(step > 12);
  }

  TEST_CASE("windows journal: access lists of real files are changed and restored") {
    const scratch s;
    s.file("file", "x");
    system_lists lists;
    const std::wstring object = (s.top / "file").wstring();
    std::wstring before, now;
    REQUIRE(lists.read(object, before) == 0);
    CHECK(!lists.is_directory(object));
    CHECK(lists.is_directory(s.top.wstring()));
    {
      granted g(lists, s.top / "journal", L"WD");
      CHECK(g.give({{object, {}, {L"(A;;0x120089;;;WD)"}, false}}) == 0);
    }
    CHECK(lists.read(object, now) == 0);
    CHECK(now == before);
    CHECK(lists.read((s.top / "nothing").wstring(), now) == ERROR_FILE_NOT_FOUND);
  }

} // TEST_SUITE
