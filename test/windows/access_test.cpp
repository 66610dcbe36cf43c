// SPDX-License-Identifier: BSL-1.0
/// Checks with AccessCheck what lists permit: the entries of a container, on behalf of the account that runs the test.
#include "../dice.hpp"

#include <cordon/backend/appcontainer.hpp>
#include <cordon/policy/heap.hpp>
#include <windows/access/grants.hpp>
#include <windows/handle.hpp>

#include <doctest/doctest.h>

#include <sddl.h>

using namespace cordon;
using namespace cordon::windows_shim;

namespace {

struct judge {
  handle token;
  std::wstring account;

  judge() {
    HANDLE own = nullptr, copy = nullptr;
    REQUIRE(::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY | TOKEN_DUPLICATE, &own) != FALSE);
    const handle closed(own);
    REQUIRE(::DuplicateToken(own, SecurityImpersonation, &copy) != FALSE);
    token = handle(copy);
    alignas(TOKEN_USER) unsigned char user[256];
    DWORD size = sizeof user;
    REQUIRE(::GetTokenInformation(own, TokenUser, user, size, &size) != FALSE);
    local<LPWSTR> text;
    REQUIRE(::ConvertSidToStringSidW(reinterpret_cast<const TOKEN_USER*>(user)->User.Sid, text.out()) != FALSE);
    account = text.get();
  }

  /// Does the list allow that access to an object of another owner?
  [[nodiscard]] bool allows(const std::wstring& list, std::uint32_t wanted) const {
    local<PSECURITY_DESCRIPTOR> object;
    REQUIRE(::ConvertStringSecurityDescriptorToSecurityDescriptorW((L"O:SYG:SY" + list).c_str(), SDDL_REVISION_1,
                                                                   object.out(), nullptr) != FALSE);
    GENERIC_MAPPING none{};
    PRIVILEGE_SET privileges{};
    DWORD size = sizeof privileges, granted = 0;
    BOOL yes = FALSE;
    REQUIRE(::AccessCheck(object.get(), token.get(), wanted, &none, &privileges, &size, &granted, &yes) != FALSE);
    return yes != FALSE;
  }
};

} // namespace

TEST_SUITE("windows access") {

  TEST_CASE("windows access: AccessCheck agrees with the rules of forty random policies") {
    const judge j;
    CHECK(!j.allows(L"D:", appcontainer::read_data));
    CHECK(j.allows(L"D:(A;;0x1;;;" + j.account + L")", appcontainer::read_data));
    dice d(17);
    const std::string_view names[]{"/work", "/work/a", "/work/a/b", "/data", "/data/x", "/tool"};
    int verdicts = 0, permitted = 0;
    for (int round = 0; round < 40; ++round) {
      loaded_policy p;
      p.level = level::process_exec;
      REQUIRE(p.write<axis_id::files>([&](auto& to) {
                 for (const std::string_view n : names)
                   if (d.percent(70)) to.add({n, static_cast<std::uint32_t>(d.below(256)), {}});
               }).code == diagnostic_code::ok);
      const auto made = appcontainer::compile(p, {.drive = 'C'});
      REQUIRE(made.error.code == diagnostic_code::ok);
      const auto acls = made.rules.view(made.rules.acls);
      const auto all =
          grants_of(made.rules, [](std::string_view place) { return std::wstring(place.begin(), place.end()); });
      REQUIRE(all.size() == acls.size());
      for (std::uint32_t i = 0; i < acls.size(); ++i) {
        const auto a = appcontainer::acl::from(acls[i].value);
        for (const bool directory : {true, false}) {
          std::vector<std::wstring> entries = directory ? all[i].of_directory : all[i].of_file;
          for (std::wstring& e : entries) e = e.substr(0, e.rfind(L';') + 1) + j.account + L")";
          const access_list whole =
              with_entries(parse_access_list(L"D:AI(A;ID;FA;;;SY)"), entries, j.account, all[i].isolated);
          const std::uint32_t wanted =
              directory ? appcontainer::directory_access(a.self) : appcontainer::file_access(a.self);
          for (std::uint32_t bit = 1; bit <= appcontainer::synchronize; bit <<= 1) {
            const bool yes = j.allows(whole.text(), bit);
            ++verdicts, permitted += yes;
            if (yes != ((wanted & bit) != 0)) CHECK_MESSAGE(false, round << " " << i << " " << bit);
          }
        }
      }
    }
    CHECK(verdicts > 2000);
    CHECK(permitted > 300);
  }

} // TEST_SUITE
