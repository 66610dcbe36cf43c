#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The variables of a program by options and policy files, and their names in the report."""
import json
import os
import pathlib
import re
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

SILENT = 'level process_exec\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nread /etc\nwrite {}\nnetwork none\n'
MINE = {"MINE": "1", "OTHER": "2", "LC_PAPER": "de"}
WORDS = ["sh", "-c", 'echo "${MINE-none} ${OTHER-none} ${GIVEN-none} ${LC_PAPER-none}"']


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken

    def program(self, *options, policy=None):
        """What the program sees of the variables; of the caller's own where nothing is confined."""
        files = [] if policy is None else ["--policy", write(f"{self.workspace}/../p", policy)]
        command = [] if self.broken else [self.cordon, "run", "--workspace", self.workspace, *files, *options, "--"]
        if policy is not None and not self.broken:
            command = [w for w in command if w not in ("--workspace", self.workspace)]
        return self.run([*command, *WORDS], **MINE)

    def report(self, *options):
        if self.broken:
            return {"environment_dropped": [], "run": "", "started": "", "host": "", "cordon": "", "executor": "",
                    "policy_digest": "", "policy": {}}
        ended = self.run([self.cordon, "run", "--workspace", self.workspace, *options, "--json", "--", "true"], **MINE)
        return json.loads(ended.out)


def expect(ended, words, status=0):
    told = ended.out.strip()
    return [] if ended.status == status and told == words else [f"status {ended.status}, {told!r}: {ended.err[-300:]}"]


def dropped_without_options(s):
    return expect(s.program(), "none none none de")


def named(s):
    return expect(s.program("--env", "MINE", "--env", "GIVEN=x"), "1 none x de")


def named_where_the_file_is_silent(s):
    policy = SILENT.format(s.workspace)
    return (expect(s.program("--env", "MINE", "--env", "GIVEN=x", policy=policy), "1 none x de") +
            expect(s.program("--env-mode", "replace", "--env", "MINE", policy=policy), "1 none none none"))


def named_where_the_file_speaks(s):
    policy = SILENT.format(s.workspace) + "pass PATH MINE OTHER\n"
    ended = s.program("--env", "GIVEN=x", policy=policy)
    problems = [] if ended.status == 125 and "--env would add" in ended.err else [f"{ended.status}: {ended.err[-300:]}"]
    return (problems + expect(s.program("--env", "MINE=5", policy=policy), "5 2 none none") +
            expect(s.program("--env-remove", "OTH*", policy=policy), "1 none none none") +
            expect(s.program("--env-mode", "replace", "--env", "OTHER", policy=policy), "none 2 none none"))


def replaced(s):
    return expect(s.program("--env-mode", "replace", "--env", "GIVEN=x", "--env", "OTHER"), "none 2 x none")


def removed(s):
    return expect(s.program("--env", "MINE", "--env-remove", "MINE", "--env-remove", "LC_*"), "none none none none")


def offline(s):
    """Where no host can be reached, variables tell the tools; the caller has the last word."""
    words = ["sh", "-c", 'echo "${npm_config_offline-unset} ${PIP_NO_INDEX-unset}"']

    def run(*options):
        cordon = [] if s.broken else [s.cordon, "run", "--workspace", s.workspace, *options, "--"]
        return s.run([*cordon, *words])
    return (expect(run(), "true 1") + expect(run("--env", "npm_config_offline=false"), "false 1") +
            ([] if s.broken else expect(run("--network", "any"), "unset unset")))


def bad_words(s):
    problems = []
    for options in (["--env-mode", "append"], ["--env-remove", "A*B"], ["--env-remove", "A=1"]):
        ended = s.program(*options)
        if ended.status != 125 or options[0] not in ended.err:
            problems.append(f"{options}: {ended.status}: {ended.err[-200:]}")
    return problems


def names_in_the_report(s):
    dropped = s.report("--env", "MINE")["environment_dropped"]
    return [] if "OTHER" in dropped and "MINE" not in dropped and "LC_PAPER" not in dropped else [str(dropped)]


def one_run_from_another(s):
    before = time.time()
    one, two = s.report(), s.report()
    problems = [] if one["run"] != two["run"] and re.fullmatch("[0-9a-f]{32}", one["run"]) else [one["run"]]
    at = re.fullmatch(r"(\d+-\d+-\d+T\d+:\d+:\d+)\.(\d{3})Z", one["started"])
    if not at:
        return problems + [f"started: {one['started']!r}"]
    from calendar import timegm
    started = timegm(time.strptime(at[1], "%Y-%m-%dT%H:%M:%S")) + int(at[2]) / 1000
    if not before - 0.001 <= started <= time.time():
        problems.append(f"started: {one['started']}")
    # A build from a checkout also shows the commit, which a report does not.
    version = re.fullmatch(r"cordon (\d+\.\d+\.\d+)( \([\w-]+\))?\n", s.run([s.cordon, "--version"]).out)
    if one["host"] != socket.gethostname() or not version or one["cordon"] != version[1]:
        problems.append(f"host {one['host']}, version {one['cordon']}")
    if not one["executor"].startswith("linux/"):
        problems.append(one["executor"])
    return problems


def policy_in_force(s):
    plain, hardened = s.report(), s.report("--profile", "os_hardened")
    different = plain["policy_digest"] != hardened["policy_digest"]
    return [] if different and hardened["policy"].get("profile") == "os_hardened" else ["the same policy"]


ROWS = {
    "offline: variables tell tools that no host can be reached": offline,
    "dropped without options": dropped_without_options,
    "named": named,
    "named where the policy file is silent": named_where_the_file_is_silent,
    "named where the policy file speaks": named_where_the_file_speaks,
    "replaced": replaced,
    "removed": removed,
    "invalid names": bad_words,
    "names in the report": names_in_the_report,
    "one run from another": one_run_from_another,
    "the policy in force": policy_in_force,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "as they are"))
