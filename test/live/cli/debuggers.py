#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Debuggers, tracers and leak checkers with `--abilities debug`, the hint without it, and whom they cannot trace."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account
from support.command import main
from support.scratch import Scratch, write

LEAK = "int main() { int* lost = new int[4]; lost = nullptr; return lost != nullptr; }\n"
# Ends with 0 if it can attach to that process.
ATTACH = """import ctypes, os, sys
ptrace = ctypes.CDLL(None, use_errno=True).ptrace
ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
pid = int(sys.argv[1])
if ptrace(0x4206, pid, None, None) != 0: sys.exit(1)
ptrace(17, pid, None, None)
"""
HINT = "--abilities debug"
# Name -> (the program, what it must print with the ability).
TOOLS = {
    "leak checker": ("./leak", "detected memory leaks"),
    "strace": ("strace -f sh -c 'true & wait'", "exited with 0"),
    "gdb": ("gdb -q -batch -ex run --args true", "exited normally"),
}


def run(options, results):
    account = Account(options.user)
    scratch = Scratch(account, options.cordon)
    outsider = subprocess.Popen(account.prefix + ["sleep", "600"], stdin=subprocess.DEVNULL)
    try:
        account.own(write(f"{scratch.workspace}/attach.py", ATTACH))
        leak = f"{scratch.workspace}/leak"
        subprocess.run(["g++", "-x", "c++", "-fsanitize=address", "-o", leak, "-"], input=LEAK, text=True, check=True)
        os.chmod(leak, 0o755)

        def confined(backend, script, *more):
            cordon = [] if options.broken else [scratch.cordon, "run", "--backend", backend, *more, "--"]
            return scratch.run([*cordon, "sh", "-c", script], directory=scratch.workspace)

        def check(name, problems):
            if options.only in name:
                results.check(f"{options.user} by {name}", problems)

        for backend in ("namespaces", "landlock", "bubblewrap"):
            for name, (script, wanted) in TOOLS.items():
                if shutil.which(script.split()[0], path=f"{scratch.workspace}:{os.environ['PATH']}") is None and \
                        not script.startswith("./"):
                    results.skipped(f"{options.user} by {backend}: {name}", f"{name} is missing")
                    continue
                free = scratch.run(["sh", "-c", script], directory=scratch.workspace)
                control = [] if wanted in free.out + free.err else [f"the control: {(free.err or free.out)[-200:]}"]
                able = confined(backend, script, "--abilities", "debug")
                told = able.out + able.err
                problems = [] if wanted in told and HINT not in told else [f"status {able.status}: {told[-300:]}"]
                refused = confined(backend, script)
                told = refused.out + refused.err
                if wanted in told or HINT not in told:
                    problems.append(f"without the ability: status {refused.status}: {told[-300:]}")
                check(f"{backend}: {name}", control + problems)
            attach = f"exec python3 -I attach.py {outsider.pid}"
            free = scratch.run(["sh", "-c", attach], directory=scratch.workspace)
            ended = confined(backend, attach, "--abilities", "debug")
            check(f"{backend}: a process outside", ([] if free.status == 0 else [f"the control: {free.err[-200:]}"]) +
                  ([] if ended.status == 1 else [f"status {ended.status}: {ended.err[-200:]}"]))
        wrong = scratch.run([scratch.cordon, "run", "--abilities", "spawn,,trace", "--", "true"])
        check("words: an empty name", [] if wrong.status == 2 or (wrong.status == 125 and "a name is empty" in wrong.err)
              else [f"status {wrong.status}: {wrong.err[-200:]}"])
        file = write(f"{scratch.top}/policy", "run /usr\nread /etc\nabilities spawn\n")
        added = scratch.run([scratch.cordon, "run", "--policy", file, "--abilities", "debug", "--", "true"])
        check("words: an ability that the file lacks",
              [] if added.status == 125 and "--abilities would add" in added.err else [f"{added.status}: {added.err[-200:]}"])
    finally:
        outsider.kill()
        outsider.wait()
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run, "without cordon",
                  ("words: an empty name", "words: an ability that the file lacks")))
