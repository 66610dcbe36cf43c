#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A list of executables also applies to programs that the program starts. Each way to start another program is tried
with the list and, as a control, without it. Listed programs work, with the interpreter of their first line."""
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

POLICY = ("level process_exec\nrun /usr\nrun /lib64\nrun /bin\nrun /lib\nread /etc\nwrite {}\nnetwork none\n"
          "pass PATH HOME\n{}")
BACKENDS = ("namespaces", "landlock", "bubblewrap")
# Ways to another program, for a shell that is listed with git, find, xargs and env; each prints `ran`.
WAYS = {
    "a direct start": "/usr/bin/printf ran",
    "a name": "exec printf ran",
    "a script": "{ws}/script",
    "a link": "ln -sf /usr/bin/printf pf; ./pf ran",
    "a copy": "cp -f bin/printf.bin own; chmod +x own; ./own ran",
    "a hard link": "ln -f bin/printf.bin hard; ./hard ran",
    "find -exec": "find {ws}/script -exec /usr/bin/printf ran ';'",
    "xargs": "echo ran | xargs /usr/bin/printf",
    "a git alias": "git -c alias.x='!/usr/bin/printf ran' x",
    "env -S": "env -S '/usr/bin/printf ran'",
}
LISTED = "sh dash git find xargs env cp ln chmod echo cat"


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.top_bin = os.path.join(self.workspace, "bin")
        os.mkdir(self.top_bin)
        shutil.copy("/usr/bin/printf", os.path.join(self.top_bin, "printf.bin"))
        write(os.path.join(self.workspace, "script"), "#!/usr/bin/perl\nprint 'ran';\n", 0o755)
        write(os.path.join(self.top_bin, "tool"), "#!/usr/bin/perl\nprint 'tool ran';\n", 0o755)
        account.own_tree(self.workspace)
        self.report = os.path.join(self.home, "report")

    def attempt(self, backend, script, listed, *more):
        lines = f"executables {listed}\n" if listed and not self.broken else ""
        policy = write(os.path.join(self.top, "policy"),
                       POLICY.format(self.workspace, lines + "".join(m + "\n" for m in more)))
        return self.run([self.cordon, "run", "--backend", backend, "--policy", policy, "--report", self.report, "--", "sh",
                         "-c", script.replace("{ws}", self.workspace)])


def other_ways(s):
    problems = []
    for backend in BACKENDS:
        for name, script in WAYS.items():
            control = s.attempt(backend, script, "")
            if "ran" not in control.out:
                problems.append(f"{backend}: the control: {name}: {control.out!r} {control.err[-200:]!r}")
            elif "ran" in s.attempt(backend, script, LISTED).out:
                problems.append(f"{backend}: {name}")
    return problems


def listed_ones(s):
    problems = []
    for backend in BACKENDS:
        for name, script, listed, wanted in (
                ("programs by name", "cp script there; cat there; git --version", LISTED, "git version"),
                ("a script by name", "{ws}/bin/tool", LISTED + " " + s.top_bin + "/tool", "tool ran"),
                ("a program by name in PATH", "/usr/bin/printf ran", LISTED + " printf", "ran")):
            ended = s.attempt(backend, script, listed)
            if wanted not in ended.out or s.broken:
                problems.append(f"{backend}: {name}: {ended.out!r} {ended.err[-300:]!r}")
    return problems


def told(s):
    problems = []
    for backend, listed, more, gap in (("namespaces", LISTED, (), "guard.code"), ("landlock", LISTED, (), "guard.code"),
                                       ("namespaces", "", ("interpreters yes",), None)):
        s.attempt(backend, "true", listed, *more)
        with open(s.report) as file:
            ids = [g["id"] for g in json.load(file)["gaps"] if g["id"].startswith("guard.")]
        if ids != ([gap] if gap else []):
            problems.append(f"{backend} {listed!r} {more}: {ids}")
    return problems


ROWS = {"other ways to a program": other_ways, "what is listed": listed_ones, "gaps of the list": told}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without the list"))
