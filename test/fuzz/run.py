#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs the fuzzers under the address and undefined behaviour sanitizers.

run.py [--seconds N] [--compiler CLANG] [SOURCE...]     N seconds of each, from its corpus
run.py --seeded [SOURCE...]                            a bug is planted for each, which it must find

Ends with `N passed, N failed, N skipped`. An input that breaks an invariant is printed, and kept in the current folder.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIBRARIES = {"cordon_json": ["-lboost_json", "-lidn2"], "requested_host": ["-lidn2"]}
# What the headers of documents only declare.
BODIES = {"cordon_json": sorted((ROOT / "shims/common/format").glob("*.cpp"))}
# Seeded bugs: header, code, replacement.
SEEDED = {
    "notation": ("notation/words.hpp", "if (c == 'x') {", "if (c == 'X') {"),
    "cordon_json": ("format/write.hpp", 'if (p.level != level::network) to', 'if (p.level < level::read_only) to'),
    "host_pattern": ("host/pattern.hpp", "if (r.first == r.last) return;", "if (r.first != r.last) return;"),
    "requested_host": ("host/requested_host.hpp", "return n.found && n.value != 0;", "return n.found;"),
    "path": ("policy/path.hpp", "while (size != 0 && out[--size] != '/') {}", "while (size != 0 && out[size--] != '/') {}"),
}


def build(compiler, name, include, to):
    command = [compiler, "-std=c++20", "-O1", "-g", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all",
               f"-I{include}", str(HERE / f"{name}.cpp"), *map(str, BODIES.get(name, [])), "-o", str(to),
               *LIBRARIES.get(name, [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout


def fuzz(program, name, seconds, folder):
    """Exit status and what was printed; new inputs are not kept."""
    corpus = folder / "found"
    corpus.mkdir(exist_ok=True)
    command = [str(program), f"-max_total_time={seconds}", "-max_len=4096", "-verbosity=0", "-print_final_stats=1",
               f"-artifact_prefix={name}-", str(corpus), str(HERE / "corpus" / name)]
    words = HERE / f"{name}.dict"
    if words.exists():
        command.insert(1, f"-dict={words}")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", check=False)
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("sources", nargs="*", type=pathlib.Path, default=sorted(HERE.glob("*.cpp")))
    parser.add_argument("--seeded", action="store_true")
    parser.add_argument("--compiler", default="clang++-19")
    options = parser.parse_args()
    if shutil.which(options.compiler) is None:
        print(f"skipped: {options.compiler} is missing\n0 passed, 0 failed, 1 skipped")
        return 77
    passed = failed = 0
    for name in [source.stem for source in options.sources]:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            include = ROOT / "include"
            if options.seeded:
                include = folder / "include"
                shutil.copytree(ROOT / "include", include)
                header, old, new = SEEDED[name]
                path = include / "cordon" / header
                text = path.read_text(encoding="utf-8")
                assert text.count(old) == 1, f"{header} has not exactly one {old!r}"
                path.write_text(text.replace(old, new), encoding="utf-8")
            trouble = build(options.compiler, name, include, folder / name)
            status, said = (1, trouble) if trouble else fuzz(folder / name, name, options.seconds, folder)
            found = not trouble and status != 0
            good = found if options.seeded else status == 0
            runs = [line for line in said.splitlines() if "number_of_executed_units" in line]
            print(f"{'passed' if good else 'FAILED'}: {name}: {'a bug found' if found else ' '.join(runs) or 'nothing'}")
            if not good:
                print(said[-3000:])
            if options.seeded:
                for left in pathlib.Path().glob(f"{name}-crash-*"):
                    left.unlink()
            passed += good
            failed += not good
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
