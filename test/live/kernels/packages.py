# SPDX-License-Identifier: BSL-1.0
"""Kernels of other Debian suites, and libraries of another architecture."""
import glob
import os
import shutil

from support.account import Unavailable
from support.suites import Suites


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
        self.suites = Suites(folder)

    def kernel(self, kernel):
        """The file of the kernel's image."""
        image = os.path.join(self.folder, f"{kernel.architecture}-{kernel.name}")
        if not os.path.exists(image):
            package = self.suites.newest(kernel.package)
            with self.suites.unpacked(f"{package}:{kernel.architecture}", "./boot/vmlinu*", "./usr/lib/*/vmlinu*") as place:
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
                # The release that this tree's headers are of.
                with self.suites.unpacked(f"{package}:{architecture}/bookworm", f"./usr/lib/{triplet}/*.a") as files:
                    for path in glob.glob(f"{files}/usr/lib/{triplet}/*.a"):
                        shutil.move(path, made)
            os.rename(made, place)
        return place
