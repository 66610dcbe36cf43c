#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Ports of the machine that lead to a server in a run (`cordon run --publish`), and what reaches no run."""
import contextlib
import hashlib
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.ports import claimed_port
from support.scratch import Scratch, abandon, write

BACKENDS = ("namespaces", "bubblewrap")
PYTHON = "/usr/bin/python3"
# Serves a port of the run; `act` gets each connection, and says with True that it was the last one.
SERVE = """
import socket, sys, hashlib, os, time, threading
def act(c):
%s
s = socket.socket(getattr(socket, sys.argv[2])); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1' if sys.argv[2] == 'AF_INET' else '::1', int(sys.argv[1]))); s.listen(1000)
open('ready', 'w').close()
while not act(s.accept()[0]): pass
"""
ECHO = """
  said = b''
  while more := c.recv(65536): said += more
  c.sendall(said[::-1]); c.close()
  return said == b'end'
"""
DIGEST = """
  digest = hashlib.sha256()
  while more := c.recv(1 << 20): digest.update(more)
  c.sendall(digest.digest()); c.sendall(bytes(range(256)) * 4096 * 64); c.close()
  return True
"""
SEND_AND_END = """
  c.sendall(b'x' * 3_000_000); c.close()
  return True
"""
HOLD = """
  c.sendall(b'x' * 20_000_000); time.sleep(60)
"""


def connected(port, host="127.0.0.1"):
    c = socket.create_connection((host, port), 10)
    c.settimeout(10)
    return c


def all_of(c):
    """Until the end of the other side."""
    parts = []
    while more := c.recv(1 << 20):
        parts.append(more)
    return b"".join(parts)


def ask(port, words, host="127.0.0.1"):
    with connected(port, host) as c:
        c.sendall(words)
        c.shutdown(socket.SHUT_WR)
        return all_of(c)


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.port, self.inner = claimed_port(), claimed_port()

    def command(self, backend, *options):
        return [] if self.broken else [self.cordon, "run", "--quiet", "--backend", backend, "--workspace", self.workspace,
                                       "--publish", f"{self.port}:{self.inner}", *options, "--"]

    @contextlib.contextmanager
    def serving(self, act, *options, backend="namespaces", family="AF_INET"):
        """A server in a run, once it listens."""
        ready = os.path.join(self.workspace, "ready")
        process = self.start([*self.command(backend, *options), PYTHON, "-I", "-c", SERVE % act, str(self.inner), family])
        end = time.monotonic() + 20
        while not os.path.exists(ready) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        try:
            yield process
        finally:
            if os.path.exists(ready):
                os.unlink(ready)
            if process.poll() is None:
                abandon(process)

    def refused(self, words, *options, backend="namespaces"):
        ended = self.run([*self.command(backend, *options), "true"])
        return [] if ended.status == 125 and words in ended.err else [f"status {ended.status}: {ended.err[-300:]}"]


def both_ways(s):
    problems = []
    for backend in BACKENDS:
        for family in ("AF_INET", "AF_INET6"):
            with s.serving(ECHO, backend=backend, family=family) as run:
                told = [ask(s.port, b"over v4"), ask(s.port, b"over v6", "::1"), ask(s.port, b""), ask(s.port, b"end")]
                ended = s.finish(run)
            if told != [b"4v revo", b"6v revo", b"", b"dne"] or ended.status != 0:
                problems.append(f"{backend}, {family}: {told}, status {ended.status}: {ended.err}")
    return problems


def large(s):
    """64 MiB in, 64 MiB out."""
    wanted = bytes(range(256)) * 4096 * 64
    with s.serving(DIGEST) as run:
        with connected(s.port) as c:
            c.sendall(wanted)
            c.shutdown(socket.SHUT_WR)
            told = all_of(c)
        ended = s.finish(run)
    same = told[:32] == hashlib.sha256(wanted).digest() and told[32:] == wanted
    return [] if same and ended.status == 0 else [f"{len(told)} bytes, status {ended.status}: {ended.err}"]


def many(s):
    """Short connections from several threads at once; none is lost, and no descriptor stays."""
    with s.serving(ECHO) as run:
        ask(s.port, b"first")
        cordon = f"/proc/{run.pid}/fd"
        before, failures = len(os.listdir(cordon)), []

        def client(number):
            for i in range(100):
                try:
                    if ask(s.port, f"{number} {i}".encode()) != f"{number} {i}".encode()[::-1]:
                        failures.append((number, i))
                except OSError as e:
                    failures.append(str(e))

        clients = [threading.Thread(target=client, args=(n,)) for n in range(8)]
        for c in clients:
            c.start()
        for c in clients:
            c.join()
        end, grown = time.monotonic() + 5, 1000
        while grown > 48 and time.monotonic() < end:  # sockets that are made in advance
            grown = len(os.listdir(cordon)) - before
            time.sleep(0.05)
        # Another user would own the files of a process that a change of its capabilities has made undumpable.
        owner = os.stat(f"/proc/{run.pid}/maps").st_uid
    problems = [f"{len(failures)} failures: {failures[:3]}"] if failures else []
    if grown > 48:
        problems.append(f"{grown} more descriptors than before")
    if owner != s.account.uid:
        problems.append(f"the launcher's files belong to user {owner}")
    return problems


def more_than_at_once(s):
    """Cordon passes on 512 connections at a time; the others wait."""
    with s.serving(ECHO) as run, contextlib.ExitStack() as all_open:
        clients = [all_open.enter_context(connected(s.port)) for _ in range(600)]
        for number, c in enumerate(clients):
            c.sendall(str(number).encode())
        told = 0
        for number, c in enumerate(clients):
            c.shutdown(socket.SHUT_WR)
            told += all_of(c) == str(number).encode()[::-1]
            c.close()
        ask(s.port, b"end")
        ended = s.finish(run)
    return [] if told == 600 and ended.status == 0 else [f"{told} of 600, status {ended.status}: {ended.err}"]


def bounded_memory(s):
    """A server that reads nothing stops its client; the launcher keeps a buffer, and not all that was sent."""
    def resident(pid):
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

    with s.serving("\n  time.sleep(60)\n") as run, contextlib.ExitStack() as all_open:
        before, sent = resident(run.pid), 0
        for _ in range(4):
            c = all_open.enter_context(connected(s.port))
            c.settimeout(1)
            with contextlib.suppress(TimeoutError):
                while sent < 256 << 20:
                    sent += c.send(bytes(1 << 20))
        grown = resident(run.pid) - before
    return [] if 0 < sent < 256 << 20 and grown < 8192 else [f"{sent} bytes were taken, {grown} KiB more are resident"]


def last_bytes(s):
    """The program ends at once after its last byte, and the client reads late."""
    with s.serving(SEND_AND_END) as run:
        with connected(s.port) as c:
            time.sleep(0.5)
            told = len(all_of(c))
        ended = s.finish(run)
    return [] if told == 3_000_000 and ended.status == 0 else [f"{told} bytes, status {ended.status}"]


def prompt_end(s):
    """Clients that read nothing, or that say nothing, delay no end of a run, neither its own nor one by a signal."""
    problems = []
    for name, act, end in (("a client that says nothing", ECHO, signal.SIGTERM), ("a client that reads nothing", HOLD, signal.SIGTERM),
                           ("the program's own end", SEND_AND_END, None)):
        with s.serving(act) as run, connected(s.port) as c:
            if end:
                time.sleep(0.3)
                os.kill(run.pid, end)
            start = time.monotonic()
            ended = s.finish(run, 20)
            if ended.status == 99 or time.monotonic() - start > 8:
                problems.append(f"{name}: status {ended.status} after {time.monotonic() - start:.1f} s")
            del c
    return problems if not s.broken else ["nothing is passed on"]


def not_yet(s):
    """Before the server listens, a client is turned away as on the machine; afterwards it is served."""
    script = f"while ! [ -e go ]; do sleep 0.02; done; exec {PYTHON} -I -c \"$0\" {s.inner} AF_INET"
    run = s.start([*s.command("namespaces"), "sh", "-c", script, SERVE % ECHO])
    try:
        first, end = b"nothing", time.monotonic() + 20
        while first == b"nothing" and time.monotonic() < end:
            try:
                first = ask(s.port, b"early")
            except ConnectionResetError:
                first = b""
            except ConnectionRefusedError:  # cordon does not listen yet
                time.sleep(0.02)
        write(f"{s.workspace}/go", "")
        told, end = b"", time.monotonic() + 20
        while not told and time.monotonic() < end:
            with contextlib.suppress(OSError):
                told = ask(s.port, b"end")
        ended = s.finish(run)
    finally:
        if run.poll() is None:
            abandon(run)
    return [] if first == b"" and told == b"dne" and ended.status == 0 else [f"{first}, {told}, status {ended.status}"]


def unreachable(s):
    """Other ports of the run from the machine; ports of the machine, and the published one, from the run."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        places = [s.port, server.getsockname()[1]]
        probe = f"""
  import json
  found = []
  for port in {places}:
    try: socket.create_connection(('127.0.0.1', port), 2); found.append(port)
    except OSError: pass
  c.sendall(json.dumps(found).encode()); c.close()
"""
        with s.serving(probe) as run:
            told = all_of(connected(s.port))
            try:
                connected(s.inner).close()
                told += b" the run's port is the machine's"
            except OSError:
                pass
            try:  # all of 127/8 is this machine
                connected(s.port, "127.0.0.2").close()
                told += b" at another address"
            except OSError:
                pass
            del run
    return [] if told == b"[]" else [told.decode()]


def addresses(s):
    """One that is named, and no other; all of one family."""
    problems = []
    for address, wanted in (("127.0.0.2", {"127.0.0.2"}), ("[::1]", {"::1"}), ("[::]", {"::1"}), ("0.0.0.0", {"127.0.0.1", "127.0.0.2"})):
        with s.serving(ECHO, "--publish", f"{address}:{s.inner}") as run:
            reached = set()
            for host in ("127.0.0.1", "127.0.0.2", "::1"):
                with contextlib.suppress(OSError):
                    if ask(s.inner, b"x", host) == b"x":
                        reached.add(host)
            del run
        if reached != wanted:
            problems.append(f"{address}: {reached}")
    return problems


def what_is_refused(s):
    if s.broken:
        return ["nothing refuses"]
    problems = []
    with socket.create_server(("127.0.0.1", s.port)):
        problems += s.refused("Address already in use")
    problems += s.refused("the machine's network", "--network", "any") + s.refused("no network of its own", backend="landlock")
    policy = "level network\nrun /usr\nrun /lib64\nrun /bin\nrun /lib\nwrite {}\nnetwork none\n{}abilities spawn\npass PATH\n"
    for sockets, status, words in (("sockets own\n", 125, "does not list it"), (f"listen {s.port}\n", 125, "no sockets"),
                                   (f"sockets own\nlisten {s.port + 1}\n", 125, "does not list it"),
                                   (f"sockets own\nlisten {s.port}\n", 0, "")):
        file = write(f"{s.home}/policy", policy.format(s.workspace, sockets))
        ended = s.run([s.cordon, "run", "--policy", file, "--publish", str(s.port), "--", "true"])
        if ended.status != status or words not in ended.err:
            problems.append(f"{sockets}: status {ended.status}: {ended.err}")
    return problems


def from_policies(s):
    """A file publishes, and the port that a second one does not list is refused."""
    if s.broken:
        return ["nothing reads policies"]
    start = "level network\nrun /usr\nrun /lib64\nrun /bin\nrun /lib\nread /etc\n" + f"write {s.workspace}\nnetwork none\npass PATH\n"
    one = write(f"{s.home}/one", start + f"publish {s.port}:{s.inner}\n")
    two = write(f"{s.home}/two", start + f"sockets own\nlisten {s.port + 1}\n")
    command = [s.cordon, "run", "--policy", one, "--publish", f"{s.port}:{s.inner}"]  # the same once more
    ready = f"{s.workspace}/ready"
    run = s.start([*command, "--", PYTHON, "-I", "-c", SERVE % ECHO, str(s.inner), "AF_INET"])
    end = time.monotonic() + 20
    while not os.path.exists(ready) and run.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    told = ask(s.port, b"end") if os.path.exists(ready) else b""
    ended, refused = s.finish(run), s.run([*command, "--policy", two, "--", "true"])
    problems = [] if told == b"dne" and ended.status == 0 else [f"{told}, status {ended.status}: {ended.err}"]
    return problems + ([] if refused.status == 125 and "does not list it" in refused.err else [f"status {refused.status}: {refused.err}"])


def reported(s):
    ended = s.run([*s.command("namespaces", "--report", f"{s.home}/report"), "true"])
    if s.broken or ended.status != 0:
        return [f"status {ended.status}: {ended.err}"]
    with open(f"{s.home}/report", encoding="utf-8") as file:
        published = json.load(file)["published"]
    return [] if published == [f"localhost:{s.port}:{s.inner}"] else [str(published)]


ROWS = {
    "both ways": both_ways,
    "a large transfer": large,
    "many connections": many,
    "more connections than at a time": more_than_at_once,
    "a server that reads nothing": bounded_memory,
    "the last bytes of a program": last_bytes,
    "the end of a run": prompt_end,
    "a server that starts late": not_yet,
    "what stays unreachable": unreachable,
    "addresses": addresses,
    "what is refused": what_is_refused,
    "policies that publish": from_policies,
    "the report": reported,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
