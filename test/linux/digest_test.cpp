// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/digest.hpp>
#include <cordon/run/resolve.hpp>

#include <doctest/doctest.h>

namespace linux_digest_test {

using namespace cordon;

TEST_SUITE("digest") {

  TEST_CASE("digest: known texts have their published digests") { // FIPS 180-4, examples of NIST
    CHECK(digest_of("") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(digest_of("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  TEST_CASE("digest: an attestation holds for one text and one key") {
    const std::string key = "sixteen bytes or more", text = "{\n  \"a\": 1\n}\n";
    const std::string attested = attest(text, key);
    CHECK(attested == // value computed by OpenSSL
          "{\n  \"a\": 1,\n  \"attestation\": {\"algorithm\": \"HMAC-SHA-256\", \"mac\": "
          "\"a9295c3a823ff67d2e1ef459f9d77f21add7685eebb61dcc9701df9ba8fbb0de\"}\n}\n");
    CHECK(check_attestation(attested, key) == text);
    for (std::size_t i = 0; i < attested.size(); ++i) {
      CAPTURE(i);
      std::string other = attested;
      other[i] = static_cast<char>(other[i] ^ 1);
      CHECK_THROWS_AS((void)check_attestation(other, key), refused);
    }
    CHECK_THROWS_AS((void)check_attestation(attested, "another key of the size"), refused);
    CHECK_THROWS_AS((void)check_attestation(text, key), refused);
    CHECK_THROWS_AS((void)check_attestation(attested + " ", key), refused);
    const std::size_t mac = attested.size() - 5 - 64; // of 64 digits, before "}\n}\n
    for (std::size_t n = 1; n <= 64; ++n) {
      CAPTURE(n);
      CHECK_THROWS_AS((void)check_attestation(std::string(attested).erase(mac + 64 - n, n), key), refused);
    }
    CHECK_THROWS_AS((void)check_attestation(std::string(attested).insert(mac + 64, "0"), key), refused);
    CHECK_THROWS_AS((void)attest(text, "short"), refused);
    CHECK_THROWS_AS((void)attest(text, std::string(least_key - 1, 'k')), refused);
    CHECK_NOTHROW((void)attest(text, std::string(least_key, 'k')));
    CHECK_THROWS_AS((void)attest("no object", key), refused);
  }

  TEST_CASE("digest: nested attestations are checked from the outermost in") {
    const std::string key = "sixteen bytes or more", other = "other sixteen bytes!";
    const std::string twice = attest(attest("{\n  \"a\": 1\n}\n", key), other);
    CHECK(check_attestation(check_attestation(twice, other), key) == "{\n  \"a\": 1\n}\n");
  }

} // TEST_SUITE

} // namespace linux_digest_test
