#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Jobs of a shell at a terminal, with redirected streams too: the terminal by its name, interruption, stopping, sizes."""
import pathlib
import re
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account
from support.command import main
from support.scratch import Scratch, write
from support.terminal import Session

# A process and its child; both report SIGINT, and the first one ends with 7.
FAMILY = r"""
import os, signal, time
child = -1
def end(*_):
    if child: os.waitpid(child, 0)
    os.write(2, b"parent\n" if child else b"child\n")
    os._exit(7 if child else 0)
signal.signal(signal.SIGINT, end)
child = os.fork()
if not child: os.write(2, b"ready\n")
while True: time.sleep(0.05)
"""
SIZES = r"""
import os, signal, sys
terminal = os.open("/dev/tty", os.O_RDWR)
def tell():
    os.write(terminal, b"%d %d" % os.get_terminal_size(terminal)[::-1])
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
tell()
signal.sigwait([signal.SIGWINCH])
tell()
"""
# Which terminal controls this process? Prints the number of the device, and of the file system that has it.
WHICH = r"""
import glob, os
for name in glob.glob("/dev/pts/[0-9]*"):
    try:
        fd = os.open(name, os.O_RDWR | os.O_NOCTTY)
        os.tcgetpgrp(fd)
    except OSError: continue
    s = os.fstat(fd)
    print(f"terminal={s.st_dev},{s.st_rdev}")
"""
PASSWORD = "import getpass; print('turned:' + getpass.getpass()[::-1])"
TYPED = "typed-and-hidden"

BY_EACH = {
    "interrupt of a group": (
        "trap : INT; RUN python3 -I family.py | cat; echo status:${PIPESTATUS[0]}", "ready", b"\x03", "child", "parent",
        "status:7"),
    "interrupt of a loop": ("for i in 1 2 3; do echo ready; RUN sleep 20; echo next; done; echo over", "ready", 0.7,
                            b"\x03", 130),
    "interrupt of a loop with redirected streams": (
        "for i in 1 2 3; do echo ready; RUN sleep 20 < /dev/null > /dev/null; echo next; done; echo over", "ready", 0.7,
        b"\x03", 130),
    "interrupt of a pipeline": ("for i in 1 2 3; do echo ready; RUN sleep 20 | cat; echo next; done; echo over", "ready", 0.7,
                                b"\x03", 130),
    "stop with redirected streams": (
        "set -m; RUN sh -c 'echo ready >&2; sleep 2; echo slept >&2' < /dev/null > /dev/null; echo stopped:$?; fg; echo over:$?",
        "ready", 0.7, b"\x1a", "stopped:148", "slept", "over:0"),
}
WITH_NAMES = {
    "a pager with stdin a pipe": ("seq 500 | RUN less -X; echo over", r"\n28\r+\n", b" ", r"\n55\r+\n", b"q", "over"),
    "a question on /dev/tty": (
        "echo data | RUN sh -c 'read -r a; printf \"name? \" > /dev/tty; read -r x < /dev/tty; echo got:$a:$x:'; echo over",
        r"name\? ", b"word\r", "got:data:word:", "over"),
    "no progress while a question waits": (
        "echo | LOUD sh -c 'read -r x < /dev/tty; echo got:$x:'; echo over", 4.5, b"word\r",
        r"\A(?:(?!cordon: \d)[\s\S])*got:word:", "over"),
    "a question with no standard stream at a terminal": (
        "x=$(RUN sh -c 'printf \"name? \" > /dev/tty; read -r x < /dev/tty; echo got:$x:' < /dev/null 2> log); echo $x",
        r"name\? ", b"word\r", "got:word:"),
    "a password": (f"x=$(RUN python3 -I -c \"{PASSWORD}\" < /dev/null 2> log); echo $x", "Password: ",
                   TYPED.encode() + b"\r", f"turned:{TYPED[::-1]}"),
    "the name of the terminal": ("RUN tty", r"/dev/pts/\d+"),
    "the name of the terminal in a pipeline": ("RUN tty | cat", r"/dev/pts/\d+"),
    "the terminal is not the user's": ("RUN python3 -I which.py", r"terminal=\d+"),
    "the terminal is not the user's with stdin a pipe": ("echo | RUN python3 -I which.py | cat", r"terminal=\d+"),
    "lines from stdin in a pipeline": ("RUN sh -c 'read -r x; echo got:$x:' | cat", 0.7, b"word\r", "got:word:"),
    "sizes": ("RUN python3 -I sizes.py < /dev/null", "31 97", lambda at: at.resize(40, 120), "40 120"),
    "stop and go on": (
        "set -m; RUN cat; echo stopped:$?; read -r x; echo shell:$x:; fg; echo over:$?", 1.0, b"one\r", "one\r\none", b"\x1a",
        "stopped:148", "modes", b"key\r", "shell:key:", "cat", 0.5, b"two\r", "two\r\ntwo", b"\x04", "over:0"),
    "stop while a question waits": (
        "set -m; RUN sh -c 'read -r x < /dev/tty; echo got:$x:' < /dev/null; echo stopped:$?; fg; echo over:$?", 1.0,
        b"\x1a", "stopped:148", 0.5, b"word\r", "got:word:", "over:0"),
    "keys are not taken from another program": (
        "RUN sh -c 'sleep 2; echo slept' < /dev/null | sh -c 'read -r x < /dev/tty; echo got:$x:; cat'", 0.7, b"word\r",
        "got:word:", "slept"),
    "from the background to the foreground": (
        "set -m; RUN sh -c 'read -r x < /dev/tty; echo got:$x:' < /dev/null & sleep 1; fg; echo over:$?", 1.5, b"word\r",
        "got:word:", "over:0"),
}


def run(options, results):
    account = Account(options.user)
    scratch = Scratch(account, options.cordon)
    for name, text in (("family.py", FAMILY), ("sizes.py", SIZES), ("which.py", WHICH)):
        account.own(write(f"{scratch.workspace}/{name}", text))

    def act(at, step):
        """Returns: what is wrong."""
        if isinstance(step, float):
            at.sees(rb"(?!)", step)
        elif isinstance(step, bytes):
            at.type(step)
        elif callable(step):
            step(at)
        elif step == "modes":
            return termios.tcgetattr(at.slave) != at.modes and "the user's terminal has other modes while the job is stopped"
        elif isinstance(step, str) and not at.sees(step.encode()):
            return f"{step!r} is not in {at.said!r}"
        return None

    def check(backend, name, script, *steps):
        program = "" if options.broken else f"{scratch.cordon} run --quiet --backend {backend} --"
        script = script.replace("RUN", program).replace("LOUD", program.replace(" --quiet", ""))
        at = Session(scratch, ["bash", "--norc", "-c", script])
        try:
            problem = None
            for step in steps:
                problem = problem or act(at, step)
            if problem:
                at.process.kill()
            ended, wanted = at.end(), steps[-1] if isinstance(steps[-1], int) else 0
            problems = [problem, not problem and ended != wanted and f"status {ended}: {at.said!r}",
                        (b"next" in at.said or TYPED.encode() in at.said) and f"too much: {at.said!r}",
                        termios.tcgetattr(at.slave) != at.modes and "the user's terminal has other modes than before"]
            inner = re.search(rb"terminal=(\d+),(\d+)", at.said)
            outer = at.identity()
            problems.append(inner and (int(inner[1]), int(inner[2])) == outer and "the program has the user's terminal")
        finally:
            at.close()
        results.check(f"{account.name} by {backend}: {name}", [one for one in problems if one])

    try:
        for backend in ("namespaces", "landlock", "bubblewrap"):
            for name, row in {**BY_EACH, **({} if backend == "landlock" else WITH_NAMES)}.items():
                if options.only in name:
                    check(backend, name, *row)
    finally:
        scratch.close()


if __name__ == "__main__":
    # Without cordon, jobs and terminals work as well; but then the terminal is the user's.
    sys.exit(main(__doc__, "results", run, "without cordon",
                  tuple(name for name in (*BY_EACH, *WITH_NAMES) if "user's" not in name)))
