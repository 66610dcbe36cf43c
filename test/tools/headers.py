#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that each core header compiles alone, in any order and in the hosts that vendor it.

headers.py [--include DIR]... [--together] [--run] FOLDER COMPILER [FLAG...]   FOLDER is the one that holds cordon.hpp

Each header by itself without exceptions and RTTI, as GNU C++20 (a host's `linux` is a macro there); then all of them
backwards as the newest C++. --together: instead of each by itself, all of them in one file. --run: also all of them after
and before those that read documents and run programs, for which Boost is needed.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Werror"]
UPPER = ("cordon/format/", "cordon/linux/", "cordon/run/")  # these need Boost, exceptions and more


def fault(command, names, flags):
    """What the compiler says about a file with these includes, or None."""
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "one.cpp"
        source.write_text("".join(f"#include <{name}>\n" for name in names), encoding="utf-8")
        done = subprocess.run([*command, *WARNINGS, *flags, "-fsyntax-only", str(source)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", check=False)
    return done.stdout if done.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("compiler", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    command = [*(given.compiler or ["g++"]), *(f"-I{folder}" for folder in (given.folder, *given.include))]
    names = sorted(str(path.relative_to(given.folder)) for path in given.folder.rglob("*.hpp"))
    upper = [name for name in names if name.startswith(UPPER)]
    names = [name for name in names if name not in upper]
    groups = {"all": names} if given.together else {name: [name] for name in names}
    checks = [(name, group, ["-std=gnu++20", "-fno-exceptions", "-fno-rtti"]) for name, group in groups.items()]
    checks.append(("all, newest C++", names[::-1], ["-std=c++2b"]))
    if given.run:
        checks.append(("all, after those that run", upper + names, ["-std=c++20"]))
        checks.append(("all, before those that run", names + upper, ["-std=c++20"]))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = pool.map(lambda check: fault(command, *check[1:]), checks)
    for (name, _, _), said in zip(checks, faults):
        failed += said is not None
        if said is not None:
            print(f"{name}:\n{said}")
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 0 if names and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
