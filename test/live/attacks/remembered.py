#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a program of an earlier run may have put into a directory that it could write: links at names that a later run is
given, and a project without its mark. cordon remembers the directories; it cannot tell by what is in them."""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

BASE = "level process_exec\nrun /usr\nrun /lib64\nrun /bin\n"


class Stage(Scratch):
    """`plain`: a directory without a mark, in which a run takes place first. `victim`: what no run may reach."""

    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        for name in ("plain", "victim", "other"):
            setattr(self, name, os.path.join(self.workspace, name))
        self.sh("mkdir plain victim other && echo precious > victim/secret && git init -q other", self.workspace)

    def sh(self, script, directory):
        ended = self.run(["sh", "-ec", script], directory=directory)
        if ended.status != 0:
            raise RuntimeError(f"the control: {script}: {ended.err}")

    def confined(self, script, *options, directory=None, **variables):
        cordon = [] if self.broken else [self.cordon, "run", *options, "--"]
        return self.run(cordon + ["sh", "-c", script], 20, directory=directory or self.other, **variables)

    def earlier(self, script, directory=None):
        """A run of which the program does this."""
        ended = self.confined(script, "--quiet", directory=directory or self.plain)
        if ended.status != 0:
            raise RuntimeError(f"the control: {script}: {ended.err}")

    def policy(self, name, text):
        path = write(os.path.join(self.top, "policies", name), text)
        self.account.own_tree(os.path.dirname(path))
        return path

    def reached(self, *options, script="cat {0}/secret; echo more > {0}/made", **how):
        """Problems if a run with these options gets to the victim, or is not refused with words that name both."""
        ended = self.confined(script.format(self.victim), *options, **how)
        problems = ["the secret is read"] if "precious" in ended.out else []
        if os.path.exists(f"{self.victim}/made"):
            problems.append("written")
            os.unlink(f"{self.victim}/made")
        if not problems and (ended.status != 125 or "is a link" not in ended.err or f"name {self.victim}" not in ended.err):
            problems.append(f"status {ended.status}: {ended.err!r}")
        return [f"{options}: {problem}" for problem in problems]


def grants(s):
    """Options, patterns and policies of every kind, by a link in a directory without a mark."""
    s.earlier(f"ln -s {s.victim} data")
    data = f"{s.plain}/data"
    plain_policy = s.policy("plain", f"{BASE}write {s.other}\nread {data}\n")
    pattern = s.policy("pattern", f"{BASE}write {s.other}\nread glob:{s.plain}/d*\n")
    capability = s.policy("capability.json", json.dumps(
        {"workspace_roots": [s.other], "process_sandbox": {"read_roots": [data], "write_roots": [data]}}))
    own = s.policy("own.json", json.dumps({"cordon": 1, "level": "process_exec", "files": [
        {"path": "/usr", "rights": "run"}, {"path": s.other, "rights": "write"}, {"path": data, "rights": "write"}]}))
    problems = []
    for options in (["--read", data], ["--write", data], ["--run", data], ["--read", f"glob:{s.plain}/d*"], ["--policy", plain_policy],
                    ["--policy", pattern], ["--policy", capability], ["--policy", own], ["--write", data, "--profile", "os_hardened"],
                    ["--backend", "landlock", "--read", data], ["--backend", "bubblewrap", "--write", data]):
        problems += s.reached(*options)
    return problems


def grant_inside(s):
    """A link that stays in the directory is followed, as is one that no run can have made."""
    s.earlier("mkdir real && echo inside > real/file && ln -s real data")
    s.sh(f"mkdir elsewhere && echo outside > elsewhere/file && ln -s {s.workspace}/elsewhere other/by", s.workspace)
    ended = s.confined(f"cat {s.plain}/data/file", "--quiet", "--read", f"{s.plain}/data")
    problems = [] if ended.out == "inside\n" and not s.broken else [f"a link inside: {ended.err!r}"]
    s.sh(f"mkdir fresh && ln -s {s.workspace}/elsewhere fresh/by", s.workspace)
    ended = s.confined(f"cat {s.workspace}/elsewhere/file", "--quiet", "--read", f"{s.workspace}/fresh/by")
    return problems + ([] if ended.out == "outside\n" else [f"a link of the caller's: {ended.err!r}"])


def preset_by_a_link(s):
    """A toolchain on another disk is believed, also by a user's first run; a link that a run may have made locks no one out."""
    registry = f"{s.home}/.cargo/registry"
    s.sh(f"mkdir -p {s.home}/.cargo && ln -s {s.victim} {registry}", s.home)
    problems = []
    if not s.broken:
        s.sh(f"rm -rf {s.home}/.local/state/cordon", s.home)
    for backend in ("namespaces", "landlock"):
        ended = s.confined(f"cat {registry}/secret", "--quiet", "--backend", backend)
        if ended.out != "precious\n":
            problems.append(f"{backend}: a link of the caller's: {ended.err!r}")
    s.sh(f"rm {registry}", s.home)
    ended = s.confined(f"ln -s {s.victim} {registry}", "--quiet", "--write", f"{s.home}/.cargo")
    if ended.status != 0:
        raise RuntimeError(f"the control: {ended.err}")
    ended = s.confined(f"echo ran; cat {registry}/secret", "--quiet")
    if not ended.out.startswith("ran\n") or "precious" in ended.out:
        problems.append(f"a link that a run may have made: {ended.out!r} {ended.err!r}")
    return problems


def moved_directory(s):
    """It is known by its inode."""
    s.earlier(f"ln -s {s.victim} data")
    s.sh("mv plain moved", s.workspace)
    return s.reached("--read", f"{s.workspace}/moved/data")


def forgotten_list(s):
    """Without the list, every directory that could be a workspace counts."""
    s.earlier(f"ln -s {s.victim} data")
    problems = []
    lists = f"{s.home}/.local/state/cordon/written-roots"
    for spoil in (f"rm -f {lists}", f"echo x > {lists}", f"chmod 666 {lists}"):
        if not s.broken and not os.path.exists(lists):
            problems.append("there is no list")
            continue
        s.sh(f"mkdir -p {os.path.dirname(lists)}; touch {lists}; {spoil}", s.home)
        problems += [f"{spoil}: {problem}" for problem in s.reached("--read", f"{s.plain}/data")]
        s.sh(f"rm -f {lists}", s.home)
        s.earlier("true")
    return problems


def list_in_reach(s):
    """A policy that opens the home does not open the list."""
    lists, problems = f"{s.home}/.local/state/cordon/written-roots", []
    s.earlier("true")
    if s.broken:
        s.sh(f"mkdir -p {os.path.dirname(lists)} && echo 'cordon-roots 1' > {lists}", s.home)
    with open(lists, encoding="utf-8") as file:
        before = file.read()
    script = (f"cat {lists}; echo forged >> {lists}; mv {s.home}/.local/state {s.home}/.local/away; "
              f"cd {s.home}/.local/state && rm -rf cordon; mkdir -p {s.home}/.local/state/cordon && touch {lists}")
    for backend in ("namespaces", "landlock", "bubblewrap"):
        for granted in (s.home, f"{s.home}/.local", s.top):
            ended = s.confined(script, "--quiet", "--backend", backend, "--write", granted)
            there = open(lists, encoding="utf-8").read() if os.path.exists(lists) else ""
            if not there.startswith(before) or "forged" in there or "cordon-roots" in ended.out:
                problems.append(f"{backend}, --write {granted}: read or changed: {there!r} {ended.out!r}")
    return problems


def directory_by_cd(s):
    s.earlier(f"ln -s {s.victim} build")
    here = f"{s.plain}/build"
    problems = s.reached(directory=here, PWD=here, script="touch made")
    problems += s.reached("--cwd", here) + s.reached("--workspace", here)
    if not s.broken:
        ended = s.confined("pwd", "--quiet", directory=s.plain, PWD=here)
        if ended.status != 0:
            problems.append(f"a PWD of another directory: {ended.err!r}")
    return problems


def files_of_cordon(s):
    """A report, a record, a key or a policy by a directory that is a link."""
    key = write(f"{s.victim}/key", "sixteen bytes or more, and this is the key\n", 0o600)
    policy = write(f"{s.victim}/policy", f"{BASE}write {s.other}\n")
    s.account.own(key)
    s.account.own(policy)
    s.earlier(f"ln -s {s.victim} out")
    problems = []
    for options in (["--report", f"{s.plain}/out/made"], ["--record", f"{s.plain}/out/made"], ["--policy", f"{s.plain}/out/policy"],
                    ["--key", f"{s.plain}/out/key", "--report", f"{s.top}/outside/r.json"]):
        problems += s.reached(*options, script="touch {0}/made")
    return problems


def project_without_its_mark(s):
    """The run does not get the directory around it, unless the caller names that."""
    problems = []
    for mark, drop in (("git init -q .", "mv .git .g || rm -rf .git/HEAD"), ("echo '{{}}' > package.json", "rm package.json"),
                       ("touch meson.build", "rm meson.build; git init -q sub")):
        outer = os.path.join(s.workspace, f"outer{len(problems)}-{mark[:3]}".replace(" ", ""))
        s.sh(f"mkdir -p {outer}/inner && cd {outer} && {mark.format()} && cd inner && {mark.format()}", s.workspace)
        inner = f"{outer}/inner"
        s.confined(drop, "--quiet", directory=inner)
        ended = s.confined("touch here; touch ../around", directory=inner)
        if os.path.exists(f"{outer}/around") or not os.path.exists(f"{inner}/here"):
            problems.append(f"{mark}: the directory around is written, or its own not: {ended.err!r}")
        if not os.path.isdir(f"{inner}/.git") and f"the project is {inner}" not in ended.err:
            problems.append(f"{mark}: not told: {ended.err!r}")
        s.confined("touch ../named", "--workspace", outer, directory=inner)
        s.confined("touch ../later", directory=inner)
        if not os.path.exists(f"{outer}/named") or (not os.path.isdir(f"{inner}/.git") and not os.path.exists(f"{outer}/later")):
            problems.append(f"{mark}: the caller's own choice has no effect")
    return problems


def own_program(s):
    """The next `cordon run` would be what the program put there."""
    copy = os.path.join(s.plain, "cordon")
    s.sh(f"cp {s.cordon} {copy}", s.plain)
    if s.broken:
        return ["no gap names it"]
    ended = s.run([copy, "run", "--", "true"], directory=s.plain)
    problems = [] if f"policy.writable:{copy}" in ended.err else [f"no gap names it: {ended.err!r}"]
    ended = s.run([copy, "run", "--profile", "os_hardened", "--", "touch", "started"], directory=s.plain)
    if ended.status != 125 or f"--accept-gap policy.writable:{copy}" not in ended.err or os.path.exists(f"{s.plain}/started"):
        problems.append(f"os_hardened: {ended.status}: {ended.err!r}")
    ended = s.run([s.cordon, "run", "--", "true"], directory=s.plain)
    return problems + ([] if "policy.writable" not in ended.err else [f"named without a reason: {ended.err!r}"])


ROWS = {
    "a grant by a link in a directory without a mark": grants,
    "a link that leads nowhere else": grant_inside,
    "a path of a preset that is a link": preset_by_a_link,
    "a directory that was moved": moved_directory,
    "a list that is missing or is not the caller's alone": forgotten_list,
    "a list that a policy would open": list_in_reach,
    "the current directory by a link": directory_by_cd,
    "a report, a record, a key or a policy by a link": files_of_cordon,
    "a project that has lost its mark": project_without_its_mark,
    "cordon in a directory that the program can write": own_program,
}


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
