# SPDX-License-Identifier: BSL-1.0
"""Packages of other Debian suites and architectures: fetched with lists and a cache of their own, so that nothing of this
system's packages changes."""
import contextlib
import glob
import os
import re
import shutil
import subprocess

from support.account import Unavailable

KEY = "/usr/share/keyrings/debian-archive-keyring.gpg"
SUITES = ("bullseye", "bookworm", "bookworm-backports", "trixie", "sid")


class Suites:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.options = []

    def newest(self, pattern):
        """The name of a package, of those that match the one with the highest numbers."""
        names = re.findall(f"^{pattern}(?= - )", self._apt("apt-cache", "search", "--names-only", f"^{pattern}$"), re.M)
        if not names:
            raise Unavailable(f"no package {pattern}")
        return max(names, key=lambda name: [int(number) for number in re.findall(r"\d+", name)])

    @contextlib.contextmanager
    def unpacked(self, package, *patterns):
        """A folder with the matching files of PACKAGE or PACKAGE/SUITE, which is gone afterwards."""
        place = os.path.join(self.folder, "fetched")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        try:
            self._apt("apt-get", "download", package, folder=place)
            _unpack(place, *patterns)
            yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _apt(self, program, *words, folder=None):
        ended = subprocess.run([program, *self._lists(), *words], cwd=folder or self.folder, capture_output=True, text=True,
                               check=False)
        if ended.returncode != 0:
            raise Unavailable(f"{program} {' '.join(words)}: {ended.stderr.strip()[-200:]}")
        return ended.stdout

    def _lists(self):
        """The options that keep apt to lists of its own; these are made at the first call."""
        if self.options:
            return self.options
        top = os.path.join(self.folder, "apt")
        for name in ("lists/partial", "cache/archives/partial"):
            os.makedirs(f"{top}/{name}", exist_ok=True)
        with open(f"{top}/sources.list", "w", encoding="utf-8") as file:
            for suite in SUITES:
                file.write(f"deb [signed-by={KEY}] {_source()} {suite} main\n")
        self.options = ["-qq"]
        for word in (f"Dir::Etc::sourcelist={top}/sources.list", "Dir::Etc::sourceparts=/dev/null",
                     f"Dir::State::lists={top}/lists", f"Dir::Cache={top}/cache", "APT::Sandbox::User=root",
                     "APT::Architectures::=amd64", "APT::Architectures::=arm64", "Acquire::Retries=3"):
            self.options += ["-o", word]
        self._apt("apt-get", "update")
        return self.options


def _source():
    """Where this system has its own packages from."""
    for path in glob.glob("/etc/apt/sources.list") + sorted(glob.glob("/etc/apt/sources.list.d/*")):
        with open(path, encoding="utf-8") as file:
            for found in re.findall(r"^(?:URIs: *|deb (?:\[[^]]*\] )?)(\S+)", file.read(), re.M):
                if "security" not in found:
                    return found
    raise Unavailable("no source of packages")


def _unpack(place, *patterns):
    """Extracts the matching files of the package there. Ignores tar's error for patterns without a match."""
    package = glob.glob(f"{place}/*.deb")[0]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "-x", "-C", place, "--wildcards", *patterns], stdin=archive.stdout, check=False,
                       stderr=subprocess.DEVNULL)
