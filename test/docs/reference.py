#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that every public type, function and member has a sentence, as doxygen sees it.

reference.py --doxygen FILE DOXYFILE               builds the reference; each warning is a fault
reference.py --doxygen FILE DOXYFILE --self-test   removes a sentence at a time from a copy of a header: each must be missed

DOXYFILE is Doxyfile.in with the values of the build.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
# (header, the first words of a declaration, what a warning about it names)
PLANTED = [("run/digest.hpp", "[[nodiscard]] std::string digest_of(", "digest_of"),
           ("policy/dsl.hpp", "[[nodiscard]] constexpr clause can_read(", "can_read"),
           ("run/outcome.hpp", "struct outcome {", "outcome"),
           ("gap/file_type.hpp", "enum class file_type ", "file_type")]
FAULT = re.compile(r"(?:warning|error): ")


def faults(doxygen, settings):
    """The warnings of a run with these settings, one a line."""
    done = subprocess.run([doxygen, "-"], input=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = [line for line in done.stdout.splitlines() if FAULT.search(line)]
    if done.returncode and not found:
        found.append(f"doxygen ended with {done.returncode}: {done.stdout[-400:]}")
    return found


def without_sentence(text, declaration):
    """The text without the comment directly above a declaration."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(declaration))
    first = at
    while lines[first - 1].startswith("///"):
        first -= 1
    if first == at:
        raise ValueError(f"{declaration} has no comment above it")
    return "\n".join(lines[:first] + lines[at:]) + "\n"


def self_test(doxygen, settings):
    failed = 0
    for header, declaration, name in PLANTED:
        with tempfile.TemporaryDirectory() as scratch:
            copy = pathlib.Path(scratch) / "include" / header
            copy.parent.mkdir(parents=True)
            text = (TREE / "include/cordon" / header).read_text(encoding="utf-8")
            for planted, body in ((False, text), (True, without_sentence(text, declaration))):
                copy.write_text(body, encoding="utf-8")
                found = faults(doxygen, f"{settings}\nINPUT = {scratch}/include\nOUTPUT_DIRECTORY = {scratch}\nSTRIP_FROM_PATH =\n")
                if any(name in line for line in found) != planted:
                    failed += 1
                    print(f"failed: {header} {'without' if planted else 'with'} a sentence above {name}: {found}")
    print(f"{2 * len(PLANTED) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--doxygen", required=True)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("doxyfile", type=pathlib.Path)
    given = parser.parse_args()
    settings = given.doxyfile.read_text(encoding="utf-8")
    if given.self_test:
        return self_test(given.doxygen, settings)
    with tempfile.TemporaryDirectory() as scratch:
        found = faults(given.doxygen, f"{settings}\nOUTPUT_DIRECTORY = {scratch}\n")
    for fault in found:
        print(f"failed: {fault}")
    print(f"{0 if found else 1} passed, {len(found)} failed, 0 skipped")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
