#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles constants of the size that include/cordon/README.md promises, within the compiler's limits by default.

constant_limits.py [--include DIR]... COMPILER [FLAG...]
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SIZE = 256
HEAD = """#include <cordon.hpp>
#include <cordon/backend/landlock.hpp>
#include <cordon/notation/literals.hpp>
using namespace cordon::dsl;
using namespace cordon::literals;
"""
# Sorted input would hide the cost of the sort.
ORDER = random.Random(1).sample(range(SIZE), SIZE)


def policy(name, clauses):
    return f"constexpr cordon::policy {name} = cordon::policy_of({{{', '.join(clauses)}}});\n"


def literal(line):
    """A literal with a line for each number."""
    return 'constexpr const cordon::policy& p = R"(' + "".join(line(i) + "\n" for i in ORDER) + ')"_policy;\n'


def paths(below):
    """Grants of SIZE paths, with rights that differ from each other and from can_write."""
    return [f'{("can_read", "can_run", "hidden")[i % 3]}("/srv/application/{below}{i:03}")' for i in ORDER]


def hosts(domain):
    return [f'can_connect("host{i:03}.{domain}:443")' for i in ORDER]


PROGRAMS = {
    "paths in a literal": literal(lambda i: f"{('read', 'run', 'write')[i % 3]} /srv/application/directory{i:03}"),
    "hosts in a literal": literal(lambda i: f"connect host{i:03}.example.com:443"),
    "variables in a literal": literal(lambda i: f"pass VARIABLE_{i:03}"),
    "paths in policy_of": policy("p", paths("directory")),
    "hosts in policy_of": policy("p", hosts("example.com")),
    "hidden paths in landlock::compile":
        policy("p", ['can_write("/srv")', *(f'hidden("/srv/application/d{i:03}")' for i in ORDER)])
        + "static_assert(cordon::landlock::compile(p, {.abi = 7}).error.code == cordon::diagnostic_code::ok);\n",
    "different paths in a & b":
        policy("a", ['can_write("/srv")', *paths("one")]) + policy("b", ['can_write("/srv")', *paths("other")])
        + "static_assert((a & b) <= a);\n",
    "different hosts in a & b":
        policy("a", ['can_connect("example.org")', *hosts("example.com")])
        + policy("b", ['can_connect("example.com")', *hosts("example.org")]) + "static_assert((a & b) <= a);\n",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("compiler", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    command = [*(given.compiler or ["g++"]), *(f"-I{folder}" for folder in given.include), "-std=c++20", "-fsyntax-only"]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "constant.cpp"
        for name, text in PROGRAMS.items():
            source.write_text(HEAD + text, encoding="utf-8")
            done = subprocess.run([*command, str(source)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**os.environ, "LC_ALL": "C"}, errors="replace", check=False)
            failed += done.returncode != 0
            print(f"{'passed' if done.returncode == 0 else 'failed'}: {SIZE} {name}")
            if done.returncode != 0:
                print(done.stdout[-3000:])
    print(f"{len(PROGRAMS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
