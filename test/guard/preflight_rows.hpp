// SPDX-License-Identifier: BSL-1.0
/// Command lines, and the host in them that the preflight refuses.
#pragma once

#include <cordon/guard/preflight.hpp>

#include <array>
#include <string_view>

namespace preflight_rows {

using enum cordon::host::refusal;

struct row {
  std::size_t argument = 0; ///< 0: no host is refused
  std::array<std::string_view, 9> argv{};
  std::string_view hosts = "example.com";
  std::string_view host{}; ///< as it is written in the message
  cordon::host::refusal why = unlisted;
};

inline constexpr row allowed[]{
    {0, {"curl", "-sSo", "out", "--retry", "3", "example.com", "api.example.com:8443/x"}},
    {0, {"curl", "--resolve", "example.com:443:192.0.2.7", "https://example.com"}, "example.com 192.0.2.7"},
    {0, {"curl", "--resolve", "-evil.example:443", "--connect-to", "::api.example.com:443", "example.com"}},
    {0, {"curl", "-xproxy.example.com:8080", "--noproxy", "evil.example", "-H", "Host: evil.example"}},
    {0, {"curl", "-F", "evil.example", "--", "example.com"}},
    {0, {"wget", "-O", "index.html", "--header", "X: y", "example.com/a"}},
    {0, {"http", "POST", "example.com/x", "name=evil.example", "evil.example"}},
    {0, {"ssh", "-p2222", "me@example.com", "curl", "evil.example"}, "example.com:2222"},
    {0, {"ssh", "-i", "key", "-oProxyJump=none", "-J", "a.example.com,b.example.com:22", "example.com", "ls"}},
    {0, {"scp", "-P", "22", "a.txt", "./b:c", "example.com:x", "dir/evil:x"}},
    {0, {"ssh", "example.com", "-p22", "tool", "-J", "evil.example", "-p443"}, "example.com:22"},
    {0, {"sftp", "example.com:/x"}},
    {0, {"rsync", "-av", "--exclude", "evil:x", "src/", "example.com:dst"}},
    {0, {"git", "clone", "example.com:o/r", "evil:x"}},
    {0, {"git", "clone", "--branch", "evil:x", "git@example.com:o/r"}},
    {0, {"git", "push", "origin", "main:release"}},
    {0, {"git", "-C", "sub", "remote", "add", "evil", "example.com:o/r"}},
    {0, {"git", "log", "evil:x"}},
    {0, {"git", "show", "main:README.md"}},
    {0, {"nc", "-l", "evil.example", "80"}},
    {0, {"nc", "-w", "5", "example.com", "443"}},
    {0, {"ping", "-c", "4", "example.com"}},
    {0, {"dig", "+short", "-t", "MX", "MX", "example.com"}},
    {0, {"psql", "-h", "/run/postgresql", "evil.example"}},
    {0, {"redis-cli", "-h", "example.com", "get", "evil.example"}},
    {0, {"socat", "-", "TCP:example.com:80,retry=3"}},
    {0, {"socat", "TCP-LISTEN:80,fork", "EXEC:evil.example:x"}},
    {0, {"vim", "main.rs:10"}},
    {0, {"cat", "evil.example"}},
    {0, {"curl", "ftp://evil.example/"}, "any"},
    {0, {"pip", "install", "git+https://example.com/x"}},
    {0, {"git", "clone", "https://token:x@example.com/o/r.git"}},
    {0, {"curl", "file:///etc/passwd"}},
};

inline constexpr row refused[]{
    {1, {"curl", "evil.example"}, "example.com", "evil.example"},
    {3, {"curl", "-s", "example.com", "evil.example/a?b"}, "example.com", "evil.example"},
    {2, {"curl", "--head", "evil.example:80"}, "example.com", "evil.example"},
    {2, {"curl", "--resolve", "evil.example:443:1.2.3.4", "https://example.com"}, "example.com", "evil.example"},
    {2, {"curl", "--resolve", "example.com:443:192.0.2.8", "https://example.com"}, "example.com", "192.0.2.8"},
    {2, {"curl", "--resolve", "*:443:192.0.2.8"}, "example.com", "192.0.2.8"},
    {1, {"curl", "--connect-to=::evil.example:443", "https://example.com"}, "example.com", "evil.example"},
    {2, {"curl", "--connect-to", "example.com:443:[::1]:443"}, "example.com", "[::1]"},
    {1, {"curl", "-sxevil.example:3128", "example.com"}, "example.com", "evil.example"},
    {2, {"curl", "--socks5", "evil.example"}, "example.com", "evil.example"},
    {1, {"curl", "ftp://example.com/x"}, "example.com", "example.com", scheme},
    {1, {"curl", "ftp://example.com/x"}, "*", "example.com", scheme},
    {2, {"git", "clone", "ssh://git@example.com/o/r"}, "example.com", "example.com", scheme},
    {1, {"curl", "http://example.com"}, "example.com:443", "example.com", port},
    {1, {"curl", "https://a.example.com/"}, "example.com !a.example.com", "a.example.com", denied},
    {1, {"curl", "a.example.com"}, "example.com !a.example.com", "a.example.com", denied},
    {1, {"curl", "exam%70le.com"}, "example.com", "exam%70le.com", unreadable},
    {1, {"/usr/bin/wget", "evil.example"}, "example.com", "evil.example"},
    {2, {"https", "get", "evil.example"}, "example.com", "evil.example"},
    {3, {"timeout", "5", "curl", "evil.example"}, "example.com", "evil.example"},
    {2, {"env", "-S", "ssh evil.example"}, "example.com", "evil.example"},
    {1, {"ssh", "evil.example"}, "example.com", "evil.example"},
    {1, {"ssh", "me@evil.example", "ls"}, "example.com", "evil.example"},
    {1, {"ssh", "example.com"}, "example.com:443", "example.com", port},
    {3, {"ssh", "-p", "2222", "example.com"}, "example.com:22", "example.com", port},
    {2, {"ssh", "-J", "example.com,evil.example", "example.com"}, "example.com", "evil.example"},
    {1, {"ssh", "-oproxyjump=evil.example", "example.com"}, "example.com", "evil.example"},
    {2, {"ssh", "-o", "HostName evil.example", "example.com"}, "example.com", "evil.example"},
    {1, {"scp", "evil.example:x", "."}, "example.com", "evil.example"},
    {2, {"scp", "a", "[2001:db8::1]:x"}, "example.com", "[2001:db8::1]"},
    {2, {"rsync", "-a", "evil.example::module/x", "."}, "example.com", "evil.example"},
    {1, {"sftp", "evil.example"}, "example.com", "evil.example"},
    {2, {"git", "clone", "evil.example:o/r"}, "example.com", "evil.example"},
    {4, {"git", "clone", "--depth", "1", "evil.example:o/r"}, "example.com", "evil.example"},
    {4, {"git", "-C", "sub", "fetch", "evil.example:o/r"}, "example.com", "evil.example"},
    {4, {"git", "remote", "add", "x", "evil.example:o/r"}, "example.com", "evil.example"},
    {1, {"nc", "evil.example", "443"}, "example.com", "evil.example"},
    {1, {"telnet", "evil.example", "25"}, "example.com", "evil.example"},
    {3, {"ping", "-c", "4", "evil.example"}, "example.com", "evil.example"},
    {1, {"dig", "@evil.example", "example.com"}, "example.com", "evil.example"},
    {2, {"dig", "MX", "evil.example"}, "example.com", "evil.example"},
    {2, {"host", "example.com", "evil.example"}, "example.com", "evil.example"},
    {3, {"openssl", "s_client", "-connect", "evil.example:443"}, "example.com", "evil.example"},
    {1, {"psql", "-hevil.example"}, "example.com", "evil.example"},
    {2, {"mysql", "-h", "evil.example"}, "example.com", "evil.example"},
    {2, {"redis-cli", "-h", "evil.example"}, "example.com", "evil.example"},
    {2, {"socat", "-", "OPENSSL:evil.example:443,verify=0"}, "example.com", "evil.example"},
    {2, {"tool", "--host", "evil.example"}, "example.com", "evil.example"},
    {1, {"scp", "git@gitlab.example:o/r"}, "example.com", "gitlab.example"},
    {1, {"curl", "evil.example"}, "none", "evil.example"},
};

} // namespace preflight_rows
