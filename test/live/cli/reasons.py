#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Refused runs, joined with include/cordon/run/reasons.hpp by ID: the report names the reason's ID, stderr has its text, or
that of shims/cli/refusal_text.cpp, and nothing was started. Each act has a control without its fault, which starts the program.
Lists the IDs that no act produces."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable, current
from support.ports import claimed_port
from support.results import Results
from support.scratch import Scratch, write

TABLE = pathlib.Path(__file__).resolve().parents[3] / "include/cordon/run/reasons.hpp"
ROW = re.compile(r'inline constexpr reason (\w+)\{\s*"([^"]*)",\s*((?:"(?:\\.|[^"\\])*"\s*)+)\}', re.S)
OWN_TABLE = TABLE.parents[3] / "shims/cli/refusal_text.cpp"
OWN_ROW = re.compile(r'\{reasons::(\w+)\.id,\s*((?:"(?:\\.|[^"\\])*"\s*)+)\}', re.S)
BASE = "level process_exec\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nread /etc\n"
EVERY_RIGHT = "read,list,run,write,create,remove,attributes,connect"
# Reasons of other systems, of hosts that lack something, of moments that a test cannot make, of the library's calls alone,
# and those of a kept session (sessions.py).
ELSEWHERE = re.compile(r"host\.|resource\.|policy\.no_root|request\.(?:argv_empty|nul_byte|gateway|taken|moved|input_pipe|pool_)|program\.(?:start|stage|proc|sigchld)|"
                       r"policy\.(?:system|place_twice|variable_case|root|journals|size|call|utf8|strict)|"
                       r"path\.(?:unknown|not_|changed|hidden_missing|other_name|unresolved)|link\.(?:appeared|named)|glob\.|stream\.(?:input|not_regular)|"
                       r"session\.(?:directory|many|large|none|in_use|system)|publish\.system|report\.|key\.|attestation\.|tape\.|replay\.|selection\.(?:fallback|untried|unrestricted|none|off|reduced|hardened_unavailable|none_works|policy_enforces)$")


class Stage(Scratch):
    def __init__(self, account, cordon):
        super().__init__(account, cordon)
        self.marker = f"{self.workspace}/marker"
        self.report = f"{self.outside}/report.json"
        self.port = str(claimed_port())

    def policy(self, text):
        return ["--policy", write(f"{self.top}/policy-{len(os.listdir(self.top))}", text)]

    def base(self, more="", level="process_exec"):
        return self.policy(BASE.replace("process_exec", level) + f"write {self.workspace}\n" + more)

    def link(self, name, target):
        os.symlink(target, f"{self.workspace}/{name}")
        return f"{self.workspace}/{name}"


def workspace(s, *options, **how):
    return {"options": ["--workspace", s.workspace, *options], **how}


# By ID: the run with the fault, and the one without it.
ACTS = {
    "request.program_empty": lambda s: (workspace(s, argv=[""]), workspace(s)),
    "selection.variable": lambda s: (workspace(s, CORDON_SANDBOX="strict"), workspace(s, CORDON_SANDBOX="enforce")),
    "selection.profile": lambda s: ({"options": s.base("profile os_hardened\n") + ["--profile", "worktree"]}, {"options": s.base()}),
    "selection.wasi": lambda s: (workspace(s, "--profile", "wasi"), workspace(s, "--profile", "worktree")),
    "selection.hardened_unconfined": lambda s: (
        workspace(s, "--profile", "os_hardened", "--backend", "none", CORDON_ALLOW_NO_SANDBOX="1"),
        workspace(s, "--backend", "none", CORDON_ALLOW_NO_SANDBOX="1")),
    "selection.none_not_allowed": lambda s: (workspace(s, "--backend", "none"),
                                             workspace(s, "--backend", "none", CORDON_ALLOW_NO_SANDBOX="1")),
    "selection.none_under_enforce": lambda s: (
        {"options": s.base("fallback enforce\n") + ["--backend", "none"], "CORDON_ALLOW_NO_SANDBOX": "1"},
        {"options": s.base("fallback warn\n") + ["--backend", "none"], "CORDON_ALLOW_NO_SANDBOX": "1"}),
    "selection.backend_unavailable": lambda s: (workspace(s, "--backend", "seatbelt"), workspace(s)),
    "selection.egress": lambda s: (workspace(s, "--egress", "strict", CORDON_SANDBOX="off"), workspace(s, CORDON_SANDBOX="off")),
    "selection.gaps": lambda s: (workspace(s, "--profile", "os_hardened", "--backend", "landlock"),
                                 workspace(s, "--backend", "landlock")),
    "program.level": lambda s: (workspace(s, "--level", "workspace_write"), workspace(s)),
    "program.capability": lambda s: ({"options": s.base("capabilities none\n")}, {"options": s.base()}),
    "program.not_granted": lambda s: ({"options": s.policy(f"level process_exec\nread /\nwrite {s.workspace}\n")}, {"options": s.base()}),
    "program.directory": lambda s: ({"options": s.base(), "directory": s.outside}, {"options": s.base()}),
    "guard.argument": lambda s: (workspace(s, "--guard", "refuse", argv=["/usr/bin/touch", s.marker, "/etc/shadow"]),
                                 workspace(s, "--guard", "refuse")),
    "guard.host": lambda s: (workspace(s, "--egress", "preflight", "--requested-host", "evil.example"),
                             workspace(s, "--egress", "preflight")),
    "policy.exec": lambda s: ({"options": s.base("deny execve execveat\n")}, {"options": s.base("deny execveat\n")}),
    "policy.key": lambda s: (
        workspace(s, "--key", write(f"{s.workspace}/key", "k" * 64)),
        workspace(s, "--key", write(f"{s.top}/other/key", "k" * 64), "--hide", f"{s.top}/other")),
    "path.missing": lambda s: (workspace(s, "--read", f"{s.top}/nowhere"), workspace(s)),
    "path.dangling": lambda s: ({"options": s.base(f"read {s.link('dangling', f'{s.top}/nowhere')}\n")}, {"options": s.base()}),
    "link.replaceable": lambda s: ({"options": s.base(f"hide {s.link('hidden', s.outside)}\n")}, {"options": s.base(f"hide {s.outside}\n")}),
    "link.not_trusted": lambda s: (
        {"options": s.base(f"allow {EVERY_RIGHT} {s.link('granted', s.outside)}\n")},
        {"options": s.base(f"allow {EVERY_RIGHT} {s.outside}\n")}),
    "publish.level": lambda s: (workspace(s, "--publish", s.port, "--level", "process_exec"), workspace(s, "--publish", s.port)),
    "publish.not_listed": lambda s: ({"options": s.base("network none\nsockets own\n", "network") + ["--publish", s.port]}, {"options": s.base()}),
    "publish.no_sockets": lambda s: ({"options": s.base(f"network none\nlisten {s.port}\n", "network") + ["--publish", s.port]}, {"options": s.base()}),
    "publish.machine": lambda s: (workspace(s, "--publish", s.port, "--network", "any"), workspace(s, "--network", "any")),
    "publish.no_network": lambda s: (workspace(s, "--publish", s.port, "--backend", "landlock"), workspace(s, "--backend", "landlock")),
    "publish.not_bound": lambda s: (workspace(s, "--publish", f"192.0.2.1:{s.port}"), workspace(s, "--publish", f"127.0.0.1:{s.port}")),
    "session.name": lambda s: (workspace(s, "--session", "../one"), workspace(s, "--session", "one")),
    "session.no_temp": lambda s: (
        {"options": s.policy("level process_exec\nfiles any\n") + ["--session", "one"]}, {"options": s.policy("level process_exec\nfiles any\n")}),
    "stream.directory": lambda s: (workspace(s, stdin=os.open(s.workspace, os.O_RDONLY)), workspace(s)),
    "stream.no_file": lambda s: (workspace(s, stdin=os.pidfd_open(os.getpid())), workspace(s)),
}
AS_ROOT = {"program.owner": lambda s: (workspace(s), {"options": ["--workspace", s.mine], "directory": s.mine,
                                                     "argv": ["/usr/bin/touch", f"{s.mine}/marker"]})}


def pattern_of(text):
    return "cordon: " + ".*".join(re.escape(piece) for piece in re.split(r"\{\d?\}", text))


def string_of(pieces):
    return "".join(re.findall(r'"((?:\\.|[^"\\])*)"', pieces))


def tables():
    """The texts of the library by ID, and those of the command line, which has words of its own for some of them."""
    rows = ROW.findall(TABLE.read_text(encoding="utf-8"))
    ids = {name: id_ for name, id_, _ in rows}
    own = OWN_ROW.findall(OWN_TABLE.read_text(encoding="utf-8"))
    texts = {id_: string_of(pieces) for _, id_, pieces in rows}
    return texts, texts | {ids[name]: string_of(pieces) for name, pieces in own}


def start(s, options, argv=None, stdin=subprocess.DEVNULL, directory=None, **variables):
    for place in (s.marker, s.report):
        if os.path.exists(place):
            os.unlink(place)
    command = [s.cordon, "run", "--report", s.report, *options, "--", *(argv or ["/usr/bin/touch", s.marker])]
    return subprocess.run(s.account.prefix + command, stdin=stdin, capture_output=True, text=True, timeout=60,
                          cwd=directory or s.workspace, env=s.variables(**variables))


def judge(s, id_, text, shown, fault, control):
    problems = []
    ended = start(s, **fault)
    if ended.returncode != 125:
        problems.append(f"status {ended.returncode}, not 125: {ended.stderr[-300:]}")
    if not re.search(pattern_of(shown), ended.stderr):
        problems.append(f"stderr has not the text of the table: {ended.stderr[-300:]!r}")
    if os.path.exists(s.marker):
        problems.append("the program has been started")
    try:
        with open(s.report, encoding="utf-8") as file:
            told = json.load(file)
        if told["refusal"] != id_ or not re.search(pattern_of(text), "cordon: " + told["why"]):
            problems.append(f"the report says {told['refusal']}: {told['why']}")
    except OSError as missing:
        problems.append(f"no report: {missing}")
    ended = start(s, **control)
    if ended.returncode != 0:
        problems.append(f"the control: status {ended.returncode}: {ended.stderr[-300:]}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cordon", default=os.environ.get("CORDON"), required="CORDON" not in os.environ)
    parser.add_argument("--user", choices=("root", "nobody"), default=current())
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    results = Results(options.json, options.verbose)
    try:
        account = Account(options.user)
    except Unavailable as missing:
        results.skipped(f"all refusals as {options.user}", str(missing))
        return results.end()
    table, shown = tables()
    acts = ACTS | (AS_ROOT if options.user == "root" else {})
    for id_, act in acts.items():
        s = Stage(account, options.cordon)
        try:
            s.mine = os.path.join(s.top, "mine")
            os.mkdir(s.mine)
            if id_ == "program.owner":
                os.chown(s.workspace, 65534, 65534)
            fault, control = act(s)
            results.check(f"{options.user}: {id_}", judge(s, id_, table[id_], shown[id_], fault, control))
        finally:
            s.close()
    for id_ in sorted(set(table) - set(ACTS) - set(AS_ROOT)):
        if not ELSEWHERE.match(id_):
            results.failed(id_, "no act produces this refusal")
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
