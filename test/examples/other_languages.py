#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles and runs the examples in C, Python and Rust.

other_languages.py --library FILE [--cc CC] [--rustc RUSTC]   a tool that misbehaves does so without an example, and not in one
other_languages.py --self-test ...                            opens the policy of each example: that must be found
"""
import argparse
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
SOURCES = {"c": "c/untrusted.c", "python": "python/untrusted.py", "rust": "rust/untrusted.rs"}
LONGEST = 100  # lines of an example

# It works in its folder, writes to the folder beside it, makes a namespace, and connects to a server of this machine.
TOOL = """#!/bin/sh
echo work > work || exit 3
echo escaped > ../outside/escaped || echo no file
/usr/bin/unshare --user true || echo no namespace
/usr/bin/python3 -c 'import socket; socket.create_connection(("127.0.0.1", PORT), 5)' || echo no server
exit 4
"""


def run(*command, **more):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=120, check=False, **more)


def program_of(language, source, top, options):
    """(the command line of an example, what its compiler says)"""
    folder, program = options.library.parent, top / "untrusted"
    if language == "python":
        return [sys.executable, source], ""
    if language == "c":
        command = [options.cc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{TREE / 'include'}", source,
                   "-o", program, f"-L{folder}", "-lcordon", f"-Wl,-rpath,{folder}"]
    else:
        command = [options.rustc, "--edition", "2021", "-D", "warnings", source, "-o", program, "-L", folder,
                   "-C", f"link-arg=-Wl,-rpath,{folder}"]
    done = run(*command, cwd=top)
    return [program], done.stdout if done.returncode else ""


def faults(language, text, options):
    """What an example does wrong, a sentence each."""
    with tempfile.TemporaryDirectory(dir="/tmp") as scratch, socket.create_server(("127.0.0.1", 0)) as server:
        top = pathlib.Path(scratch)
        source = top / pathlib.Path(SOURCES[language]).name
        source.write_text(text.replace("OUTSIDE", str(top / "outside")), encoding="utf-8")
        inside, outside = top / "inside", top / "outside"
        inside.mkdir()
        outside.mkdir()
        (inside / "tool").write_text(TOOL.replace("PORT", str(server.getsockname()[1])), encoding="utf-8")
        (inside / "tool").chmod(0o755)
        command, said = program_of(language, source, top, options)
        if said:
            return [f"it does not compile: {said}"]
        environment = {**os.environ, "CORDON_LIBRARY": str(options.library), "PYTHONPATH": str(TREE / "shims/python"),
                       "PYTHONDONTWRITEBYTECODE": "1"}
        done = run(*command, inside, "./tool", env=environment)
        wrong = [] if done.returncode == 4 else [f"ended with {done.returncode}"]
        wrong += [f"printed no `{words}`" for words in ("no file", "no namespace", "no server", "refused: ") if words not in done.stdout]
        wrong += ["the tool did not work"] if not (inside / "work").exists() else []
        wrong += ["the tool wrote outside"] if (outside / "escaped").exists() else []
        usage = run(*command, env=environment)
        wrong += [f"without arguments: {usage.returncode}"] if usage.returncode != 2 else []
        control = run("./tool", cwd=inside)
        if control.returncode != 4 or not (outside / "escaped").exists() or "no server" in control.stdout:
            wrong.append(f"without the example the tool must misbehave: {control.stdout}")
        return wrong + ([done.stdout] if wrong else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    parser.add_argument("--rustc", default="rustc")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    options.library = options.library.resolve()
    passed = failed = skipped = 0
    for language, name in SOURCES.items():
        if language == "rust" and not shutil.which(options.rustc):
            skipped += 1
            print(f"skipped: {name}: {options.rustc} is missing; install rustc")
            continue
        text = (HERE / name).read_text(encoding="utf-8")
        if options.self_test:
            wide = text.replace("run /usr", "run /usr\\nwrite OUTSIDE" if language != "python" else "run /usr\nwrite OUTSIDE")
            found = faults(language, wide, options)
            wrong = [] if any("wrote outside" in fault for fault in found) else [f"not found: {found}"]
        else:
            wrong = faults(language, text, options)
            wrong += [f"more than {LONGEST} lines"] if text.count("\n") > LONGEST else []
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"failed: {name}: {'; '.join(wrong)}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
