#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that every source is in the build: Meson has no glob, and a test that nobody lists never runs.

listed.py [ROOT]   each .cpp below shims, test and bench, and each test program in Python, is named in the nearest
                   meson.build of its folder or of one above; exit 1 and one line for each that is not
"""
import pathlib
import sys

# Compiled by rejects.py and consume.py, called by .ci/run.
ELSEWHERE = ("test/rejects/", "test/consumer/", "test/live/attacks/jobs.py", "test/live/cli/windows_command.py",
             "test/live/kernels/kernels.py", "test/tools/summary.py", "test/tools/mutate.py",
             "test/tools/mutate_steps.py")


def is_listed(path, root):
    for folder in path.parents:
        build = folder / "meson.build"
        if build.is_file():
            return f"'{path.relative_to(folder)}'" in build.read_text(encoding="utf-8")
        if folder == root:
            return False
    return False


def is_program(path):
    return path.suffix == ".cpp" or path.read_text(encoding="utf-8").startswith("#!")


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else __file__).resolve()
    root = root if arguments else root.parents[2]
    sources = [path for top in ("shims", "test", "bench") for path in sorted((root / top).rglob("*"))
               if path.suffix in (".cpp", ".py") and not str(path.relative_to(root)).startswith(ELSEWHERE)]
    wanted = [path for path in sources if is_program(path)]
    missing = [path for path in wanted if not is_listed(path, root)]
    for path in missing:
        print(f"{path.relative_to(root)}: no meson.build lists it")
    print(f"{len(wanted) - len(missing)} passed, {len(missing)} failed, 0 skipped")
    return 1 if missing or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
