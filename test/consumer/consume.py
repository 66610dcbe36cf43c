#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Uses cordon as its two kinds of consumer do.

consume.py [--build DIR]   vendored as a subproject; with a built tree also installed and found by pkg-config, and refused
                           by the linker if it was compiled against the headers of another ABI
"""
import argparse
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "tools"))
import abi
from checks import Failed, run, run_checks


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


def install(scratch, build):
    """Returns: the root of an installation, and {package: flags} for its compiler."""
    root = scratch / "root"
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", root)
    packages = {path.stem: path for path in root.rglob("*.pc")}
    folders = ":".join(str(path.parent) for path in packages.values())
    flags = {}
    for package in ("cordon", "cordon-shims"):
        if package not in packages:
            raise Failed(f"{package}.pc is not installed")
        prefix = packages["cordon"].parents[2]
        flags[package] = run("pkg-config", f"--define-variable=prefix={prefix}", "--cflags", "--libs", "--static", package,
                             env={**os.environ, "PKG_CONFIG_PATH": folders}).split()
    return root, flags


def installed(scratch, build):
    """What `meson install` puts down is enough for a compiler and pkg-config."""
    root, flags = install(scratch, build)
    for package, source in (("cordon", "confined.cpp"), ("cordon-shims", "launched.cpp")):
        run("g++", "-std=c++20", HERE / source, "-o", scratch / package, *flags[package])
        run(scratch / package)
    for wanted in ("bin/cordon", "LICENSE", "cordon.hpp"):
        if not any(str(path).endswith("/" + wanted) for path in root.rglob("*")):
            raise Failed(f"{wanted} is not installed")


def of_another_abi(scratch, build):
    """What was compiled against other headers does not link."""
    root, flags = install(scratch, build)
    abi.check_symbols(next(root.rglob("libcordon-shims.a")))
    headers = next(root.rglob("cordon.hpp")).parent
    abi.check_link(scratch, headers, [flag for flag in flags["cordon-shims"] if not flag.startswith("-I")])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    given = parser.parse_args()
    checks = {"vendored": vendored}
    if given.build:
        build = given.build.resolve()
        checks["installed"] = lambda scratch: installed(scratch, build)
        checks["of another ABI"] = lambda scratch: of_another_abi(scratch, build)
    return run_checks(checks)


if __name__ == "__main__":
    sys.exit(main())
