// SPDX-License-Identifier: BSL-1.0
/// Tools whose arguments are hosts that their text does not show: `curl HOST`, `ssh user@HOST`, `git clone HOST:path`.
/// One row for each tool; a new tool is a new row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cordon::guard {

/// How a word names hosts.
enum class host_shape : std::uint8_t {
  none,
  host,       ///< [user@]host[:port]
  web,        ///< the same with a path after it, or a URL
  remote,     ///< [user@]host:path; without a colon before the first slash it is a file
  login,      ///< the same; without a colon a host
  list,       ///< hosts separated by commas
  resolve,    ///< host:port:address[,address]... of curl(1)
  connect_to, ///< host:port:host:port of curl(1)
  assignment, ///< ProxyJump=host of ssh_config(5)
  server,     ///< `@host` of dig(1); without the `@` a host
  socat,      ///< TYPE:host:port of socat(1)
};

/// Names of the enumerators, by value.
inline constexpr std::array<std::string_view, 11> host_shape_names{
    "none", "host", "web", "remote", "login", "list", "resolve", "connect_to", "assignment", "server", "socat"};
/// Returns: the name of the enumerator.
[[nodiscard]] constexpr std::string_view name(host_shape s) { return host_shape_names[static_cast<std::size_t>(s)]; }

/// Options and the shape of their values. Options are one letter, or a long name without dashes.
struct host_values {
  std::string_view options; ///< options of one letter, or a long name
  host_shape shape;         ///< how their values name hosts
};
inline constexpr host_values no_values{"", host_shape::none}; ///< no option
/// Lists every element: g++ 12 reads no element of a constant that is left out.
[[nodiscard]] constexpr std::array<host_values, 3> values_of(host_values a = no_values, host_values b = no_values,
                                                             host_values c = no_values) {
  return {{a, b, c}};
}

/// A program whose arguments name hosts.
struct host_tool {
  std::string_view names;   ///< names of the program, with blanks between
  std::string_view command; ///< the first operands, which are not hosts
  host_shape operands;      ///< how its operands name hosts
  std::size_t first;        ///< index of the first of the other operands that names a host
  std::size_t count;        ///< how many operands name hosts
  std::uint16_t port;       ///< the port if none is written; 0: any
  std::string_view letters; ///< one-letter options with a value, in the same word or the next one
  std::string_view options; ///< long ones with a value, in the same word after = or the next one
  std::array<host_values, 3> values = values_of(); ///< options whose values name hosts
  std::string_view port_options{};                 ///< those that set another port
  std::string_view listening{};                    ///< letters with which the tool contacts no host
  std::string_view ignored{};                      ///< operands that are not hosts
};

namespace detail {

inline constexpr std::size_t every = 64;
// curl(1) 8.
inline constexpr std::string_view curl_options =
    "abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to "
    "continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw "
    "data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header egd-file "
    "engine etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method "
    "ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help hostpubmd5 hostpubsha256 hsts "
    "interface ipfs-gateway json keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth "
    "mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir "
    "parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath "
    "proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass "
    "proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser "
    "proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve retry "
    "retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service "
    "socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers "
    "tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file url url-query user "
    "user-agent variable write-out";
// wget(1) 1.21.
inline constexpr std::string_view wget_options =
    "execute output-file append-output input-file base config rejected-log tries retry-on-http-error output-document "
    "start-pos progress timeout dns-timeout connect-timeout read-timeout wait waitretry quota bind-address limit-rate "
    "restrict-file-names user password use-askpass local-encoding remote-encoding directory-prefix cut-dirs http-user "
    "http-password default-page header compression proxy-user proxy-password referer user-agent load-cookies "
    "save-cookies post-data post-file method body-data body-file secure-protocol certificate certificate-type "
    "private-key private-key-type ca-certificate ca-directory crl-file pinnedpubkey ciphers ftp-user ftp-password "
    "warc-file warc-header warc-max-size warc-tempdir level accept reject accept-regex reject-regex regex-type domains "
    "exclude-domains follow-tags ignore-tags include-directories exclude-directories prefer-family report-speed";
// rsync(1) 3.2.
inline constexpr std::string_view rsync_options =
    "info debug stderr backup-dir suffix chmod checksum-choice block-size rsh rsync-path max-delete max-size min-size "
    "max-alloc partial-dir usermap groupmap chown timeout contimeout modify-window temp-dir compare-dest copy-dest "
    "link-dest compress-choice compress-level skip-compress filter exclude exclude-from include include-from "
    "files-from copy-as address port sockopts outbuf remote-option out-format log-file log-file-format password-file "
    "early-input bwlimit stop-after stop-at write-batch only-write-batch read-batch protocol iconv checksum-seed";
// git-clone(1), git-fetch(1), git-push(1), git-remote(1) and git(1), version 2.39.
inline constexpr std::string_view git_options =
    "git-dir work-tree namespace template reference reference-if-able origin branch upload-pack receive-pack exec repo "
    "depth jobs config server-option shallow-since shallow-exclude separate-git-dir filter refmap push-option "
    "recurse-submodules negotiation-tip deepen strategy strategy-option name bundle-uri";
inline constexpr std::string_view git_letters = "CcobujsX";
inline constexpr std::string_view dns_words =
    "A AAAA MX NS TXT SOA CNAME PTR SRV CAA ANY DS DNSKEY HTTPS NAPTR IN CH HS AXFR a aaaa mx ns txt soa cname ptr srv "
    "caa any ds dnskey https naptr in ch hs axfr";
inline constexpr std::array<host_values, 3> jump_values =
    values_of({"J", host_shape::list}, {"o", host_shape::assignment});
inline constexpr std::array<host_values, 3> client_values = values_of({"h host", host_shape::host});

} // namespace detail

// Other sources: the manuals of each tool in Debian 12.
/// The programs that are known.
inline constexpr std::array<host_tool, 27> host_tools{{
    {"curl", "", host_shape::web, 0, detail::every, 0, "AbcCdDeEFHhKmoPQrtTuUwxXyYz", detail::curl_options,
     values_of(
         {"x proxy preproxy proxy1.0 socks4 socks4a socks5 socks5-hostname doh-url url dns-servers", host_shape::list},
         {"resolve", host_shape::resolve}, {"connect-to", host_shape::connect_to})},
    {"wget", "", host_shape::web, 0, detail::every, 0, "eoaiBtOTwQPUlARDIX", detail::wget_options},
    {"http https httpie xh xhs", "", host_shape::web, 0, 1, 0, "abAopPsS",
     "auth auth-type output print pretty style session verify ssl cert cert-key proxy timeout method", values_of(), "",
     "", "GET POST PUT PATCH DELETE HEAD OPTIONS get post put patch delete head options"},
    {"ssh slogin autossh mosh", "", host_shape::login, 0, 1, 22, "BbcDEeFIiJLlmMOopPQRSWw", "ssh port server",
     detail::jump_values, "p port"},
    {"ssh-copy-id", "", host_shape::login, 0, 1, 22, "iopFt", "", detail::jump_values, "p"},
    {"ssh-keyscan", "", host_shape::host, 0, detail::every, 22, "fOpTt", "", values_of(), "p"},
    {"scp", "", host_shape::remote, 0, detail::every, 22, "cDFiJloPSX", "", detail::jump_values, "P"},
    {"sftp", "", host_shape::login, 0, 1, 22, "BbcDFiJloPRSsX", "", detail::jump_values, "P"},
    {"rsync", "", host_shape::remote, 0, detail::every, 0, "efTBM@", detail::rsync_options},
    {"git", "clone", host_shape::remote, 0, 1, 22, detail::git_letters, detail::git_options},
    {"git", "fetch", host_shape::remote, 0, 1, 22, detail::git_letters, detail::git_options},
    {"git", "pull", host_shape::remote, 0, 1, 22, detail::git_letters, detail::git_options},
    {"git", "push", host_shape::remote, 0, 1, 22, detail::git_letters, detail::git_options},
    {"git", "ls-remote", host_shape::remote, 0, 1, 22, detail::git_letters, detail::git_options},
    {"git", "remote add", host_shape::remote, 1, 1, 22, "Cctm", detail::git_options},
    {"git", "remote set-url", host_shape::remote, 1, 1, 22, "Cc", detail::git_options},
    {"git", "submodule add", host_shape::remote, 0, 1, 22, "Ccb", detail::git_options},
    {"nc ncat netcat", "", host_shape::host, 0, 1, 0, "eghiIMmnopPqsTVWwxX", "proxy exec sh-exec source-port source",
     values_of({"x proxy", host_shape::host}), "", "lU"},
    {"telnet ftp tftp lftp", "", host_shape::web, 0, 1, 0, "blnNPqrsSTuXecfo", ""},
    {"ping ping4 ping6 traceroute traceroute6 tracepath mtr", "", host_shape::host, 0, 1, 0, "cfgIilmMNpqQsSStTwWzF",
     ""},
    {"dig", "", host_shape::server, 0, 2, 0, "bcfkmpqtxy", "", values_of(), "", "", detail::dns_words},
    {"host nslookup", "", host_shape::host, 0, 2, 0, "cmNprRtW", ""},
    {"openssl", "s_client", host_shape::none, 0, 0, 0, "", "", values_of({"connect proxy host", host_shape::host})},
    {"psql pg_dump pg_dumpall pg_restore pg_isready pgbench createdb dropdb", "", host_shape::none, 0, 0, 5432,
     "AcdDfFhjLnNoOpPRStTuUvZ", "", detail::client_values, "p port"},
    {"mysql mariadb mysqldump mariadb-dump mysqladmin", "", host_shape::none, 0, 0, 3306, "DehPSu", "",
     detail::client_values, "P port"},
    {"redis-cli valkey-cli", "", host_shape::none, 0, 0, 6379, "hpsaurniDx", "",
     values_of({"h host", host_shape::host}, {"u", host_shape::web}), "p"},
    {"socat", "", host_shape::socat, 0, detail::every, 0, "bstT", ""},
}};

} // namespace cordon::guard
