// SPDX-License-Identifier: BSL-1.0
#include "../holds.hpp"

#include <cordon/policy/credential_paths.hpp>

#include <set>
#include <string>

namespace policy_credential_paths_test {

using namespace cordon;
using namespace cordon::preset_places;

namespace {

/// The row whose path covers this one; null if there is none.
constexpr const credential_path* row_over(std::string_view path) {
  for (const credential_path& row : home_credentials)
    if (path::covers(row.path, path)) return &row;
  return nullptr;
}

constexpr std::size_t rows_of(platform p) {
  std::size_t n = 0;
  for (const credential_path& row : home_credentials) n += is_used_on(row, p);
  return n;
}

} // namespace

TEST_CASE("credential paths: each is relative to home and in normal form, with what it holds and a source") {
  for (const credential_path& row : home_credentials) {
    CAPTURE(row.path);
    const path::normal n = path::normalize(row.path, "/home/u");
    CHECK((n && row.path.front() != '/' && n.view().substr(8) == row.path));
    CHECK(!row.holds.empty());
    CHECK(!row.source.empty());
  }
}

TEST_CASE("credential paths: rows out of order, twice or inside another are seen") {
  constexpr auto row = [](std::string_view p) { return credential_path{p, "a token", "a manual"}; };
  constexpr credential_path good[]{row(".a"), row(".a-b"), row(".b/c")}, inside[]{row(".a"), row(".a/b")},
      twice[]{row(".a"), row(".a")}, disorder[]{row(".b"), row(".a")};
  HOLDS(detail::are_in_order(good));
  HOLDS(!detail::are_in_order(inside));
  HOLDS(!detail::are_in_order(twice));
  HOLDS(!detail::are_in_order(disorder));
}

TEST_CASE("credential paths: the ones that every policy must hide are there") {
  for (const std::string_view p : {".ssh",
                                   ".aws",
                                   ".gnupg",
                                   ".netrc",
                                   ".docker/config.json",
                                   ".config/gh",
                                   ".config/gcloud",
                                   ".kube/config",
                                   ".git-credentials",
                                   ".config/git/credentials",
                                   ".config/rclone",
                                   ".config/op",
                                   ".config/sops",
                                   ".config/hub",
                                   ".azure",
                                   ".password-store",
                                   ".local/share/keyrings",
                                   ".mozilla",
                                   ".config/google-chrome",
                                   ".npmrc",
                                   ".pypirc",
                                   ".yarnrc.yml",
                                   ".cargo/credentials",
                                   ".cargo/credentials.toml",
                                   ".curlrc",
                                   ".wgetrc",
                                   ".local/share/mkcert/rootCA-key.pem",
                                   ".kube/cache/kubelogin",
                                   ".mcp-auth",
                                   ".zhistory",
                                   ".bash_history",
                                   ".psql_history"}) {
    CAPTURE(p);
    CHECK(row_over(p) != nullptr);
  }
}

TEST_CASE("credential paths: what tools need beside a secret is not hidden") {
  for (const std::string_view p :
       {".config/pip/pip.conf", ".pip/pip.conf", ".kube/cache/discovery", ".local/share/mkcert/rootCA.pem",
        ".mitmproxy/mitmproxy-ca-cert.pem", ".config/coderv2/dotfiles", ".bun/bin", ".sbt/1.0/global.sbt",
        ".cache/deno/deps", ".jupyter/jupyter_nbconvert_config.py", ".emacs.d/init.el", ".config/zsh/.zshrc"}) {
    CAPTURE(p);
    CHECK(row_over(p) == nullptr);
  }
}

TEST_CASE("credential paths: each system has its own, and those with a dot") {
  HOLDS(rows_of(platform::linux_) >= 700);
  HOLDS(rows_of(platform::openbsd) == rows_of(platform::linux_));
  HOLDS(rows_of(platform::macos) > rows_of(platform::linux_));
  HOLDS(rows_of(platform::windows) > rows_of(platform::linux_));
  HOLDS(is_used_on(*row_over("Library/Keychains"), platform::macos));
  HOLDS(!is_used_on(*row_over("Library/Keychains"), platform::linux_));
  HOLDS(!is_used_on(*row_over("AppData/Roaming/gnupg"), platform::macos));
}

TEST_CASE("credential paths: on Windows no two differ in case alone") {
  const auto lower = [](std::string_view path) {
    std::string all(path);
    for (char& c : all)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return all;
  };
  std::set<std::string> seen;
  for (const credential_path& row : home_credentials) {
    CAPTURE(row.path);
    if (is_used_on(row, platform::windows)) CHECK(seen.insert(lower(row.path)).second);
  }
  for (const credential_path& row : home_credentials) {
    CAPTURE(row.path);
    if (!path::covers("Library", row.path)) CHECK(seen.count(lower(row.path)) == 1);
  }
  HOLDS(!is_used_on(*row_over(".Azure"), platform::windows) && is_used_on(*row_over(".Azure"), platform::linux_));
  HOLDS(is_used_on(*row_over(".azure"), platform::windows) && is_used_on(*row_over(".cache/rbw"), platform::windows));
}

TEST_CASE("credential paths: of what the other presets name under home, none but token files is hidden") {
  constexpr std::string_view tokens[]{
      ".npmrc", ".netrc", ".yarnrc.yml", ".pypirc", ".cargo/credentials", ".cargo/credentials.toml"};
  const auto is_token = [&](std::string_view p) {
    for (const std::string_view t : tokens)
      if (t == p) return true;
    return false;
  };
  for (const list parts : {list{home_toolchain_parts}, list{home_config_parts}, list{home_toolchains}})
    for (const std::string_view part : parts) {
      CAPTURE(part);
      CHECK((row_over(part) != nullptr) == is_token(part));
    }
}

} // namespace policy_credential_paths_test
