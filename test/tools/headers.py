#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that each core header compiles alone, in any order and in the hosts that vendor it.

headers.py [--include DIR]... FOLDER COMPILER [FLAG...]   FOLDER is the one that holds cordon.hpp

Each header by itself without exceptions and RTTI, as GNU C++20 (a host's `linux` is a macro there); then all of them
backwards as the newest C++.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

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
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("compiler", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    command = [*(given.compiler or ["g++"]), *(f"-I{folder}" for folder in (given.folder, *given.include))]
    names = sorted(str(path.relative_to(given.folder)) for path in given.folder.rglob("*.hpp"))
    names = [name for name in names if not name.startswith(UPPER)]
    checks = [(name, [name], ["-std=gnu++20", "-fno-exceptions", "-fno-rtti"]) for name in names]
    checks.append(("all, newest C++", names[::-1], ["-std=c++2b"]))
    failed = 0
    for name, included, flags in checks:
        said = fault(command, included, flags)
        failed += said is not None
        if said is not None:
            print(f"{name}:\n{said}")
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 0 if names and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
