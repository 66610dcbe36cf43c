#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The options of sockets: what the policy then says, what a program can make, and what the report says is missing."""
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch

PYTHON = "/usr/bin/python3"


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken

    def python(self, script, *options):
        words = [] if self.broken else [self.cordon, "run", "--workspace", self.workspace, *options, "--"]
        return self.run(words + [PYTHON, "-I", "-c", script])


def taken_away(s):
    """What `sockets none` and a backend without namespaces leave: no socket at all, but pairs."""
    script = ("import socket\nsocket.socketpair()\nfor family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, 16):\n"
              "  try: socket.socket(family, socket.SOCK_STREAM if family != 16 else socket.SOCK_RAW)\n"
              "  except PermissionError: continue\n  print('made', family)")
    problems = []
    for options in (["--sockets", "none"], ["--level", "process_exec", "--sockets", "none", "--backend", "bubblewrap"],
                    ["--backend", "landlock"], ["--backend", "landlock", "--sockets", "own"]):
        if "bubblewrap" in options and shutil.which("bwrap") is None:
            continue
        ended = s.python(script, *options)
        if ended.status != 0 or "made" in ended.out:
            problems.append(f"{options}: {ended.out}{ended.err[-300:]}")
    return problems


def told(s):
    """A request by name that cannot be met is on stderr; the default is in the report alone."""
    if s.broken:
        return []
    policy, report = os.path.join(s.workspace, "own.policy"), os.path.join(s.workspace, "report.json")
    with open(policy, "w", encoding="utf-8") as file:
        file.write("level process_exec\nread /\nrun /usr\nsockets own\nnetwork none\npass PATH\nabilities spawn\n")
    landlock = ["--backend", "landlock", "--report", report]
    cases = {"an option": (["--sockets", "own"], landlock, True), "a document": (["--policy", policy], landlock, True),
             "nothing": ([], landlock, False), "any": (["--sockets", "any"], landlock, False),
             "a network of its own": (["--sockets", "own"], ["--report", report], False)}
    problems = []
    for name, (options, where, wanted) in cases.items():
        words = [s.cordon, "run", *options, *where] + ([] if "--policy" in options else ["--workspace", s.workspace])
        ended = s.run(words + ["--", "/bin/true"])
        if ended.status != 0 or ("seccomp.own" in ended.err) != wanted:
            problems.append(f"{name}: status {ended.status}, {ended.err!r}")
        with open(report, encoding="utf-8") as file:
            reported = any(g["id"] == "seccomp.own" and g["kind"] == "tightened" for g in json.load(file)["gaps"])
        if reported != (where is landlock):
            problems.append(f"{name}: in the report: {reported}")
    return problems


def options(s):
    """Each option of sockets, by what the policy then says."""
    if s.broken:
        return []
    report = os.path.join(s.workspace, "report.json")
    cases = [([], "own"), (["--sockets", "own"], "own"), (["--sockets", "none"], "none"), (["--sockets", "any"], None),
             (["--network", "any"], None), (["--network", "any", "--sockets", "own"], "own"),
             (["--listen", "8000-8010", "--listen", "80"], {"own": True, "listen": [80, "8000-8010"]}),
             (["--loopback"], {"own": True, "loopback": True})]
    problems = []
    for words, wanted in cases:
        ended = s.run([s.cordon, "run", "--workspace", s.workspace, "--report", report, *words, "--", "/bin/true"])
        with open(report, encoding="utf-8") as file:
            policy = json.load(file)["policy"]
        if ended.status != 0 or policy.get("sockets") != wanted:
            problems.append(f"{words}: status {ended.status}, {policy.get('sockets')} {ended.err}")
        raised = "--listen" in words or "--loopback" in words or "--network" in words
        if (policy.get("level", "network") == "network") != raised:
            problems.append(f"{words}: level {policy.get('level')}")
    document = os.path.join(s.workspace, "some.policy")
    with open(document, "w", encoding="utf-8") as file:
        file.write("level network\nread /\nrun /usr\nlisten 80-90\nnetwork any\nabilities spawn\n")
    for words, fine in ([["--listen", "85"], True], [["--listen", "80-91"], False], [["--loopback"], False],
                        [["--sockets", "own"], False], [["--sockets", "any"], False], [["--sockets", "none"], True],
                        [["--listen", "0"], False], [["--sockets", "mine"], False], [["--sockets", "none", "--loopback"], False]):
        ended = s.run([s.cordon, "run", "--policy", document, *words, "--", "/bin/true"])
        if (ended.status == 0) != fine or (not fine and ended.status != 125):
            problems.append(f"{words}: status {ended.status}: {ended.err}")
    return problems


ROWS = {"what takes sockets away": taken_away, "the gap is reported": told, "options of sockets": options}

# What these say does not depend on confinement.
UNCONFINED = ("the gap is reported", "options of sockets")

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon", UNCONFINED))
