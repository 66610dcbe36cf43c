#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that every source is in the build: Meson has no glob, and a test that no meson.build lists never runs. Checks,
too, that no test of test/live imports another one.

listed.py [ROOT]   each .cpp below shims, test and bench, and each test program in Python, is named in the nearest
                   meson.build of its folder or of one above; what test/live imports of its own is a module of support,
                   or one beside the importing file, and never a test; exit 1 and one line for each fault
"""
import ast
import pathlib
import sys

# Compiled by rejects.py, consume.py, packaging.py and toolchains.py, run by other_languages.py, called by .ci/run.
ELSEWHERE = ("test/rejects/", "test/consumer/", "test/examples/python/", "test/packaging/host/", "test/toolchains/",
             "test/live/attacks/jobs.py", "test/live/cli/windows_command.py", "test/live/kernels/kernels.py",
             "test/tools/summary.py", "test/tools/mutate.py",
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


def imports(path):
    """The modules that a file imports, with a dot in front where it says so: `os`, `support.rows`, `.rows`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield "." * node.level + node.module
        elif isinstance(node, ast.ImportFrom):
            yield from ("." * node.level + alias.name for alias in node.names)


def wrong_imports(live):
    """What the files of a folder like test/live import that they may not, a line for each."""
    files = set(live.glob("*/*.py"))
    stems = {path.stem for path in files}
    for path in sorted(files):
        if path.parent.name == "support" and is_program(path):
            yield f"{path.parent.name}/{path.name}: a test in support, which is for modules"
        for name in imports(path):
            first = name.lstrip(".").split(".")[0]
            beside = path.with_name(f"{first}.py")
            if first == "support" or (beside in files and not is_program(beside)):
                continue
            if beside in files:
                fault = "a test"
            elif (live / first).is_dir() or (first in stems and first not in sys.stdlib_module_names):
                fault = "a module of another folder"
            else:
                continue
            yield f"{path.parent.name}/{path.name}: imports {name}, {fault}; what two tests need belongs in support"


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else __file__).resolve()
    root = root if arguments else root.parents[2]
    sources = [path for top in ("shims", "test", "bench") for path in sorted((root / top).rglob("*"))
               if path.suffix in (".cpp", ".py") and not str(path.relative_to(root)).startswith(ELSEWHERE)]
    wanted = [path for path in sources if is_program(path)]
    missing = [path for path in wanted if not is_listed(path, root)]
    for path in missing:
        print(f"{path.relative_to(root)}: no meson.build lists it")
    wrong = list(wrong_imports(root / "test/live"))
    for line in wrong:
        print(f"test/live/{line}")
    print(f"{len(wanted) - len(missing)} passed, {len(missing) + len(wrong)} failed, 0 skipped")
    return 1 if missing or wrong or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
