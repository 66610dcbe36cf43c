#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Real tools under the filters alone: each does the same work unconfined, under the baseline and under strict with a
network, and must end and print alike (test/live/attacks/strict_tools.py has strict without one). A tool that is not installed
is skipped by name.

tools_run.py CONFINED [NAME...]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tools_more import MORE
from tools_work import WORK

MODES = (["baseline"], ["strict", "network"])


def do(prefix, files, script):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        environment = {**os.environ, "LC_ALL": "C", "npm_config_update_notifier": "false"}
        done = subprocess.run([*prefix, "sh", "-ec", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=240, check=False)
        return done.returncode, done.stdout.replace(os.fsencode(scratch), b"."), done.stderr


def in_force(confined):
    """Does each filter refuse at all? Tools that do not notice a filter would not notice a missing one either."""
    for mode in MODES:
        done = subprocess.run([confined, *mode, "--", "unshare", "--user", "true"], capture_output=True, check=False)
        if done.returncode == 0:
            return False
    return True


def main(arguments):
    confined, only = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    if subprocess.run([confined, "baseline", "--", "true"], capture_output=True, check=False).returncode == 77:
        print("no seccomp filters on this kernel")
        return 77
    passed, failed, skipped = 0, 0 if in_force(confined) else 1, 0
    if failed:
        print("failed: the filter refuses nothing")
    for name, program, files, script in WORK + MORE:
        if only and name not in only:
            continue
        if not shutil.which(program):
            print(f"skipped: {name} is not installed")
            skipped += 1
            continue
        free = do([], files, script)
        if free[0] != 0:
            print(f"failed: {name} does not do its work unconfined", free[2].decode(errors="replace"))
            failed += 1
            continue
        for mode in MODES:
            bound = do([confined, *mode, "--"], files, script)
            if bound[:2] == free[:2]:
                passed += 1
                continue
            failed += 1
            print(f"failed: {name} under {' '.join(mode)}: status {bound[0]}, {bound[1]!r} instead of {free[1]!r}")
            print(bound[2].decode(errors="replace"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
