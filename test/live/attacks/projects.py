#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Which directory `cordon run` takes for the project and lets be written, and which ones it never takes."""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

NAME = f"cordon-live-{os.getpid()}"
NO_WORKSPACE = "no workspace can be written: "


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.report = os.path.join(self.outside, "report.json")
        self.beneath_system = []

    def close(self):
        for place in self.beneath_system:
            shutil.rmtree(place, ignore_errors=True)
        super().close()

    def directory(self, *names, owner=None):
        """A directory of the user's beneath the scratch tree."""
        path = os.path.join(self.workspace, *names)
        os.makedirs(path, exist_ok=True)
        self.account.own_tree(os.path.join(self.workspace, names[0]))
        if owner is not None:
            os.chown(path, owner, owner)
        return path

    def beneath(self, system):
        """A directory of the user's beneath one of the system's, removed at the end; none where only root can make it."""
        if os.geteuid() != 0:
            return None
        path = tempfile.mkdtemp(prefix="cordon-live-", dir=system)
        self.beneath_system.append(path)
        os.chmod(path, 0o755)
        self.account.own(path)
        return path

    def attempt(self, directory, *options, script=f"touch {NAME}", home=None):
        """Runs a script there: how it ended, whether its file was made, and the report's project."""
        words = [] if self.broken else [self.cordon, "run", "--report", self.report, *options, "--"]
        if os.path.exists(self.report):
            os.unlink(self.report)
        ended = self.run([*words, "sh", "-c", script], directory=directory, HOME=home or self.home)
        made = os.path.join(directory, NAME)
        was = os.path.exists(made)
        if was:
            os.unlink(made)
        told = {}
        if os.path.exists(self.report):
            with open(self.report, encoding="utf-8") as file:
                told = json.load(file)["project"] or {}
        return ended, was, told

    def none(self, directory, why, *options, status=None, words="", **how):
        """There is no project: nothing is made, the program runs or is refused, and both say why."""
        ended, was, told = self.attempt(directory, *options, **how)
        problems = [f"{directory}: a file was made"] if was else []
        if ended.status == 0 or (status is not None and ended.status != status):
            problems.append(f"{directory}: status {ended.status}: {ended.err[-300:]}")
        problems += [f"{directory}: {w!r} is not in {ended.err!r}" for w in (NO_WORKSPACE, why, words) if w not in ended.err]
        if ended.status != 125 and (told.get("path", "") is not None or why not in told.get("why", "")):
            problems.append(f"{directory}: the report has {told}")
        return problems

    def taken(self, directory, root, why, *options, **how):
        ended, was, told = self.attempt(directory, *options, **how)
        problems = [] if was and ended.status == 0 and NO_WORKSPACE not in ended.err else [
            f"{directory}: made {was}, status {ended.status}: {ended.err[-300:]}"]
        if told.get("path") != root or why not in told.get("why", ""):
            problems.append(f"{directory}: the report has {told}, not {root}")
        return problems


def system_directories(s):
    return [p for d in ("/etc", "/usr/local/bin", "/usr") for p in s.none(d, d + " ")]


def what_remains(s):
    """Programs run, can read the system, and have a temporary directory of the run's own."""
    script = f"touch /usr/{NAME}; cat /etc/hostname > ${{TMPDIR:?}}/x && ls /usr/bin > /dev/null && echo $TMPDIR"
    ended, _, told = s.attempt("/etc", script=script)
    if os.path.exists(f"/usr/{NAME}"):
        os.unlink(f"/usr/{NAME}")
        return ["a file was made in /usr"]
    problems = [] if "cordon-run-" in ended.out and told.get("path", "") is None else [f"{ended.out!r} {told}"]
    return problems + ([] if ended.err.count("\n") == 2 and NO_WORKSPACE in ended.err else [ended.err])


def outside_every_grant(s):
    return [p for d, why in (("/var", "a system directory"), ("/", "the root directory"), ("/opt", "holds"),
                             ("/home", "holds"), ("/tmp", "every user")) if os.path.isdir(d)
            for p in s.none(d, why, status=125, words="lies outside every granted place")]


def said_once(s):
    ended, was, told = s.attempt("/etc", "--quiet")
    return [] if not was and NO_WORKSPACE not in ended.err and told.get("path", "") is None else [f"{ended.err} {told}"]


def homes(s):
    os.mkdir(os.path.join(s.home, ".git"))
    s.account.own_tree(s.home)
    around = s.directory("around")
    home = s.directory("around", "home")
    s.directory("around", ".git")
    return (s.none(s.home, "is a home", status=125) + s.none(around, "around the home", status=125, home=home) +
            s.taken(around, around, "has .git"))


def another_owner(s):
    if os.geteuid() != 0:
        return []
    other = s.directory("other", ".git")[:-5]
    for path in (other, other + "/.git"):
        os.chown(path, 0 if s.account.uid else 12345, 0)
    if s.account.uid == 0:
        ended, was, _ = s.attempt(other)
        return [] if not was and ended.status == 125 and "setpriv --reuid=12345" in ended.err else [ended.err, str(was)]
    os.chmod(other, 0o777)
    return (s.none(other, "belongs to another user", status=125) +
            s.none(other, "belongs to another user", "--read", other) +
            s.taken(other, other, "--workspace", "--workspace", other))


def nested(s):
    """The nearest project file, unless an outer one lists its directory. What an earlier run had as its project is kept
    until the caller names the one around it: a program of that run may have changed the files."""
    outer, inner = s.directory("cargo"), s.directory("cargo", "crates", "x")
    write(f"{inner}/Cargo.toml", "[package]\n")
    write(f"{outer}/Cargo.toml", "[package]\n")
    s.account.own_tree(outer)
    problems = s.taken(inner, inner, "has Cargo.toml")
    write(f"{outer}/Cargo.toml", '[workspace]\nmembers = ["crates/*"]\n')
    s.account.own_tree(outer)
    up = f"touch {NAME} ../{NAME}"
    problems += s.taken(inner, inner, "an earlier run had it", script=f"{up} || touch {NAME}")
    problems += s.taken(inner, outer, "--workspace", "--workspace", outer, script=up)
    problems += s.taken(inner, outer, "lists crates/x", script=up)
    problems += s.taken(inner, inner, "--workspace", "--workspace", inner, script=f"{up} || touch {NAME}")
    ended, _, _ = s.attempt(inner, "--workspace", inner, script=f"touch ../{NAME}2")
    return problems + ([] if ended.status != 0 else ["what is around the workspace was written"])


def marked(s):
    """Below a system directory, and directly below /, a project needs a marker file or an option."""
    problems = []
    for system in ("/var/lib", "/usr/local/share", "/"):
        place = s.beneath(system)
        if place is None:
            continue
        problems += s.none(place, "and has neither") + s.taken(place, place, "--workspace", "--workspace", place)
        write(f"{place}/meson.build", "")
        problems += s.taken(place, place, "has meson.build") if s.account.uid == 0 else s.none(place, "and has neither")
        s.account.own(f"{place}/meson.build")
        problems += s.taken(place, place, "has meson.build")
    return problems


def root_directory(s):
    link = os.path.join(s.home, "link")
    os.symlink("/", link)
    problems = []
    for name in ("/", "//", link):
        ended, was, _ = s.attempt(s.workspace, "--workspace", name)
        if was or ended.status != 125 or "is no workspace" not in ended.err:
            problems.append(f"{name}: made {was}, status {ended.status}: {ended.err[-300:]}")
    return problems


def elsewhere(s):
    """A program may run outside the workspace, where the policy grants something, and has there what it grants."""
    script = f"ls > /dev/null && ! touch {NAME} && touch {s.workspace}/{NAME} && pwd"
    ended, was, _ = s.attempt(s.workspace, "--workspace", s.workspace, "--cwd", "/usr/share", script=script)
    problems = [] if was and ended.status == 0 and ended.out == "/usr/share\n" else [f"{ended.status}: {ended.err}"]
    ended, was, _ = s.attempt(s.workspace, "--workspace", s.workspace, "--cwd", s.outside)
    return problems + ([] if not was and ended.status == 125 and "outside every granted place" in ended.err else [ended.err])


def documents_without_roots(s):
    """Without a project, a document without roots grants none, and is not unbounded."""
    file = write(os.path.join(s.top, "p.json"), '{"process_sandbox": {"presets": ["system_runtime"]}}')
    problems = s.none("/etc", "/etc is a system directory", "--policy", file)
    ended, _, _ = s.attempt("/etc", "--policy", file, script="ls /var")
    return problems + ([] if ended.status != 0 else ["/var can be listed"])


ROWS = {
    "system directories": system_directories,
    "what remains without a project": what_remains,
    "directories outside every grant": outside_every_grant,
    "quiet": said_once,
    "homes": homes,
    "another owner": another_owner,
    "nested projects": nested,
    "beneath system directories": marked,
    "the root directory as a workspace": root_directory,
    "a directory outside the workspace": elsewhere,
    "documents without roots": documents_without_roots,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "as they are"))
