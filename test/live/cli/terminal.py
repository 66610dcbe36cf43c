#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The user's terminal and the program's own: keys, sizes and job control pass, modes and injected input do not."""
import pathlib
import re
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account
from support.command import main
from support.scratch import Scratch
from support.terminal import Session


RESIZED = r"""
import os, signal
def tell():
    os.write(1, b"%d %d" % os.get_terminal_size(0)[::-1])
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
tell()
signal.sigwait([signal.SIGWINCH])
tell()
"""


def run(options, results):
    account = Account(options.user)
    scratch = Scratch(account, options.cordon)

    def session(backend, script, keys):
        confined = [scratch.cordon, "run", "--backend", backend, "--env", "TERM", "--"]
        return Session(scratch, ([] if options.broken else confined) + ["bash", "--norc", "-c", script],
                       keys)

    def check(backend, name, script, *steps, status=0, keys=True):
        """Steps: what the program must have said, keys to type, or what to call."""
        at = session(backend, script, keys)
        problems = []
        try:
            for step in steps:
                if callable(step):
                    step(at)
                elif isinstance(step, bytes):
                    at.type(step)
                elif not at.sees(step.encode()):
                    problems.append(f"{step!r} is not in {at.said!r}")
                    at.process.kill()
                    break
            ended = at.end()
            if ended != status and not problems:
                problems.append(f"status {ended}: {at.said!r}")
            if termios.tcgetattr(at.slave) != at.modes:
                problems.append("the person's terminal has other modes than before")
            inner = re.search(rb"rdev=(\d+),(\d+)", at.said)
            if inner and (int(inner[1]), int(inner[2])) == at.identity():
                problems.append("the program has the person's terminal")
        finally:
            at.close()
        results.check(f"{account.name} by {backend}: {name}", problems)

    own = 'python3 -I -c "import os; s = os.fstat(0); print(f\'rdev={s.st_dev},{s.st_rdev}\')"; '
    try:
        for backend in ("namespaces", "landlock"):
            check(backend, "size and its changes", own + f"exec python3 -I -c '{RESIZED}'", "31 97",
                  lambda at: at.resize(40, 120), "40 120")
            check(backend, "a line", own + "test -t 0 -a -t 1 -a -t 2 && read -r x && echo got:$x:", r"rdev=\d+", b"word\r",
                  "got:word:")
            check(backend, "keys without echo", own + "stty -echo -icanon; echo ready; IFS= read -r -n 1 x; echo got:$x:",
                  "ready", b"k", "got:k:")
            check(backend, "interrupt", own + "echo ready; exec sleep 60", "ready", b"\x03", status=130)
            check(backend, "end of input", own + "echo ready; cat; echo over", "ready", b"line\r", "line\r\nline", b"\x04",
                  "over")
            check(backend, "jobs", own + "set -m; sh -c 'echo ready; exec sleep 60'; jobs; kill -9 %1; wait; echo over",
                  "ready", b"\x1a", "Stopped", "over")
            check(backend, "much output", own + "seq 1 200000; echo done", "199999\r\n200000\r\ndone")
            check(backend, "status", own + "exit 7", status=7)
            check(backend, "progress without typing", "sleep 4; echo word", r"\r\x1b\[Kcordon: 3 s, \d+ KiB of memory",
                  r"\r\x1b\[Kword\r", keys=False)
            check(backend, "no progress after typing", own + "sleep 4; echo word", r"rdev=\d+,\d+\r\nword\r")
    finally:
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run, "at the person's own terminal"))
