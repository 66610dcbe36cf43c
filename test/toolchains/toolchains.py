#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs a host project (host/) with the compilers, the options and the ways of consumption that cordon's users
have. Each pair of a compiler, a mode and a way occurs.

toolchains.py --build DIR [--jobs N] [--folder DIR] [NAME...]
    rows whose name contains one of NAME, or all but those for newer releases of Meson and Boost
    build: a built tree, from which cordon is installed; folder: keeps what was fetched from other Debian suites
"""
import argparse
import os
import pathlib
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "live"), str(HERE.parent / "tools")]
from checks import Failed, run
from support.account import Unavailable
from support.results import Results
from support.suites import Suites

COMPILERS = ["g++", "clang++-14", "clang++-16", "clang++-19"]
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wuseless-cast"
# Debian's and Fedora's flags for packages (dpkg-buildflags --get CXXFLAGS; redhat-rpm-config).
HARDENED = ("-O2 -g0 -fstack-protector-strong -fstack-clash-protection -fcf-protection -Wformat -Werror=format-security "
            "-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS -fexceptions")
# Mode -> the flags of a compiler that is called directly or by CMake, the options of Meson.
MODES = {
    "default": ("", []),
    "release+LTO": ("-O3 -flto", ["-Dbuildtype=release", "-Db_lto=true"]),
    "hardened": (HARDENED, [f"-Dcpp_args={HARDENED}", "-Dcpp_link_args=-Wl,-z,relro,-z,now", "-Db_pie=true"]),
    "strict": (WARNINGS + " -Werror", ["-Dwerror=true", "-Dwarning_level=everything"]),
    "UBSan": ("-fsanitize=undefined -fno-sanitize-recover=all", ["-Db_sanitize=undefined", "-Db_lundef=false"]),
    "unity": ("", ["-Dunity=on", "-Dunity_size=1000"]),
}
UNITS = ["-Dunity=on", "-Dunity_size=8"]  # a launcher in half the time
# These build all of cordon again, and are for a release: by name only.
BY_NAME = ("Meson of", "newest Boost")
WAYS = ["subproject", "wrap", "pkg-config", "find_package", "add_subdirectory"]


def copy_of_tree(to):
    """What git knows of this tree, as it is now."""
    names = run("git", "-C", TREE, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, names):
        if (TREE / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TREE / name, to / name)


class Toolchains:
    """What the rows share: a copy of cordon, one that is installed, and a repository for a wrap."""

    def __init__(self, scratch, folder):
        self.scratch = scratch
        self.suites = Suites(folder)
        self.copy = scratch / "cordon"
        copy_of_tree(self.copy)
        self.prefix = scratch / "installed"

    def install(self, build):
        """What a package for developers has, moved to another folder than the one that it was made for."""
        root = self.scratch / "root"
        run("meson", "install", "-C", build, "--no-rebuild", "--tags", "devel", "--destdir", root)
        shutil.move(next(root.rglob("include/cordon.hpp")).parents[1], self.prefix)

    def make_repository(self):
        for words in (["init", "-q"], ["add", "-A"],
                      ["-c", "user.name=host", "-c", "user.email=host@localhost", "commit", "-qm", "copy"]):
            run("git", "-C", self.copy, *words)

    def meson_host(self, place, compiler, way, options):
        """A Meson host with cordon as a folder below subprojects, or by a wrap file alone."""
        shutil.copytree(HERE / "host", place)
        subprojects = place / "subprojects"
        subprojects.mkdir(exist_ok=True)
        provide = "\n[provide]\ndependency_names = cordon, cordon-shims\n"
        if way == "subproject":
            shutil.copytree(self.copy, subprojects / "cordon", ignore=shutil.ignore_patterns(".git"))
            (subprojects / "cordon.wrap").write_text("[wrap-file]\ndirectory = cordon\n" + provide, encoding="utf-8")
        else:
            (subprojects / "cordon.wrap").write_text(
                f"[wrap-git]\nurl = file://{self.copy}\nrevision = HEAD\n" + provide, encoding="utf-8")
        run("meson", "setup", place / "build", place, *options, env={**os.environ, "CXX": compiler})
        return place / "build"

    def direct(self, place, compiler, flags, package, source):
        """By pkg-config and one call of the compiler."""
        place.mkdir(exist_ok=True)
        folders = ":".join({str(path.parent) for path in self.prefix.rglob("*.pc")})
        words = run("pkg-config", f"--define-variable=prefix={self.prefix}", "--cflags", "--libs", "--static", package,
                    env={**os.environ, "PKG_CONFIG_PATH": folders}).split()
        program = place / source
        run(compiler, "-std=c++20", *flags.split(), HERE / "host" / f"{source}.cpp", "-o", program, *words)
        return program

    def cmake_host(self, place, compiler, way, flags, unity):
        shutil.copytree(HERE / "host", place)
        where = f"-DCMAKE_PREFIX_PATH={self.prefix}" if way == "find_package" else f"-DCORDON_SOURCE={self.copy}"
        run("cmake", "-G", "Ninja", "-S", place, "-B", place / "build", where, f"-DCMAKE_CXX_COMPILER={compiler}",
            f"-DCMAKE_CXX_FLAGS={flags}", f"-DCMAKE_UNITY_BUILD={'ON' if unity else 'OFF'}")
        return place / "build"

    def row(self, compiler, mode, way, launcher):
        """Builds the host and runs it."""
        place = self.scratch / f"{mode}-{way}".replace("+", "-")
        flags, options = MODES[mode]
        if "clang" in compiler:
            flags = flags.replace(" -Wuseless-cast", "")
        programs = ["algebra"] + (["launcher"] if launcher else [])
        if way == "pkg-config":
            built = {p: self.direct(place, compiler, flags, "cordon-shims" if p == "launcher" else "cordon", p)
                     for p in programs}
        else:
            if way in ("subproject", "wrap"):
                # A host as most are compiles each file by itself; so do cordon's own builds.
                few = [] if mode in ("default", "unity") or not launcher else UNITS
                build = self.meson_host(place, compiler, way, [*options, *few])
            else:
                build = self.cmake_host(place, compiler, way, flags, mode == "unity")
            run("ninja", "-C", build, "-j1", *programs)
            built = {p: build / p for p in programs}
        run(built["algebra"])
        if launcher:
            (place / "run").mkdir()
            run(built["launcher"], place / "run")
        shutil.rmtree(place)

    def thread_sanitizer(self):
        """Runs from several threads, under a sanitizer that ends the host at a data race."""
        place = self.scratch / "threads"
        build = self.meson_host(place, "g++", "subproject", ["-Db_sanitize=thread", "-Db_lundef=false", *UNITS])
        run("ninja", "-C", build, "-j1", "pool")
        run(build / "pool", env={**os.environ, "TSAN_OPTIONS": "halt_on_error=1"})
        shutil.rmtree(place)

    def newer_meson(self, suite):
        """The library and the tool alone, by the Meson of a newer Debian."""
        place = self.scratch / f"meson-{suite}"
        with self.suites.unpacked(f"meson/{suite}", "./usr/lib/python3/dist-packages/*", "./usr/share/meson*") as files:
            shutil.copytree(files, place)
        path = {**os.environ, "PYTHONPATH": str(place / "usr/lib/python3/dist-packages")}
        program = place / "meson.py"  # it calls itself by this name
        program.write_text("import sys\nfrom mesonbuild.mesonmain import main\nsys.exit(main())\n", encoding="utf-8")
        meson = [sys.executable, program]
        if run(*meson, "--version", env=path) == run("meson", "--version"):
            raise Failed("it is the Meson of this system")
        run(*meson, "setup", "--wrap-mode=nodownload", place / "build", self.copy, "-Doptimization=0", env=path)
        run("ninja", "-C", place / "build", "-j1", "cordon", env=path)
        said = run(place / "build" / "cordon", "run", "--read", "/", "--", "/bin/echo", "started")
        if said.splitlines()[-1] != "started":
            raise Failed(said)
        shutil.rmtree(place)

    def newest_boost(self):
        """The launcher's sources, and a host of Boost.Process, against the newest headers of Boost."""
        place = self.scratch / "boost"
        package = self.suites.newest(r"libboost1\.[0-9]+-dev")
        with self.suites.unpacked(f"{package}/sid", "./usr/include/boost/*") as files:
            shutil.copytree(pathlib.Path(files) / "usr/include", place)
        run("meson", "setup", "--wrap-mode=nodownload", place / "build", self.copy, "-Doptimization=0",
            f"-Dcpp_args=-isystem{place}")
        run("ninja", "-C", place / "build", "-j1", "shims/libcordon-shims.a")
        version = run("g++", f"-isystem{place}", "-E", "-P", "-x", "c++", "-", input="#include <boost/version.hpp>\nBOOST_VERSION\n")
        if int(version.split()[-1]) < 108600:
            raise Failed(f"Boost is {version.split()[-1]}")
        shutil.rmtree(place)


def rows(these):
    """Name -> a function that does it."""
    for i, mode in enumerate(MODES):
        for k, way in enumerate(WAYS):
            compiler = COMPILERS[(i + k) % len(COMPILERS)]
            # The launcher is built with the host's options in the first way only: it takes a minute.
            launcher = (way == "subproject" and mode in ("default", "release+LTO", "hardened", "strict")) or (way in ("pkg-config", "find_package") and mode in ("default", "hardened"))
            yield f"{mode}, {way}, {compiler}", (
                lambda c=compiler, m=mode, w=way, l=launcher: these.row(c, m, w, l))
    yield "TSan", these.thread_sanitizer
    for suite in ("bookworm-backports", "sid"):
        yield f"Meson of {suite}", lambda s=suite: these.newer_meson(s)
    yield "newest Boost", these.newest_boost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    results = Results(verbose=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or pathlib.Path(scratch) / "suites"
        folder.mkdir(parents=True, exist_ok=True)
        these = Toolchains(pathlib.Path(scratch), folder)
        wanted = {name: act for name, act in rows(these)
                  if any(part in name for part in given.names) or not (given.names or name.startswith(BY_NAME))}
        if any("pkg-config" in name or "find_package" in name for name in wanted):
            these.install(given.build.resolve())
        these.make_repository()

        def judge(name):
            try:
                wanted[name]()
            except Unavailable as why:
                results.skipped(name, str(why))
            except (Failed, OSError) as fault:
                results.failed(name, str(fault))
            else:
                results.passed(name)

        with ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(judge, wanted))
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
