#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A start that lacks processes or namespaces for a moment is repeated, and then refused: it never runs with less than the
host can do. Each row has a control: the same start with room, which is confined in full."""
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Unavailable
from support.command import main, run_rows
from support.scratch import Scratch

STARTS = 300
# A user of the test's own: RLIMIT_NPROC counts all processes of a user.
PYTHON = "/usr/bin/python3"  # one that any user may run
SPARE = 61000 + os.getpid() % 500
FULL = {"namespaces", "landlock", "seccomp"}


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.report = os.path.join(self.top, "reports")
        os.mkdir(self.report, 0o777)
        os.chmod(self.report, 0o777)

    def started(self, name, *prefix, before=None):
        """The result of one start: `full`, `refused`, or what is wrong. Under `broken` it requests less confinement.
        The variable permits a run on a host without mechanisms; a lack of processes does not count as one."""
        report = os.path.join(self.report, name)
        less = ["--backend", "landlock"] if self.broken else []
        words = [*prefix, self.cordon, "run", *less, "--quiet", "--workspace", self.shared, "--report", report, "--", "true"]
        ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, cwd=self.shared, preexec_fn=before,
                               env=self.variables(CORDON_SANDBOX="warn"), timeout=60)
        if ended.returncode == 125:
            return "refused" if b"cordon: " in ended.stderr else f"refused without words: {ended.stderr!r}"
        if ended.returncode != 0:
            return f"status {ended.returncode}: {ended.stderr!r}"
        with open(report) as file:
            seen = {m["name"] for m in json.load(file)["mechanisms"]}
        return "full" if seen >= FULL else f"started with {sorted(seen)} alone"

    @property
    def shared(self):
        os.chmod(self.workspace, 0o777)
        return self.workspace


def as_spare(limit):
    def become():
        os.setgroups([])
        os.setresgid(SPARE, SPARE, SPARE)
        os.setresuid(SPARE, SPARE, SPARE)
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))  # after that: setresuid(2) tells execve(2) to look
    return become


def needs_root():
    if os.geteuid() != 0:
        raise Unavailable("another user to become (root is needed)")


# What another program of the same user does: forks and ends, as many as it can, without end.
CROWD = """
import os, random, sys, time
room = int(sys.argv[1])
while True:
    children = []
    for _ in range(random.randrange(room)):
        try: pid = os.fork()
        except OSError: break
        if pid == 0:
            time.sleep(random.random() / 200)
            os._exit(0)
        children.append(pid)
    for pid in children: os.waitpid(pid, 0)
"""


def processes(s):
    needs_root()
    limit = 12
    control = s.started("control", before=as_spare(limit))
    if control != "full" and not s.broken:
        return [f"the control: with room: {control}"]
    crowd = subprocess.Popen([PYTHON, "-c", CROWD, str(limit)], preexec_fn=as_spare(limit), start_new_session=True,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts, problems, lock = {"full": 0, "refused": 0}, [], threading.Lock()

    def some(worker):
        for i in range(STARTS // 3):
            # RLIMIT_NPROC refuses at its own value: now and then there is no room at all.
            result = s.started(f"{worker}-{i}", before=as_spare(random.choice((limit, limit // 2, limit // 3))))
            with lock:
                if result in counts:
                    counts[result] += 1
                else:
                    problems.append(result)
    workers = [threading.Thread(target=some, args=(w,)) for w in range(3)]
    try:
        for w in workers:
            w.start()
        for w in workers:
            w.join()
    finally:
        os.killpg(crowd.pid, signal.SIGKILL)
        crowd.wait()
    if not problems and min(counts.values()) == 0:
        problems.append(f"the pressure showed nothing: {counts}")
    return problems[:5]


def no_process_at_all(s):
    needs_root()
    begin = time.monotonic()
    result = s.started("none", before=as_spare(100 if s.broken else 1))
    took = time.monotonic() - begin
    return ([] if result == "refused" else [f"without room: {result}"]) + ([] if took < 20 else [f"it took {took:.0f} s"])


# A user namespace in which there may be so many below it, and the command in it.
BOUNDED = """
import os, sys
most, words = sys.argv[1], sys.argv[2:]
with open("/proc/sys/user/max_user_namespaces", "w") as file: file.write(most)
os.execvp(words[0], words)
"""


def namespaces(s):
    needs_root()
    inside = ["unshare", "--user", "--map-root-user", "--mount-proc", "--pid", "--fork", sys.executable, "-c", BOUNDED]
    room = s.started("room", *inside, "10")
    if room != "full" and not s.broken:
        return [f"the control: with room: {room}"]
    # One that stands is all there may be.
    held = ["1", "sh", "-c", 'unshare --user sleep 60 & sleep 0.5; "$@"; s=$?; kill %1 2>/dev/null; kill $!; exit $s', "sh"]
    result = s.started("taken", *inside, *held)
    return [] if result == "refused" else [f"with all namespaces taken: {result}"]


ROWS = {
    "300 starts beside a crowd of processes": processes,
    "no room for a process at all": no_process_at_all,
    "no room for a user namespace": namespaces,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "with less confinement"))
