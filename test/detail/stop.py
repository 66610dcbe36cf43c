#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that each stop at run time writes its sentence to stderr and aborts.

stop.py PROGRAM"""
import signal
import subprocess
import sys

TOO_LARGE = "cordon: this policy holds more than its storage: "
BAD_PATH = "cordon: the path is wrong: it is not absolute and in normal form; "
STOPS = {
    "policy_of": 'cordon: clause 2, can_write("data"): the path is not absolute and in normal form; '
                 "write it as /dir/file\n",
    "policy_of twice": 'cordon: clause 2, can_write("/a"): clause 1 names the same; ',
    "policy_of large": "cordon: the policy holds more than its storage: ",
    "meet": TOO_LARGE,
    "narrow path": BAD_PATH,
    "narrow": TOO_LARGE,
    "widen path": BAD_PATH,
    "widen": TOO_LARGE,
    "widen limit": "cordon: the limit is wrong: it is 0, ",
    "limit": "cordon: the limit is wrong: it is 0, ",
    "stack": "cordon: a scope of policy_stack ends too early: ",
}


def fault(program, way, sentence):
    """Why the stop is not as it should be, or None."""
    done = subprocess.run([program, way, "data"], capture_output=True, text=True, check=False)
    if done.returncode != -signal.SIGABRT:
        return f"ended with {done.returncode}"
    lines = done.stderr.splitlines()
    if not done.stderr.startswith(sentence) or len(lines) != 1 or ": " not in lines[0][8:] or "; " not in lines[0]:
        return f"wrote {done.stderr!r}"
    return None


def main(program):
    failed = 0
    for way, sentence in STOPS.items():
        wrong = fault(program, way, sentence)
        failed += wrong is not None
        print(f"{way}: {wrong or 'stops with its sentence'}")
    print(f"{len(STOPS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
