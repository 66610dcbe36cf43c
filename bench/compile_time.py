#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What cordon costs to compile: CPU seconds, best of several, without optimisation, everything in one run.

compile_time.py [--check] [--compiler CXX] [--rounds N]

headers   `#include <cordon.hpp>` against `#include <string>` and `#include <vector>`
filter    what one constant seccomp filter over 250 names adds to a translation unit that has the header

--check exits with 1 if the headers cost more than <string> and <vector>, or the filter more than 0.1 s.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[1]
HEADERS_AT_MOST = 1.0  # times <string> and <vector>
FILTER_AT_MOST = 0.1  # CPU seconds
NAMES = 250
FILTER = """
inline constexpr cordon::seccomp::listing allowed{
    cordon::seccomp::arch::x86_64, cordon::seccomp::numbers_of(cordon::seccomp::arch::x86_64, names),
    cordon::seccomp::pass, cordon::seccomp::not_permitted};
static_assert(cordon::seccomp::filter<allowed>.size() > 50);
"""


def seconds(command):
    """User and system time of one run, with that of its children."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{printed.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime


def names():
    """NAMES system calls of x86_64, spread evenly over the table."""
    table = TREE / "include/cordon/backend/seccomp/table.hpp"
    found = re.findall(r'^ *\{"(\w+)", [^{]*\{\d', table.read_text(encoding="utf-8"), re.M)
    if len(found) < NAMES:
        sys.exit(f"{table}: {len(found)} names, fewer than {NAMES}")
    return [found[i * len(found) // NAMES] for i in range(NAMES)]


def units():
    """The translation units by name. The one with a filter and the one without differ in the filter alone."""
    filtered = ('#include <cordon/backend/seccomp/filter.hpp>\n'
                f"inline constexpr std::array<std::string_view, {NAMES}> names{{{{\n"
                + "".join(f'  "{name}",\n' for name in names()) + "}};\n")
    return {
        "standard": "#include <string>\n#include <vector>\n",
        "headers": "#include <cordon.hpp>\n",
        "plain": filtered,
        "filter": filtered + FILTER,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    best = {}
    with tempfile.TemporaryDirectory() as scratch:
        sources = {name: pathlib.Path(scratch) / f"{name}.cpp" for name in units()}
        for name, text in units().items():
            sources[name].write_text(text, encoding="utf-8")
        # In rounds, so that a busy moment affects all of them.
        for _ in range(given.rounds):
            for name, source in sources.items():
                spent = seconds([given.compiler, "-std=c++20", "-O0", f"-I{TREE / 'include'}", "-c", str(source),
                                 "-o", os.devnull])
                best[name] = min(best.get(name, spent), spent)
    ratio, added = best["headers"] / best["standard"], best["filter"] - best["plain"]
    print(f"headers  {best['headers']:.3f} s, {ratio:.2f} times the {best['standard']:.3f} s of <string> and <vector>")
    print(f"filter   {added:.3f} s added by {NAMES} names ({best['filter']:.3f} s, without {best['plain']:.3f} s)")
    kept = (ratio <= HEADERS_AT_MOST, added <= FILTER_AT_MOST)
    if given.check:
        print(f"{sum(kept)} passed, {len(kept) - sum(kept)} failed, 0 skipped")
    return 0 if all(kept) or not given.check else 1


if __name__ == "__main__":
    sys.exit(main())
