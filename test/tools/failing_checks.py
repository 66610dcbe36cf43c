#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs a program whose checks all fail, and looks in its output for the texts after `prints:` in its source.

failing_checks.py PROGRAM SOURCE

The checks of each test framework in SOURCE promise the same texts. Frameworks break long lines, so that white space
does not count.
"""
import pathlib
import re
import subprocess
import sys


def main():
    program, source = sys.argv[1:]
    promised = sorted(set(re.findall(r"// prints: (.*)", pathlib.Path(source).read_text(encoding="utf-8"))))
    ran = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    printed = " ".join(ran.stdout.split())
    missing = [text for text in promised if text not in printed]
    for text in missing:
        print(f"failed: does not print: {text}")
    # A negative status is a crash, which is no failed check.
    wrong = len(missing) + (ran.returncode <= 0)
    if wrong:
        print(f"exit status {ran.returncode}:\n{ran.stdout}")
    print(f"{len(promised) - len(missing)} passed, {wrong} failed, 0 skipped")
    return 1 if wrong or not promised else 0


if __name__ == "__main__":
    sys.exit(main())
