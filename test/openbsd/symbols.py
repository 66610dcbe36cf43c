#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that the launcher for OpenBSD uses calls of the C library alone, each by the name in its manual.

symbols.py ARCHIVE"""
import subprocess
import sys

CALLS = set("__errno _exit close closefrom dup2 execve fchdir fcntl fork kill pipe pledge read setrlimit setsid signal "
            "sigprocmask unveil waitpid write".split())
GUARD = {"__guard_local", "__stack_smash_handler"}  # of the compiler's stack protector


def main(archive):
    told = subprocess.run(["nm", archive], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in told.splitlines() if line and not line.endswith(":")]
    wanted = {row[-1] for row in rows if row[-2] == "U"} - GUARD
    problems = [f"wants {name}" for name in sorted(wanted - CALLS)]
    problems += [f"never calls {name}" for name in sorted(CALLS - wanted)]
    if not any("openbsd_shim6launch" in row[-1] and row[-2] == "T" for row in rows):
        problems.append("there is no launch")
    for problem in problems:
        print(f"failed: {problem}")
    print(f"{len(CALLS) - len(problems)} passed, {len(problems)} failed, 0 skipped")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
