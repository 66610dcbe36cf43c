#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Takes each step of a launch's set-up away in a copy of the tree and demands that the tests of the shim turn red.

mutate_steps.py [--only WORD]   the steps whose name contains WORD
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ("shims/linux/child/child.cpp", "shims/linux/isolation/init_isolated.cpp", "shims/linux/isolation/init_wrapped.cpp")
STAGE = re.compile(r"\{launch_stage::(\w+), (\w+)\}")
TARGET = "test/cordon_linux_tests"


def call(words, folder, seconds):
    try:
        done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                              timeout=seconds, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return -1, "does not end"


def verdict(build):
    status, said = call(["ninja", TARGET], build, 900)
    if status:
        return f"no verdict: it does not compile:\n{said[-2000:]}"
    status, said = call([f"./{TARGET}"], build, 120)
    if status == 0:
        return "green"
    cases = re.findall(r"TEST CASE:\s*(.*)", said.partition("ERROR:")[0])
    return "seen: " + (cases[-1] if cases else said.strip()[-80:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    only = parser.parse_args().only
    seen = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree, build = pathlib.Path(folder) / "tree", pathlib.Path(folder) / "build"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", "build*"))
        status, said = call(["meson", "setup", str(build), "-Doptimization=1", "-Dcpp_args=-Wno-unused-function"], tree,
                            300)
        if status:
            sys.exit(said)
        clean = verdict(build)
        if clean != "green":
            sys.exit(f"without a bug: {clean}")
        for source in SOURCES:
            path = tree / source
            text = path.read_text(encoding="utf-8")
            for stage in STAGE.finditer(text):
                name = f"{path.stem}: {stage[1]}"
                if only not in name:
                    continue
                nothing = f"{{launch_stage::{stage[1]}, [](auto&) noexcept {{ return 0; }}}}"
                path.write_text(text[:stage.start()] + nothing + text[stage.end():], encoding="utf-8")
                found = verdict(build)
                good = found.startswith("seen")
                seen, failed = seen + good, failed + (not good)
                print(f"{name}: {found}", flush=True)
            path.write_text(text, encoding="utf-8")
    print(f"{seen} passed, {failed} failed, 0 skipped")
    return 0 if seen and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
