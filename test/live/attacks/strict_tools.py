#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Real tools under `syscalls strict`: each does a small job unconfined and under `cordon run`, and must end and print
alike; what strict refuses really gets its error number. The jobs are those of test/backend/seccomp, the refusals and
the network are in strict_tools.tsv."""
import functools
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import rows
from support.account import Account
from support.command import end, parser_of, turned
from support.scratch import Scratch, write

TEST = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TEST / "backend/seccomp"), str(TEST / "tools")]
import syscall_tables
from tools_more import MORE
from tools_work import WORK

POLICY = "level {level}\nsyscalls {mode}\nfiles any\nabilities spawn\nsockets {sockets}\n"
NETWORK = "network any\n"
# Wants a terminal of its own, which is refused with and without strict where no devpts is the run's own (work.tsv).
LEFT_OUT = ("script",)
CONFINES_NOTHING = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'

CALL = """import ctypes, errno, sys
c = ctypes.CDLL(None, use_errno=True)
c.syscall.restype = ctypes.c_long
result = c.syscall(*(ctypes.c_long(int(word, 0)) for word in sys.argv[1:]))
print(errno.errorcode[ctypes.get_errno()] if result == -1 else "returns")
"""
FILES = {
    "dial.go": 'package main\nimport ("net"; "os")\nfunc main() { _, e := net.Dial("tcp", "127.0.0.1:1")\n'
               'if e != nil { println(e.Error()); os.Exit(1) } }\n',
    "Dial.java": "public class Dial { public static void main(String[] a) throws Exception {\n"
                 'new java.net.Socket("127.0.0.1", 1); } }\n',
}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Bench:
    """Where attempts are made: afresh in the same directory each time, so that what is printed may be compared."""

    def __init__(self, options):
        self.scratch = Scratch(Account(options.user), options.cordon)
        self.options, self.port = options, 0
        self.table = syscall_tables.parse(syscall_tables.TABLE.read_text(encoding="utf-8"))
        for mode in ("inherit", "strict"):
            for level in ("process_exec", "network"):
                sockets = "any" if level == "network" else "none"  # unsaid, a run has sockets of its own
                text = POLICY.format(level=level, mode=mode, sockets=sockets) + (NETWORK if level == "network" else "")
                write(f"{self.scratch.top}/{mode}.{level}", text)
        write(f"{self.scratch.top}/call.py", CALL)

    def launcher(self, mode, level="process_exec"):
        policy = f"{self.scratch.top}/{mode}.{level}"
        return [self.scratch.cordon, "run", "--quiet", *self.options.extra, "--policy", policy, "--"]

    def do(self, launcher, command, files):
        folder = f"{self.scratch.workspace}/job"
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        for name, text in files.items():
            write(f"{folder}/{name}", text)
        self.scratch.account.own_tree(folder)
        return self.scratch.run(launcher + command, 240, directory=folder, npm_config_update_notifier="false",
                                http_proxy="", GIT_TERMINAL_PROMPT="0")

    def number(self, name):
        numbers = self.table[name][1]
        machine = os.uname().machine
        return numbers[syscall_tables.MACHINES.index(machine)] if machine in syscall_tables.MACHINES else -1

    def missing(self, program):
        return program != "-" and shutil.which(program, path=self.scratch.variables()["PATH"]) is None


def told(ended):
    return (ended.err + ended.out).strip()[-400:]


def job(bench, results, title, files, script, level="process_exec"):
    command = ["sh", "-ec", script]
    free = bench.do([], command, files)
    if free.status != 0:
        return results.failed(title, f"unconfined: status {free.status}: {told(free)}")
    bound = bench.do(bench.launcher("strict", level), command, files)
    if bound.status != free.status:
        return results.failed(title, f"status {bound.status}: {told(bound)}")
    alike = bound.out == free.out
    return results.check(title, [] if alike else [f"{bound.out[-200:]!r} instead of {free.out[-200:]!r}"])


def call(bench, results, title, row):
    name, *words = row.attempt.split()
    number = bench.number(name)
    if number < 0:
        return results.skipped(title, f"{name} on this machine")
    command = ["python3", f"{bench.scratch.top}/call.py", str(number), *words]
    said = {}
    for place, launcher in (("unconfined", []), ("inherit", bench.launcher("inherit")),
                            ("strict", bench.launcher("strict"))):
        ended = bench.do(launcher, command, {})
        said[place] = ended.out.strip() if ended.status == 0 else f"status {ended.status}: {told(ended)}"
    if said["unconfined"] in ("ENOSYS", "EPERM"):
        return results.skipped(title, f"{name} in this kernel, for {bench.options.user}")
    return results.check(title, [f"{place}: {answer}, not {row[place]}" for place, answer in said.items()
                                 if answer not in row[place].split()])


def refused(bench, results, title, row):
    found = []
    for place, launcher in (("unconfined", []), ("strict", bench.launcher("strict"))):
        ended = bench.do(launcher, ["sh", "-c", f"{row.attempt}; s=$?; echo; echo ended $s"], FILES)
        text = ended.out + ended.err
        if row[place] not in text:
            found.append(f"{place}: {row[place]!r} is not in {text[-300:]!r}")
        status = int(ended.out.rpartition("ended ")[2] or 999)
        if 128 < status < 193:  # as a shell tells a signal
            found.append(f"{place}: status {status}: {text[-300:]!r}")
    return results.check(title, found)


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def web(bench):
    """A page and a repository, for the clients."""
    folder = f"{bench.scratch.top}/web"
    write(f"{folder}/index.html", "page\n")
    write(f"{folder}/r/f", "from a repository\n")
    git = ["git", "-c", "safe.directory=*", "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "f"], ["commit", "-qm", "one"], ["update-server-info"]):
        subprocess.run(git + ["-C", f"{folder}/r"] + words, check=True)
    os.rename(f"{folder}/r/.git", f"{folder}/r.git")
    return serve(folder)


def run(options, results):
    bench = Bench(options)
    server = None
    try:
        if options.self_test:
            write(bench.scratch.cordon, CONFINES_NOTHING, 0o755)
        else:
            for name, program, files, script in WORK + MORE:
                title = f"{options.user}: {name}"
                if options.only not in name or name in LEFT_OUT:
                    continue
                if bench.missing(program):
                    results.skipped(title, program)
                else:
                    job(bench, results, title, files, script)
        server = web(bench) if shutil.which("git") else None
        for row in rows.read("attacks/strict_tools.tsv"):
            title = f"{options.user}: {row.label}"
            if options.only not in row.label or (options.self_test and row.unconfined == row.strict):
                continue
            if bench.missing(row.program) or (row.sort == "network" and server is None):
                results.skipped(title, row.program)
            elif row.sort == "network":
                job(bench, results, title, {}, row.attempt.format(port=server.server_port), "network")
            else:
                {"call": call, "refused": refused}[row.sort](bench, results, title, row)
    finally:
        if server is not None:
            server.shutdown()
        bench.scratch.close()


def self_test(options):
    """Under a launcher that confines nothing every refusal must be missed, or a broken filter would not be noticed."""
    return turned(options, run, "unconfined: ", "under a launcher that confines nothing")


def main():
    parser = parser_of(__doc__, "jobs")
    parser.add_argument("--cordon", default=os.environ.get("CORDON"), help="the program under test")
    parser.add_argument("extra", nargs="*", help="behind --: further options for cordon run")
    options = parser.parse_args()
    if not options.cordon and not options.self_test:
        parser.error("--cordon or the variable CORDON is needed")
    options.cordon = options.cordon or "/bin/true"
    return end(options, run, self_test, "jobs")


if __name__ == "__main__":
    sys.exit(main())
