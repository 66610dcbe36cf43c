#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Devices of the machine that a policy grants, and all others, which a run does not have. The machine of the test has a
/dev of its own, in which ordinary devices take the names of those that can be granted."""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Unavailable
from support.command import main, run_rows
from support.scratch import Scratch, write

PYTHON = "/usr/bin/python3"
BACKENDS = ("namespaces", "bubblewrap", "landlock")
# Each is like /dev/zero, or /dev/full.
MACHINE = """
set -e
mount -t tmpfs -o mode=755 none /mnt
for d in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 /mnt/${d%:*} c 1 ${d#*:}; done
mknod -m 666 /mnt/tty c 5 0
mkdir /mnt/pts /mnt/shm /mnt/mqueue /mnt/dri
chmod 1777 /mnt/shm
mount -t devpts -o newinstance,ptmxmode=0666 none /mnt/pts
ln -s pts/ptmx /mnt/ptmx
ln -s /proc/self/fd /mnt/fd
for d in kvm kfd nvidia0 nvidiactl other dri/renderD128; do mknod -m 666 /mnt/$d c 1 5; done
mknod -m 666 /mnt/dri/card0 c 1 7
mount --move /mnt /dev
exec "$@"
"""
# KVM_GET_API_VERSION: the driver of /dev/zero knows no command (ENOTTY); Landlock refuses before the driver runs (EACCES).
USE = """
import errno, fcntl, os, sys
for place in sys.argv[1:]:
  said = []
  try:
    fd = os.open(place, os.O_RDWR)
    said.append('opened')
    said.append('read' if os.read(fd, 2) == bytes(2) else 'other')
    try: fcntl.ioctl(fd, 0xAE00)
    except OSError as e: said.append(errno.errorcode[e.errno])
    try: os.fchmod(fd, 0o600); said.append('changed')
    except OSError as e: said.append(errno.errorcode[e.errno])
  except OSError as e: said.append(errno.errorcode[e.errno])
  print(place, *said)
"""
NAMES = ("/dev/kvm", "/dev/kfd", "/dev/nvidia0", "/dev/nvidiactl", "/dev/dri/renderD128", "/dev/other")


class Stage(Scratch):
    def __init__(self, account, options):
        if os.geteuid() != 0:
            raise Unavailable("root is needed: it makes the devices")
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.machine = ["unshare", "--mount", "--propagation", "private", "sh", "-c", MACHINE, "sh"]
        prefix, account.prefix = account.prefix, []
        self.words = [*self.machine, *prefix]

    def use(self, backend, *options):
        """What the program says of each device."""
        cordon = [] if self.broken else [self.cordon, "run", "--workspace", self.workspace, "--quiet", "--backend", backend,
                                         *options, "--"]
        ended = self.run([*self.words, *cordon, PYTHON, "-I", "-c", USE, *NAMES])
        said = dict(line.split(" ", 1) for line in ended.out.splitlines())
        if set(said) != set(NAMES):
            raise RuntimeError(f"the control: {backend}: {ended.out} {ended.err[-400:]}")
        return {place: words.split() for place, words in said.items()}

    def problems(self, granted, *options):
        """The granted devices work, with their commands, and keep their modes; nothing else is there."""
        found = []
        for backend in BACKENDS:
            if backend == "bubblewrap" and shutil.which("bwrap") is None:
                continue
            for place, said in self.use(backend, *options).items():
                fine = said[:3] == ["opened", "read", "ENOTTY"] if place in granted else said in (["ENOENT"], ["EACCES"])
                # bwrap mounts no device read-only (bubblewrap.device), and Landlock knows no modes.
                if place in granted and backend == "namespaces":
                    fine = fine and said[3:] != ["changed"]
                if not fine:
                    found.append(f"{backend}: {place}: {said}")
        return found


def none(s):
    return s.problems(())


def kvm(s):
    return s.problems(("/dev/kvm",), "--preset", "kvm")


def gpu(s):
    return s.problems(("/dev/kfd", "/dev/nvidia0", "/dev/nvidiactl", "/dev/dri/renderD128"), "--preset", "gpu")


def named(s):
    """A policy names one device of a directory, and one that cannot be granted."""
    policy = write(os.path.join(s.top, "policy"), f"level process_exec\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nread /etc\n"
                   f"write {s.workspace}\nwrite /dev/dri/renderD128\nwrite /dev/other\nabilities spawn\npass PATH\n")
    found = []
    for backend in BACKENDS:
        if backend == "bubblewrap" and shutil.which("bwrap") is None:
            continue
        words = [s.cordon, "run", "--quiet", "--backend", backend, "--policy", policy, "--"] if not s.broken else []
        ended = s.run([*s.words, *words, PYTHON, "-I", "-c", USE, *NAMES])
        said = dict(line.split(" ", 1) for line in ended.out.splitlines())
        # Landlock has no /dev of the run's own: the other device is opened, and gets no command.
        other = ("opened read EACCES",) if backend == "landlock" else ("ENOENT",)
        if not said.get("/dev/dri/renderD128", "").startswith("opened read ENOTTY") or \
                not said.get("/dev/other", "").startswith(other) or said.get("/dev/kvm") not in ("ENOENT", "EACCES"):
            found.append(f"{backend}: {said} {ended.err[-300:]}")
    return found


ROWS = {"nothing is granted": none, "kvm": kvm, "gpu": gpu, "what a policy names": named}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
