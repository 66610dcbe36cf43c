# SPDX-License-Identifier: BSL-1.0
"""The file tree for the program of test/live/kernels, as the initramfs of an emulated machine or a directory of this
one, and the results that the program prints."""
import os
import re
import select
import shutil
import stat
import subprocess
import tempfile
import time

from support.account import NOBODY, Unavailable

SECONDS = 170  # of this machine's own kernel
# An emulated guest has failed if it prints nothing while its emulator uses so much processor time; the other bound is for
# one that waits for something that never comes. How busy this machine is must not matter.
SILENT_WORK, SILENT_WAIT = 120, 600
BOOTS = 3
# The guest's clock counts instructions, eight nanoseconds each, and jumps ahead where the guest is idle: its timeouts
# expire by what it has done.
CLOCK = ["-icount", "shift=3,sleep=off"]
MACHINES = {
    "amd64": (["qemu-system-x86_64", "-cpu", "max,cx16=off"], "ttyS0"),
    "arm64": (["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a57"], "ttyAMA0"),
}
# A limit of processes counts all that its user has: this user differs from those of other tests, which may run at the same time.
USERS = {"root": 0, "nobody": NOBODY - 1}


class Ended:
    """How one line of the plan ended."""

    def __init__(self, status, milliseconds, orphans, noticed):
        self.status, self.milliseconds, self.orphans = int(status), int(milliseconds), int(orphans)
        self.noticed = [] if noticed == "-" else noticed.split(",")
        self.text = ""

    def answer(self):
        """`happens`, the name of a refusal, or an unexpected result in brackets."""
        refused = re.search(r"^refused: (.*)$", self.text, re.M)
        if self.status == 1 and refused:
            return refused[1].replace(" ", "_")
        if self.status == 0:
            return "happens"
        if self.status == 128 + 31:
            return "SIGSYS"
        return f"({self.status}: {self.text.strip()[-300:]})"


class Told:
    """The output of a guest: the ABI of Landlock, and one `Ended` for each line of the plan that it reached."""

    def __init__(self, text):
        self.abi, self.ended, self.begun, self.whole = 0, {}, False, False
        self.log = text
        current = None
        for line in text.replace("\r", "").split("\n"):
            found = re.match(r"@(\d+) (\d+) (\d+) (\d+) (\S+)$", line)
            if found:
                current = self.ended[int(found[1])] = Ended(*found.groups()[1:])
            elif line.startswith("@abi "):
                self.abi, self.begun = int(line[5:]), True
            elif line == "@end":
                self.whole = True
            elif line.startswith("| ") and current:
                current.text += line[2:] + "\n"


class Plan:
    """Lines for the guest; each is known by its number."""

    def __init__(self, top):
        self.top = top
        self.lines = []

    def workspace(self, user):
        return f"{self.top}/{user}"

    def run(self, user, words, scene="plain", seconds=20.0):
        uid = str(USERS[user])
        return self._add("run", uid, scene, str(int(seconds * 1000)), self.workspace(user), *words)

    def file(self, path):
        return self._add("file", path)

    def _add(self, *words):
        self.lines.append("\t".join(words) + "\n")
        return len(self.lines) - 1


class Tree:
    """The files of the world: path below its top, mode, owner, bytes."""

    def __init__(self, plan, programs):
        self.entries = [("outside", stat.S_IFDIR | 0o755, 0, b""), ("bin", stat.S_IFDIR | 0o755, 0, b""),
                        ("plan", stat.S_IFREG | 0o644, 0, "".join(plan.lines).encode())]
        for user, uid in USERS.items():
            self.entries += [(f"reports-{user}", stat.S_IFDIR | 0o755, uid, b""), (user, stat.S_IFDIR | 0o755, uid, b""), (f"{user}/bin", stat.S_IFDIR | 0o755, uid, b""),
                             (f"{user}/bin/attempt", stat.S_IFREG | 0o755, uid, programs["attempt"])]
        for name in ("cordon", "attempt"):
            self.entries.append((f"bin/{name}", stat.S_IFREG | 0o755, 0, programs[name]))

    def make(self, top):
        for name, mode, owner, content in self.entries:
            path = os.path.join(top, name)
            if stat.S_ISDIR(mode):
                os.mkdir(path)
            else:
                with open(path, "wb") as file:
                    file.write(content)
            os.chmod(path, stat.S_IMODE(mode))
            os.chown(path, owner, owner)

    def archive(self, top, guest):
        """The same for the kernel to unpack (newc, Documentation/driver-api/early-userspace/buffer-format.rst)."""
        directory = stat.S_IFDIR | 0o755
        beside = [(name, directory, 0, b"") for name in ("dev", "etc", "home", "usr", "usr/bin", "usr/lib", top[1:])]
        below = [(f"{top[1:]}/{name}", *rest) for name, *rest in self.entries]
        console = ("dev/console", stat.S_IFCHR | 0o600, 0, b"")
        all_entries = [*beside[:1], console, *beside[1:], ("init", stat.S_IFREG | 0o755, 0, guest), *below,
                       ("TRAILER!!!", 0, 0, b"")]
        return b"".join(_entry(number, *entry) for number, entry in enumerate(all_entries, 1))


def _entry(number, name, mode, owner, content):
    device = (5, 1) if stat.S_ISCHR(mode) else (0, 0)
    fields = (number, mode, owner, owner, 1, 0, len(content), 0, 0, *device, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
    return _padded(head) + _padded(content)


def _padded(text):
    return text + b"\0" * (-len(text) % 4)


def boot(architecture, kernel, archive):
    """The guest's output on the console of an emulated machine. A boot that fails before the program starts (one in ten
    under QEMU 7.2) is repeated."""
    for _ in range(BOOTS):
        told = _boot(architecture, kernel, archive)
        if told.begun:
            break
    return told


def _boot(architecture, kernel, archive):
    command, console = MACHINES[architecture]
    if shutil.which(command[0]) is None:
        raise Unavailable(command[0])
    with tempfile.NamedTemporaryFile(prefix="cordon-initrd-") as initrd:
        initrd.write(archive)
        initrd.flush()
        words = [*command, "-accel", "tcg", *CLOCK, "-m", "1G", "-nographic", "-no-reboot", "-net", "none", "-kernel", kernel,
                 "-initrd", initrd.name, "-append", f"console={console} quiet loglevel=1 panic=-1 rcupdate.rcu_expedited=1"]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as emulator:
            text = _output_of(emulator)
    return Told(text.decode(errors="replace"))


def _work_of(emulator):
    """The processor time that a process has used, in seconds (proc(5): fields 14 and 15 of stat)."""
    with open(f"/proc/{emulator.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _output_of(emulator):
    """What an emulator prints until it ends, or is ended because it makes no progress."""
    text = b""
    last, work = time.monotonic(), 0.0
    while True:
        if select.select([emulator.stdout], [], [], 5)[0]:
            more = os.read(emulator.stdout.fileno(), 1 << 16)
            if not more:
                return text
            text += more
            last, work = time.monotonic(), _work_of(emulator)
        elif _work_of(emulator) - work > SILENT_WORK or time.monotonic() - last > SILENT_WAIT:
            emulator.kill()
            return text


def run_here(tree, top, guest):
    """The same on this machine's own kernel, with a network and objects of System V of its own."""
    tree.make(top)
    program = os.path.join(top, "bin", "guest")
    with open(program, "wb") as file:
        file.write(guest)
    os.chmod(program, 0o755)
    command = ["unshare", "--net", "--ipc", "--", program, top]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
    return Told((ended.stdout + ended.stderr).decode(errors="replace"))
