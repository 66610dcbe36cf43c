#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Uses cordon as its two kinds of consumer do.

consume.py [--build DIR]   vendored as a subproject; with a built tree also installed and found by pkg-config
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]


class Failed(Exception):
    pass


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def vendored(scratch):
    """A C++17 host with warnings as errors builds, and nothing of cordon is compiled on the way."""
    host = scratch / "host"
    shutil.copytree(HERE, host)
    guest = host / "subprojects" / "cordon"
    guest.mkdir()
    for name in ("meson.build", "LICENSE", "include", "shims"):
        copy = shutil.copytree if (TREE / name).is_dir() else shutil.copy
        copy(TREE / name, guest / name)
    run("meson", "setup", "--wrap-mode=nodownload", host / "build", host)
    run("ninja", "-C", host / "build")
    run("meson", "test", "-C", host / "build", "--no-rebuild")
    built = [path.name for path in (host / "build" / "subprojects").rglob("*.[ao]")]
    if built:
        raise Failed(f"the host asked for headers and built {built}")


def installed(scratch, build):
    """What `meson install` puts down is enough for a compiler and pkg-config."""
    root = scratch / "root"
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", root)
    packages = {path.stem: path for path in root.rglob("*.pc")}
    folders = ":".join(str(path.parent) for path in packages.values())
    for package, source in (("cordon", "confined.cpp"), ("cordon-shims", "launched.cpp")):
        if package not in packages:
            raise Failed(f"{package}.pc is not installed")
        prefix = packages["cordon"].parents[2]
        flags = run("pkg-config", f"--define-variable=prefix={prefix}", "--cflags", "--libs", "--static", package,
                    env={**os.environ, "PKG_CONFIG_PATH": folders}).split()
        run("g++", "-std=c++20", HERE / source, "-o", scratch / package, *flags)
        run(scratch / package)
    for wanted in ("bin/cordon", "LICENSE", "cordon.hpp"):
        if not any(str(path).endswith("/" + wanted) for path in root.rglob("*")):
            raise Failed(f"{wanted} is not installed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    given = parser.parse_args()
    checks = [("vendored", vendored, ())]
    if given.build:
        checks.append(("installed", installed, (given.build.resolve(),)))
    failed = 0
    for name, check, arguments in checks:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                check(pathlib.Path(scratch), *arguments)
                print(f"ok: {name}")
            except Failed as fault:
                failed += 1
                print(f"FAILED: {name}: {fault}")
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
