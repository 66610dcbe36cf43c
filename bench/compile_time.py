#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What cordon costs to compile: CPU seconds, without optimisation.

compile_time.py [--check] [--compiler CXX] [--rounds N]

headers   each header of HEADERS, which a program includes to write, read or run a policy, against `#include <string>`
          and `#include <vector>`
filter    what one constant seccomp filter over 250 names adds to a translation unit that has the header

Other work on the machine makes a compiler slower for seconds. So each header is compiled directly after what it is
compared with, in rounds, and the median of these ratios counts. Of the filter, the best times count.

--check compares the instructions of the compiler instead, which valgrind counts: they are the same at each run. It exits
with 1 if a header or the filter costs more than its bound.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[1]
# Times <string> and <vector>, at most. run/async_run.hpp has no bound: it includes Boost.Asio.
HEADERS = {"cordon.hpp": 1.0, "run/run.hpp": 2.0, "run/report.hpp": 2.0, "run/load.hpp": 2.0, "run/record.hpp": 2.0,
           "run/run_pool.hpp": None, "run/async_run.hpp": None, "format/read.hpp": 2.0, "format/write.hpp": 2.0,
           "linux/workspace_files.hpp": 2.0, "linux/prepare.hpp": 2.0}
UNBOUNDED_ROUNDS = 3
FILTER_ROUNDS = 15
FILTER_AT_MOST = 0.35  # times <string> and <vector>: less than 0.1 s
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


def instructions(command):
    """The instructions of one run, with those of its children."""
    done = subprocess.run(["valgrind", "--trace-children=yes", "--tool=cachegrind", "--cache-sim=no",
                           f"--cachegrind-out-file={os.devnull}", *command], capture_output=True, text=True, check=False)
    counts = re.findall(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode or not counts:
        sys.exit(f"{' '.join(command)} under valgrind failed:\n{done.stderr}")
    return sum(int(count.replace(",", "")) for count in counts)


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
        "plain": filtered,
        "filter": filtered + FILTER,
        **{name: f"#include <{name if name == 'cordon.hpp' else 'cordon/' + name}>\n" for name in HEADERS},
    }


def check(command_of):
    """Prints a line for each bounded header and for the filter, and whether it keeps its bound."""
    bounded = {name: at_most for name, at_most in HEADERS.items() if at_most}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        units = ["standard", "plain", "filter", *bounded]
        spent = dict(zip(units, pool.map(lambda name: instructions(command_of(name)), units)))
    spent["filter"] -= spent["plain"]
    for name, at_most in {"filter": FILTER_AT_MOST, **bounded}.items():
        ratio = spent[name] / spent["standard"]
        print(f"{name:25} {ratio:.3f} times the instructions for <string> and <vector> (at most {at_most})")
        yield ratio <= at_most


def measure(rounds, command_of):
    """Prints a line for each header: its best time, and the median of its ratios."""
    best, ratios = {}, {name: [] for name in HEADERS}

    def compiled(name):
        spent = seconds(command_of(name))
        best[name] = min(best.get(name, spent), spent)
        return spent

    for each in range(rounds):
        for name, at_most in HEADERS.items():
            if at_most or each < UNBOUNDED_ROUNDS:
                standard = compiled("standard")
                ratios[name].append(compiled(name) / standard)
    print(f"{'<string> and <vector>':25} {best['standard']:.3f} s")
    for name, at_most in HEADERS.items():
        bound = f"at most {at_most}" if at_most else "no bound"
        print(f"{name:25} {best[name]:.3f} s, {statistics.median(ratios[name]):.2f} times <string> and <vector> ({bound})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sources = {name: pathlib.Path(scratch) / f"{name.replace('/', '_')}.cpp" for name in units()}
        for name, text in units().items():
            sources[name].write_text(text, encoding="utf-8")

        def command_of(name):
            return [given.compiler, "-std=c++20", "-O0", f"-I{TREE / 'include'}", "-c", str(sources[name]), "-o", os.devnull]

        if not given.check:
            plain, filtered = (min(seconds(command_of(name)) for _ in range(FILTER_ROUNDS)) for name in ("plain", "filter"))
            print(f"{'filter':25} {filtered - plain:.3f} s added by {NAMES} names ({filtered:.3f} s, without {plain:.3f} s)",
                  flush=True)
            return measure(given.rounds, command_of)
        kept = list(check(command_of))
    print(f"{sum(kept)} passed, {len(kept) - sum(kept)} failed, 0 skipped")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
