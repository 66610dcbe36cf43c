#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tests the Python module.

python_module.py --library FILE --version TEXT NAME...   the cases of these files beside this one: `run` is run_test.py
python_module.py --self-test ...                         plants a fault in the module for each check: each must be found
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parents[1] / "shims" / "python"

# The file, what is replaced, by what, and a case that must then fail.
FAULTS = [
    ("_run.py", "policy=policy._handle", 'policy=Policy.parse("level process_exec")._handle', "write_outside_the_policy"),
    ("_run.py", "policy=policy._handle", 'policy=Policy.parse("level process_exec")._handle', "secret_of_the_host"),
    ("_run.py", "lib.cordon_run_cancel(self.run)", "pass", "exception_of_on_output"),
    ("_run.py", "raise listener.fault", "pass", "exception_of_on_output"),
    ("_run.py", "if stream == 1", "if stream == 2", "both_streams"),
    ("_run.py", "timeout_ms=_milliseconds(timeout)", "timeout_ms=4000", "a_timeout_is"),
    ("_run.py", "lib.cordon_run_free(started)", "pass", "no_descriptor"),
    ("_run.py", "lib.cordon_run_free(started)", "pass", "keyboard_interrupt"),
    ("_run.py", "data = input.encode()", 'data = b"two"', "both_streams"),
    ("_run.py", "if not timeout > 0:", "if timeout < 0:", "c_cannot_express"),
    ("_library.py", 'if b"\\0" in encoded:', "if not encoded:", "c_cannot_express"),
    ("_library.py", 'raise Error(taken(error)', 'raise Error(""', "file_line_and_column"),
    ("_library.py", "named or (str(beside) if beside.exists() else NAME)", "named or NAME", "found_beside"),
    ("_policy.py", "Within(found == 1", "Within(found >= 0", "names_the_excess"),
    ("_policy.py", "lib.cordon_policy_meet, self._handle, other._handle", "lib.cordon_policy_meet, self._handle, self._handle",
     "what_both_allow"),
    ("_policy.py", "lib.cordon_explain, self._handle, text_of(kind", "lib.cordon_explain, self._handle, text_of('list'",
     "with_the_deciding"),
    ("_policy.py", "None if system is None else", "None if system else", "rules_and_gaps"),
    ("_policy.py", "            self._handle = 0\n", "            self._free(self._handle)\n", "freed_once"),
]


def run_cases(options, module, files, chosen=""):
    """(cases, failures, what was printed)"""
    environment = {**os.environ, "PYTHONPATH": f"{module}:{HERE}", "CORDON_LIBRARY": str(options.library),
                   "CORDON_VERSION": options.version, "PYTHONDONTWRITEBYTECODE": "1"}
    words = ["-k", chosen] if chosen else []
    try:
        done = subprocess.run([sys.executable, "-m", "unittest", *words, *files], env=environment, cwd=HERE, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=options.longest, check=False)
    except subprocess.TimeoutExpired as late:
        return 0, 1, f"takes more than {options.longest} seconds: {late.stdout}"
    count = re.search(r"^Ran (\d+) test", done.stdout, re.M)
    cases = int(count[1]) if count else 0
    failures = sum(int(number) for number in re.findall(r"(?:failures|errors)=(\d+)", done.stdout))
    return cases, max(failures, done.returncode != 0), done.stdout


def self_test(options):
    failed = 0
    for file, was, now, case in FAULTS:
        with tempfile.TemporaryDirectory(dir="/tmp") as scratch:
            shutil.copytree(MODULE, scratch, dirs_exist_ok=True)
            target = pathlib.Path(scratch) / "cordon" / file
            text = target.read_text(encoding="utf-8")
            target.write_text(text.replace(was, now), encoding="utf-8")
            cases, failures, printed = run_cases(options, scratch, ["run_test", "policy_test"], case)
            if text.count(was) != 1 or not failures or (not cases and "Ran" in printed):
                failed += 1
                print(f"not found: {was} -> {now} in {file} ({text.count(was)} places):\n{printed}")
    print(f"{len(FAULTS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--longest", type=int, default=500, help="seconds")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("name", nargs="*")
    options = parser.parse_args()
    options.library = options.library.resolve()
    if options.self_test:
        options.longest = 20
        return self_test(options)
    cases, failures, printed = run_cases(options, MODULE, [f"{name}_test" for name in options.name])
    print(printed)
    print(f"{max(cases - failures, 0)} passed, {failures} failed, 0 skipped")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
