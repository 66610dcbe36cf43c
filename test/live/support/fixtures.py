# SPDX-License-Identifier: BSL-1.0
"""A scratch tree, the workspace in it, and everything outside that must not notice an attack."""
import glob
import os
import shutil
import stat
import struct
import subprocess
import time

from .listeners import Listeners, Terminal
from .ports import claimed_port
from .scratch import Scratch, install, write
from .targets import Objects, Sleeper

# VFS_CAP_REVISION_2 with the effective bit, CAP_DAC_OVERRIDE permitted (linux/capability.h).
FILE_CAPABILITY = struct.pack("<5I", 0x02000001, 1 << 1, 0, 0, 0)


def snapshot(top):
    """Everything that can be seen of a tree, but for access times."""
    seen = {}
    for directory, below, files in os.walk(top):
        for name in below + files + ["."]:
            path = os.path.join(directory, name)
            status = os.lstat(path)
            content = os.readlink(path) if stat.S_ISLNK(status.st_mode) else b""
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    content = file.read(4096)
            named = {key: os.getxattr(path, key, follow_symlinks=False) for key in _attributes(path)}
            seen[os.path.relpath(path, top)] = (status.st_mode, status.st_uid, status.st_gid, status.st_nlink,
                                                status.st_size, status.st_mtime_ns, content, str(named))
    return seen


def _attributes(path):
    try:
        return os.listxattr(path, follow_symlinks=False)
    except OSError:
        return []


def _first_readable(pattern, fits):
    return next((path for path in sorted(glob.glob(pattern)) if fits(path)), pattern)


class Fixtures(Scratch):
    shared = targets = ()

    def __init__(self, account, cordon, attempt):
        super().__init__(account, cordon)
        self.unique = f"cordon-live-{os.getpid()}"
        self.shared = (f"/tmp/{self.unique}", f"/dev/shm/{self.unique}")
        self.targets = []
        try:
            self._furnish(attempt)
        except BaseException:
            self.close()
            raise

    def _furnish(self, attempt):
        self.state = os.path.join(self.top, "state")  # cordon's own files: not in the home, whose changes are noticed
        os.mkdir(self.state, 0o700)
        self.account.own(self.state)
        self.attempt = install(attempt, os.path.join(self.workspace, "bin", "attempt"))
        self._privileged_copies()
        out, ws = self.outside, self.workspace
        paths = {"stream": f"{out}/stream.sock", "datagram": f"{out}/datagram.sock", "stream inside": f"{ws}/stream.sock",
                 "packets inside": f"{ws}/packets.sock"}
        self.listeners = Listeners(paths, self.unique)
        self.targets.append(self.listeners)
        self.objects = Objects("/" + self.unique)
        self.targets.append(self.objects)
        self.terminal = Terminal(self.account)
        self.targets.append(self.terminal)
        self.renew_trees()
        self.sleeper = Sleeper(self.account, self.outside)
        self.targets.append(self.sleeper)
        self.names = self._names()

    def _privileged_copies(self):
        if os.geteuid() != 0:
            return
        programs = os.path.dirname(self.attempt)
        os.chmod(install(self.attempt, f"{programs}/setuid"), 0o4755)
        try:
            os.setxattr(install(self.attempt, f"{programs}/setcap"), "security.capability", FILE_CAPABILITY)
        except OSError:
            pass

    def renew_trees(self):
        # The tops stay: the sleeper's current directory is one of them.
        for top in (self.outside, self.home, self.workspace):
            os.makedirs(top, exist_ok=True)
            for entry in os.scandir(top):
                if entry.path != os.path.dirname(self.attempt):
                    (shutil.rmtree if entry.is_dir(follow_symlinks=False) else os.unlink)(entry.path)
        out, home, ws = self.outside, self.home, self.workspace
        write(f"{out}/file", "outside\n")
        write(f"{out}/script", "#!/bin/sh\nexit 42\n", 0o755)
        write(f"{home}/.ssh/id_ed25519", "private key\n", 0o600)
        write(f"{home}/.ssh/authorized_keys", "key\n", 0o600)
        write(f"{home}/.aws/credentials", "secret\n", 0o600)
        write(f"{home}/.config/gh/hosts.yml", "token\n", 0o600)
        write(f"{home}/.bashrc", "true\n")
        write(f"{ws}/file", "inside\n")
        write(f"{ws}/dir/file", "inside\n")
        write(f"{ws}/script", "#!/bin/sh\nexit 42\n", 0o755)
        write(f"{ws}/nest/fixed/file", "fixed\n")
        write(f"{ws}/nest/hidden/file", "hidden\n")
        write(f"{ws}/.git/HEAD", "ref: refs/heads/main\n")
        for directory in (f"{out}/empty", f"{ws}/empty"):
            os.mkdir(directory)
        shutil.copy(self.attempt, f"{out}/program")
        shutil.copy("/bin/true", f"{out}/true")
        for target, link in ((f"{out}/file", f"{ws}/link"), (f"{out}/new", f"{ws}/dangling"),
                             (f"{out}/empty", f"{ws}/dirlink"), (f"{out}/program", f"{ws}/programlink"),
                             ("file", f"{out}/link")):
            os.symlink(target, link)
        try:
            os.setxattr(f"{out}/file", "user.kept", b"x")
        except OSError:
            pass
        for top in (out, home):
            self.account.own_tree(top)
        self._own_workspace()
        self.listeners.renew_paths(self.account)

    def _own_workspace(self):
        self.account.own(self.workspace)
        for name in os.listdir(self.workspace):
            if name != "bin":
                self.account.own_tree(os.path.join(self.workspace, name))

    def _names(self):
        handle = subprocess.run([self.attempt, "name_to_handle", self.cordon], capture_output=True, text=True,
                                check=False).stdout
        ports = {name: self.listeners.port(name) for name in ("tcp", "tcp6", "udp")}
        ports.update({f"own{number}": claimed_port() for number in (1, 2, 3)})
        return {**ports, "ws": self.workspace, "outside": self.outside, "home": self.home, "unique": self.unique,
                "abstract": "@" + self.unique, "mqueue": "/" + self.unique, "self": "0", "terminal": self.terminal.path,
                "handle": handle, "shm": self.objects.memory, "msg": self.objects.messages,
                "sem": self.objects.semaphore, "launcher": f"@{self.workspace}/launcher.pid",
                "loader": _first_readable("/lib64/ld-linux-*.so.2", os.path.exists),
                "disk": _first_readable("/dev/[lsvnxz][dovr]*[a-z0-9]", _is_disk),
                "cgroup": _first_readable("/sys/fs/cgroup/*/cgroup.procs", os.path.exists)}

    def current_names(self):
        return {**self.names, "pid": self.sleeper.process.pid, "stack": self.sleeper.stack(),
                "devpts": os.stat("/dev/pts").st_dev}

    def renew(self):
        self.renew_trees()
        self._clear_shared()
        self.sleeper.renew()
        self.objects.renew()

    def observe(self):
        system = {path: os.path.lexists(path) for path in self.shared}
        seen = {"files outside": snapshot(self.outside), "files of the home": snapshot(self.home),
                "nested places": snapshot(f"{self.workspace}/nest"), **system}
        for target in self.targets:
            seen.update(target.observe())
        return seen

    def changes(self, before, wanted, seconds):
        """The names of changed objects. Returns at the first change if one is `wanted`, else after `seconds`."""
        until = time.monotonic() + seconds
        while True:
            after = self.observe()
            found = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
            if (found and wanted) or time.monotonic() > until:
                return found
            time.sleep(0.005)

    def close(self):
        for target in self.targets:
            target.close()
        self._clear_shared()
        super().close()

    def _clear_shared(self):
        for path in self.shared:
            if os.path.lexists(path):
                os.unlink(path)


def _is_disk(path):
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        return stat.S_ISBLK(os.stat(path).st_mode)
    except OSError:
        return False
