#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Policy files that must be refused: `cordon check` says where, `cordon run` starts nothing and leaves nothing."""
import argparse
import json
import os
import pathlib
import re
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable, current
from support.fixtures import snapshot
from support.results import Results
from support.scratch import Scratch, write

SECONDS = 20
MOST_MEMORY = 1 << 20  # KiB: a file of 50 MiB may be held several times over, not more
TEXTS = {
    "an unknown key": '{"cordon": 1,\n "levle": "none"}',
    "a duplicate key": '{"cordon": 1, "level": "none",\n "level": "network"}',
    "a duplicate key in an object below": '{"cordon": 1, "limits": {"memory": 1,\n "memory": 2}}',
    "a duplicate key that is spelled with an escape": '{"cordon": 1, "level": "none",\n "l\\u0065vel": "network"}',
    "a wrong type": '{"cordon": 1,\n "level": 3}',
    "an unknown word": '{"cordon": 1,\n "level": "Network"}',
    "another version": '{"cordon": 2}',
    "no version": '{"level": "none"}',
    "a path with NUL": '{"cordon": 1, "files": [\n {"path": "/srv\\u0000/etc", "rights": "read"}]}',
    "a variable with NUL": '{"cordon": 1, "environment": {\n "set": {"A": "1\\u0000B=2"}}}',
    "a lone surrogate": '{"cordon": 1, "files": [\n {"path": "/srv\\ud800", "rights": "read"}]}',
    "an empty list": '{"cordon": 1,\n "files": []}',
    "the same path twice": '{"cordon": 1, "files": [\n {"path": "/a", "rights": "read"},'
                            ' {"path": "/a/./", "rights": "write"}]}',
    "a limit without a unit": '{"cordon": 1, "limits": {\n "timeout": "30"}}',
    "a host pattern with an inner star": '{"cordon": 1,\n "network": {"allowed_domains": ["a.*.example.com"]}}',
    "text behind the end": '{"cordon": 1}\n}',
    "a comment": '{"cordon": 1} // fine',
    "an unfinished object": '{"cordon": 1,\n',
    "a list at the top": "[1]",
    "an empty file": "",
    "blanks only": "  \n \n",
    "bytes that are no UTF-8": b'{"cordon": 1,\n "level": "none\xff"}',
    "an over-long UTF-8 form": b'{"cordon": 1, "files": [\n {"path": "/srv/\xc0\xae", "rights": "read"}]}',
    "UTF-16": '{"cordon": 1}'.encode("utf-16"),
    "nesting of 65": '{"cordon": 1,\n "files": ' + "[" * 65 + "]" * 65 + "}",
    "a million opening brackets": "[" * 1_000_000,
    "50 MB of one string": '{"cordon": 1,\n "level": "' + "a" * 50_000_000 + '"}',
    "50 MB of one number": '{"cordon": ' + "1" * 50_000_000 + "}",
    "50 MB of no token": "a" * 50_000_000,
}


class Case(Scratch):
    def __init__(self, account, cordon):
        super().__init__(account, cordon)
        self.marker = f"{self.workspace}/marker"
        self.policy = f"{self.top}/policy.json"

    def check(self):
        return self.run([self.cordon, "check", self.policy], SECONDS)

    def start_program(self):
        return self.run([self.cordon, "run", "--policy", self.policy, "--", "/bin/touch", self.marker], SECONDS)

    def grant(self, path):
        rights = [{"path": self.workspace, "rights": "write"}, {"path": path, "rights": "write"}]
        write(self.policy, json.dumps({"cordon": 1, "files": rights}))


def refused_by_check(case, positioned):
    ended = case.check()
    place = re.escape(case.policy) + (r":[1-9]\d*:[1-9]\d*: \S" if positioned else r".*: \S")
    problems = []
    if ended.status != 2:
        problems.append(f"check: status {ended.status}, not 2: {ended.err[-200:]}")
    if not re.search(rf"^(cordon: )?{place}", ended.err, re.M):
        problems.append(f"check: no file:line:column: message on stderr: {ended.err[:200]!r}")
    if len(ended.err) > 4096:
        problems.append(f"check: {len(ended.err)} bytes of message")
    if ended.out:
        problems.append("check: something is on stdout")
    return problems


def refused_by_run(case):
    before = snapshot(case.top)
    ended = case.start_program()
    problems = []
    if ended.status != 125:
        problems.append(f"run: status {ended.status}, not 125: {ended.err[-200:]}")
    if not ended.told_by_cordon():
        problems.append(f"run: no line on stderr starts with `cordon: `: {ended.err[:200]!r}")
    if os.path.exists(case.marker):
        problems.append("run: the program has been started")
    if snapshot(case.top) != before:
        problems.append("run: something was made, changed or removed")
    return problems


def line_of(text):
    """The line that a message must name: in a case of two lines, the fault is in the second one."""
    return 2 if isinstance(text, str) and "\n" in text.strip() else 0


def texts(options, results):
    for label, text in TEXTS.items():
        case = Case(Account(options.user), options.cordon)
        try:
            write(case.policy, text)
            started = time.monotonic()
            problems = refused_by_check(case, positioned=True)
            if line_of(text) and f"{case.policy}:2:" not in case.check().err:
                problems.append("check: the line is not 2")
            problems += refused_by_run(case)
            if time.monotonic() - started > SECONDS:
                problems.append(f"took {time.monotonic() - started:.0f} s")
            results.check(f"{options.user}: {label}", problems)
        finally:
            case.close()


def places(options, results):
    """Files that cannot be read, and roots that do not exist. Only a run resolves a root."""
    def directory(case):
        os.mkdir(case.policy)
        return True

    def cyclic(case):
        os.symlink("loop", f"{case.top}/loop")
        case.grant(f"{case.top}/loop")

    def dangling(case):
        os.symlink("nowhere", f"{case.top}/dangling")
        case.grant(f"{case.top}/dangling")

    for label, prepare in (("a policy file that is missing", lambda case: True), ("a directory as a policy", directory),
                           ("a root that is missing", lambda case: case.grant(f"{case.top}/nowhere")),
                           ("a root below a file", lambda case: case.grant(f"{case.cordon}/nowhere")),
                           ("a cyclic link as a root", cyclic), ("a dangling link as a root", dangling)):
        case = Case(Account(options.user), options.cordon)
        try:
            problems = refused_by_check(case, positioned=False) if prepare(case) else []
            results.check(f"{options.user}: {label}", problems + refused_by_run(case))
        finally:
            case.close()


def control(options, results):
    """A good file is accepted and the program leaves its trace; otherwise the other cases prove nothing."""
    case = Case(Account(options.user), options.cordon)
    try:
        case.grant(case.outside)
        problems = []
        if case.check().status != 0:
            problems.append(f"check refuses a good file: {case.check().err[:300]}")
        ended = case.start_program()
        if ended.status != 0 or not os.path.exists(case.marker):
            problems.append(f"run does not start the program: {ended.err[:300]}")
        results.check(f"{options.user}: a good file", problems)
    finally:
        case.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cordon", default=os.environ.get("CORDON"), required="CORDON" not in os.environ)
    parser.add_argument("--user", choices=("root", "nobody"), default=current())
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    results = Results(options.json, options.verbose)
    try:
        for part in (control, texts, places):
            part(options, results)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        results.check(f"{options.user}: memory for the largest file", [f"{most} KiB"] if most > MOST_MEMORY else [])
    except Unavailable as missing:
        results.skipped(f"all cases as {options.user}", str(missing))
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
