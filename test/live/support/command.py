# SPDX-License-Identifier: BSL-1.0
"""The command line of a live test, and its proof that each result can fail."""
import argparse
import re
import subprocess
import sys

from .account import Account, Unavailable, current
from .results import Record, Results


def parser_of(doc, things):
    """The options that every live test has."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--user", choices=("root", "nobody", "both"), default=current(), help="both: at once")
    parser.add_argument("--only", default="", help=f"{things} whose name contains this")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print passed checks too")
    parser.add_argument("--self-test", action="store_true", help=f"prove that each of the {things} can fail")
    return parser


def turned(options, run, control, nothing, left_out=()):
    """The results of `run` without confinement, inverted: a check that passes there cannot detect a fault. A control
    that fails is a failure here too. Names that end with one of `left_out` do not depend on confinement."""
    seen = Record()
    run(options, seen)
    results = Results(options.json, options.verbose)
    for result, name, detail in seen.results:
        if left_out and name.endswith(left_out):
            continue
        if result == "skipped":
            results.skipped(name, detail)
        elif result == "failed" and control not in detail:
            results.passed(name, detail)
        else:
            results.failed(name, detail or f"passes {nothing}")
    return results


def run_rows(rows, make_stage):
    """A `run` of rows: each says what is wrong on a stage of its own."""
    def run(options, results):
        for name, act in rows.items():
            if options.only not in name:
                continue
            stage = make_stage(Account(options.user), options)
            try:
                problems = act(stage)
            except (RuntimeError, OSError) as e:
                problems = [str(e)]
            finally:
                stage.close()
            results.check(f"{options.user}: {name}", problems)
    return run


def end_both():
    """The same command line as either user at once, and the sum of both; the exit status."""
    users = [subprocess.Popen([sys.executable, *sys.argv, "--user", user] if "--" not in sys.argv else
                              [sys.executable, *sys.argv[:sys.argv.index("--")], "--user", user,
                               *sys.argv[sys.argv.index("--"):]], stdout=subprocess.PIPE, text=True)
             for user in ("root", "nobody")]
    total = Results()
    for process in users:
        told = process.communicate()[0]
        lines = told.rstrip("\n").split("\n")
        numbers = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", lines[-1])
        print("\n".join(lines[:-1] if numbers else lines))
        for word, number in zip(total.counts, numbers.groups() if numbers else (0, 1, 0)):
            total.counts[word] += int(number)
        if process.returncode not in (0, 77) and numbers and numbers[2] == "0":
            total.failed("a user's results", f"status {process.returncode}")
    return total.end()


def end(options, run, self_test, things):
    """Runs the test or its proof, prints the sum and returns the exit status."""
    if options.user == "both":
        return end_both()
    results = Results(options.json, options.verbose)
    try:
        if options.self_test:
            results = self_test(options)
        else:
            run(options, results)
    except Unavailable as missing:
        results.skipped(f"all {things} as {options.user}", str(missing))
    return results.end()


def main(doc, things, run, nothing, left_out=()):
    """The whole command line of a test of cordon. Its proof: with `options.broken`, which is `nothing` in words, each of
    the `things` must come out otherwise."""
    parser = parser_of(doc, things)
    parser.add_argument("--cordon", required=True)
    options = parser.parse_args()
    options.broken = False

    def self_test(options):
        options.broken = True
        return turned(options, run, "the control: ", nothing, left_out)

    return end(options, run, self_test, things)
