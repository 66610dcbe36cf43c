# SPDX-License-Identifier: BSL-1.0
"""Checks that build and run projects: commands whose failure fails a check, and the sum of several checks."""
import pathlib
import subprocess
import tempfile


class Failed(Exception):
    pass


def run(*command, status=0, **more):
    """What the command printed. Raises: Failed if it ends with another status."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)
    if done.returncode != status:
        raise Failed(f"{' '.join(map(str, command))} ended with {done.returncode}, not {status}:\n{done.stdout[-6000:]}")
    return done.stdout


def run_checks(checks):
    """Calls each function of {name: function} with a scratch folder of its own. Returns: the exit status."""
    failed = 0
    for name, check in checks.items():
        with tempfile.TemporaryDirectory() as scratch:
            try:
                check(pathlib.Path(scratch).resolve())
                print(f"passed: {name}")
            except (Failed, subprocess.TimeoutExpired) as fault:
                failed += 1
                print(f"failed: {name}: {fault}")
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0
