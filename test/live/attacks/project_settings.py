#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Settings of a project on which programs act by themselves: a confined program cannot change them, or make them where
they do not exist, so that a later git outside runs nothing of it. git goes on working inside."""
import json
import os
import pathlib
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

VIEWS = ("namespaces", "bubblewrap")
# What git outside must never run: it leaves a file behind.
PAYLOAD = '#!/bin/sh\n: > "{marker}"\n'
AS_AUTHOR = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.org",
             "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.org"}


class Stage(Scratch):
    def __init__(self, account, options):
        tempfile.tempdir = "/var/tmp"  # /tmp is private in a view
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.marker = f"{self.outside}/marker"

    def script(self, script, *options, project=None, seconds=60):
        cordon = [] if self.broken else [self.cordon, "run", "--quiet", *[f"--env={n}={v}" for n, v in AS_AUTHOR.items()],
                                         *options, "--"]
        return self.run([*cordon, "sh", "-c", script], directory=project or self.workspace, seconds=seconds, **AS_AUTHOR)

    def git(self, *words, directory=None):
        return self.run(["git", *words], directory=directory or self.workspace, **AS_AUTHOR)

    def outside_shell(self, script):
        return self.run(["sh", "-c", script], **AS_AUTHOR)

    def repository(self):
        made = self.outside_shell("git init -q . && echo a > a && git add a && git commit -q -m first")
        if made.status != 0:
            raise RuntimeError(f"the control: no repository: {made.err}")

    def payload(self):
        """The text of a script that leaves the marker, for a here document."""
        return PAYLOAD.format(marker=self.marker)

    def trip(self, directory=None):
        """What a user, a prompt or an editor does later. Returns whether it ran the payload."""
        for words in (("status",), ("diff",), ("commit", "-q", "--allow-empty", "-m", "later"), ("checkout", "-q", "-B", "later")):
            self.git(*words, directory=directory)
        return os.path.exists(self.marker)


def hook(place, name="pre-commit"):
    return f'mkdir -p {place}; printf "%s" "$PAYLOAD" > {place}/{name}; chmod +x {place}/{name}'


# What each does inside the repository; $PAYLOAD is a script that must not run outside.
ATTACKS = {
    "a hook": hook(".git/hooks"),
    "a hook in a new directory": f"rm -rf .git/hooks; {hook('.git/hooks')}",
    "a hook in a directory moved there": f"{hook('h')}; mv .git/hooks .git/old; mv h .git/hooks",
    "a hook by a link": f"{hook('h')}; rm -rf .git/hooks; ln -s ../h .git/hooks",
    "a hook in a copied repository": f"mv .git old; cp -r old .git; {hook('.git/hooks')}",
    "a hook by a repository elsewhere": f"cp -r .git .other; {hook('.other/hooks')}; rm -rf .git; echo 'gitdir: .other' > .git",
    "core.hooksPath": f"{hook('h')}; git config core.hooksPath \"$PWD/h\"",
    "core.fsmonitor": f"{hook('h', 'watch')}; git config core.fsmonitor \"$PWD/h/watch\"",
    "configuration by hand": f"{hook('h', 'watch')}; printf '[core]\\n fsmonitor = %s\\n' \"$PWD/h/watch\" >> .git/config",
    "configuration moved there": f"{hook('h', 'watch')}; cp .git/config c; git config -f c core.fsmonitor \"$PWD/h/watch\"; mv c .git/config",
    "configuration by a hard link": f"{hook('h', 'watch')}; ln .git/config c; git config -f c core.fsmonitor \"$PWD/h/watch\"; cat c > .git/config",
    "a common directory elsewhere": f"{hook('h', 'watch')}; cp -r .git evil; git config -f evil/config core.fsmonitor \"$PWD/h/watch\"; rm -f .git/commondir; echo ../evil > .git/commondir",
}


def attack(script, prepare=None, backend="namespaces", options=()):
    def row(s):
        s.repository()
        if prepare:
            ended = s.outside_shell(prepare)
            if ended.status != 0:
                return [f"the control: {ended.err}"]
        ended = s.script(f"PAYLOAD='{s.payload()}'; {script}", "--backend", backend, *options)
        return [f"it ran outside: {ended.err[-200:]}"] if s.trip() else []
    return row


def new_repository(s):
    """No repository yet: the program makes one at the root, also a bare one."""
    problems = []
    for name, script in {"a repository": "git init -q .; git config core.fsmonitor \"$PWD/h/watch\"",
                         "a bare one": "git init -q --bare b; mv b/* .; git config -f config core.bare false;"
                                       "git config -f config core.worktree \"$PWD\"; git config -f config core.fsmonitor \"$PWD/h/watch\""}.items():
        place = f"{s.workspace}/{name.replace(' ', '-')}"
        os.mkdir(place)
        s.account.own(place)
        s.account.own(write(f"{place}/package.json", "{}"))
        s.script(f"PAYLOAD='{s.payload()}'; {hook('h', 'watch')}; {script}", project=place)
        if s.trip(place):
            problems.append(f"{name}: it ran outside")
        if os.path.exists(s.marker):
            os.unlink(s.marker)
    return problems


def worktree(s):
    """A second worktree of the same repository reads what the first one's directory names."""
    s.repository()
    s.git("worktree", "add", "-q", f"{s.outside}/tree")
    s.script(f"PAYLOAD='{s.payload()}'; {hook('h', 'watch')}; cp -r .git evil; git config -f evil/config core.fsmonitor \"$PWD/h/watch\";"
             "echo \"$PWD/evil\" > .git/worktrees/tree/commondir")
    return ["it ran outside"] if s.trip(f"{s.outside}/tree") else []


def in_worktree(s):
    """The project is a worktree: the hooks and the configuration are in the repository that its file names."""
    s.repository()
    tree = f"{s.outside}/tree"
    s.git("worktree", "add", "-q", tree)
    s.script(f"PAYLOAD='{s.payload()}'; {hook(f'{s.workspace}/.git/hooks')}; {hook('h', 'watch')}; git config core.fsmonitor \"$PWD/h/watch\";"
             "echo gitdir: evil > .git", project=tree)
    return ["it ran outside"] if s.trip() or s.trip(tree) else []


def submodule(s):
    """git looks into a submodule by itself."""
    s.repository()
    made = s.outside_shell(f"git init -q {s.outside}/part && git -C {s.outside}/part commit -q --allow-empty -m first &&"
                           f"git -c protocol.file.allow=always submodule --quiet add {s.outside}/part lib/part && git commit -q -m part")
    if made.status != 0:
        return [f"the control: {made.err}"]
    s.script(f"PAYLOAD='{s.payload()}'; {hook('h', 'watch')}; git -C lib/part config core.fsmonitor \"$PWD/h/watch\"")
    if s.trip():
        return ["its configuration ran outside"]
    s.script(f"PAYLOAD='{s.payload()}'; {hook('h', 'watch')}; cp -r .git/modules/lib/part evil; git config -f evil/config core.fsmonitor \"$PWD/h/watch\";"
             "rm -f lib/part/.git; echo \"gitdir: $PWD/evil\" > lib/part/.git")
    return ["a repository in its place ran outside"] if s.trip() else []


NAMES = (".husky", ".envrc", ".vscode/tasks.json", ".vscode/settings.json", ".vscode/launch.json", ".idea/workspace.xml",
         ".zed/tasks.json", ".nvim.lua", ".exrc", ".claude/settings.json", ".cursor/mcp.json", ".codex/config.toml",
         ".gemini/settings.json", ".mcp.json", ".cordon", ".git/hooks/post-checkout", ".git/config", ".git/config.worktree",
         ".git/info/attributes", ".git/commondir")


def names(s):
    """Each name, whether it exists or not, in every way to put something there."""
    problems = []
    for exists in (True, False):
        s.outside_shell("rm -rf * .[a-z]*")
        s.repository()
        for name in NAMES if exists else ():
            path = f"{s.workspace}/{name}"
            if name == ".git/commondir" or name.startswith(".git/c"):
                continue
            write(path, "before\n", 0o644)
        for root, directories, files in os.walk(s.workspace):
            for entry in (root, *[os.path.join(root, f) for f in directories + files]):
                s.account.own(entry)
        before = {name: pathlib.Path(s.workspace, name).read_bytes() if os.path.isfile(f"{s.workspace}/{name}") else None for name in NAMES}
        tries = "".join(f'p={name}; mkdir -p "$(dirname $p)"; echo x > $p; echo x > new; mv -f new $p; rm -rf $p; ln -s /dev/null $p;'
                        f'mkdir $p; d=${{p%%/*}}; mv $d $d.old; ' for name in NAMES)
        for backend in VIEWS:
            s.script(tries, "--backend", backend)
            after = {name: pathlib.Path(s.workspace, name).read_bytes() if os.path.isfile(f"{s.workspace}/{name}") else
                     ("there" if os.path.lexists(f"{s.workspace}/{name}") else None) for name in NAMES}
            problems += [f"{backend}, {'present' if exists else 'absent'}: {n}: {before[n]} -> {after[n]}" for n in NAMES if before[n] != after[n]]
    return problems


def git_works(s):
    """What git does every day inside, in the project and in a repository of the program's own below it."""
    if s.broken:
        return ["nothing is confined"]
    problems = []
    for backend in VIEWS:
        s.outside_shell("rm -rf .git")
        s.repository()
        ended = s.script("set -e; git checkout -q -b b; echo b >> a; git stash -q; git stash pop -q; git commit -q -a -m b; git checkout -q -;"
                         "git commit -q --allow-empty -m c; git rebase -q b; git merge -q b; git tag t; git gc -q; git reflog expire --all;"
                         "git branch -D b; git worktree add -q wt; git worktree remove wt; test -z \"$(git status --short)\"; git fsck;"
                         "mkdir -p n; cd n; git init -q .; git config a.b c; git commit -q --allow-empty -m n; git remote add o x; rm -rf ../n", "--backend", backend)
        if ended.status != 0:
            problems.append(f"{backend}: {ended.err[-300:]}")
    return problems


def can_be_allowed(s):
    """The option lifts all of it, and an option that names a setting lifts that one."""
    s.repository()
    if s.broken:
        return ["nothing is confined"]
    problems = []
    for options, script, works in (
            ((), "git config a.b c", False), (("--allow-project-settings",), "git config a.b c", True),
            (("--allow-project-settings",), "git remote add o x && mkdir .vscode && echo x > .envrc && echo x > .git/hooks/x", True),
            (("--write", ".git/hooks"), "echo x > .git/hooks/y", True), (("--write", ".git/hooks"), "git config a.b d", False),
            (("--write", "."), "git config a.b d", False)):
        ended = s.script(script, *options)
        if (ended.status == 0) != works:
            problems.append(f"{options} {script}: {ended.status} {ended.err}")
    return problems


def entries(s):
    return sorted(str(p.relative_to(s.workspace)) for p in pathlib.Path(s.workspace).rglob("*") if "objects" not in str(p))


def leaves_nothing(s):
    """What takes the paths of missing settings is gone after the last of two runs, and after the run that follows a
    killed one. git outside works meanwhile, and sees no change."""
    s.repository()
    if s.broken:
        return ["nothing takes their paths"]
    before, problems = entries(s), []
    waiting = "while ! [ -e stop ]; do sleep 0.05; done"

    def started():
        process = s.start([s.cordon, "run", "--quiet", "--", "sh", "-c", f": > started.$$; {waiting}"])
        end = time.monotonic() + 20
        while time.monotonic() < end and not any(n.startswith("started.") for n in os.listdir(s.workspace)):
            time.sleep(0.02)
        for name in [n for n in os.listdir(s.workspace) if n.startswith("started.")]:
            os.unlink(f"{s.workspace}/{name}")
        return process

    first, second = started(), started()
    if not os.path.isdir(f"{s.workspace}/.vscode"):
        problems.append("nothing takes the path of .vscode")
    seen = s.git("status", "--short")
    if seen.out + seen.err:
        problems.append(f"git status outside: {seen.out}{seen.err}")
    outside = s.outside_shell("git commit -q --allow-empty -m outside && git config a.b c && git config --unset a.b && git gc -q")
    if outside.status != 0:
        problems.append(f"git outside: {outside.err}")
    for name in (".vscode", ".git/commondir"):  # the other run must not lose it with the first
        if not os.path.lexists(f"{s.workspace}/{name}"):
            problems.append(f"{name} is gone")
    write(f"{s.workspace}/stop", "")
    for process in (first, second):
        if s.finish(process).status != 0:
            problems.append("a run failed")
    os.unlink(f"{s.workspace}/stop")
    git_files = (".git/logs", ".git/info/refs", ".git/refs", ".git/gc.pid", ".git/packed-refs", ".git/ORIG_HEAD", ".git/COMMIT")
    left = [e for e in entries(s) if e not in before and not e.startswith(git_files)]
    if left:
        problems.append(f"left: {left}")
    killed = started()
    os.kill(killed.pid, signal.SIGKILL)
    s.finish(killed)
    if not os.path.isdir(f"{s.workspace}/.vscode"):
        problems.append("the control: the killed run left nothing")
    s.script("true", project=s.home)
    for _ in range(50):
        if not os.path.lexists(f"{s.workspace}/.vscode"):
            break
        s.script("true", project=s.workspace)
    left = [n for n in (".vscode", ".git/commondir", ".envrc") if os.path.lexists(f"{s.workspace}/{n}")]
    return problems + [f"after a killed run: {left}"] * bool(left)


def without_a_view(s):
    """Landlock alone cannot protect them and leave the project writable: it says so, and os_hardened refuses."""
    s.repository()
    if s.broken:
        return ["nothing is reported"]
    problems = []
    for backend, states in (("landlock", True), ("namespaces", False)):
        report = f"{s.home}/report"
        ended = s.script("git config a.b c", "--backend", backend, "--report", report)
        ids = [g["id"] for g in json.loads(pathlib.Path(report).read_text(encoding="utf-8"))["gaps"]]
        if (f"project.settings:{s.workspace}" in ids) != states or (ended.status == 0) != states:
            problems.append(f"{backend}: {ended.status} {ids}")
    ended = s.script("true", "--backend", "landlock", "--profile", "os_hardened")
    if ended.status != 125 or "project.settings" not in ended.err:
        problems.append(f"os_hardened: {ended.status} {ended.err}")
    return problems


def links(s):
    """A link cannot be protected: the report names it. What it leads to in the project is."""
    s.repository()
    if s.broken:
        return ["nothing is reported"]
    write(f"{s.workspace}/tools/tasks.json", "before\n")
    s.account.own(f"{s.workspace}/tools")
    s.account.own(f"{s.workspace}/tools/tasks.json")
    os.symlink("tools", f"{s.workspace}/.vscode")
    s.script("echo x > .vscode/tasks.json; echo x > tools/tasks.json", "--report", f"{s.home}/report")
    ids = [g["id"] for g in json.loads(pathlib.Path(f"{s.home}/report").read_text(encoding="utf-8"))["gaps"]]
    text = pathlib.Path(f"{s.workspace}/tools/tasks.json").read_text(encoding="utf-8")
    return [] if f"project.settings:{s.workspace}/.vscode" in ids and text == "before\n" else [f"{ids} {text}"]


ROWS = {f"{name} by {backend}": attack(script, backend=backend) for name, script in ATTACKS.items() for backend in VIEWS}
ROWS |= {
    "a hooks directory of the project": attack(hook(".githooks"), "git config core.hooksPath .githooks"),
    "an included file of the project": attack(f"{hook('h', 'watch')}; git config -f .gitconfig core.fsmonitor \"$PWD/h/watch\"",
                                              "git config include.path ../.gitconfig"),
    "configuration of the worktree": attack(f"{hook('h', 'watch')}; git config -f .git/config.worktree core.fsmonitor \"$PWD/h/watch\"",
                                            "git config extensions.worktreeConfig true"),
    "a new repository": new_repository,
    "another worktree": worktree,
    "in a worktree": in_worktree,
    "a submodule": submodule,
    "every name": names,
    "what git does inside": git_works,
    "what can be allowed": can_be_allowed,
    "what is left": leaves_nothing,
    "without a view": without_a_view,
    "links": links,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
