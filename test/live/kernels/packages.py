# SPDX-License-Identifier: BSL-1.0
"""Kernels of other Debian suites, and libraries of another architecture: fetched with lists and a cache of their own, so that
nothing of this system's packages changes."""
import glob
import os
import re
import shutil
import subprocess

from support.account import Unavailable

KEY = "/usr/share/keyrings/debian-archive-keyring.gpg"
SUITES = ("bullseye", "bookworm", "trixie", "sid")


class Kernel:
    def __init__(self, name, architecture, package):
        self.name, self.architecture, self.package = name, architecture, package

    def __str__(self):
        return f"{self.name} {self.architecture}"


# No Landlock, and its ABI 2, 6 and 10. The image of the newest is in another package than its modules.
KERNELS = [
    Kernel("5.10", "amd64", r"linux-image-5\.10\.0-[0-9]+-cloud-amd64"),
    Kernel("6.1", "amd64", r"linux-image-6\.1\.0-[0-9]+-cloud-amd64"),
    Kernel("6.12", "amd64", r"linux-image-6\.12\.[0-9]+\+deb13-cloud-amd64"),
    Kernel("7.2", "amd64", r"linux-binary-7\.2\.[0-9]+\+deb14-cloud-amd64"),
    Kernel("6.12", "arm64", r"linux-image-6\.12\.[0-9]+\+deb13-cloud-arm64"),
]
# What a static cordon is linked with, beside the C library, whose cross compiler brings it.
LIBRARIES = ("libboost-json1.81-dev", "libboost-container1.81-dev", "libboost-filesystem1.81-dev",
             "libboost-atomic1.81-dev", "libidn2-dev", "libunistring-dev",
             "nettle-dev")


class Packages:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.options = []

    def kernel(self, kernel):
        """The file of the kernel's image."""
        image = os.path.join(self.folder, f"{kernel.architecture}-{kernel.name}")
        if not os.path.exists(image):
            package = self._newest(kernel.package)
            with self._fetched(f"{package}:{kernel.architecture}") as place:
                _unpack(place, "./boot/vmlinu*", "./usr/lib/*/vmlinu*")
                found = [path for path in glob.glob(f"{place}/**/vmlinu*", recursive=True) if os.path.isfile(path)]
                if not found:
                    raise Unavailable(f"no image in {package}")
                os.rename(found[0], image)
        return image

    def libraries(self, architecture, triplet):
        """The folder of the static libraries."""
        place = os.path.join(self.folder, f"lib-{architecture}")
        if not os.path.isdir(place):
            made = place + ".new"
            shutil.rmtree(made, ignore_errors=True)
            os.makedirs(made)
            for package in LIBRARIES:
                with self._fetched(f"{package}:{architecture}") as files:
                    _unpack(files, f"./usr/lib/{triplet}/*.a")
                    for path in glob.glob(f"{files}/usr/lib/{triplet}/*.a"):
                        shutil.move(path, made)
            os.rename(made, place)
        return place

    def _apt(self, program, *words):
        ended = subprocess.run([program, *self._lists(), *words], cwd=self.folder, capture_output=True, text=True,
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

    def _newest(self, pattern):
        names = re.findall(f"^{pattern}(?= - )", self._apt("apt-cache", "search", "--names-only", f"^{pattern}$"), re.M)
        if not names:
            raise Unavailable(f"no package {pattern}")
        return max(names, key=lambda name: [int(number) for number in re.findall(r"\d+", name)])

    def _fetched(self, package):
        return _Fetched(self, package)

    def download(self, package, place):
        self._lists()
        release = "/bookworm" if package.startswith("lib") else ""  # the one that this tree's headers are of
        words = ["apt-get", *self.options, "download", package + release]
        ended = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise Unavailable(f"{package}: {ended.stderr.strip()[-200:]}")


class _Fetched:
    """A folder with one package, which is gone afterwards."""

    def __init__(self, packages, name):
        self.packages, self.name = packages, name
        self.place = os.path.join(packages.folder, "fetched")

    def __enter__(self):
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        self.packages.download(self.name, self.place)
        return self.place

    def __exit__(self, *_):
        shutil.rmtree(self.place, ignore_errors=True)


def _source():
    """Where this system has its own packages from."""
    for path in glob.glob("/etc/apt/sources.list") + sorted(glob.glob("/etc/apt/sources.list.d/*")):
        with open(path, encoding="utf-8") as file:
            for found in re.findall(r"^(?:URIs: *|deb (?:\[[^]]*\] )?)(\S+)", file.read(), re.M):
                if "security" not in found:
                    return found
    raise Unavailable("no source of packages")


def _unpack(place, *patterns):
    """What matches of the one package in there. Patterns that match nothing are none of a failure to tar alone."""
    package = glob.glob(f"{place}/*.deb")[0]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "-x", "-C", place, "--wildcards", *patterns], stdin=archive.stdout, check=False,
                       stderr=subprocess.DEVNULL)
