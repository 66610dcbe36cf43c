#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the files for packagers as far as it can be done without their tools.

packages.py               syntax, versions, and that the Debian package needs nothing that .ci/install does not install
packages.py --self-test   plants faults in a copy; each must be found
"""
import configparser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
# Not packages of .ci/install: what dpkg-buildpackage has, and what comes with another package.
DEBIAN_ITSELF = {"debhelper-compat"}
# A stand-in for each command of vcpkg: CMake parses the port, and runs it against these.
COMMANDS = ("vcpkg_from_github", "vcpkg_configure_meson", "vcpkg_install_meson", "vcpkg_fixup_pkgconfig",
            "vcpkg_cmake_config_fixup", "vcpkg_install_copyright")


def version():
    return re.search(r"version: '([0-9.]+)'", (TREE / "meson.build").read_text(encoding="utf-8"))[1]


def wrap(folder):
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(folder / "cordon.wrap", encoding="utf-8")
    if parser["provide"]["dependency_names"] != "cordon, cordon-shims":
        return "the wrap provides other names"
    return "" if parser["wrap-git"]["revision"] == f"v{version()}" else "the wrap has another version"


def vcpkg(folder):
    manifest = json.loads((folder / "vcpkg" / "vcpkg.json").read_text(encoding="utf-8"))
    if manifest["version"] != version():
        return "vcpkg.json has another version"
    with tempfile.TemporaryDirectory() as scratch:
        script = pathlib.Path(scratch) / "port.cmake"
        stubs = "".join(f"function({name})\nendfunction()\n" for name in COMMANDS)
        script.write_text(f'{stubs}include("{folder}/vcpkg/portfile.cmake")\n', encoding="utf-8")
        done = subprocess.run(["cmake", "-P", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout if done.returncode else ""


def conan(folder):
    text = (folder / "conan" / "conanfile.py").read_text(encoding="utf-8")
    compile(text, "conanfile.py", "exec")
    return "" if f'version = "{version()}"' in text else "conanfile.py has another version"


def debian(folder):
    control = (folder / "debian" / "control").read_text(encoding="utf-8")
    needed = re.search(r"Build-Depends:\n((?: .*\n)+)", control)[1]
    names = set(re.findall(r"^ ([a-z0-9.+-]+)", needed, re.M))
    installed = set((TREE / ".ci" / "install").read_text(encoding="utf-8").split())
    unknown = names - installed - DEBIAN_ITSELF
    if unknown:
        return f".ci/install does not install {sorted(unknown)}"
    changelog = (folder / "debian" / "changelog").read_text(encoding="utf-8")
    if not changelog.startswith(f"cordon ({version()}-"):
        return "debian/changelog has another version"
    licence = [line.strip() for line in (TREE / "LICENSE").read_text(encoding="utf-8").splitlines() if line.strip()]
    quoted = (folder / "debian" / "copyright").read_text(encoding="utf-8")
    missing = [line for line in licence if line not in quoted]
    return f"debian/copyright lacks: {missing[0]}" if missing else ""


CHECKS = (wrap, vcpkg, conan, debian)
FAULTS = (
    (wrap, "cordon.wrap", "cordon, cordon-shims", "cordon"),
    (wrap, "cordon.wrap", "v0", "v9"),
    (vcpkg, "vcpkg/portfile.cmake", "vcpkg_install_meson()", "vcpkg_install_meson("),
    (vcpkg, "vcpkg/portfile.cmake", "vcpkg_install_meson()", "vcpkg_instal_meson()"),
    (vcpkg, "vcpkg/vcpkg.json", '"host": true', '"host": true,'),
    (vcpkg, "vcpkg/vcpkg.json", '"version": "0', '"version": "9'),
    (conan, "conan/conanfile.py", "def layout(self):", "def layout(self)"),
    (conan, "conan/conanfile.py", 'version = "0', 'version = "9'),
    (debian, "debian/control", " nettle-dev,\n ninja", " nettle-devel,\n ninja"),
    (debian, "debian/changelog", "(0", "(9"),
    (debian, "debian/copyright", "Permission is hereby granted", "Permission is granted"),
)


def judge(check, folder):
    try:
        return check(folder)
    except (SyntaxError, ValueError, KeyError, configparser.Error) as fault:
        return str(fault)


def self_test():
    failed = 0
    for check, name, old, new in FAULTS:
        with tempfile.TemporaryDirectory() as scratch:
            copy = pathlib.Path(scratch) / "packaging"
            shutil.copytree(HERE, copy)
            text = (copy / name).read_text(encoding="utf-8")
            (copy / name).write_text(text.replace(old, new), encoding="utf-8")
            if old not in text or not judge(check, copy):
                failed += 1
                print(f"failed: {name}: {new}: it was not found")
    return len(FAULTS), failed


def main(arguments):
    if not shutil.which("cmake"):
        print("skipped: cmake is missing\n0 passed, 0 failed, 1 skipped")
        return 77
    if arguments == ["--self-test"]:
        count, failed = self_test()
    else:
        faults = [(check.__name__, judge(check, HERE)) for check in CHECKS]
        for name, fault in faults:
            if fault:
                print(f"failed: {name}: {fault}")
        count, failed = len(faults), sum(1 for _, fault in faults if fault)
    print(f"{count - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
