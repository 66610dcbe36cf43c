#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Ports on the host's network: the program can serve the listed ports by TCP and UDP, and no other port in any way.
Each refused act succeeds without cordon."""
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.ports import claimed_port
from support.scratch import Scratch, write

PYTHON = "/usr/bin/python3"
POLICY = ("level network\nrun /usr\nrun /lib64\nrun /bin\nrun /lib\nread /etc\nread /proc\nwrite {}\nnetwork any\n"
          "listen {} {}-{}\nabilities spawn\npass PATH\n")
SERVE = """
import socket, sys
port = int(sys.argv[1])
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(('127.0.0.1', port))
s = socket.socket(getattr(socket, sys.argv[2])); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1' if sys.argv[2] == 'AF_INET' else '::1', port)); s.listen(5)
open('ready', 'w').close()
c = s.accept()[0]; c.sendall(c.recv(100).upper()); c.close()
d, who = u.recvfrom(100); u.sendto(d.upper(), who)
"""
# Acts that end with `served` on stdout where they succeed.
OTHERS = {
    "TCP on another port": "s = socket.socket(); s.bind(('127.0.0.1', {other})); s.listen()",
    "UDP on another port": "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('127.0.0.1', {other}))",
    "a port of the kernel's choice": "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()",
    "UDP, a port of the kernel's choice": "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('', 0))",
    "a socket that is bound to nothing": "s = socket.socket(); s.listen()",
    "IPv6 on another port": "s = socket.socket(socket.AF_INET6); s.bind(('::1', {other})); s.listen()",
    "no family": "import ctypes; s = socket.socket()\nif ctypes.CDLL(None).bind(s.fileno(), b'\\0\\0' + ({other}).to_bytes(2, 'big')"
                 " + bytes(12), 16): raise OSError\ns.listen()",
    "a thread": "import threading\ndef serve():\n  s = socket.socket(); s.bind(('127.0.0.1', {other})); s.listen(); told.append(1)\n"
                "told = []; t = threading.Thread(target=serve); t.start(); t.join()\nif not told: raise OSError",
    "a child": "import os\npid = os.fork()\nif pid == 0:\n  s = socket.socket(); s.bind(('127.0.0.1', {other})); s.listen(); os._exit(0)\n"
               "if os.waitpid(pid, 0)[1]: raise OSError",
}


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.port, self.other = claimed_port(), claimed_port()
        self.policy = write(os.path.join(self.top, "policy"), POLICY.format(self.workspace, self.port, 64990, 64999))

    def words(self, backend, *words):
        return self.account.prefix + ([] if self.broken else
                                      [self.cordon, "run", "--backend", backend, "--policy", self.policy, "--report",
                                       os.path.join(self.home, "report"), "--"]) + [*words]


def served(s):
    problems = []
    for backend in ("namespaces", "landlock"):
        for family in ("AF_INET", "AF_INET6"):
            program = subprocess.Popen(s.words(backend, PYTHON, "-I", "-c", SERVE, str(s.port), family), cwd=s.workspace,
                                       env=s.variables(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            ready = os.path.join(s.workspace, "ready")
            end = time.monotonic() + 10
            while not os.path.exists(ready) and program.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            told = []
            try:
                host = "127.0.0.1" if family == "AF_INET" else "::1"
                with socket.create_connection((host, s.port), 5) as c:
                    c.sendall(b"over tcp")
                    told.append(c.recv(100))
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as u:
                    u.settimeout(5)
                    u.sendto(b"over udp", ("127.0.0.1", s.port))
                    told.append(u.recv(100))
            except OSError as e:
                told.append(str(e))
            program.kill() if told != [b"OVER TCP", b"OVER UDP"] else None
            err = program.communicate()[1]
            if told != [b"OVER TCP", b"OVER UDP"] or program.returncode != 0 or s.broken:
                problems.append(f"{backend} {family}: {told}, status {program.returncode}: {err[-300:]!r}")
            if os.path.exists(ready):
                os.unlink(ready)
        if not s.broken:
            with open(os.path.join(s.home, "report")) as file:
                report = json.load(file)
            if any(g["id"] == "seccomp.listen" for g in report["gaps"]):
                problems.append(f"{backend}: the report says that no port is served")
    return problems


def others(s):
    problems = []
    for backend in ("namespaces", "landlock"):
        for name, act in OTHERS.items():
            script = "import socket\n" + act.replace("{other}", str(s.other)) + "\nprint('served')"
            ended = subprocess.run(s.words(backend, PYTHON, "-I", "-c", script), cwd=s.workspace, env=s.variables(),
                                   stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
            if b"served" in ended.stdout:
                problems.append(f"{backend}: {name}")
    if s.broken and len(problems) != 2 * len(OTHERS):
        raise RuntimeError(f"the control: only these succeed: {problems}")
    return problems


ROWS = {"ports that are listed": served, "all others": others}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
