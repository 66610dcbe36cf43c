// SPDX-License-Identifier: BSL-1.0
/// What a run needs from Windows: programs, paths, digests, names of hosts.
#include "../../shims/common/hash.hpp"
#include "../scratch.hpp"
#include <windows/places.hpp>
#include <windows/supervise/program.hpp>

#include <cordon/format/base64.hpp>
#include <cordon/format/host_text.hpp>
#include <cordon/format/place.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/refused.hpp>

#include <doctest/doctest.h>

using namespace cordon;
using namespace windows_shim;

TEST_SUITE("windows host") {

  TEST_CASE("windows host: programs are found by name and path, batch files are refused") {
    const scratch s;
    const std::string here = place_of(s.top);
    s.file("bin/tool.exe");
    s.file("bin/script.bat");
    const std::string search = "relative;" + s.at("bin");
    CHECK(find_program("tool", search, here).real == here + "/bin/tool.exe");
    CHECK(find_program("TOOL.EXE", search, here).real == here + "/bin/tool.exe"); // in the spelling of the disk
    CHECK(find_program("bin\\tool", "", here).real == here + "/bin/tool.exe");
    CHECK(find_program("bin/tool.exe", "", here).real == here + "/bin/tool.exe");
    CHECK(find_program("tool", "", here).how == ending::not_found);
    CHECK(find_program("script.bat", search, here).how == ending::not_executable);
    CHECK(find_program("script", search, here).how == ending::not_found);
  }

  TEST_CASE("windows host: paths get the spelling of the disk, and a grant of a missing path is refused") {
    const scratch s;
    s.dir("Work/Inner");
    CHECK(place_of(s.top).starts_with("/"));
    CHECK(path_at(place_of(s.top)) == s.top);
    CHECK(place_of(std::filesystem::path(L"C:\\")) == "/C:");
    CHECK(path_at("/C:").native() == L"C:\\");
    CHECK(place_of(std::filesystem::path(L"\\\\server\\share")).empty());
    CHECK(written_place("C:\\a\\..\\b") == "/C:/a/../b");
    CHECK(written_place("a\\b") == "a/b");
    const auto policy = [&](const std::string& at, rights r) {
      loaded_policy p;
      REQUIRE(p.write<axis_id::files>([&](auto& out) { out.add({at, r.bits(), {}}); }).code == diagnostic_code::ok);
      return p;
    };
    const std::string real = place_of(s.top) + "/Work";
    CHECK(windows_shim::resolve(policy(real, verb::write)).files().lookup(real) == verb::write.bits());
    const std::string other = place_of(s.top) + "/wORK";
    CHECK(windows_shim::resolve(policy(other, verb::write)).files().lookup(real) == verb::write.bits());
    CHECK_THROWS_AS((void)windows_shim::resolve(policy(real + "/none", verb::read)), refused);
    CHECK(windows_shim::resolve(policy(real + "/none", verb::hide)).files().lookup(real + "/none") == 0);
    loaded_policy around;
    REQUIRE(around
                .write<axis_id::files>([&](auto& out) {
                  out.add({real, verb::write.bits(), {}});
                  out.add({real + "/none", 0, {}});
                })
                .code == diagnostic_code::ok);
    CHECK_THROWS_AS((void)windows_shim::resolve(around), refused);
  }

  TEST_CASE("windows host: digests and base64 have their known values") {
    CHECK(digest_of("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(digest_of("") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    // RFC 4231, test case 2.
    const shim::hash mac = shim::hmac_sha256("what do ya want for nothing?", "Jefe");
    CHECK(mac[0] == 0x5B);
    CHECK(mac[31] == 0x43);
    CHECK(to_base64("foob") == "Zm9vYg==");
    CHECK(!from_base64("Zm9vYh=="));
  }

  TEST_CASE("windows host: host names are mapped by the system's IDNA functions") {
    const auto read = [](std::string_view text) {
      const host::pattern p = format::parse_host(text);
      return p ? std::string("ok") : std::string("refused");
    };
    CHECK(format::idna_of("b\xC3\xBC"
                          "cher") == "xn--bcher-kva");
    CHECK(format::idna_of("xn--bcher-kva") == "xn--bcher-kva");
    CHECK(format::idna_of("xn--zzzzzzzz99999999").empty());
    CHECK(format::idna_of("stra\xC3\x9F"
                          "e")
              .empty());                             // the two IDNA rules lead to two hosts
    CHECK(format::idna_of("a\xE2\x84\x80").empty()); // maps to a/c
    CHECK(read("b\xC3\xBC"
               "cher.example") == "ok");
    CHECK(read("stra\xC3\x9F"
               "e.example") == "refused");
  }

} // TEST_SUITE
