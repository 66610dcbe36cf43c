#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Seeds bugs in a copy of the headers and shims and demands that the tests see each one.

mutate.py [--only WORD] [--jobs N] [--cxx COMPILER]   the bugs of mutants.txt, those that contain WORD
mutate.py --check                                     has each of them still its place?

A paragraph of mutants.txt is `FILE: TEST...`, FILE being relative to include/cordon, or `shims/...`, and TEST to test;
then pairs of lines `- CODE` and `+ CODE`: each pair is one bug. CODE must stand exactly once in the file, line breaks
and indentation aside. A bug is seen if the tests do not pass or a static_assert stops the build; code that does not
compile for another reason is no verdict.

Tests below linux/ run with the shims, those below live/ as root with the tool, and those below c/ with the C library. Meson builds both once, in a copy of the
project, and after each bug what it touches: one bug at a time.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["CORDON_TEST_ROUNDS"] = "all"  # as the slow suite: the quick one makes a tenth
SEEN_BY_COMPILER = re.compile(r"static assertion failed|static_assert failed|static assertion expression is not"
                              r"|non-constant condition for static assertion|is not a constant expression"
                              r"|must be initialized by a constant expression")
FORMAT = ("format/", "run/")  # these need the libraries of documents
SHIMS = ("linux/", "live/", "c/")  # and these what Meson builds of the shims
ATTEMPT = "test/attempt"  # the program that some live tests take
VERSION = re.search(r'version = "(.*)"', (ROOT / "include/cordon/version.hpp").read_text(encoding="utf-8"))[1]
C_LIBRARY = f"shims/libcordon.so.{VERSION}"
# What format/read.hpp, run/resolve.hpp and the like declare: compiled with each such test, so that bugs in headers show.
BODIES = ("shims/common/format/*.cpp", "shims/common/npm_members.cpp", "shims/common/refused.cpp", "shims/common/reported.cpp",
          "shims/common/resolve.cpp")
SHIM_LIBRARIES = ["-lboost_json", "-lboost_filesystem", "-lidn2", "-lnettle", "-lpthread"]


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
    """All positions of the code in the text, with any line breaks."""
    return list(re.finditer(r"\s+".join(map(re.escape, code.split())), text))


def file_of(root, name):
    """The file that a paragraph names, in the project at `root`."""
    return root / name if name.startswith("shims/") else root / "include/cordon" / name


def needs_shims(mutant):
    return any(test.startswith(SHIMS) for test in mutant[1])


def run(command, seconds):
    """(exit status, what was printed); a program that does not end counts as failed."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                              timeout=seconds, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return -1, "does not end"


def takes_attempt(test):
    return test.startswith("live/") and '"--attempt"' in (ROOT / "test" / test).read_text(encoding="utf-8")


class Builder:
    """Compiles tests against one folder of headers and runs them."""

    def __init__(self, compiler, scratch):
        self.compiler, self.scratch = compiler, scratch
        self.main = scratch / "main.o"
        self.one_at_a_time = threading.Lock()
        vectors = f'-DCORDON_VECTORS="{ROOT / "test/vectors"}"'
        status, said = run([compiler, "-std=c++20", "-r", "-nostdlib", vectors, str(ROOT / "test/main.cpp"),
                            str(ROOT / "test/vectors_folder.cpp"), "-o", str(self.main)], 300)
        if status:
            sys.exit(said)

    def verdict(self, include, tests):
        """`green`, `seen: WHERE`, or `no verdict: WHY`."""
        build = include.parent / "build"
        for test in tests:
            if test.startswith("live/"):
                attempt = ["--attempt", str(build / ATTEMPT)] if takes_attempt(test) else []
                status, _ = run([sys.executable, str(ROOT / "test" / test), "--cordon", str(build / "cordon"), "--user",
                                 "root", *attempt], 600)
                if status:
                    return f"seen: {test}"
                continue
            if test.startswith("c/"):
                status, _ = run([sys.executable, str(ROOT / "test" / test), "--library", str(build / C_LIBRARY), "--version",
                                 VERSION], 600)
                if status:
                    return f"seen: {test}"
                continue
            program = include.parent / "program"
            libraries = []
            if test.startswith(FORMAT):
                bodies = [str(path) for pattern in BODIES for path in sorted(include.parent.glob(pattern))]
                libraries = [*bodies, "-lboost_json", "-lidn2"]
            if test.startswith("linux/"):
                libraries = [f"-I{include.parent / 'shims'}", str(build / "shims/libcordon-shims.a"), *SHIM_LIBRARIES]
            # Optimised as the suite is: tests try less where they are slow.
            status, said = run([self.compiler, "-std=c++20", "-O1", f"-I{include}", f"-I{ROOT / 'test'}",
                                str(ROOT / "test" / test), str(self.main),
                                "-o", str(program), *libraries], 300)
            if status:
                if SEEN_BY_COMPILER.search(said):
                    return f"seen: {test} (compiler)"
                return f"no verdict: {test} does not compile:\n{said[:2000]}"
            status, said = run([str(program)], 120)
            if status:
                return f"seen: {test}" + (" (crash)" if status < -1 or "[doctest]" not in said else "")
        return "green"

    def build_shims(self, tests):
        """What the tests need of the shims, in the copy of the project; what was printed if it does not compile."""
        tree = self.scratch / "tree"
        if not tree.exists():
            def no_source(folder, names):
                return [name for name in names if pathlib.Path(folder) == ROOT and name.startswith((".git", "build"))]
            shutil.copytree(ROOT, tree, ignore=no_source)
            status, said = run(["meson", "setup", str(tree / "build"), str(tree)], 300)
            if status:
                return said
        tool = ["cordon"] if any(test.startswith("live/") for test in tests) else []
        tool += [ATTEMPT] if any(takes_attempt(test) for test in tests) else []
        library = [C_LIBRARY] if any(test.startswith("c/") for test in tests) else []
        status, said = run(["ninja", "-C", str(tree / "build"), "shims/libcordon-shims.a", *tool, *library], 1800)
        return said[-2000:] if status else ""

    def with_shims(self, tests, mutant=None):
        """The verdict on the copy of the project, or on that copy with a bug."""
        said = self.build_shims(tests)
        tree = self.scratch / "tree"
        if said or mutant is None:
            return f"no verdict: the shims do not compile:\n{said}" if said else self.verdict(tree / "include", tests)
        path = file_of(tree, mutant[0])
        text = path.read_text(encoding="utf-8")
        found = places(text, mutant[2])
        if len(found) != 1:
            return f"no verdict: stands {len(found)} times"
        try:
            path.write_text(text[:found[0].start()] + mutant[3] + text[found[0].end():], encoding="utf-8")
            return self.with_shims(tests)
        finally:
            path.write_text(text, encoding="utf-8")

    def of_mutant(self, mutant):
        header, tests, old, new = mutant
        if needs_shims(mutant):
            with self.one_at_a_time:
                return self.with_shims(tests, mutant)
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            include = pathlib.Path(folder) / "include"
            shutil.copytree(ROOT / "include", include)
            shutil.copytree(ROOT / "shims/common", include.parent / "shims/common")
            path = file_of(include.parent, header)
            text = path.read_text(encoding="utf-8")
            found = places(text, old)
            if len(found) != 1:
                return f"no verdict: stands {len(found)} times"
            path.write_text(text[:found[0].start()] + new + text[found[0].end():], encoding="utf-8")
            return self.verdict(include, tests)


def check(mutants):
    """The number of bugs whose text the sources lack, or have several times."""
    lost = 0
    for name, _, old, _ in mutants:
        found = len(places(file_of(ROOT, name).read_text(encoding="utf-8"), old))
        if found != 1:
            lost += 1
            print(f"{name}: stands {found} times: {old.strip()}")
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
        shutil.copytree(ROOT / "shims/common", scratch / "clean/shims/common")
        for test in sorted({test for mutant in mutants for test in mutant[1]}):
            verdict = (builder.with_shims([test]) if test.startswith(SHIMS)
                       else builder.verdict(scratch / "clean/include", [test]))
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
