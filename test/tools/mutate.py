#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Seeds bugs in a copy of the headers and demands that the tests see each one.

mutate.py [--only WORD] [--jobs N] [--cxx COMPILER]   the bugs of mutants.txt, those that contain WORD
mutate.py --check                                     has each of them still its place?

A paragraph of mutants.txt is `HEADER: TEST...` (relative to include/cordon and test), then pairs of lines
`- CODE` and `+ CODE`: each pair is one bug. CODE must stand exactly once in the header, line breaks and indentation
aside. A bug is seen if the tests do not pass or a static_assert stops the build; code that does not compile for another
reason is no verdict.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEN_BY_COMPILER = re.compile(r"static assertion failed|static_assert failed|static assertion expression is not"
                              r"|non-constant condition for static assertion|is not a constant expression"
                              r"|must be initialized by a constant expression")
FORMAT = ("format/", "run/glob", "run/named_directory", "run/project")  # these need the libraries for documents


def read_mutants(text):
    """(header, tests, old, new) of each bug."""
    mutants, header, tests, old = [], None, [], None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("- "):
            old = line[2:]
        elif line.startswith("+ ") or line == "+":
            mutants.append((header, tests, old, line[2:]))
        elif ": " in line:
            header, _, names = line.partition(": ")
            tests = names.split()
        else:
            sys.exit(f"mutants.txt:{number}: neither a header nor a bug")
    return mutants


def places(text, code):
    """Where the code stands in the text, however it is broken into lines."""
    return list(re.finditer(r"\s+".join(map(re.escape, code.split())), text))


def run(command, seconds):
    """(exit status, what was printed); a program that does not end counts as failed."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                              timeout=seconds, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return -1, "does not end"


class Builder:
    """Compiles tests against one folder of headers and runs them."""

    def __init__(self, compiler, scratch):
        self.compiler, self.scratch = compiler, scratch
        self.main = scratch / "main.o"
        status, said = run([compiler, "-std=c++20", "-c", str(ROOT / "test/main.cpp"), "-o", str(self.main)], 300)
        if status:
            sys.exit(said)

    def verdict(self, include, tests):
        """`green`, `seen: WHERE`, or `no verdict: WHY`."""
        for test in tests:
            program = include.parent / "program"
            libraries = ["-lboost_json", "-lidn2"] if test.startswith(FORMAT) else []
            vectors = ROOT / "test/vectors"
            # Optimised like the suite: slow builds run fewer rounds.
            status, said = run([self.compiler, "-std=c++20", "-O1", f"-I{include}", f"-I{ROOT / 'test'}",
                                f'-DCORDON_VECTORS="{vectors}"', str(ROOT / "test" / test), str(self.main),
                                "-o", str(program), *libraries], 300)
            if status:
                if SEEN_BY_COMPILER.search(said):
                    return f"seen: {test} (compiler)"
                return f"no verdict: {test} does not compile:\n{said[:2000]}"
            status, said = run([str(program)], 120)
            if status:
                return f"seen: {test}" + (" (crash)" if status < -1 or "[doctest]" not in said else "")
        return "green"

    def of_mutant(self, mutant):
        header, tests, old, new = mutant
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            include = pathlib.Path(folder) / "include"
            shutil.copytree(ROOT / "include", include)
            path = include / "cordon" / header
            text = path.read_text(encoding="utf-8")
            found = places(text, old)
            if len(found) != 1:
                return f"no verdict: stands {len(found)} times"
            path.write_text(text[:found[0].start()] + new + text[found[0].end():], encoding="utf-8")
            return self.verdict(include, tests)


def check(mutants):
    """How many bugs have no place any more, or several."""
    lost = 0
    for header, _, old, _ in mutants:
        found = len(places((ROOT / "include/cordon" / header).read_text(encoding="utf-8"), old))
        if found != 1:
            lost += 1
            print(f"{header}: stands {found} times: {old.strip()}")
    print(f"{len(mutants) - lost} passed, {lost} failed, 0 skipped")
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--check", action="store_true", help="only look whether each bug still has its place")
    given = parser.parse_args()
    text = pathlib.Path(__file__).with_name("mutants.txt").read_text(encoding="utf-8")
    mutants = [m for m in read_mutants(text) if given.only in " ".join([m[0], *m[1], m[2], m[3]])]
    if given.check:
        return 1 if check(mutants) else 0
    seen = failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        scratch = pathlib.Path(folder)
        builder = Builder(given.cxx, scratch)
        (scratch / "clean").mkdir()
        shutil.copytree(ROOT / "include", scratch / "clean/include")
        for test in sorted({test for mutant in mutants for test in mutant[1]}):
            verdict = builder.verdict(scratch / "clean/include", [test])
            if verdict != "green":
                print(f"without a bug: {verdict}")
                failed += 1
        for mutant, verdict in zip(mutants, pool.map(builder.of_mutant, mutants)):
            good = verdict.startswith("seen")
            seen, failed = seen + good, failed + (not good)
            print(f"{mutant[0]}: {verdict}\n    - {mutant[2].strip()}\n    + {mutant[3].strip()}", flush=True)
    print(f"{seen} passed, {failed} failed, 0 skipped")
    return 0 if seen and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
