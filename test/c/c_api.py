#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tests the C interface as a C program uses it.

c_api.py --library FILE --version TEXT [--cc CC] [--cxx CXX...]   the header in each standard of C and C++, the names
                                                                  that the library exports, and the programs here
c_api.py --self-test ...                                          plants a fault for each check: each must be found
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
STANDARDS = ("c99", "c11", "c17", "c++11", "c++20")
FUNCTION = re.compile(r"^[a-z][\w *]*[ *](cordon_\w+)\(", re.M)


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **more)
    return None if done.returncode == 0 else done.stdout or f"ended with {done.returncode}"


def check_header(options, header, standard):
    """What the compiler says about a file that includes the header twice, or None."""
    with tempfile.TemporaryDirectory() as scratch:
        cxx = standard.startswith("c++")
        (pathlib.Path(scratch) / "cordon.h").write_text(header, encoding="utf-8")
        source = pathlib.Path(scratch) / ("one.cpp" if cxx else "one.c")
        source.write_text("#include <cordon.h>\n#include <cordon.h>\nint main(void) { return cordon_api_version(); }\n",
                          encoding="utf-8")
        command = options.cxx if cxx else [options.cc]
        return run(*command, f"-std={standard}", *WARNINGS, f"-I{scratch}", "-fsyntax-only", source)


def check_exports(library, header):
    """The functions of the header, and no other name."""
    declared = set(FUNCTION.findall(header))
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", str(library)], stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    exported = {line.split()[0] for line in listed.splitlines()}
    if len(declared) < 10:
        return f"the header declares {sorted(declared)}"
    return None if declared == exported else f"missing: {declared - exported}; not in the header: {exported - declared}"


def check_program(options, name, text):
    with tempfile.TemporaryDirectory(dir="/tmp") as scratch:
        top = pathlib.Path(scratch)
        source, program, folder = top / name, top / "program", options.library.parent
        source.write_text(text, encoding="utf-8")
        flags = [f"-I{INCLUDE}", f"-I{HERE}", f'-DCORDON_MESON_VERSION="{options.version}"']
        fault = run(options.cc, "-std=c99", *WARNINGS, *flags, source, "-pthread", "-o", program, f"-L{folder}", "-lcordon",
                    f"-Wl,-rpath,{folder}")
        if fault:
            return fault
        for part in ("inside", "outside"):
            (top / part).mkdir()
        return run(program, top, cwd=top / "outside", timeout=100)


# The program, what is replaced, and by what.
FAULTS = (
    ("policies.c", "policy:2:", "policy:3:"),
    ("policies.c", 'cordon_compile(presets, "seatbelt", NULL,', 'cordon_compile(presets, "seatbelt", "linux",'),
    ("policies.c", 'CHECK(cordon_explain(policy, "host", "example.org", NULL, NULL) == 0)',
     'CHECK(cordon_explain(policy, "host", "example.com", NULL, NULL) == 0)'),
    ("policies.c", "cordon_policy_within(narrow, wide,", "cordon_policy_within(wide, wide, &excess, &error) == 1 && "
     "cordon_policy_within(wide, narrow,"),
    ("runs.c", "== 7)", "== 8)"),
    ("runs.c", "== 124)", "== 125)"),
    ("runs.c", "= keep,", "= NULL,"),
    # Without a policy that confines, the file outside is written.
    ("runs.c", '"level process_exec\\nrun /usr\\nwrite %s\\nnetwork none\\n", inside', '"%s", "level process_exec\\n"'),
)


def self_test(options, header, sources):
    """[(name, was the fault found?)]"""
    found = [(f"a word of C++, in {standard}", check_header(options, header + "bool f(const int &);\n", standard))
             for standard in STANDARDS if not standard.startswith("c++")]
    found += [("a word of C, in C++", check_header(options, header + "void f(int class);\n", "c++20"))]
    found += [("a function that is not exported", check_exports(options.library, header + "int cordon_more(void);\n"))]
    fewer = header.replace("cordon_run_free(", "f(")
    found += [("a function that is not declared", check_exports(options.library, fewer))]
    for name, was, now in FAULTS:
        fault = check_program(options, name, sources[name].replace(was, now))
        found.append((f"{was} -> {now}", fault if was in sources[name] else None))
    return [(name, fault is not None) for name, fault in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    parser.add_argument("--cxx", nargs="+", default=["c++"])
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    options.library = options.library.resolve()
    header = (INCLUDE / "cordon.h").read_text(encoding="utf-8")
    sources = {name: (HERE / name).read_text(encoding="utf-8") for name in ("policies.c", "runs.c")}
    if options.self_test:
        checks = [(name, None if found else "its fault was not found")
                  for name, found in self_test(options, header, sources)]
    else:
        checks = [(f"cordon.h as {standard}", check_header(options, header, standard)) for standard in STANDARDS]
        checks.append(("exported names", check_exports(options.library, header)))
        checks += [(name, check_program(options, name, text)) for name, text in sources.items()]
    failed = [(name, fault) for name, fault in checks if fault]
    for name, fault in failed:
        print(f"failed: {name}: {fault}")
    print(f"{len(checks) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
