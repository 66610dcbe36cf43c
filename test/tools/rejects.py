#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that wrong programs do not compile, each for its own reason.

rejects.py [--include DIR]... FOLDER COMPILER [FLAG...]

Each *.cpp below FOLDER starts with `// prints: WORDS`: compiling it must fail and print WORDS (several such lines: all of
them; `A || B` in a line: one of them, if compilers differ). Compiled with -DCONTROL it must pass, else it fails for
another reason than the one it names.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

PROMISE = "// prints: "


def promised(source):
    """The words of the leading `// prints:` lines."""
    words = []
    for line in source.read_text(encoding="utf-8").splitlines():
        if not line.startswith(PROMISE):
            break
        words.append(line[len(PROMISE):].strip())
    return words


def compile_with(command, source, *flags):
    """(exit status, what was printed) of one compilation; messages are English and in plain ASCII in any locale."""
    plain = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run([*command, *flags, "-std=c++20", "-fsyntax-only", str(source)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=plain, errors="replace", check=False)
    return done.returncode, done.stdout


def fault(command, source):
    """Why this file is not the reject it claims to be, or None."""
    words = promised(source)
    if not words or not all(words):
        return f"does not start with `{PROMISE}WORDS`"
    status, printed = compile_with(command, source, "-DCONTROL")
    if status != 0:
        return f"its control does not compile:\n{printed}"
    status, printed = compile_with(command, source)
    if status == 0:
        return "compiles"
    # A crash of the compiler or a missing header is not a verdict on the program.
    if status != 1 or re.search(r"internal compiler error|PLEASE submit a bug|fatal error:", printed):
        return f"breaks the compiler (status {status}):\n{printed}"
    # Compilers quote source lines: words that occur only in the rejected file prove nothing.
    own = {line.strip() for line in source.read_text(encoding="utf-8").splitlines()}
    said = "\n".join(line for line in printed.splitlines() if re.sub(r"^\s*\d*\s*\| ", "", line).strip() not in own)
    missing = [word for word in words if not any(one in said for one in word.split(" || "))]
    if missing:
        return "\n".join([*(f"does not print: {word}" for word in missing), printed])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("compiler", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    command = [*(given.compiler or ["g++"]), *(f"-I{folder}" for folder in given.include)]
    sources = sorted(given.folder.rglob("*.cpp"))
    failed = 0
    for source in sources:
        wrong = fault(command, source)
        failed += wrong is not None
        print(f"{source.name}: {wrong or 'refused as promised'}")
    if not sources:
        print(f"{given.folder}: nothing to check")
    print(f"{len(sources) - failed} passed, {failed} failed, 0 skipped")
    return 0 if sources and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
