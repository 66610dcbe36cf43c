#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Performs each row of exit_status.tsv. A row without a function that performs it is a failure."""
import argparse
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable, current
from support.exit_status_cases import ACTS, Stage
from support.results import Results

HERE = os.path.dirname(os.path.abspath(__file__))


def judge(stage, command, wanted, ended):
    problems = list(stage.problems)
    if ended.status != wanted:
        problems.append(f"status {ended.status}, not {wanted}: {ended.err.strip()[-300:]}")
    if command == "run" and wanted in (125, 126, 127):
        if not ended.told_by_cordon():
            problems.append("no line on stderr starts with `cordon: `")
        if os.path.exists(stage.marker):
            problems.append("the program has been started")
    if command != "run" and wanted == 2:
        if not re.search(r"^\S+/policy\.json:\d+:\d+: \S", ended.err, re.M):
            problems.append("no file:line:column: message on stderr")
        if ended.out:
            problems.append("something is on stdout")
    return problems


def act(options, results, command, text, wanted):
    name = f"{options.user}: {command}: {text}"
    function = ACTS.get((command, text))
    if function is None:
        return results.failed(name, "no function performs this row")
    stage = Stage(Account(options.user), options.cordon, options.attempt)
    stage.faulty = options.faulty
    try:
        return results.check(name, judge(stage, command, wanted, function(stage)))
    except Unavailable as missing:
        return results.skipped(name, str(missing))
    finally:
        stage.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cordon", default=os.environ.get("CORDON"), required="CORDON" not in os.environ)
    parser.add_argument("--attempt", required=True)
    parser.add_argument("--table", default=os.path.join(HERE, "../..", "vectors", "exit_status.tsv"))
    parser.add_argument("--user", choices=("root", "nobody"), default=current())
    parser.add_argument("--faulty", help="a cordon whose landlock rules differ from the policy, for the row of verify")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    results = Results(options.json, options.verbose)
    seen = set()
    try:
        with open(options.table, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
        for command, text, status, *_note in lines[1:]:
            seen.add((command, text))
            act(options, results, command, text, int(status))
        for command, text in sorted(set(ACTS) - seen):
            results.failed(f"{command}: {text}", "is no row of the table")
    except Unavailable as missing:
        results.skipped(f"all rows as {options.user}", str(missing))
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
