// SPDX-License-Identifier: BSL-1.0
/// Command lines without findings, and the columns of all rows. Workspace and current directory are /srv/job.
#pragma once

#include <cordon/guard/guard.hpp>

#include <array>
#include <string_view>

namespace guard_rows {

using enum cordon::guard_code;

/// The columns of the table guard.tsv, and the argument with the finding.
struct row {
  cordon::guard_code verdict = ok;
  std::size_t argument = 0;
  std::array<std::string_view, 9> argv{};
  bool interpreters = true;
  std::string_view hosts = "any";
  std::string_view executables = "any";
};

inline constexpr row ordinary[]{
    {ok, 0, {"git", "rebase", "-i", "HEAD~3"}, false, "none"},
    {ok, 0, {"git", "push", "origin", "main:release"}, false, "none"},
    {ok, 0, {"git", "log", "--format=%h %s", "v1..v2"}, false, "none"},
    {ok, 0, {"git", "show", "HEAD:./a.c"}, false, "none"},
    {ok, 0, {"git", "-C", "sub", "diff", "--", "a/../b"}, false, "none"},
    {ok, 0, {"git", "config", "user.email", "me@example.com"}, false, "none"},
    {ok, 0, {"git", "commit", "-m", "set prefix=/usr and see user@host: x"}, false, "none"},
    {ok, 0, {"git", "commit", "-mfix /etc handling"}, false, "none"},
    {ok, 0, {"/usr/bin/git", "status"}, false, "none"},
    {ok, 0, {"env", "-u", "LANG", "A=1", "/usr/bin/git", "status"}, false, "none"},
    {ok, 0, {"make", "-C", ".", "CC=gcc", "-j", "4"}, false, "none"},
    {ok, 0, {"cmake", "-S", ".", "-Bbuild", "-DCMAKE_BUILD_TYPE=Release"}, false, "none"},
    {ok, 0, {"g++", "-std=c++20", "-Iinclude", "-o", "a.out", "src/../a.cpp"}, false, "none"},
    {ok, 0, {"gcc", "-Wl,-z,now", "@build/args.rsp"}, false, "none"},
    {ok, 0, {"npm", "install", "@types/node@18.0.0", "left-pad@^1.0"}, false, "none"},
    {ok, 0, {"npm", "run", "dev", "--", "--port", "3000"}, false, "none"},
    {ok, 0, {"cargo", "test", "--", "--test-threads=1", "a::b"}, false, "none"},
    {ok, 0, {"go", "test", "./...", "-run=^TestX$"}, false, "none"},
    {ok, 0, {"go", "get", "example.com/x@v1.2.3"}, false, "none"},
    {ok, 0, {"rg", "-n", "-e", "foo", "src"}, false, "none"},
    {ok, 0, {"sed", "-i.bak", "-e", "s/a/b/", "a.txt"}, false, "none"},
    {ok, 0, {"sed", "-es/a/b/", "-nes/a/b/gI", "-Ee/a/d", "a.txt"}, false, "none"},
    {ok, 0, {"tar", "-xf/srv/job/a.tar", "-xfa.tar", "-xf../job/a.tar"}, false, "none"},
    {ok, 0, {"tool", "-Isrc/x", "-Lbuild/lib", "-es/etc/x"}, false, "none"},
    {ok, 0, {"gcc", "-Wl,-rpath,/usr/lib", "-xc++", "-MFa.d"}, false, "none"},
    {ok, 0, {"find", ".", "-name", "*.c", "-newer", "/srv/job/stamp"}, false, "none"},
    {ok, 0, {"diff", "-u", "/srv/job/a", "/srv/job/sub/../b"}, false, "none"},
    {ok, 0, {"dd", "if=/dev/zero", "of=disk.img", "bs=1M"}, false, "none"},
    {ok, 0, {"cat", "/srv/job", "/dev/stdin", "/dev/./urandom"}, false, "none"},
    {ok, 0, {"curl", "file:///srv/job/a.json", "-o", "b"}, false, "none"},
    {ok, 0, {"curl", "https://api.example.com/x?dir=/etc&to=a@b:c"}, false, "example.com"},
    {ok, 0, {"curl", "-x", "http://user:pw@proxy.example.com:8080", "http://example.com/"}, false, "example.com"},
    {ok, 0, {"git", "clone", "https://token:x@github.com/o/r.git"}, false, "github.com:443"},
    {ok, 0, {"git", "clone", "ssh://git@github.com/o/r"}, false, "github.com:22"},
    {ok, 0, {"curl", "-xhttp://example.com/?a=/etc", "http://example.com:/"}, false, "example.com"},
    {ok, 0, {"git", "clone", "git+ssh://example.com/x"}, false, "example.com:22"},
    {ok, 0, {"curl", "file://localhost/srv/job/a?b=/../../..", "file:a"}, false, "none"},
    {ok, 0, {"scp", "me@[2001:db8::1]:x", "."}, false, "[2001:db8::1]"},
    {ok, 0, {"tool", "--server", "two words", "--url", "example.com/path?x"}, false, "example.com"},
    {ok, 0, {"tool", "--domain", "*.evil.example", "http://"}},
    {ok, 0, {"psql", "--host", "db.example.com", "--port=5432"}, false, "example.com:5432"},
    {ok, 0, {"psql", "postgres://db.example.com/x"}, false, "example.com:5432"},
    {ok, 0, {"psql", "--host=/srv/job/sockets"}, false, "none"},
    {ok, 0, {"serve", "--server", "--port", "80", "--address=:8080"}, false, "none"},
    {ok, 0, {"tool", "--hosts", "evil.example", "--host"}, false, "none"},
    {ok, 0, {"make", "HOST=evil.example", "host"}, false, "none"},
    {ok, 0, {"rsync", "-a", "user@example.com:dir/", "out/"}, false, "example.com"},
    {ok, 0, {"tool", "me@example.com", "a/b@c:d", "@c:d", "-x@c:d"}, false, "none"},
    {ok, 0, {"tool", "(https://evil.example)", "a b=https://evil.example", "x=https://evil.example y"}, false, "none"},
    {ok, 0, {"xargs", "-0", "-n", "1", "-I{}", "cp", "{}", "out"}, false, "none"},
    {ok, 0, {"find", ".", "-type", "f", "-exec", "grep", "-l", "sh", "+"}, false, "none"},
    {ok, 0, {"find", ".", "-exec", "xargs", ";", "-name", "sh"}, false, "none", "find xargs"},
    {ok, 0, {"find", ".", "-exec", "ls", ";", "-exec"}, false, "none", "find ls"},
    {ok, 0, {"awk", "-F:", "/a|b/ || x { print $1 \"|\" $2 }", "a"}, false, "none"},
    {ok, 0, {"git", "-c", "core.pager=cat", "log", "-c", "--format=%H"}, false, "none"},
    {ok, 0, {"git", "commit", "-c", "HEAD", "-m", "rebase --exec=id"}, false, "none"},
    {ok, 0, {"git", "rebase", "-i", "HEAD~3"}, false, "none"},
    {ok, 0, {"vim", "-c", "set nu!", "+10", "+/x", "a.lua"}, false, "none"},
    {ok, 0, {"npm", "run", "exec", "sh"}, false, "none", "npm"},
    {ok, 0, {"flock", "lock", "make", "-c"}, false, "none", "flock make"},
    {ok, 0, {"watch", "-x", "ls", "a;b"}, false, "none", "watch ls"},
    {ok, 0, {"setarch", "-R", "make"}, false, "none", "setarch make"},
    {ok, 0, {"parallel", "-j4", "gzip", ":::", "a", "sh"}, false, "none"},
    {ok, 0, {"parallel", ":::", "make"}, false, "none", "parallel"},
    {ok, 0, {"gdb", "-batch", "-ex", "run", "a.out"}, false, "none"},
    {ok, 0, {"awk", "-f", "a.awk", "system(1)"}, false, "none"},
    {ok, 0, {"grep", "-ef/etc/x", "a"}, false, "none"},
    {ok, 0, {"time", "make"}, false, "none", "time make"},
    {ok, 0, {"timeout", "-k", "5", "--signal=KILL", "10", "make"}, false, "none"},
    {ok, 0, {"timeout", "--kill", "sh", "10", "make"}, false, "none", "timeout make"},
    {ok, 0, {"nice", "-n", "5", "nohup", "stdbuf", "-o", "L", "make"}, false, "none"},
    {ok, 0, {"busybox", "wc", "-l", "a"}, false, "none"},
    {ok, 0, {"env"}, false, "none"},
    {ok, 0, {"setsid", "-w", "make"}, false, "none", "setsid make"},
    {ok, 0, {"shellcheck", "bash"}, false, "none"},
    {ok, 0, {"bashdb", "a.sh"}, false, "none"},
    {ok, 0, {"python3.", "a.py"}, false, "none"},
    {ok, 0, {"python..3", "a.py"}, false, "none"},
    {ok, 0, {"python3..1", "a.py"}, false, "none"},
    {ok, 0, {"python3.11-dbg", "a.py"}, false, "none"},
    {ok, 0, {"pyth0n", "a.py"}, false, "none"},
};

inline constexpr row scripts[]{
    {ok, 0, {"bash", "-euo", "pipefail", "a.sh", "-c"}},
    {ok, 0, {"bash", "-onoclobber", "a.sh"}},
    {ok, 0, {"bash", "-norc", "--rcfile", "x", "a.sh", "-c"}},
    {ok, 0, {"bash", "-O", "extglob", "+o", "posix", "a.sh", "-c"}},
    {ok, 0, {"bash", "--", "-c"}},
    {ok, 0, {"sh", "-", "-c", "x"}},
    {ok, 0, {"zsh", "--emulate", "sh", "a.zsh", "-c"}},
    {ok, 0, {"python3", "-W", "c", "-Xc", "a.py", "-c"}},
    {ok, 0, {"python3", "-mc", "-c"}},
    {ok, 0, {"python3", "-Bm", "x", "-c"}},
    {ok, 0, {"python3", "-", "-c"}},
    {ok, 0, {"python3", "--check-hash-based-pycs", "never", "a.py", "-c", "x"}},
    {ok, 0, {"node", "-r", "-e", "a.js", "-e", "1"}},
    {ok, 0, {"node", "--enable-source-maps", "--env-file=x", "a.js", "-p"}},
    {ok, 0, {"node", "--", "-e", "1"}},
    {ok, 0, {"deno", "run", "-A", "a.ts", "eval", "-e"}},
    {ok, 0, {"perl", "-Ilib/e", "-MPOSIX=floor", "-mre", "a.pl", "-e"}},
    {ok, 0, {"perl", "-I", "-e", "-CSE", "-d:Trace", "-0xFE", "a.pl"}},
    {ok, 0, {"perl", "-pi.e", "-Fe", "a.pl"}},
    {ok, 0, {"ruby", "-rset", "-Ke", "-W:no-experimental", "-Eutf-8", "a.rb", "-e"}},
    {ok, 0, {"ruby", "-r", "-e", "--disable", "gems", "a.rb", "-e"}},
    {ok, 0, {"lua", "-l", "e", "-le", "a.lua"}},
    {ok, 0, {"php", "-d", "error=r", "-dr=1", "-S", "localhost:80"}},
    {ok, 0, {"fish", "-o", "c", "--no-config", "a.fish", "-c"}},
    {ok, 0, {"tclsh", "-encoding", "utf-8", "a.tcl"}},
    {ok, 0, {"pwsh", "-NoProfile", "-File", "a.ps1", "-Command"}},
    {ok, 0, {"pwsh", "-ExecutionPolicy", "c", "-nol", "-ep", "-c", "a.ps1"}},
    {ok, 0, {"pwsh", "-f", "-c"}},
    {ok, 0, {"pwsh", "/srv/job/a.ps1", "-c"}},
    {ok, 0, {"env", "-S", "python3 -u", "a.py", "-c"}},
    {ok, 0, {"Rscript", "--vanilla", "a.R", "-e"}},
};

} // namespace guard_rows
