#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Real attacks and real work through `cordon run`: each act once unconfined, to show that it is real, once confined."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import features
from support import rows
from support.account import Account
from support.command import end, parser_of, turned
from support.fixtures import Fixtures
from support.launch import Launch, reserve_leaks

REFUSAL = {"EPERM", "EACCES"}
# A file or process that is not there answers otherwise than one that may not be reached.
ABSENCE = {"ENOENT", "ESRCH", "EROFS", "EXDEV", "ENXIO", "ENODEV", "EINVAL", "EIDRM", "ECONNREFUSED", "ENETUNREACH"}
CONFINES_NOTHING = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\n"$@"\nexit $?\n'


class Harness:
    def __init__(self, options, fixtures, launch):
        self.options, self.fixtures, self.launch = options, fixtures, launch
        self.present = {name: self.has_backend(name) for name in ("landlock", "namespaces")}
        self.in_force = options.backend
        if options.backend == "auto":
            self.in_force = "namespaces" if self.present["namespaces"] else "landlock"

    def act(self, row, confined, backend, wanted=False):
        """The answer of the act and what was noticed outside."""
        self.fixtures.renew()
        names = self.fixtures.current_names()
        command = [self.fixtures.attempt] + row.words(names)
        if confined:
            launcher = [self.fixtures.cordon, "run"] + (["--backend", backend] if backend != "auto" else [])
            command = launcher + self.launch.options(row.scene) + self.options.extra + ["--"] + command
        before = self.fixtures.observe()
        ended = self.launch.start(row.scene, command, confined)
        # What an act does outside may come a moment after its end: a signal, a datagram.
        seconds = 1 if wanted else 0.05 if confined and "felt" in row.values() else 0.005
        noticed = sorted(set(self.fixtures.changes(before, wanted, seconds) + ended.seen))
        if confined and re.search(r"^cordon: ", ended.err, re.M) and ended.status in (125, 126, 127):
            return f"(not started: {ended.err.strip()[-300:]})", noticed
        return ("happens" if "the launcher" in noticed and not confined else ended.answer()), noticed

    def control(self, row, expected):
        """(None, or how to report the row; why the row proves nothing; the result of the act)"""
        lacking = features.missing_before(row.needs)
        if lacking:
            return "skipped", lacking, None
        answer, noticed = self.act(row, False, "auto", expected == "felt")
        lacking = features.missing_after(row.needs, answer)
        if lacking and answer not in expected.split():
            return "skipped", lacking, answer
        if expected == "felt":
            fine = answer == "happens" and noticed
        else:
            fine = answer in expected.split()
        if fine:
            return None
        return "failed", f"the control: {answer}, noticed: {noticed or 'nothing'}, not {expected}", answer

    def refusal(self, row, results):
        name = f"{self.fixtures.account.name}: {row.label}"
        excuse = self.control(row, row.control)
        answer, noticed = self.act(row, True, self.options.backend)
        accepted = set(row.confined.split()) - {"-"} or set(REFUSAL)
        if self.in_force != "landlock":
            accepted |= ABSENCE - set(row.control.split())
        problems = []
        if excuse and excuse[0] == "failed":
            problems.append(excuse[1])
        if answer not in accepted and not (excuse and answer != "happens"):
            problems.append(f"confined: {answer}, not {' or '.join(sorted(accepted))}")
        if noticed:
            problems.append(f"confined, and noticed outside: {', '.join(noticed)}")
        # What this kernel does not have is answered by the kernel itself; another answer is the refusal of the confinement.
        refused = excuse and excuse[2] and answer in REFUSAL | {"SIGSYS"} and answer != excuse[2]
        if excuse and excuse[0] == "skipped" and not problems and not refused:
            results.skipped(name, excuse[1])
        else:
            results.check(name, problems)

    def work(self, row, results):
        name = f"{self.fixtures.account.name}: {row.label}"
        excuse = self.control(row, "happens")
        if excuse:
            return getattr(results, excuse[0])(name, excuse[1])
        wanted = row.landlock if self.in_force == "landlock" else "happens"
        answer, _ = self.act(row, True, self.options.backend)
        return results.check(name, [] if answer == wanted else [f"confined: {answer}, not {wanted}"])

    def gap(self, row, backend, results):
        name = f"{self.fixtures.account.name}, {backend}: {row.label}"
        expected = row[backend]
        excuse = self.control(row, "felt" if "felt" in (row.landlock, row.namespaces) else "happens")
        if excuse:
            return getattr(results, excuse[0])(name, excuse[1])
        answer, noticed = self.act(row, True, backend, expected == "felt")
        refused = answer in REFUSAL | ABSENCE
        said = ("felt" if noticed else "happens") if answer == "happens" else "refused" if refused else answer
        problem = f"{said} ({answer}, {noticed}), but stated is {expected}"
        return results.check(name, [] if said == expected else [problem])

    def has_backend(self, name):
        launcher = [self.fixtures.cordon, "run", "--backend", name, "--workspace", self.fixtures.workspace, "--"]
        probe = self.launch.start("base", launcher + [self.fixtures.attempt, "exit", "7"], True)
        return probe.status == 7


def run(options, results):
    null = reserve_leaks()
    fixtures = Fixtures(Account(options.user), options.cordon, options.attempt)
    try:
        if options.self_test:
            with open(fixtures.cordon, "w", encoding="utf-8") as file:
                file.write(CONFINES_NOTHING)
        harness = Harness(options, fixtures, Launch(fixtures, null))
        if options.backend != "auto" and not options.self_test and not harness.has_backend(options.backend):
            results.skipped(f"{options.user}: all rows", f"{options.backend} does not work here")
            return
        wanted = [row for row in rows.read("attacks/refusals.tsv") if row.concerns(options.user) and options.only in row.label]
        for row in wanted:
            harness.refusal(row, results)
        if options.self_test:
            return
        for row in rows.read("attacks/work.tsv"):
            if row.concerns(options.user) and options.only in row.label:
                harness.work(row, results)
        for backend in (name for name in harness.present if options.backend in ("auto", name)):
            if not harness.present[backend]:
                results.skipped(f"{options.user}: gaps of {backend}", f"{backend} does not work here")
                continue
            for row in rows.read("attacks/gaps.tsv"):
                if row.concerns(options.user) and options.only in row.label:
                    harness.gap(row, backend, results)
    finally:
        fixtures.close()


def self_test(options):
    """Under a launcher that confines nothing every row must fail, or it would not notice a broken cordon."""
    return turned(options, run, "the control: ", "under a launcher that confines nothing")


def main():
    parser = parser_of(__doc__, "rows")
    parser.add_argument("--cordon", default=os.environ.get("CORDON"), help="the program under test")
    parser.add_argument("--attempt", required=True, help="the built program of test/live/attacks/attempt")
    parser.add_argument("--backend", choices=("auto", "landlock", "namespaces", "bubblewrap"), default="auto")
    parser.add_argument("extra", nargs="*", help="behind --: further options for cordon run")
    options = parser.parse_args()
    if not options.cordon and not options.self_test:
        parser.error("--cordon or the variable CORDON is needed")
    options.cordon = options.cordon or "/bin/true"
    return end(options, run, self_test, "rows")


if __name__ == "__main__":
    sys.exit(main())
