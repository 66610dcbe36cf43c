#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Patterns of paths: in options, in both forms of policies, and compared with git's own reading of .gitignore."""
import json
import os
import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

FILES = (".env", "a/.env", "a/b/.env.local", "a/b/x.c", "a/x.h", "out/x.o", "a/out/y.o", "a/*.c", "a/[x]", "b c/k.pem", "B/7")


class Tree(Scratch):
    """A workspace with files in it, and the account that runs programs there."""

    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        for name in FILES:
            path = os.path.join(self.workspace, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write(path, "secret\n")
        self.account.own_tree(self.workspace)

    def confined(self, script, *options):
        cordon = [] if self.broken else [self.cordon, "run", *options, "--"]
        return self.run(cordon + ["sh", "-c", script], 10, directory=self.workspace)

    def readable(self, *options):
        """The files that a confined program can read, and what cordon says of it."""
        ended = self.confined("find . -type f -exec grep -ls secret {} +", *options)
        return {name[2:] for name in ended.out.splitlines()} & set(FILES), ended.err

    def policy(self, name, text):
        path = write(os.path.join(self.workspace, name), text)
        self.account.own(path)
        return path


def hidden(t, hides, *options):
    """Exactly these paths are hidden, and the gap is reported."""
    names, err = t.readable(*options)
    problems = [] if names == set(FILES) - set(hides) else [f"{options}: {sorted(names)} can be read: {err!r}"]
    return problems + ([] if "files.later:" in err else [f"{options}: no gap is reported: {err!r}"])


ENVS = (".env", "a/.env", "a/b/.env.local")


def by_options(t):
    return (hidden(t, ENVS, "--hide", "glob:.env*") + hidden(t, ("a/b/x.c",), "--hide", "glob:a/**/[[:alpha:]].c") +
            hidden(t, ("a/*.c",), "--hide", "glob:a/\\*.c") + hidden(t, ("a/b/.env.local", "a/b/x.c", "b c/k.pem", "B/7"), "--hide", "glob:[bB]*/") +
            hidden(t, ENVS + ("a/[x]",), "--hide", "glob:**/.env*", "--hide", "glob:a/\\[*") +
            hidden(t, ("out/x.o",), "--hide", f"glob:{t.workspace}/*/*.o"))


def by_policies(t):
    text = t.policy("text", 'level process_exec\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nwrite .\nhide glob:**/.env*\n'
                    'hide "glob:b c/*"\n')
    document = {"cordon": 1, "level": "process_exec",
                "files": [{"path": p, "rights": "run"} for p in ("/usr", "/bin", "/lib", "/lib64")] +
                [{"path": ".", "rights": "write"}, {"glob": "**/.env*", "rights": "hide"},
                 {"path": {"glob": "b c/*"}, "rights": "hide"}]}
    data = t.policy("document.json", json.dumps(document))
    both = t.policy("both", "write /\nhide glob:a/*\n")
    problems = []
    for policy in (text, data):
        problems += hidden(t, ENVS + ("b c/k.pem",), "--policy", policy)
        problems += hidden(t, [f for f in FILES if f.startswith(("a/", ".env", "b c"))], "--policy", policy, "--policy", both)
        problems += hidden(t, ENVS + ("b c/k.pem", "B/7"), "--policy", policy, "--hide", "glob:B")
    return problems


def granted(t):
    policy = t.policy("text", "level process_exec\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nread glob:**/*.o\n")
    ended = t.confined(f"cd {t.workspace}; cat out/x.o a/out/y.o; cat a/x.h", "--policy", policy, "--cwd", "/usr")
    return [] if ended.out == "secret\nsecret\n" else [f"{ended.out!r}, {ended.err!r}"]


def later(t):
    """The gap is real, and the profile that accepts no gap does not start."""
    ended = t.confined("echo new > later.env && cat later.env", "--hide", "glob:*.env")
    problems = [] if ended.out == "new\n" else [f"what is made later: {ended.status}, {ended.out!r}, {ended.err!r}"]
    ended = t.confined("echo started", "--hide", "glob:*.env", "--profile", "os_hardened")
    if ended.status != 125 or "--accept-gap files.later:*.env" not in ended.err:
        problems.append(f"os_hardened: {ended.status}, {ended.out!r}, {ended.err!r}")
    return problems


def plain_star(t):
    problems = []
    for script, place, wanted in (("cat a/b/x.c", "a/b/*.c", "secret\n"), ("cat 'a/*.c'", "a/*.c", "")):
        ended = t.confined(script, "--hide", place)
        told = f"write glob:{t.workspace}/{place}" in ended.err
        if ended.out != wanted or told != (wanted != "") or t.broken:
            problems.append(f"--hide {place}: {ended.status}, {ended.out!r}, {ended.err!r}")
    return problems


def bad_patterns(t):
    problems = []
    for pattern in ("!a", "[a", "", "../a", "a\\"):
        ended = t.confined("echo started", "--hide", "glob:" + pattern)
        if ended.status != 125 or "bad pattern" not in ended.err:
            problems.append(f"{pattern}: {ended.status}, {ended.out!r}, {ended.err!r}")
        ended = t.confined("echo started", "--policy", t.policy("text", f'hide "glob:{pattern}"\n'.replace("\\", "\\\\")))
        if ended.status != 125 or "text:1:6: bad pattern" not in ended.err:
            problems.append(f"{pattern} in a policy: {ended.status}, {ended.out!r}, {ended.err!r}")
    return problems


def unlisted(t):
    """A directory that can be entered but not listed may contain any match."""
    if t.account.uid == 0:
        return [] if not t.broken else ["root lists every directory"]
    closed = os.path.join(t.workspace, "closed")
    os.mkdir(closed)
    t.account.own(closed)
    os.chmod(closed, 0o300)
    ended = t.confined("echo started", "--hide", "glob:.env")
    problems = [] if ended.status == 125 and "closed" in ended.err else [f"entered, not listed: {ended.status}, {ended.out!r}, {ended.err!r}"]
    if os.geteuid() != 0:
        return problems  # only root can make a directory of another owner
    os.chown(closed, 0, 0)
    os.chmod(closed, 0)
    ended = t.confined("echo started", "--hide", "glob:.env")
    return problems + ([] if ended.out == "started\n" else [f"another's: {ended.status}, {ended.out!r}, {ended.err!r}"])


def closed_by_the_program(t):
    """A directory that the program closes for the next run and then opens again."""
    problems = []
    if t.account.uid == 0:
        return [] if not t.broken else ["root lists every directory"]
    for backend in ("namespaces", "landlock"):
        for mode in ("0", "200", "100", "300"):
            t.confined(f"chmod {mode} a", "--backend", backend, "--hide", "glob:.env")
            ended = t.confined("chmod 700 a; cat a/.env", "--backend", backend, "--hide", "glob:.env")
            t.run(["chmod", "755", os.path.join(t.workspace, "a")])
            if ended.status != 125 or "secret" in ended.out:
                problems.append(f"{backend}, mode {mode}: {ended.status}, {ended.out!r}, {ended.err!r}")
    return problems


def beside_git(t):
    """Whether a file or a directory around it matches, for patterns out of the same few pieces."""
    if not shutil.which("git"):
        raise RuntimeError("git is missing")
    dice, problems = random.Random(14), []
    pieces = ("*", "**", "a", "b", "?", "[a-c]", "[!a]", ".env", ".env*", "*.c", "x.*", "out", "[[:lower:]]*", "\\*.c", "[]x[]*")
    t.run(["git", "init", "-q", t.workspace])
    for _ in range(60):
        pattern = "/".join(dice.choice(pieces) for _ in range(dice.randint(1, 3))) + dice.choice(("", "", "/"))
        policy = t.policy("text", f'read "glob:{pattern}"\n'.replace("\\", "\\\\"))
        canonical = t.run([t.cordon, "check", "--json", policy]).out
        files = json.loads(canonical)["files"]
        places = [] if t.broken or files == "none" else [grant["path"] for grant in files]
        ours = {f for f in FILES for p in places if f"{t.workspace}/{f}/".startswith(p + "/")}
        t.policy(".gitignore", pattern + "\n")
        theirs = set(t.run(["git", "-c", "core.quotePath=false", "check-ignore", "--no-index", *FILES],
                           directory=t.workspace).out.splitlines())
        if ours != {name.strip('"') for name in theirs}:
            problems.append(f"{pattern}: cordon finds {sorted(ours)}, git {sorted(theirs)}")
    return problems


ROWS = {
    "patterns in options": by_options,
    "patterns in policies": by_policies,
    "a pattern that grants": granted,
    "what is made later": later,
    "a star in a path": plain_star,
    "bad patterns": bad_patterns,
    "a directory that cannot be listed": unlisted,
    "a directory that the program closes": closed_by_the_program,
    "patterns beside git": beside_git,
}


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Tree), "without cordon"))
