#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""`--backend none` warns a user once in 60 seconds, and at each run if the time cannot be stored."""
import os
import pathlib
import stat
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

WARNING = "not confined: "


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.stamp = os.path.join(self.home, ".local", "state", "cordon", "unconfined")

    def warnings(self, count, *options, **variables):
        """How many of so many runs warn; -1 where one fails."""
        told = 0
        for _ in range(count):
            words = [] if self.broken else [self.cordon, "run", "--workspace", self.workspace, *options, "--"]
            ended = self.run([*words, "true"], **{"CORDON_ALLOW_NO_SANDBOX": "1", **variables})
            if ended.status != 0:
                return -1
            told += WARNING in ended.err
        return told

    def problems(self, expected, count, *options, **variables):
        told = self.warnings(count, *options, **variables)
        return [] if told == expected else [f"{options} {variables}: {told} warnings, not {expected}"]


NONE = ("--backend", "none")


def once(s):
    problems = s.problems(1, 3, *NONE)
    if not s.broken and stat.S_IMODE(os.stat(s.stamp).st_mode) != 0o600:
        problems.append("others may look at the file")
    return problems


def again(s):
    """It warns again after a minute, and if the clock has gone back."""
    problems = s.problems(1, 2, *NONE)
    for moment in (time.time() - 61, time.time() + 3600):
        if not s.broken:
            write(s.stamp, str(int(moment)), 0o600)
        problems += s.problems(1, 2, *NONE)
    return problems


def state_home(s):
    place = os.path.join(s.home, "state")
    problems = s.problems(1, 2, *NONE, XDG_STATE_HOME=place)
    return problems + ([] if s.broken or os.path.exists(f"{place}/cordon/unconfined") else ["no file there"])


def links(s):
    """No link is followed, and no other file is written."""
    target = write(os.path.join(s.home, "target"), "1")
    os.makedirs(os.path.dirname(s.stamp))
    os.symlink(target, s.stamp)
    s.account.own_tree(s.home)
    problems = s.problems(2, 2, *NONE)
    os.unlink(s.stamp)
    os.link(target, s.stamp)
    problems += s.problems(2, 2, *NONE)
    with open(target, encoding="utf-8") as file:
        return problems + ([] if file.read() == "1" else ["another file was written"])


def unwritable(s):
    blocked = write(os.path.join(s.home, ".local"), "no directory")
    s.account.own(blocked)
    return s.problems(2, 2, *NONE) + s.problems(2, 2, *NONE, HOME="/nowhere/at/all")


def other_reasons(s):
    """A run that is unconfined for another reason warns each time."""
    return s.problems(1, 1, *NONE) + s.problems(2, 2, CORDON_SANDBOX="off")


ROWS = {
    "once": once,
    "once a minute": again,
    "in the state directory": state_home,
    "links": links,
    "where nothing can be written": unwritable,
    "other reasons": other_reasons,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "as they are"))
