#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Crashes, private memory and capabilities of a program: core dumps, inodes of the run's own tmpfs, the bounding set;
and a cordon that is started with too little memory. The first test sets the host's core_pattern for some seconds, so
that no other test may run at the same time."""
import contextlib
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Unavailable
from support.command import main, run_rows
from support.scratch import Scratch, write

PATTERN = "/proc/sys/kernel/core_pattern"
PYTHON = "/usr/bin/python3"
CRASH = "import ctypes, resource, sys\n{}\nopen('crashed', 'w').close()\nctypes.string_at(0)\n"
LIMIT = "resource.setrlimit(resource.RLIMIT_CORE, ({0}, {0}))"
KEPT = """
import resource, sys
print(resource.getrlimit(resource.RLIMIT_CORE))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
print(resource.getrlimit(resource.RLIMIT_CORE))
resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
print(resource.getrlimit(resource.RLIMIT_NOFILE))
"""
BACKENDS = ("namespaces", "landlock", "bubblewrap")


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken

    def confined(self, backend, *words):
        """Under `broken`: the program as it is."""
        if self.broken:
            return [*words]
        return [self.cordon, "run", "--backend", backend, "--workspace", self.workspace, "--", *words]

    @contextlib.contextmanager
    def handler(self):
        """Installs a crash handler that leaves a mark."""
        if os.geteuid() != 0:
            raise Unavailable("setting core_pattern (root is needed)")
        mark = os.path.join(self.top, "handled")
        script = write(os.path.join(self.top, "handler"), f"#!/bin/sh\n/bin/cat >/dev/null\n/usr/bin/touch {mark}\n", 0o755)
        with open(PATTERN) as file:
            before = file.read()
        try:
            with open(PATTERN, "w") as file:
                file.write(f"|{script}")
            yield lambda: seen(mark)
        finally:
            with open(PATTERN, "w") as file:
                file.write(before)


def seen(mark, seconds=1.0):
    """Whether the crash handler was run; removes its mark."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.path.exists(mark):
            os.unlink(mark)
            return True
        time.sleep(0.02)
    return False


def crash(s, backend, first, handled):
    ran = os.path.join(s.workspace, "crashed")
    words = [PYTHON, "-c", CRASH.format(first)]
    ended = s.run(words if backend is None else s.confined(backend, *words))
    if not os.path.exists(ran):
        return f"{backend}: the program did not come to its crash: {ended.err[-300:]}", False
    os.unlink(ran)
    return None, handled()


def cores(s):
    problems = []
    with s.handler() as handled:
        for value in (0, "resource.RLIM_INFINITY"):
            problem, called = crash(s, None, LIMIT.format(value), handled)
            if problem or not called:
                return [problem or f"the control: a limit of {value} kept the handler away"]
        for backend in BACKENDS:
            for first in ("", LIMIT.format(0)):
                problem, called = crash(s, backend, first, handled)
                problems += [problem] if problem else []
                problems += [f"{backend}: the handler got the memory ({first or 'as it is'})"] if called else []
            ended = s.run(s.confined(backend, PYTHON, "-c", KEPT))
            if ended.out.split("\n")[:3] != ["(1, 1)", "(1, 1)", "(60, 60)"]:
                problems.append(f"{backend}: limits are {ended.out!r} {ended.err[-200:]}")
    return problems


def no_handler(s):
    """If core_pattern names a file, the limit is 0 and can be read back."""
    words = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE))"
    out = s.run(s.confined("namespaces", PYTHON, "-c", words)).out
    with open(PATTERN) as file:
        is_file = file.read(1) not in "|@"
    return [] if not is_file or out == "(0, 0)\n" else [f"the limit is {out!r}"]


def inodes(s):
    words = "import os\nfor p in ('/tmp', '/dev/shm'): print(os.statvfs(p).f_files)"
    out = s.run(s.confined("namespaces", PYTHON, "-c", words)).out.split()
    most = (1 << 30) // 4096
    return [] if out == [str(most)] * 2 else [f"there may be {out} files in memory"]


def bounding_set(s):
    problems = []
    for backend in BACKENDS:
        report = os.path.join(s.workspace, "report")
        words = s.confined(backend, "grep", "-E", "^(CapBnd|CapPrm|NoNewPrivs):", "/proc/self/status")
        if not s.broken:
            words[2:2] = ["--report", report]
        lines = dict(line.split(":\t") for line in s.run(words).out.splitlines())
        empty = int(lines.get("CapBnd", "1"), 16) == 0
        if int(lines.get("CapPrm", "1"), 16) != 0 or lines.get("NoNewPrivs") != "1":
            problems.append(f"{backend}: {lines}")
        # A user without CAP_SETPCAP cannot empty it.
        if not empty and (backend != "landlock" or s.account.uid == 0):
            problems.append(f"{backend}: the bounding set is {lines.get('CapBnd')}")
        if not s.broken:
            with open(report) as file:
                told = [m["version"] for m in json.load(file)["mechanisms"] if m["name"] == "capabilities"]
            if told != ["none, bounding set empty" if empty else "none"]:
                problems.append(f"{backend}: the report says {told}, and the set is {lines.get('CapBnd')}")
    return problems


def little_memory(s):
    problems = []
    for limit, word in (("-s 64", "stack"), ("-s 100", "stack"), ("-d 500", "data")):  # with less the kernel starts nothing
        run = ["sh", "-c", f'ulimit {limit if not s.broken else "-s 8192"}; exec "$@"', "sh", s.cordon, "run", "--workspace",
               s.workspace, "--", "true"]
        ended = s.run(run)
        if ended.status != 125 or f"limit of this process's {word}" not in ended.err:
            problems.append(f"ulimit {limit}: status {ended.status}: {ended.err[-200:]}")
    return problems


ROWS = {
    "a handler of crashes": cores,
    "core files": no_handler,
    "inodes of the run's own memory": inodes,
    "the bounding set": bounding_set,
    "a cordon with little memory": little_memory,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon, or with memory enough"))
