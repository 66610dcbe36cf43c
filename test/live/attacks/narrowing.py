#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Several policies narrow each other: a policy that is added, in any order, gives a program no power that one of the others
does not give, and takes none that all of them give."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

BASE = "level process_exec\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nread /etc\nwrite .\n"
CALL = "import ctypes, sys; c = ctypes.CDLL(None, use_errno=True); sys.exit(1 if c.{} < 0 and ctypes.get_errno() == 1 else 0)"
# What each ability lifts: a call that the kernel accepts from every user, so that EPERM is the filter's.
ACTS = {
    "trace": CALL.format("ptrace(0, 0, 0, 0)"),
    "namespaces": CALL.format("unshare(0x10000000)"),
    "keyring": CALL.format("syscall(250, 0, -3, 0)"),
    "perf": CALL.format("syscall(298, 0, 0, -1, -1, 0)"),
    "mount": CALL.format("syscall(428, -100, b'/', 0)"),
}


class Narrowed(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken

    def policy(self, name, text):
        path = write(os.path.join(self.top, name), text.replace("write .", f"write {self.workspace}"))
        self.account.own(path)
        return path

    def happens(self, act, *policies, backend="auto"):
        """Does the act succeed under these policies together?"""
        given = [word for i, text in enumerate(policies) for word in ("--policy", self.policy(f"p{i}", text))]
        cordon = [] if self.broken else [self.cordon, "run", "--quiet", "--backend", backend, *given, "--"]
        ended = self.run(cordon + ["python3", "-c", act])
        if ended.status not in (0, 1) or ended.told_by_cordon():
            raise RuntimeError(f"status {ended.status}: {ended.err}")
        return ended.status == 0


def act_of(ability, act):
    def row(s):
        problems = []
        for backend in ("namespaces", "landlock"):
            def check(expected, *policies):
                if s.happens(act, *policies, backend=backend) != expected:
                    problems.append(f"{backend}: {'refused' if expected else 'happens'} under {policies!r}")
            grants = BASE + f"abilities spawn {ability}\n"
            check(True, grants)
            check(True, BASE + "abilities any\n")
            check(True, grants, BASE + "abilities any\n")
            check(False, BASE)
            check(False, BASE + "abilities spawn\n", grants)
            check(False, BASE, grants)
            check(False, grants, BASE)
            check(False, f"abilities spawn {ability}\n", BASE)
        return problems
    return row


ROWS = {f"the ability {ability}": act_of(ability, act) for ability, act in ACTS.items()}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Narrowed), "without cordon"))
