#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A static cordon under other kernels, as root and as the user `nobody`, in emulated machines and on this one. Each act
that is not refused must be a gap of the report, each line of doctor must agree with the results, each limit of class
enforced must hold, and os_hardened must start exactly where no gap is unenforced."""
import argparse
import os
import pathlib
import platform
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Unavailable
from support.results import Results
from comparison import HELD, IMPOSSIBLE, OPEN, WRONG, Blind, Comparison
from guest import USERS, Tree, boot, run_here
from packages import KERNELS, Packages
from script import BACKENDS, Script

PROGRAMS = {"cordon": "cordon_static", "attempt": "attempt", "guest": "guest"}


def table(comparisons):
    """One column for each machine, user and backend."""
    columns = [(comparison, user, backend) for comparison in comparisons for user in USERS for backend in BACKENDS]
    acts = list(dict.fromkeys(act for comparison in comparisons for _, _, act in comparison.cells))
    lines = [" " * 38 + " ".join(f"{comparison.name:>11}" for comparison in comparisons),
             " " * 38 + " ".join("Nr Lr Nn Ln" for _ in comparisons)]
    for act in acts:
        cells = [comparison.cells.get((user, backend, act), "") for comparison, user, backend in columns]
        lines.append(f"{act:38}" + " ".join(f"{cell:>2}" for cell in cells))
    lines.append(f"{HELD} as it must be, {OPEN} a stated gap, {IMPOSSIBLE} not possible there, {WRONG} wrong, blank: "
                 "the backend does not work; N namespaces, L Landlock, r root, n the user `nobody`")
    return "\n".join(lines)


def programs_of(folder):
    programs = {}
    for name, file in PROGRAMS.items():
        with open(os.path.join(folder, file), "rb") as opened:
            programs[name] = opened.read()
    return programs


def emulated(kernel, image, programs):
    """Compares the results under a kernel in an emulator with the claims of cordon."""
    script = Script("/world", ("plain", "group"))
    begin = time.monotonic()
    told = boot(kernel.architecture, image, Tree(script.plan, programs).archive("/world", programs["guest"]))
    comparison = Comparison(str(kernel), script, told, True)
    comparison.seconds = time.monotonic() - begin
    return comparison


def here(programs, kind=Comparison):
    """The same of this machine's own kernel."""
    if os.geteuid() != 0:
        raise Unavailable("root is needed")
    top = tempfile.mkdtemp(prefix="cordon-live-")
    os.chmod(top, 0o755)
    try:
        script = Script(top, ("plain",))
        begin = time.monotonic()
        comparison = kind("here", script, run_here(Tree(script.plan, programs), top, programs["guest"]), False)
        comparison.seconds = time.monotonic() - begin
        return comparison
    finally:
        shutil.rmtree(top, ignore_errors=True)


def jobs_of(options, pool, results):
    """The jobs by name, slowest first."""
    programs = {arch: programs_of(folder) for arch, folder in vars(options).items() if arch in ("amd64", "arm64") and folder}
    packages = Packages(options.packages)
    jobs = {}
    for kernel in sorted(KERNELS, key=lambda kernel: kernel.architecture, reverse=True):
        if options.only not in str(kernel):
            continue
        try:
            if kernel.architecture not in programs:
                raise Unavailable("no programs of that architecture")
            jobs[str(kernel)] = pool.submit(emulated, kernel, packages.kernel(kernel), programs[kernel.architecture])
        except (Unavailable, OSError) as missing:
            results.skipped(str(kernel), str(missing))
    native = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine())
    if native in programs and options.only in "here":
        jobs["here"] = pool.submit(here, programs[native])
    return jobs


def compared(options, results):
    comparisons = []
    with ThreadPoolExecutor(2) as pool:
        for name, job in jobs_of(options, pool, results).items():
            try:
                comparisons.append(job.result())
            except (Unavailable, OSError) as missing:
                results.skipped(name, str(missing))
    return comparisons


def tell(comparison, options, results):
    if options.log:
        os.makedirs(options.log, exist_ok=True)
        with open(os.path.join(options.log, comparison.name.replace(" ", "-")), "w", encoding="utf-8") as file:
            file.write(comparison.told.log)
    for remark in comparison.remarks:
        print("remark:", remark)
    for problem in comparison.problems:
        results.failed(problem, "")
    results.counts["passed"] += comparison.checked - len(comparison.problems)
    told = comparison.told
    print(f"{comparison.name}: Landlock ABI {max(0, told.abi)}, {len(told.ended)} runs, {comparison.seconds:.1f} s")


def self_test(options, results):
    """On this machine: that each act which must be refused is noticed where it is not."""
    comparison = here(programs_of(options.amd64 or options.arm64), Blind)
    comparison.all()
    refused = {row.label for row in comparison.script.table if row.confined != "happens"}
    for (user, backend, act), cell in comparison.cells.items():
        if act in refused and cell != IMPOSSIBLE:
            results.check(f"{user}, {backend}: {act}", [] if cell == WRONG else ["passes where nothing is confined"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", required=True, help="a folder for kernels and libraries, which are fetched once")
    for architecture in ("amd64", "arm64"):
        parser.add_argument(f"--{architecture}", help=f"a folder with {', '.join(PROGRAMS.values())} for it, all static")
    parser.add_argument("--libraries", metavar=("ARCH", "TRIPLET"), nargs=2, help="fetch static libraries, and no more")
    parser.add_argument("--log", help="a directory for the machines' output")
    parser.add_argument("--only", default="", help="machines whose name contains this")
    parser.add_argument("--self-test", action="store_true", help="prove that each of the acts can fail")
    options = parser.parse_args()
    results = Results()
    try:
        if options.libraries:
            print(Packages(options.packages).libraries(*options.libraries))
            return 0
        if options.self_test:
            self_test(options, results)
            return results.end()
    except (Unavailable, OSError) as missing:
        results.skipped("all machines", str(missing))
        return results.end()
    comparisons = compared(options, results)
    for comparison in comparisons:
        comparison.all()
    print(table(comparisons))
    for comparison in comparisons:
        tell(comparison, options, results)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
