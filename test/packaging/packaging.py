#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Uses cordon from CMake, pkg-config and a wrap, as its packages are used.

packaging.py --build DIR               installs a built tree, moves it to another folder, and builds hosts against it
packaging.py --build DIR --self-test   plants faults in what was installed; each must be found
packaging.py --launcher                the recipe of shims/README.md, which builds the launcher inside a CMake project
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "tools"))
from checks import Failed, run
POLICY = '{"cordon": 1, "files": [{"path": "/usr", "rights": "run"}], "network": "none"}\n'
VENDORED = ("meson.build", "LICENSE", "include", "shims")


def copy_of_tree(target):
    """What a project that vendors cordon needs."""
    target.mkdir(parents=True)
    for name in VENDORED:
        copy = shutil.copytree if (TREE / name).is_dir() else shutil.copy
        copy(TREE / name, target / name)
    return target


class Place:
    """A scratch folder with one installation."""

    def __init__(self, scratch, build):
        self.scratch = scratch
        self.policy = scratch / "job.json"
        self.policy.write_text(POLICY, encoding="utf-8")
        self.count = 0
        self.options = []  # for CMake, in every host
        self.prefix = None
        if build:
            run("meson", "install", "-C", build, "--no-rebuild", "--tags", "devel", "--destdir", scratch / "root")
            self.prefix = next((scratch / "root").rglob("include/cordon.hpp")).parents[1]

    def move(self):
        self.prefix = self.prefix.rename(self.scratch / "moved")

    def find(self, pattern):
        found = list(self.prefix.rglob(pattern))
        if len(found) != 1:
            raise Failed(f"{len(found)} files {pattern} are installed")
        return found[0]

    def folder(self):
        self.count += 1
        return self.scratch / str(self.count)

    def edit(self, pattern, old, new):
        """Plants a fault in an installed file."""
        file = self.find(pattern)
        text = file.read_text(encoding="utf-8")
        if old not in text:
            raise Failed(f"{file.name} has no text {old}")
        file.write_text(text.replace(old, new), encoding="utf-8")

    def found_by(self):
        """The option with which CMake finds the installation."""
        return [f"-DCMAKE_PREFIX_PATH={self.prefix}"] if self.prefix else []

    def environment(self):
        """The same for pkg-config."""
        folders = {str(file.parent) for file in self.prefix.rglob("*.pc")} if self.prefix else set()
        return {**os.environ, "PKG_CONFIG_PATH": ":".join(sorted(folders))}

    def host(self, way, *options):
        """Builds the host, and returns its build folder."""
        build = self.folder()
        run("cmake", "-G", "Ninja", f"-DWAY={way}", *options, *self.options, *self.found_by(), "-S", HERE / "host", "-B", build,
            env=self.environment())
        run("ninja", "-C", build)
        return build


def check_headers(build):
    run(build / "algebra")
    wanted = re.search(r"version: '([0-9.]+)'", (TREE / "meson.build").read_text(encoding="utf-8"))[1]
    printed = run(build / "version").strip()
    if printed != wanted:
        raise Failed(f"the headers are of version {printed}, not {wanted}")


def exported(library):
    """The symbols of a shared object that mention cordon or a function of the launcher."""
    names = run("nm", "-DC", "--defined-only", library).splitlines()
    return [name for name in names if "cordon::" in name]


def check_launcher(place, build):
    run(build / "launch", place.policy, cwd="/usr")
    plugin = build / "libplugin.so"
    if exported(plugin):
        raise Failed(f"the shared object exports {len(exported(plugin))} symbols of cordon: {exported(plugin)[:3]}")
    # In a process of its own, as a fault would end it.
    run(sys.executable, "-c", "import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).run_echo(sys.argv[2].encode()))",
        plugin, place.policy, cwd="/usr")


def package_headers(place):
    """find_package for the headers, which looks for no library."""
    build = place.host("package", "-DVERSION=0.1", "-DCOMPONENTS=headers")
    check_headers(build)
    if "Boost_DIR" in (build / "CMakeCache.txt").read_text(encoding="utf-8"):
        raise Failed("it looked for Boost")


def package_launcher(place):
    """find_package with cordon::shims: a program and a shared object."""
    check_launcher(place, place.host("package"))


def pkg_config(place):
    """The same by IMPORTED_TARGET of pkg_check_modules."""
    build = place.host("pkg-config")
    check_headers(build)
    check_launcher(place, build)


def no_absolute_paths(place):
    """No installed text file names a folder of this machine."""
    for pattern in ("*.pc", "*.cmake"):
        for file in place.prefix.rglob(pattern):
            text = file.read_text(encoding="utf-8")
            for path in re.findall(r"(?<![}\w.*])/[a-z][\w./+-]*", text):
                if path.endswith((".a", ".so")) or str(place.scratch) in path:
                    raise Failed(f"{file.name} names {path}")


def directory(place):
    """add_subdirectory of include."""
    check_headers(place.host("directory", f"-DSOURCE={TREE}"))


def fetched(place):
    """FetchContent with SOURCE_SUBDIR include."""
    source = copy_of_tree(place.folder())
    check_headers(place.host("fetch", f"-DSOURCE={source}"))


def wrapped(place):
    """A Meson project with the sample of a wrap, for a clone of a Git repository."""
    origin = copy_of_tree(place.folder())
    run("git", "init", "-q", "-b", "main", origin)
    run("git", "-C", origin, "add", ".")
    run("git", "-C", origin, "-c", "user.name=user", "-c", "user.email=user@host", "commit", "-qm", "all")
    commit = run("git", "-C", origin, "rev-parse", "HEAD").strip()
    host = place.folder()
    shutil.copytree(TREE / "test" / "consumer", host)
    wrap = (HERE / "cordon.wrap").read_text(encoding="utf-8")
    wrap = re.sub(r"(?m)^url = .*$", f"url = file://{origin}", wrap)
    wrap = re.sub(r"(?m)^revision = .*$", f"revision = {commit}", wrap)
    wrap = re.sub(r"(?m)^depth = .*\n", "", wrap)
    (host / "subprojects" / "cordon.wrap").write_text(wrap, encoding="utf-8")
    run("meson", "setup", host / "build", host)
    run("ninja", "-C", host / "build")
    run("meson", "test", "-C", host / "build", "--no-rebuild")


def targets(build):
    return {target["name"] for target in json.loads(run("meson", "introspect", "--targets", build))}


def no_test_library(place):
    """Where libseccomp and libpcap are missing, the tool and the launcher are built, and no test of the latter."""
    packages, build = place.folder(), place.folder()
    packages.mkdir()
    folders = run("pkg-config", "--variable=pc_path", "pkg-config").strip().split(":")
    for name in ("libidn2", "nettle"):
        found = [pathlib.Path(folder, f"{name}.pc") for folder in folders]
        (packages / f"{name}.pc").symlink_to(next(file for file in found if file.exists()))
    run("meson", "setup", build, TREE, env={**os.environ, "PKG_CONFIG_LIBDIR": str(packages)})
    names = targets(build)
    if not {"cordon", "cordon-shims"} <= names:
        raise Failed(f"there are only {sorted(names)}")
    if "cordon_linux_tests" in names:
        raise Failed("there are tests of the launcher, so it does not try what it should")


def cmake_blocks(page):
    """The blocks of CMake code of a page."""
    return re.findall(r"^```cmake\n(.*?)^```", (TREE / page).read_text(encoding="utf-8"), re.M | re.S)


def project_of(block, source):
    """A CMake project whose program `app` is linked by a block of a page."""
    return ("cmake_minimum_required(VERSION 3.14...4.0)\nproject(host LANGUAGES CXX)\n"
            f"add_executable(app {source})\n{block}\n")


def documented(place):
    """The other blocks of the pages, word for word."""
    blocks = cmake_blocks("include/cordon/README.md")
    if len(blocks) != 3:
        raise Failed(f"include/cordon/README.md has {len(blocks)} blocks of CMake code")
    for block in blocks:
        host = place.folder()
        host.mkdir()
        source = TREE / "test" / "consumer" / ("launched.cpp" if "shims" in block else "confined.cpp")
        (host / "CMakeLists.txt").write_text(project_of(block, source), encoding="utf-8")
        if "cordon.tar.gz" in block:
            run("tar", "czf", host / "cordon.tar.gz", "-C", copy_of_tree(host / "cordon").parent, "cordon")
        run("cmake", "-G", "Ninja", *place.found_by(), "-S", host, "-B", host / "build", env=place.environment())
        run("ninja", "-C", host / "build")
        run(host / "build" / "app")


def documented_launcher(place):
    """The recipe with ExternalProject, word for word."""
    recipes = [block for block in cmake_blocks("shims/README.md") if "ExternalProject_Add" in block]
    if len(recipes) != 1:
        raise Failed(f"shims/README.md has {len(recipes)} recipes")
    host = place.folder()
    copy_of_tree(host / "cordon")
    for name in ("test", "bench"):
        shutil.copytree(TREE / name, host / "cordon" / name)
    for name in ("main.cpp", "launch.cpp"):
        shutil.copy(HERE / "host" / name, host / name)
    block = f"{recipes[0]}\ntarget_link_libraries(app PRIVATE cordon::shims)"
    (host / "CMakeLists.txt").write_text(project_of(block, "main.cpp launch.cpp"), encoding="utf-8")
    run("cmake", "-G", "Ninja", "-S", host, "-B", host / "build")
    run("ninja", "-C", host / "build")
    run(host / "build" / "app", place.policy, cwd="/usr")


CHECKS = [no_absolute_paths, package_headers, package_launcher, pkg_config, directory, fetched, documented, wrapped,
          no_test_library]
def edit(pattern, old, new):
    return lambda place: place.edit(pattern, old, new)


def option(word):
    return lambda place: place.options.append(word)


# What is planted: the check that must find it, and what it must say.
FAULTS = {
    "another version": (package_headers, edit("cordonConfigVersion.cmake", '"0.1"', '"0.2"'), r"compatible\s+with requested"),
    "headers that are somewhere else": (package_headers, edit("cordonConfig.cmake", "/include", "/inclode"), "inclode"),
    "a missing archive": (package_launcher, lambda place: place.find("libcordon-shims.a").unlink(), "needs: .*shims.a"),
    "a missing module of Boost": (package_launcher, edit("cordonConfig.cmake", '"json ', '"jsom '), "needs: jsom of Boost"),
    "another release of Boost": (package_launcher, edit("cordonConfig.cmake", 'boost "1.', 'boost "2.'), "needs: json of Boost 2"),
    "no library of Boost": (pkg_config, edit("cordon-shims.pc", "-lboost_json", ""), "undefined reference to .*boost::json"),
    "a folder that does not move along": (pkg_config, edit("cordon.pc", "${pcfiledir}/../..", "/usr/none"), "/usr/none"),
    "a full path of an archive": (no_absolute_paths, edit("cordon-shims.pc", "-lboost_json", "/usr/lib/libboost_json.a"),
                                  "names /usr/lib/libboost_json.a"),
    "archives that are not position-independent": (package_launcher, option("-DBoost_USE_STATIC_LIBS=ON"), "-fPIC"),
    "a shared object that exports all": (package_launcher, option("-DEXPORTS=ON"), "exports .* of cordon"),
}


def self_test(place):
    failed = 0
    sound = place.prefix
    for name, (check, plant, words) in FAULTS.items():
        place.prefix = place.folder()
        place.options = []
        shutil.copytree(sound, place.prefix, symlinks=True)
        plant(place)
        try:
            check(place)
            failed += 1
            print(f"failed: {name}: {check.__name__} did not find it")
        except Failed as fault:
            if not re.search(words, str(fault), re.S):
                failed += 1
                print(f"failed: {name}: found for another reason: {fault}")
    print(f"{len(FAULTS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--launcher", action="store_true")
    parser.add_argument("--only", default="", help="checks whose name contains this")
    given = parser.parse_args()
    if not shutil.which("cmake"):
        print("skipped: cmake is missing\n0 passed, 0 failed, 1 skipped")
        return 77
    failed = 0
    checks = [check for check in ([documented_launcher] if given.launcher else CHECKS) if given.only in check.__name__]
    with tempfile.TemporaryDirectory() as scratch:
        place = Place(pathlib.Path(scratch), None if given.launcher else given.build.resolve())
        if place.prefix:
            if not given.self_test:
                check_headers(place.host("package", "-DCOMPONENTS=headers"))
            place.move()
        if given.self_test:
            return self_test(place)
        for check in checks:
            try:
                check(place)
                print(f"ok: {check.__name__}")
            except Failed as fault:
                failed += 1
                print(f"failed: {check.__name__}: {fault}")
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
