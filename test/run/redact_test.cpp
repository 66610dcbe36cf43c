// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/redact.hpp>

#include "../holds.hpp"

#include <doctest/doctest.h>

using namespace cordon;

TEST_SUITE("redact") {

  TEST_CASE("redact: names of secrets are recognised") {
    for (const char* name : {"GITHUB_TOKEN", "aws_secret_access_key", "--password", "DB_PASSWD", "X-Api-Key", "apiKey",
                             "Authorization", "--auth", "Cookie", "ssh-private-key", "MYSQL_PWD", "GOOGLE_CREDENTIALS"})
      CHECK_MESSAGE(is_secret_name(name), name);
    for (const char* name :
         {"PATH", "--author", "AUTHOR", "--keep", "KEYBOARD", "--passes", "bypass", "MONKEY", "--path"})
      CHECK_MESSAGE(!is_secret_name(name), name);
    HOLDS(is_secret_name("NPM_TOKEN"));
    HOLDS(!is_secret_name("NPM_CONFIG"));
  }

  TEST_CASE("redact: the value after a secret's name is replaced") {
    CHECK(redact("--token=abc") == "--token=[redacted]");
    CHECK(redact("DB_PASSWORD=x=y") == "DB_PASSWORD=[redacted]");
    CHECK(redact("Authorization: Bearer abc") == "Authorization: [redacted]");
    CHECK(redact("--token=") == "--token=");
    CHECK(redact("--colour=red") == "--colour=red");
    using list = std::vector<std::string>;
    CHECK(redact(list{"curl", "--token", "abc", "-X", "GET"}) == list{"curl", "--token", "[redacted]", "-X", "GET"});
    CHECK(redact(list{"tool", "--token", "--verbose", "x"}) == list{"tool", "--token", "--verbose", "x"});
    CHECK(redact(list{"git", "commit", "--author", "me"}) == list{"git", "commit", "--author", "me"});
  }

  TEST_CASE("redact: passwords in URLs and known tokens are replaced") {
    CHECK(redact("https://me:secret@example.com/a@b") == "https://[redacted]@example.com/a@b");
    CHECK(redact("see ftp://u@h and https://example.com/x?y=u@h") ==
          "see ftp://[redacted]@h and https://example.com/x?y=u@h");
    CHECK(redact("ghp_0123456789abcdefghij rest") == "[redacted] rest");
    CHECK(redact("'AKIAIOSFODNN7EXAMPLE'").size() == std::string("'[redacted]'").size());
    CHECK(redact("sk-short") == "sk-short");
    CHECK(redact("disk-0123456789abcdefghijklmn") == "disk-0123456789abcdefghijklmn");
    CHECK(redact("-----BEGIN RSA PRIVATE KEY-----\nabc") == "[redacted]");
    CHECK(redact("a plain sentence, with: a colon") == "a plain sentence, with: a colon");
  }

} // TEST_SUITE
