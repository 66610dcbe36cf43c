#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Another process keeps exchanging a directory with a link, as a confined program of another run can in its workspace,
while cordon starts programs there. Nothing may be written to the link's target, whenever cordon looks a name up."""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, abandon, write

SWAP = """
import ctypes, os, sys
rename, exchange = ctypes.CDLL(None, use_errno=True).renameat2, 2
if rename(-100, b"data", -100, b"other", exchange) != 0: sys.exit(os.strerror(ctypes.get_errno()))
os.close(1)
while True: rename(-100, b"data", -100, b"other", exchange)
"""
STARTS = 150
SECONDS = 1.0  # for each result


class Project(Scratch):
    """A project of the caller's, and a neighbour that no run may touch."""

    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.swapper = None
        for name in ("project", "neighbour"):
            setattr(self, name, os.path.join(self.workspace, name))
        self.sh("mkdir project project/data neighbour neighbour/inner", self.workspace)

    def close(self):
        if self.swapper:
            abandon(self.swapper)
        super().close()

    def sh(self, script, directory=None):
        ended = self.run(["sh", "-ec", script], directory=directory or self.project)
        if ended.status != 0:
            raise RuntimeError(f"{script}: {ended.err}")

    def swap(self):
        """Returns once the first exchange is done."""
        self.swapper = self.start([sys.executable, "-c", SWAP], self.project)
        if self.swapper.stdout.read() != b"" or self.swapper.poll() is not None:
            raise RuntimeError(f"the control: {self.swapper.stderr.read().decode()}")

    def still(self):
        """Ends the exchange, with the directory at its first name; a message where there was none."""
        ended = None if self.swapper.poll() is None else self.swapper.stderr.read()
        abandon(self.swapper)
        self.swapper = None
        if os.path.islink(f"{self.project}/data"):
            self.sh("mv data link && mv other data && mv link other")
        return [] if ended is None else [f"the control: nothing is exchanged: {ended}"]

    def starts(self, *options, directory, runs=True):
        """Starts programs that write to the neighbour. `runs`: once nothing is exchanged any more, one starts."""
        here = os.open(directory, os.O_PATH | os.O_DIRECTORY)
        places = [f"{self.neighbour}/file", f"{self.neighbour}/inner/file"]
        script = f"(echo more > {places[0]}) 2> /dev/null; (echo more > {places[1]}) 2> /dev/null; pwd -P"
        cordon = [] if self.broken else [self.cordon, "run", "--quiet", *options, "--"]

        def start():
            ended = self.run(cordon + ["sh", "-c", script], 10, directory="/", before=lambda: os.fchdir(here))
            if any(map(os.path.exists, places)):
                return ended, ["the neighbour is written"]
            if self.neighbour in ended.out or ended.status not in (0, 125):
                return ended, [f"status {ended.status}: {ended.out!r} {ended.err!r}"]
            return ended, []

        self.swap()
        begin = time.monotonic()
        for count in range(1, STARTS + 1):
            problems = start()[1]
            if problems:
                return [f"start {count}: {problems[0]}"]
            if time.monotonic() - begin > SECONDS:
                break
        problems = self.still()
        ended, more = start()
        if (ended.status == 0) != runs:
            more.append(f"in the end: status {ended.status}: {ended.err!r}")
        return problems + more


def named_workspace(p):
    p.sh("git init -q . && ln -s ../neighbour other")
    return p.starts("--workspace", "project/data", "--cwd", "project/data", directory=p.workspace)


def named_directory(p):
    p.sh("ln -s ../neighbour other")
    return p.starts("--cwd", "data", directory=p.project)


def named_from_outside(p):
    p.sh("git init -q . && ln -s ../neighbour other")
    return p.starts("--cwd", "project/data", directory=p.workspace)


def named_above(p):
    """Without a view of its own the program runs where the directory was opened."""
    p.sh("git init -q . && mkdir data/inner && ln -s ../neighbour other")
    return p.starts("--cwd", "project/data/inner", "--backend", "landlock", directory=p.workspace)


def named_below(p):
    """The link is below what is exchanged, and lies in a directory of the system at times."""
    p.sh("git init -q . && ln -s ../../neighbour data/inner && ln -s /usr/lib other")
    return p.starts("--cwd", "project/data/inner", directory=p.workspace, runs=False)


def current_directory(p):
    p.sh("ln -s ../neighbour other")
    return p.starts(directory=f"{p.project}/data")


def granted(p):
    p.sh("ln -s ../../neighbour data/inner && ln -s /usr/lib other")
    policy = write(os.path.join(p.project, "policy"), "level process_exec\nrun /usr\nrun /lib64\nrun /bin\nread .\n"
                                                      "write data/inner\n")
    p.account.own(policy)
    return p.starts("--policy", policy, directory=p.project, runs=False)


def granted_below(p):
    """The directory that a grant is written relative to is exchanged with a link."""
    p.sh("git init -q . && ln -s ../../neighbour data/inner && ln -s /usr/lib other")
    return p.starts("--write", "inner", directory=f"{p.project}/data")


ROWS = {
    "a workspace": named_workspace,
    "a directory to run in": named_directory,
    "a directory of a repository, named from outside": named_from_outside,
    "a directory below one": named_above,
    "a link below a directory": named_below,
    "the current directory": current_directory,
    "a grant by a link below a directory": granted,
    "a grant relative to a directory": granted_below,
}


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Project), "without cordon"))
