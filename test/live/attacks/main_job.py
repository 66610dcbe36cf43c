#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The main job on real input: this project is cloned, changed, built and tested, and common tools do ordinary work, all
of it under the built-in policy with nothing granted but the workspace. Each step also runs unconfined."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable, current
from support.results import Results
from support.scratch import Scratch

HERE = os.path.dirname(os.path.abspath(__file__))
AUTHOR = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]


class Site:
    """One directory where all steps are done: the control's or the confined one."""

    def __init__(self, scratch, directory, launcher):
        self.scratch, self.directory, self.launcher = scratch, directory, launcher
        self.has_own_shared_memory = False

    def run(self, *words, seconds=60):
        return self.scratch.run(self.launcher + list(words), seconds, directory=self.directory)

    def path(self, name):
        return os.path.join(self.directory, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


def expect(ended, text=""):
    """What is wrong with a command that should have succeeded and said `text`."""
    if ended.status != 0:
        return [f"status {ended.status}: {(ended.err + ended.out).strip()[-400:]}"]
    return [] if text in ended.out else [f"{text!r} is not in {ended.out[-200:]!r}"]


def clone(site):
    found = expect(site.run("git", "clone", "-q", "mirror.git", "work"))
    return found or expect(site.run("git", "-C", "work", "rev-parse", "HEAD"), site.head)


def commit(site):
    with open(site.path("work/live.txt"), "w", encoding="utf-8") as file:
        file.write("changed\n")
    site.scratch.account.own(site.path("work/live.txt"))
    found = expect(site.run("git", "-C", "work", "add", "live.txt"))
    found += expect(site.run("git", "-C", "work", *AUTHOR, "commit", "-q", "-m", "A change"))
    found += expect(site.run("git", "-C", "work", "log", "-1", "--format=%s %an"), "A change Somebody")
    return found + expect(site.run("git", "-C", "work", "status", "--short"), "")


def push(site):
    found = expect(site.run("git", "-C", "work", "push", "-q", "origin", "HEAD:refs/heads/live"))
    return found + expect(site.run("git", "-C", "mirror.git", "log", "-1", "--format=%s", "live"), "A change")


def tidy(site):
    return expect(site.run("git", "-C", "work", "gc", "-q")) + expect(site.run("git", "-C", "work", "fsck", "--strict"))


def setup(site):
    return expect(site.run("meson", "setup", "work/build", "work", seconds=300), "Build targets in project")


def build(site):
    return expect(site.run("ninja", "-C", "work/build", *site.targets, seconds=1500))


def test(site):
    """The test program says how much it has checked; one that checks nothing does not count."""
    ended = site.run(site.path(f"work/build/{site.binary}"), seconds=300)
    return expect(ended, "Status: SUCCESS!") or (["nothing was checked"] if " 0 passed" in ended.out else [])


def pack(site):
    found = expect(site.run("tar", "czf", "packed.tar.gz", "work/include"))
    os.mkdir(site.path("unpacked"))
    site.scratch.account.own(site.path("unpacked"))
    found += expect(site.run("tar", "xzf", "packed.tar.gz", "-C", "unpacked"))
    return found + expect(site.run("diff", "-r", "work/include", "unpacked/work/include"))


def nothing_outside(site):
    """The control of the whole job: the same launcher does not let a secret of the home be read."""
    secret = os.path.join(site.scratch.home, ".ssh", "id_ed25519")
    ended = site.run("cat", secret)
    readable = ended.status == 0 and "private" in ended.out
    return [] if readable == (not site.launcher) else [f"the secret: readable is {readable}"]


def script(*words, says, makes=None):
    def step(site):
        found = expect(site.run(*words), says)
        return found + ([] if makes is None or os.path.exists(site.path(makes)) else [f"{makes} is not there"])
    return step


def attempted(step, site):
    """Runs a step; one that needs the result of a failed step fails too."""
    try:
        return step(site)
    except OSError as error:
        return [str(error)]


pool = script("python3", "job/pool.py", says="pool 30")


def shared_memory(site):
    """A pool works if the confinement has its own /dev/shm, and is refused if it would be the host's."""
    if not site.launcher or site.has_own_shared_memory:
        return pool(site)
    ended = site.run("python3", "job/pool.py")
    return [] if ended.status != 0 and "PermissionError" in ended.err else [f"not refused: {ended.status}: {ended.out}"]


# name, the program without which it is skipped, the step
STEPS = [
    ("git clone", "git", clone), ("git commit", "git", commit), ("git push", "git", push),
    ("git gc and fsck", "git", tidy), ("meson setup", "meson", setup),
    ("ninja and g++", "ninja", build), ("the tests that were built", "ninja", test),
    ("git init --shared", "git", script("git", "init", "-q", "--shared", "shared.git", says="", makes="shared.git")),
    ("tar", "tar", pack), ("shell and tools", "sh", script("sh", "job/work.sh", says="shell 3 xone done")),
    ("make and cc", "make", script("make", "-s", "-j2", "-f", "job/Makefile", says="make 2", makes="hello")),
    ("python", "python3", script("python3", "job/work.py", says="python 30", makes="base.sqlite")),
    ("node", "node", script("node", "job/work.js", says="node 42 9", makes="node.out")),
    ("perl", "perl", script("perl", "job/work.pl", says="perl one three two", makes="perl.out")),
    ("java", "java", script("java", "job/Work.java", says="java kept 30")),
    ("a secret of the home", "cat", nothing_outside),
    ("python, a pool of processes", "python3", shared_memory),
]


def repository(source, scratch):
    """A bare mirror of the project; of its files as they are where they come without history."""
    mirror = f"{scratch.top}/mirror.git"
    git = ["git", "-c", "safe.directory=*", "-c", "init.defaultBranch=main"]
    history = git + ["-C", source, "rev-parse", "-q", "--verify", "HEAD"]
    asked = subprocess.run(history, capture_output=True, check=False)
    if asked.returncode != 0:
        plain = f"{scratch.top}/plain"
        shutil.copytree(source, plain, symlinks=True, ignore=shutil.ignore_patterns(".git", "build*"))
        for words in (["init", "-q"], ["add", "-A"], [*AUTHOR, "commit", "-q", "-m", "The project"]):
            subprocess.run(git + ["-C", plain] + words, check=True)
        source = plain
    subprocess.run(git + ["clone", "-q", "--mirror", source, mirror], check=True)
    head = subprocess.run(git + ["-C", mirror, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return mirror, head.stdout.strip()


def furnish(scratch, directory, launcher, mirror, head, options):
    site = Site(scratch, directory, launcher)
    shutil.copytree(mirror, f"{directory}/mirror.git", symlinks=True)
    shutil.copytree(os.path.join(HERE, "job"), f"{directory}/job")
    scratch.account.own_tree(directory)
    site.head, site.targets, site.binary = head, options.target, options.binary
    return site


def do(options, results):
    scratch = Scratch(Account(options.user), options.cordon)
    try:
        os.mkdir(f"{scratch.home}/.ssh")
        with open(f"{scratch.home}/.ssh/id_ed25519", "w", encoding="utf-8") as file:
            file.write("private\n")
        scratch.account.own_tree(scratch.home)
        mirror, head = repository(os.path.abspath(options.source), scratch)
        control = os.path.join(scratch.top, "control")
        os.mkdir(control)
        launcher = [scratch.cordon, "run"] + options.extra + ["--workspace", scratch.workspace, "--"]
        sites = [furnish(scratch, control, [], mirror, head, options),
                 furnish(scratch, scratch.workspace, launcher, mirror, head, options)]
        private = scratch.run(launcher + ["touch", "/dev/shm/cordon-main-job"])
        sites[1].has_own_shared_memory = private.status == 0
        for name, program, step in STEPS:
            title = f"{options.user}: {name}"
            if shutil.which(program, path=scratch.variables()["PATH"]) is None:
                results.skipped(title, program)
            else:
                found = [f"unconfined: {problem}" for problem in attempted(step, sites[0])]
                results.check(title, found + [f"confined: {problem}" for problem in attempted(step, sites[1])])
    finally:
        scratch.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cordon", default=os.environ.get("CORDON"), required="CORDON" not in os.environ)
    parser.add_argument("--source", required=True, help="the top of this project, with or without its history")
    parser.add_argument("--target", action="append", default=[], help="what ninja builds; without it, all")
    parser.add_argument("--binary", default="test/cordon_header_tests", help="a doctest program in the build directory")
    parser.add_argument("--user", choices=("root", "nobody"), default=current())
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("extra", nargs="*", help="behind --: further options for cordon run")
    options = parser.parse_args()
    results = Results(options.json, options.verbose)
    try:
        do(options, results)
    except Unavailable as missing:
        results.skipped(f"all steps as {options.user}", str(missing))
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
