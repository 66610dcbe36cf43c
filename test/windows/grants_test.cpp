// SPDX-License-Identifier: BSL-1.0
/// Access lists of files while a container runs and after it, over lists that a test keeps.
#include "../dice.hpp"
#include "../scratch.hpp"

#include <cordon/backend/appcontainer.hpp>
#include <cordon/policy/heap.hpp>
#include <windows/access/grants.hpp>

#include <doctest/doctest.h>

#include <map>

using namespace cordon::windows_shim;

namespace {

constexpr wchar_t account[] = L"S-1-15-2-1-2-3-4-5-6-7", other[] = L"S-1-15-2-9-9-9-9-9-9-9";

struct kept_lists final : list_store {
  std::map<std::wstring, std::wstring> all;
  std::map<std::wstring, bool> directories;
  int calls_left = -1;                ///< number of calls before all calls fail, as if the process had died
  std::wstring cannot_write, forgets; ///< objects
  std::vector<std::wstring> written;

  bool is_dead() {
    if (calls_left <= 0) return calls_left == 0;
    --calls_left;
    return false;
  }
  unsigned long read(const std::wstring& object, std::wstring& list) override {
    if (is_dead()) return 1;
    const auto found = all.find(object);
    if (found == all.end()) return 2;
    list = found->second;
    return 0;
  }
  unsigned long write(const std::wstring& object, const std::wstring& list) override {
    if (is_dead()) return 1;
    if (object == cannot_write) return 5;
    if (!all.contains(object)) return 2;
    written.push_back(object);
    if (object != forgets) all[object] = list;
    return 0;
  }
  bool is_directory(const std::wstring& object) override { return directories[object]; }
};

kept_lists usual() {
  kept_lists lists;
  lists.all = {{L"C:\\work", L"D:AI(D;;0x2;;;S-1-5-7)(A;;FA;;;BA)(A;ID;FA;;;SY)"},
               {L"C:\\work\\keys", L"D:AI(A;OICIID;FA;;;SY)(D;ID;FR;;;BG)"},
               {L"C:\\work\\file", L"D:P(A;;FA;;;BA)"}};
  lists.directories = {{L"C:\\work", true}, {L"C:\\work\\keys", true}, {L"C:\\work\\file", false}};
  return lists;
}

std::vector<grant> some(const wchar_t* to = account) {
  const std::wstring entry = std::wstring(L"(A;CI;0x1200a9;;;") + to + L")",
                     of_file = std::wstring(L"(A;;0x120089;;;") + to + L")";
  return {{L"C:\\work", {entry}, {of_file}, false},
          {L"C:\\work\\file", {entry}, {of_file}, false},
          {L"C:\\work\\keys", {}, {}, true}};
}

} // namespace

TEST_SUITE("windows grants") {

  TEST_CASE("windows grants: an access list is parsed and printed unchanged") {
    for (const wchar_t* text :
         {L"D:", L"D:PAI", L"D:(A;;FA;;;BA)", L"D:P(A;;FA;;;BA)(XA;;FX;;;S-1-1-0;(@User.x == \"a)\"))"})
      CHECK(parse_access_list(text).text() == text);
    CHECK(parse_access_list(L"D:P(A;;FA;;;BA)(XA;;FX;;;S-1-1-0;(@User.x == \"a)\"))").entries.size() == 2);
    CHECK(parse_access_list(L"D:PAI").is_protected());
    for (const wchar_t* text : {L"", L"O:BAD:", L"D:NO_ACCESS_CONTROL", L"D:(A;;FA;;;BA", L"D:)("})
      CHECK_THROWS_AS((void)parse_access_list(text), std::invalid_argument);
  }

  TEST_CASE("windows grants: allow entries are inserted after deny entries and before inherited ones") {
    const auto with = [](const wchar_t* list, bool isolated) {
      return with_entries(parse_access_list(list), {L"(A;;FR;;;" + std::wstring(account) + L")"}, account, isolated)
          .text();
    };
    const std::wstring mine = L"(A;;FR;;;" + std::wstring(account) + L")";
    CHECK(with(L"D:(D;;FW;;;BG)(A;;FA;;;BA)(A;ID;FA;;;SY)", false) ==
          L"D:(D;;FW;;;BG)" + mine + L"(A;;FA;;;BA)(A;ID;FA;;;SY)");
    CHECK(with(L"D:AI(A;OIID;FA;;;SY)(D;ID;FR;;;BG)", true) == L"D:PAI(D;;FR;;;BG)" + mine + L"(A;OI;FA;;;SY)");
    CHECK(with(L"D:(D;;FW;;;BG)(D;ID;FR;;;BG)", false) == L"D:(D;;FW;;;BG)" + mine + L"(D;ID;FR;;;BG)");
    // Inherited entries of the container stay, unless the object is to inherit nothing.
    const std::wstring inherited = L"(A;ID;FA;;;" + std::wstring(account) + L")";
    CHECK(with((L"D:" + inherited).c_str(), false) == L"D:" + mine + inherited);
    CHECK(with((L"D:" + inherited).c_str(), true) == L"D:P" + mine);
    CHECK(with((L"D:" + mine + mine).c_str(), false) == L"D:" + mine);
  }

  TEST_CASE("windows grants: grants are given, and taken back at destruction") {
    const scratch s;
    kept_lists lists = usual();
    const auto before = lists.all;
    {
      granted g(lists, s.top / "journal", account);
      CHECK(g.give(some()) == 0);
      CHECK(lists.all[L"C:\\work"].find(L"(A;CI;0x1200a9;;;") != std::wstring::npos);
      CHECK(lists.all[L"C:\\work\\file"].find(L"(A;;0x120089;;;") != std::wstring::npos);
      CHECK(lists.all[L"C:\\work\\keys"] == L"D:PAI(D;;FR;;;BG)(A;OICI;FA;;;SY)");
      CHECK(std::filesystem::exists(s.top / "journal"));
    }
    CHECK(lists.all == before);
    CHECK(!std::filesystem::exists(s.top / "journal"));
    // Children are changed last, and restored first.
    CHECK(lists.written == std::vector<std::wstring>{L"C:\\work", L"C:\\work\\file", L"C:\\work\\keys",
                                                     L"C:\\work\\keys", L"C:\\work\\file", L"C:\\work"});
  }

  TEST_CASE("windows grants: after a kill at any call, put_back restores all lists") {
    const scratch s;
    int steps = 0;
    for (bool done = false; !done; ++steps) {
      kept_lists lists = usual();
      const auto before = lists.all;
      lists.calls_left = steps;
      done = granted(lists, s.top / "journal", account).give(some()) == 0 && lists.calls_left != 0;
      lists.calls_left = -1;
      // The record that it was writing may be partly there.
      const std::string torn("1JAC\2\0\0\0\1\0\0\0\1\0\0\0x\0\0\0y\0\0\0", 24);
      if (steps % 3 != 0)
        std::ofstream(s.top / "journal", std::ios::binary | std::ios::app) << torn << (steps % 3 == 1 ? "" : "torn");
      CHECK(put_back(lists, s.top / "journal").failed.empty());
      CHECK(lists.all == before);
    }
    CHECK(steps > 9);
  }

  TEST_CASE("windows grants: if one list cannot be changed, all stay as they were") {
    const scratch s;
    for (const wchar_t* which : {L"C:\\work", L"C:\\work\\file", L"C:\\work\\keys"}) {
      kept_lists lists = usual();
      const auto before = lists.all;
      lists.cannot_write = which;
      granted g(lists, s.top / "journal", account);
      CHECK(g.give(some()) == 5);
      CHECK(lists.all == before);
      CHECK(!std::filesystem::exists(s.top / "journal"));
    }
    for (const wchar_t* which : {L"C:\\work", L"C:\\work\\keys"}) {
      kept_lists lists = usual();
      lists.forgets = which; // and reports that it was written
      granted g(lists, s.top / "journal", account);
      CHECK(g.give(some()) == 50);
      CHECK(g.failed_at() == which);
      CHECK(lists.all == usual().all);
    }
    kept_lists lists = usual();
    std::vector<grant> more = some();
    more.push_back({L"C:\\nowhere", {}, {}, false});
    granted g(lists, s.top / "journal", account);
    CHECK(g.give(more) == 2);
    CHECK(lists.all == usual().all);
  }

  TEST_CASE("windows grants: a path that one run isolates is in use for another run") {
    const scratch s;
    kept_lists lists = usual();
    const auto all_before = lists.all;
    const std::vector<grant> closing = some(other), open{closing.front()};
    std::vector<grant> into = {closing.back()};
    into.front().isolated = false;
    into.front().object = L"c:\\WORK\\keys"; // the same object in another spelling
    granted a(lists, s.top / "a.journal", account);
    REQUIRE(a.give(some()) == 0);
    granted b(lists, s.top / "b.journal", other);
    CHECK(b.give(closing) == granted::in_use);
    CHECK(b.failed_at() == L"C:\\work\\keys");
    CHECK(b.give(into) == granted::in_use);
    CHECK(!std::filesystem::exists(s.top / "b.journal"));
    CHECK(b.give(open) == 0);
    CHECK(b.take_back().failed.empty());
    (void)a.take_back();
    CHECK(b.give(closing) == 0);
    CHECK(b.take_back().changed.empty());
    CHECK(lists.all == all_before);
  }

  TEST_CASE("windows grants: put_back keeps another program's change to a list") {
    const scratch s;
    for (const bool changed : {false, true}) {
      kept_lists lists = usual();
      lists.calls_left = 2; // one read and one write
      granted killed(lists, s.top / "journal", account);
      (void)killed.give(some());
      lists.calls_left = -1;
      std::wstring& list = lists.all[L"C:\\work"];
      CHECK(list.find(account) != std::wstring::npos);
      if (changed) list = L"D:AI(D;;0x2;;;S-1-5-7)(A;CI;0x1200a9;;;" + std::wstring(account) + L")(A;ID;FA;;;SY)";
      CHECK(put_back(lists, s.top / "journal").changed.size() == (changed ? 1U : 0U));
      CHECK(list == (changed ? L"D:AI(D;;0x2;;;S-1-5-7)(A;ID;FA;;;SY)" : usual().all[L"C:\\work"]));
    }
  }

  TEST_CASE("windows grants: two containers may end in any order, and other changes stay") {
    const scratch s;
    kept_lists lists = usual();
    const auto before = lists.all;
    std::vector<grant> theirs = some();
    theirs.pop_back(); // the isolated one
    for (grant& g : theirs)
      for (auto* entries : {&g.of_directory, &g.of_file})
        for (std::wstring& e : *entries) e = L"(A;;FR;;;" + std::wstring(other) + L")";
    std::vector<grant> ours = some();
    ours.pop_back();
    for (const bool first_goes_first : {true, false}) {
      granted a(lists, s.top / "a", account), b(lists, s.top / "b", other);
      CHECK(a.give(ours) == 0);
      CHECK(b.give(theirs) == 0);
      if (first_goes_first) CHECK(a.take_back().changed.size() == 2); // reported, since the other run has changed them
      CHECK((b.take_back().changed.size() == 2) == first_goes_first);
      CHECK(a.take_back().changed.empty());
      CHECK(lists.all == before);
    }
    granted a(lists, s.top / "a", account);
    CHECK(a.give(ours) == 0);
    std::wstring& list = lists.all[L"C:\\work\\file"];
    list += L"(A;;FR;;;WD)";
    CHECK(a.take_back().changed == std::vector<std::wstring>{L"C:\\work\\file"});
    CHECK(list == L"D:P(A;;FA;;;BA)(A;;FR;;;WD)");
  }

  TEST_CASE("windows grants: grants_of returns the entries of the rules") {
    using namespace cordon;
    loaded_policy p;
    p.level = level::process_exec;
    REQUIRE(p.write<axis_id::files>([&](auto& to) {
               to.add({"/work", (right::read | right::list | right::write).bits(), {}});
               to.add({"/work/keys", rights().bits(), {}});
             }).code == diagnostic_code::ok);
    const auto made = appcontainer::compile(p, {.drive = 'C'});
    const auto all =
        grants_of(made.rules, [](std::string_view place) { return std::wstring(place.begin(), place.end()); });
    REQUIRE(all.size() == 2);
    CHECK(all[0].object == L"/work");
    CHECK(!all[0].isolated);
    CHECK(all[0].of_directory.size() == 2);
    CHECK(all[0].of_file.size() == 1);
    CHECK(all[1].isolated);
    CHECK(all[1].of_directory.empty());
    CHECK(all[1].of_file.empty());
  }

} // TEST_SUITE
