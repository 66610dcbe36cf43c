# SPDX-License-Identifier: BSL-1.0
"""How an attempt is started: the options of cordon, the descriptors, the terminal, the variables."""
import fcntl
import json
import os
import pty
import signal
import socket
import subprocess
import termios
import tty

from .scratch import abandon

SECRETS = {"GITHUB_TOKEN": "ghp_x", "AWS_SECRET_ACCESS_KEY": "x", "OPENAI_API_KEY": "sk-x", "SSH_AUTH_SOCK": "/nowhere",
           "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "LD_PRELOAD": "/nowhere.so", "LD_AUDIT": "/nowhere.so",
           "BASH_ENV": "/nowhere", "NODE_OPTIONS": "--no-warnings", "PYTHONSTARTUP": "/nowhere",
           "GIT_SSH_COMMAND": "false"}
LEAKS = {3: "file", 57: "file", 64: "directory", 120: "socket", 200: "memory"}
SECONDS = 20


class Ended:
    """How a run ended: exit status as in a shell, what was printed, and what the scene has seen."""

    def __init__(self, status, out, err, seen):
        self.status = 128 - status if status < 0 else status
        self.by_signal = status < 0
        self.out, self.err, self.seen = out, err, seen

    def answer(self):
        """`happens`, the name of a refusal, or an unexpected result in brackets."""
        for line in reversed(self.out.splitlines()):
            if line.startswith("refused: ") and self.status == 1:
                return line[len("refused: "):].replace(" ", "_").strip()
        if self.status == 0:
            return "happens"
        if self.status == 2 and "broken: " in self.err:
            return "broken"
        if self.status > 128:
            return "SIG" + signal.Signals(self.status - 128).name[3:]
        return f"(status {self.status}: {(self.err or self.out).strip()[-300:]})"


def reserve_leaks():
    """The numbers are taken from the start, so that nothing of the harness is ever in their place."""
    low = os.open("/dev/null", os.O_RDWR)
    null = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, max(LEAKS) + 1)
    os.close(low)
    for number in LEAKS:
        os.dup2(null, number, inheritable=False)
    return null


class Launch:
    def __init__(self, fixtures, null):
        self.fixtures = fixtures
        self.null = null

    def variables(self):
        return self.fixtures.variables(CORDON_SANDBOX="enforce", XDG_STATE_HOME=self.fixtures.state, **SECRETS)

    def options(self, name):
        workspace = self.fixtures.workspace
        if name == "network":
            return ["--workspace", workspace, "--network", "any"]
        if name == "closed":
            return ["--workspace", workspace, "--sockets", "none"]
        if name == "project":
            return []
        if name == "nested":
            grants = [{"path": workspace, "rights": "write"}, {"path": f"{workspace}/nest/fixed", "rights": "read"},
                      {"path": f"{workspace}/nest/hidden", "rights": "hide"}]
            policy = os.path.join(self.fixtures.top, "nested.json")
            with open(policy, "w", encoding="utf-8") as file:
                json.dump({"cordon": 1, "files": grants}, file)
            return ["--policy", policy]
        return ["--workspace", workspace]

    def start(self, name, command, confined):
        """Runs `command` to its end in the scene of that name."""
        if name == "launcher" and not confined:
            command = ["/bin/sh", "-c", '"$@"; exit "$?"', "sh"] + command
        directory = f"{self.fixtures.workspace}/dir" if name == "project" else self.fixtures.workspace
        how = {"stdin": self.null, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": directory,
               "env": self.variables(), "start_new_session": True}
        runner = getattr(self, "_" + name, self._plain)
        return runner(self.fixtures.account.prefix + command, how)

    def _plain(self, command, how):
        return self._finish(subprocess.Popen(command, **how))

    def _in_memory(self, command, how):
        """Temporary files belong into the machine's shared memory."""
        return self._plain(command, {**how, "env": {**how["env"], "TMPDIR": "/dev/shm"}})

    def _finish(self, process, seen=()):
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            abandon(process)
            return Ended(99, "", f"no end within {SECONDS} s", list(seen))
        return Ended(process.returncode, (out or b"").decode(errors="replace"), (err or b"").decode(errors="replace"),
                     list(seen))

    def _launcher(self, command, how):
        process = subprocess.Popen(command, **how)
        path = os.path.join(self.fixtures.workspace, "launcher.pid")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(str(process.pid))
        os.chmod(path + ".new", 0o644)
        os.rename(path + ".new", path)
        ended = self._finish(process)
        if ended.by_signal:
            ended.seen.append("the launcher")
        return ended

    def _leaks(self, command, how):
        outside = self.fixtures.outside
        near = self.fixtures.listeners.connected()
        memory = os.memfd_create("leaked", 0)
        sources = {"file": os.open(f"{outside}/file", os.O_RDWR), "directory": os.open(outside, os.O_RDONLY),
                   "socket": near.fileno(), "memory": memory}
        for number, kind in LEAKS.items():
            os.dup2(sources[kind], number, inheritable=True)
        try:
            ended = self._finish(subprocess.Popen(command, pass_fds=tuple(LEAKS), **how))
        finally:
            for number in LEAKS:
                os.dup2(self.null, number, inheritable=False)
        if os.fstat(memory).st_size:
            ended.seen.append("the memory file")
        for kind in ("file", "directory", "memory"):
            os.close(sources[kind])
        near.close()
        return ended

    def _socket_input(self, command, how):
        near = self.fixtures.listeners.connected()
        ended = self._finish(subprocess.Popen(command, **{**how, "stdin": near.fileno()}))
        near.close()
        return ended

    def _unix_input(self, command, how):
        """A socket whose other end has sent a descriptor, and takes what comes back."""
        far, standard_input = socket.socketpair()
        with self.fixtures.listeners.connected() as sent:
            socket.send_fds(far, [b"x"], [sent.fileno()])
        ended = self._finish(subprocess.Popen(command, **{**how, "stdin": standard_input.fileno()}))
        standard_input.close()
        if far.recv(64):
            ended.seen.append("the other end of the input")
        far.close()
        return ended

    def _tty(self, command, how, standard=("stdin",)):
        """A terminal that is the controlling one; what is pushed into it can be read from it afterwards."""
        leader, follower = pty.openpty()
        tty.setraw(follower)
        os.set_blocking(leader, False)

        def take():
            os.setsid()
            fcntl.ioctl(follower, termios.TIOCSCTTY, 0)

        how = {**how, **{name: follower for name in standard}, "start_new_session": False, "preexec_fn": take}
        ended = self._finish(subprocess.Popen(command, **how))
        if "stdout" in standard:
            ended.out += _drain(leader)
        os.set_blocking(follower, False)
        if _drain(follower):
            ended.seen.append("the terminal")
        os.close(follower)
        os.close(leader)
        return ended

    def _terminal(self, command, how):
        return self._tty(command, how, ("stdin", "stdout"))

    def _session(self, command, how):
        return self._tty(command, how, ())


def _drain(descriptor):
    try:
        return os.read(descriptor, 4096).decode(errors="replace")
    except OSError:
        return ""
