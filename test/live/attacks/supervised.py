#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Connections to unix sockets, which cordon's supervisor judges and makes: it cannot be raced, ended, halted or flooded into
a connection to the outside, and a listener sees the program's user."""
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import end, parser_of, run_rows, turned
from support.scratch import Scratch, install, write

PYTHON = "/usr/bin/python3"
BACKENDS = ("namespaces", "bubblewrap")
ANOTHER_USER = 5
POLICY = ("level process_exec\nread /\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nwrite {}\nsockets own\nunix {}\nnetwork none\n"
          "abilities spawn\npass PATH\n")
FLOOD = """
import os, socket, sys, threading
outside, mine = sys.argv[1], sys.argv[1] + '.mine'
s = socket.socket(socket.AF_UNIX); s.bind(mine); s.listen(128)
for process in range(8):
  if os.fork() == 0:
    for _ in range(500):
      c = socket.socket(socket.AF_UNIX)
      try: c.connect(outside); c.send(b'reached')
      except OSError: pass
      c.close()
    os._exit(0)
heard = []
def serve():
  for _ in range(1000):
    c = s.accept()[0]; heard.append(c.recv(9)); c.close()
server = threading.Thread(target=serve); server.start()
for _ in range(1000):
  c = socket.socket(socket.AF_UNIX); c.connect(mine); c.send(b'own'); c.close()
server.join()
for process in range(8): os.wait()
print('served', heard.count(b'own'))
"""
SIGNALS = """
import os, signal, socket, sys
if os.fork() == 0:
  for target in [*range(1, 300), *range(-300, -1)]:
    try:
      if target not in (os.getpid(), os.getppid(), -os.getpgrp()): os.kill(target, signal.SIGKILL)
    except OSError: pass
  os._exit(0)
os.wait()
c = socket.socket(socket.AF_UNIX)
try: c.connect(sys.argv[1]); c.send(b'reached')
except OSError as e: print('refused', e.errno)
"""
LISTENER = """
import ctypes, socket, struct, sys
c = ctypes.CDLL(None, use_errno=True)
c.prctl(38, 1, 0, 0, 0)
code = struct.pack('HBBI', 6, 0, 0, 0x7fff0000)
program = struct.pack('HxxxxxxP', 1, ctypes.addressof(ctypes.create_string_buffer(code)))
text = ctypes.create_string_buffer(code); program = struct.pack('HxxxxxxP', 1, ctypes.addressof(text))
fd = c.syscall(317, 1, 8, program)
print('listener', ctypes.get_errno() if fd < 0 else 'made')
s = socket.socket(socket.AF_UNIX)
try: s.connect(sys.argv[1]); s.send(b'reached')
except OSError as e: print('refused', e.errno)
"""
CONNECT = """
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
try: s.connect(sys.argv[1]); print('connected', s.recv(9).decode())
except OSError as e: print('refused', e.errno)
"""


class Outside:
    """A listener of the machine in the workspace."""

    def __init__(self, path, owner=None, mode=0o777):
        self.path, self.count = path, 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(path)
        os.chmod(path, mode)
        if owner is not None:
            os.chown(path, owner, owner)
        self.socket.listen(128)
        self.socket.setblocking(False)

    def heard(self):
        """The number of connections up to now."""
        try:
            while True:
                self.socket.accept()[0].close()
                self.count += 1
        except OSError:
            return self.count

    def close(self):
        self.socket.close()


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken, self.tries = options.broken, options.tries
        self.attempt = install(options.attempt, os.path.join(self.workspace, "bin", "attempt"))
        self.outside_listener = None

    def words(self, *options):
        return [] if self.broken else [self.cordon, "run", "--workspace", self.workspace, *options, "--"]

    def backends(self):
        """Each backend with a listener outside."""
        for backend in BACKENDS:
            if backend == "bubblewrap" and shutil.which("bwrap") is None:
                continue
            directory = os.path.join(self.workspace, backend)
            os.mkdir(directory)
            self.account.own(directory)
            listener = Outside(os.path.join(directory, "outside"))
            try:
                yield backend, listener
            finally:
                listener.close()

    def python(self, script, listener, *options):
        return self.run(self.words(*options) + [PYTHON, "-I", "-c", script, listener.path], 60)

    def swapping(self, backend, listener, tries):
        """A program that tries to reach the listener, once it does."""
        process = self.start(self.words("--backend", backend) + [self.attempt, "swap", listener.path, str(tries)])
        until = time.monotonic() + 20
        while not os.path.exists(os.path.join(os.path.dirname(listener.path), "link")):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the control: nothing was tried: {self.finish(process, 1).err[-300:]}")
            time.sleep(0.01)
        return process

    def programs(self):
        """The processes of the attempt that are left."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if file.read().startswith(self.attempt.encode()):
                        found.append(int(pid))
            except OSError:
                pass
        return found


def ended(s, seconds=10):
    """Do all processes of the attempt end within that time?"""
    until = time.monotonic() + seconds
    while s.programs():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def everywhere(s, act):
    """What is wrong with each backend: what the act says, and each connection to the outside."""
    problems = []
    for backend, listener in s.backends():
        said, count = act(backend, listener), listener.heard()
        problems += [f"{backend}: {said}"] * bool(said) + [f"{backend}: {count} connections to the outside"] * bool(count)
    return problems


def unless(fine, done):
    return "" if fine else f"{done.out} {done.err[-300:]}"


def swapped(s):
    """Other threads change the address, the name and the descriptor while the call is judged."""
    def act(backend, listener):
        process = s.swapping(backend, listener, s.tries)
        while process.poll() is None:
            listener.heard()
            time.sleep(0.02)
        done = s.finish(process)
        return unless(f"tried {s.tries}" in done.out, done)
    return everywhere(s, act)


def killed(s):
    """The program ends with its supervisor, and reaches nothing on the way."""
    def act(backend, listener):
        process = s.swapping(backend, listener, 1_000_000_000)
        time.sleep(0.3)
        process.kill()
        process.wait()
        return "" if ended(s) else f"the program lives on: {s.programs()}"
    return everywhere(s, act)


def halted(s):
    """No connection is made while the supervisor is stopped, and the program continues when it does."""
    def act(backend, listener):
        process = s.swapping(backend, listener, 20_000)
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(0.5)
        listener.heard()
        os.kill(process.pid, signal.SIGCONT)
        done = s.finish(process, 60)
        return unless("tried 20000" in done.out, done)
    return everywhere(s, act)


def flooded(s):
    """Eight processes ask for what is refused; a thousand connections of a ninth are made meanwhile."""
    def act(backend, listener):
        done = s.python(FLOOD, listener, "--backend", backend)
        return unless("served 1000" in done.out, done)
    return everywhere(s, act)


def signalled(s):
    """The program cannot end its supervisor by signals to every process and group that it can name."""
    # Without cordon at least the processes of the machine are out of reach.
    apart = ["unshare", "--user", "--pid", "--fork", "--kill-child"] if s.broken else []

    def act(backend, listener):
        done = s.run(apart + s.words("--backend", backend) + [PYTHON, "-I", "-c", SIGNALS, listener.path], 60)
        return unless(done.out.startswith("refused"), done)
    return everywhere(s, act)


def own_listener(s):
    """A filter of the program's own with a listener is refused: the kernel would ask it instead of the supervisor."""
    def act(backend, listener):
        done = s.python(LISTENER, listener, "--backend", backend)
        return unless(done.out.split()[:2] in (["listener", "16"], ["listener", "1"]), done)
    return everywhere(s, act)


def greeted(s, listener, *options):
    """What the program says when it connects, and the user and group that the listener sees."""
    process = s.start(s.words(*options) + [PYTHON, "-I", "-c", CONNECT, listener.path])
    seen, until = None, time.monotonic() + 20
    while process.poll() is None and time.monotonic() < until:
        try:
            peer = listener.socket.accept()[0]
        except BlockingIOError:
            time.sleep(0.01)
            continue
        seen = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1:]
        peer.send(b"welcome")
        peer.close()
    return s.finish(process).out, seen


def granted(s, owner, mode=0o777):
    """A listener that the policy grants, and the options for it."""
    path = os.path.join(s.workspace, "granted")
    policy = write(os.path.join(s.top, "policy"), POLICY.format(s.workspace, path))
    return Outside(path, owner, mode), ("--policy", policy)


def who_connects(s):
    """The listener is another user's."""
    owner = ANOTHER_USER if os.geteuid() == 0 else None
    listener, options = granted(s, owner)
    words = ("--backend", "namespaces", *options)
    said, seen = greeted(s, listener, *(words if not s.broken else ()))
    listener.close()
    wanted = (s.account.uid, s.account.gid)
    return [] if said == "connected welcome\n" and seen == wanted else [f"{said!r}, {seen}, not {wanted}"]


def closed_to_the_user(s):
    """The listener lets its owner connect alone. Root's program has no capability to get in, and its supervisor lends none."""
    if os.geteuid() != 0:
        return []
    listener, options = granted(s, ANOTHER_USER, 0o700)
    said, seen = greeted(s, listener, *(("--backend", "namespaces", *options) if not s.broken else ()))
    listener.close()
    return [] if said == "refused 13\n" and seen is None else [f"{said!r}, {seen}"]


ROWS = {"what changes while it is judged": swapped, "a supervisor that is killed": killed,
        "a supervisor that is stopped": halted, "a flood of refused connections": flooded,
        "signals to every process": signalled, "a listener of the program's own": own_listener,
        "the user that a listener sees": who_connects, "a listener that is closed to the user": closed_to_the_user}

if __name__ == "__main__":
    parser = parser_of(__doc__, "results")
    parser.add_argument("--cordon", required=True)
    parser.add_argument("--attempt", required=True, help="the built program of test/live/attacks/attempt")
    parser.add_argument("--tries", type=int, default=10_000, help="connections while something changes, for each backend")
    given = parser.parse_args()
    given.broken = False
    rows = run_rows(ROWS, Stage)

    def self_test(options):
        options.broken = True
        # What they say does not depend on confinement.
        alike = ("the user that a listener sees",) + (("closed to the user",) if options.user == "nobody" else ())
        return turned(options, rows, "the control: ", "without cordon", alike)

    sys.exit(end(given, rows, self_test, "results"))
