#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a program can do with the streams that it is handed: a pipe is not opened in the other direction, a socket reaches
no other server, a descriptor that is no file is not handed over; and all bytes arrive, in their order. Each act is tried without
cordon too, where it succeeds."""
import ctypes
import hashlib
import json
import os
import pathlib
import select
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

PYTHON = "/usr/bin/python3"
BACKENDS = ("namespaces", "landlock", "bubblewrap")
# Opens a stream again: for reading where it is for writing, and the other way.
AGAIN = """
import os, sys
fd, way = int(sys.argv[1]), os.O_RDONLY if sys.argv[1] != '0' else os.O_WRONLY
other = os.open(f'/proc/self/fd/{fd}', way | os.O_NONBLOCK)
if fd == 0: os.write(other, b'planted')
else: open('stolen', 'wb').write(os.read(other, 100))
"""
# What a descriptor is: a pipe, a socket, something in memory.
WHAT = "import os, stat; m = os.fstat(0).st_mode; print(stat.S_ISFIFO(m), stat.S_ISSOCK(m))"
# A connected socket is turned to another server.
TURN = """
import ctypes, os, socket, sys
if ctypes.CDLL(None, use_errno=True).connect(0, b'\\0' * 16, 16): sys.exit(f'not let go: {ctypes.get_errno()}')
s = socket.socket(fileno=0)
s.connect(('127.0.0.1', int(sys.argv[1])))
s.send(b'turned')
"""


# What an owner can change of a file that is open for reading alone.
CHANGE = """
import os, sys
acts = {"mode": lambda f: os.fchmod(f, 0o600), "times": lambda f: os.utime(f, (1, 1)),
        "attribute": lambda f: os.setxattr(f, "user.planted", b"x"),
        "mode by name": lambda f: os.chmod(f"/proc/self/fd/{f}", 0o600)}
for name, act in acts.items():
    try: act(int(sys.argv[1])); result = "changed"
    except OSError as e: result = e.errno
    os.write(int(sys.argv[2]), f"{name}: {result}\\n".encode())
"""


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken

    def words(self, *words, options=()):
        return self.account.prefix + ([] if self.broken else
                                      [self.cordon, "run", "--workspace", self.workspace, *options, "--"]) + [*words]

    def started(self, *words, options=(), **how):
        return subprocess.run(self.words(*words, options=options), cwd=self.workspace, env=self.variables(), timeout=30, **how)


def outputs_again(s):
    """The program cannot read the content of the caller's output pipe."""
    problems = []
    for backend in BACKENDS:
        for fd in (1, 2):
            reading, writing = os.pipe()
            os.write(writing, b"for the reader")
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            streams["stdout" if fd == 1 else "stderr"] = writing
            s.started(PYTHON, "-I", "-c", AGAIN, str(fd), options=["--backend", backend], **streams)
            os.close(writing)
            left = os.read(reading, 1000)
            os.close(reading)
            stolen = os.path.join(s.workspace, "stolen")
            if not left.startswith(b"for the reader"):
                problems.append(f"{backend}: descriptor {fd}: the reader gets {left!r}")
            if os.path.exists(stolen):
                os.unlink(stolen)
    return problems


def input_again(s):
    problems = []
    for backend in BACKENDS:
        reading, writing = os.pipe()
        os.write(writing, b"first")
        ended = s.started(PYTHON, "-I", "-c", AGAIN, "0", options=["--backend", backend, "--stdin", "relay"], stdin=reading,
                          capture_output=True)
        os.set_blocking(reading, False)
        os.close(writing)
        left = os.read(reading, 1000)
        os.close(reading)
        if b"planted" in left:
            problems.append(f"{backend}: planted in the caller's pipe, {ended.stderr!r}")
    report = os.path.join(s.workspace, "report")
    hardened = [w for gap in ("policy.writable:" + report,) for w in ("--accept-gap", gap)]
    for options, gap in (([], True), (["--stdin", "relay"], False), (["--profile", "os_hardened", *hardened], False)):
        if s.broken:
            return problems
        ended = s.started("cat", options=[*options, "--report", report], input=b"through", capture_output=True)
        with open(report) as file:
            told = any(g["id"] == "stdio.reopen:0" for g in json.load(file)["gaps"])
        if ended.stdout != b"through" or told != gap:
            problems.append(f"{options}: {ended.stdout!r}, the gap {told}: {ended.stderr!r}")
    return problems


def rest_of_a_pipe(s):
    """After the run, the caller can read what the program left in the pipe."""
    reading, writing = os.pipe()
    os.write(writing, b"one\ntwo\n")
    os.close(writing)
    s.started("sh", "-c", "read -r line", stdin=reading, capture_output=True)
    left = os.read(reading, 100)
    os.close(reading)
    return [] if left == b"two\n" and not s.broken else [f"left is {left!r}"]


def read_only_files(s):
    """A file of the user's that the policy does not let the program change comes with its bytes alone, at its offset."""
    problems = []
    place = write(os.path.join(s.top, "given"), "".join(f"line {n}\n" for n in range(2000)))
    s.account.own(place)
    os.chmod(place, 0o644)
    for backend in ("namespaces", "bubblewrap"):
        for fd, granted in ((0, True), (0, False), (1, False), (2, False)):
            before = os.stat(place)
            options = ["--backend", backend, *(["--read", place] if granted else [])]
            with open(place, "rb", buffering=0) as file:
                streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
                streams[("stdin", "stdout", "stderr")[fd]] = file
                ended = s.started(PYTHON, "-I", "-c", CHANGE, str(fd), "2" if fd == 1 else "1", options=options, **streams)
            told = (ended.stderr if fd == 1 else ended.stdout).decode()
            after = os.stat(place)
            if (before.st_mode, before.st_mtime, os.listxattr(place)) != (after.st_mode, after.st_mtime, []) or "changed" in told:
                problems.append(f"{backend}: descriptor {fd}: {told!r}")
                os.chmod(place, 0o644)
            if told.count(" 30\n") != 4 and not s.broken:
                problems.append(f"{backend}: descriptor {fd}: not all are EROFS: {told!r} {ended.stderr!r}")
        # It can be sought in, opened again where the policy lets it be read, and its next reader goes on behind it.
        script = "head -n 1; head -n 1 /dev/stdin; tail -c 5 <&0"
        with open(place, "rb", buffering=0) as file:
            ended = s.started("sh", "-c", script, options=["--backend", backend, "--read", place], stdin=file,
                              capture_output=True)
            rest = file.read()
        if ended.stdout != b"line 0\nline 0\n1999\n" or rest != b"":
            problems.append(f"{backend}: {ended.stdout!r}, then {rest[:20]!r}: {ended.stderr!r}")
        with open(place, "rb", buffering=0) as file:
            file.readline()
            ended = s.started("sh", "-c", "read -r a; echo $a", options=["--backend", backend], stdin=file, capture_output=True)
            rest = file.readline()
        if ended.stdout != b"line 1\n" or rest != b"line 2\n":
            problems.append(f"{backend}: from an offset: {ended.stdout!r}, then {rest!r}")
        # A file without a name, as of a long here-document, comes as it is; one that may be written keeps its descriptor.
        gone = write(os.path.join(s.top, "gone"), "bytes")
        with open(gone, "rb") as file:
            os.unlink(gone)
            ended = s.started("cat", options=["--backend", backend], stdin=file, capture_output=True)
        if ended.stdout != b"bytes":
            problems.append(f"{backend}: a file without a name: {ended.stdout!r} {ended.stderr!r}")
    return problems


def other_names(s):
    """A path that means another file here grants nothing: the name was removed and another hard link lies outside, or
    the file belongs to another mount namespace whose path reads like one of the workspace."""
    problems = []
    for backend in ("namespaces", "bubblewrap"):
        outside, inside = write(os.path.join(s.top, "linked"), "kept"), os.path.join(s.workspace, "link")
        s.account.own(outside)
        os.link(outside, inside)
        with open(inside, "rb") as file:
            os.unlink(inside)
            ended = s.started("sh", "-c", "echo planted > /proc/self/fd/0; chmod 600 /proc/self/fd/0; true",
                              options=["--backend", backend], stdin=file, capture_output=True)
        with open(outside) as file:
            kept = file.read() == "kept" and os.stat(outside).st_mode & 0o777 == 0o644
        if not kept:
            problems.append(f"{backend}: a removed name: {ended.stderr!r}")
        problems += [f"{backend}: {text}" for text in in_another_mount_namespace(s, backend)]
    return problems


def in_another_mount_namespace(s, backend):
    there = os.path.join(s.top, "there")
    os.makedirs(there, exist_ok=True)
    file = write(os.path.join(there, "file"), "kept")
    for path in (there, file):
        s.account.own(path)
    write(os.path.join(s.workspace, "file"), "of the workspace")
    s.account.own(os.path.join(s.workspace, "file"))
    script = 'mount --bind "$1" "$2" && exec sleep 20'
    own = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]  # in which another user may mount too
    holder = subprocess.Popen(["unshare", *own, "-m", "--propagation", "private", "sh", "-c", script, "sh", there, s.workspace])
    try:
        name = f"/proc/{holder.pid}/root{s.workspace}/file"
        until = time.monotonic() + 10
        while not (os.path.exists(name) and os.path.samefile(name, file)):
            if time.monotonic() > until or holder.poll() is not None:
                raise RuntimeError("no mount namespace for the control")
            time.sleep(0.02)
        with open(name, "rb") as opened:
            ended = s.started("chmod", "600", "/dev/fd/0", options=["--backend", backend], stdin=opened, capture_output=True)
    finally:
        holder.kill()
        holder.wait()
    if os.stat(file).st_mode & 0o777 == 0o644:
        return []
    os.chmod(file, 0o644)
    return [f"another mount namespace: the mode was changed: {ended.stderr!r}"]


def fifos(s):
    """A FIFO on disk keeps its mode and times, and what the program has not read stays in it."""
    problems = []
    for backend in ("namespaces", "bubblewrap"):
        fifo = os.path.join(s.top, "fifo")
        os.mkfifo(fifo, 0o644)
        s.account.own(fifo)
        writing = os.open(fifo, os.O_RDWR)
        os.write(writing, b"one\ntwo\n")
        reading = os.open(fifo, os.O_RDONLY)
        before = os.stat(fifo)
        ended = s.started(PYTHON, "-I", "-c", CHANGE, "0", "1", options=["--backend", backend], stdin=reading,
                          capture_output=True)
        told, after = ended.stdout.decode(), os.stat(fifo)
        if (before.st_mode, before.st_mtime) != (after.st_mode, after.st_mtime) or "changed" in told.replace("attribute: changed", ""):
            problems.append(f"{backend}: {told!r}")
        ended = s.started("sh", "-c", "read -r a; echo $a", options=["--backend", backend], stdin=reading, capture_output=True)
        left = os.read(reading, 100)
        if ended.stdout != b"one\n" or left != b"two\n":
            problems.append(f"{backend}: {ended.stdout!r}, then {left!r}: {ended.stderr!r}")
        os.close(reading)
        os.close(writing)
        os.unlink(fifo)
    return problems


def rest_of_a_relayed_file(s):
    """A file whose bytes go through cordon is left where the program stopped reading."""
    problems = []
    lines = "".join(f"line {n}\n" for n in range(50000))
    place = write(os.path.join(s.workspace, "reduced"), lines)
    s.account.own(place)
    for backend in BACKENDS:
        options = ["--backend", backend, "--read", place]
        with open(place, "rb", buffering=0) as file:
            file.readline()
            ended = s.started("sh", "-c", "read -r a; echo $a; readlink /proc/self/fd/0", options=options, stdin=file,
                              capture_output=True)
            rest = file.read(7)
            unread = s.started("true", options=options, stdin=file, capture_output=True)
            then = file.read(7)
        if not ended.stdout.startswith(b"line 1\npipe:") or rest != b"line 2\n" or then != b"line 3\n":
            problems.append(f"{backend}: {ended.stdout!r}, then {rest!r}, then {then!r}: {ended.stderr!r} {unread.stderr!r}")
    return problems


def foreign_terminal(s):
    """A terminal that does not control cordon: its input arrives, and no device of the machine is handed over."""
    script = "import os, stat, sys; s = os.fstat(0); print(stat.S_ISFIFO(s.st_mode), sys.stdin.readline().strip())"
    problems = []
    for backend in BACKENDS:
        outer, inner = os.openpty()
        os.write(outer, b"typed\n")
        ended = s.started(PYTHON, "-I", "-c", script, options=["--backend", backend], stdin=inner, capture_output=True,
                          start_new_session=True)
        os.close(outer)
        os.close(inner)
        if ended.stdout != b"True typed\n":
            problems.append(f"{backend}: {ended.stdout!r} {ended.stderr!r}")
    return problems


def sockets(s):
    """At level network too: what is handed over is bytes, not a socket."""
    problems = []
    other = socket.create_server(("127.0.0.1", 0))
    other.settimeout(1)
    for backend in ("namespaces", "landlock"):
        for network in ([], ["--network", "any"]):
            first = socket.create_server(("127.0.0.1", 0))
            ours = socket.create_connection(first.getsockname())
            theirs = first.accept()[0]
            theirs.sendall(b"asked\n")
            theirs.shutdown(socket.SHUT_WR)
            options = ["--backend", backend, *network]
            ended = s.started(PYTHON, "-I", "-c", WHAT + "; print(input())", options=options, stdin=ours.fileno(),
                              stdout=ours.fileno(), stderr=subprocess.PIPE)
            ours.close()
            told = b""
            while piece := theirs.recv(1000):
                told += piece
            theirs.close()
            # With all of the network allowed the policy allows all that the socket can do.
            if told != b"True False\nasked\n" and (not network or told != b"False True\nasked\n"):
                problems.append(f"{backend} {network}: {told!r} {ended.stderr[-200:]!r}")
            first.close()
    # A network of the run's own, in which sockets may connect; this one is of the machine's.
    policy = write(os.path.join(s.top, "policy"), "level network\nrun /usr\nrun /lib64\nrun /bin\nrun /lib\nread /etc\n"
                                                  f"write {s.workspace}\nnetwork none\nloopback yes\n")
    first = socket.create_server(("127.0.0.1", 0))
    ours = socket.create_connection(first.getsockname())
    words = [s.cordon, "run", "--policy", policy, "--"] if not s.broken else []
    ended = subprocess.run(s.account.prefix + words + [PYTHON, "-I", "-c", TURN, str(other.getsockname()[1])],
                           stdin=ours.fileno(), capture_output=True, cwd=s.workspace, env=s.variables(), timeout=30)
    if ended.returncode == 0:
        problems.append("a connected socket is turned to another server")
    elif s.broken:
        raise RuntimeError(f"the control: {ended.stderr!r}")
    return problems


def no_files(s):
    """pidfd, eventfd, epoll, a namespace: refused. A file in memory goes through cordon."""
    problems = []
    events = select.epoll()
    made = {"pidfd": os.pidfd_open(os.getpid()), "eventfd": ctypes.CDLL(None).eventfd(0, 0),
            "epoll": os.dup(events.fileno()), "namespace": os.open("/proc/self/ns/net", os.O_RDONLY),
            "a directory": os.open(s.workspace, os.O_RDONLY | os.O_DIRECTORY), "a file for ioctl(2)": os.open(os.devnull, os.O_ACCMODE)}
    for name, fd in made.items():
        ended = s.started("true", stdin=fd, capture_output=True)
        refused = (b"stdin is not a descriptor of a file", b"stdin is a directory, or a descriptor that neither")
        if ended.returncode != 125 or not any(text in ended.stderr for text in refused):
            problems.append(f"{name}: status {ended.returncode}, {ended.stderr!r}")
        os.close(fd)
    memory = os.memfd_create("given")
    os.write(memory, b"bytes")
    os.lseek(memory, 0, os.SEEK_SET)
    ended = s.started("sh", "-c", "readlink /proc/self/fd/0; cat", stdin=memory, capture_output=True)
    os.close(memory)
    if not ended.stdout.startswith(b"pipe:") or not ended.stdout.endswith(b"\nbytes"):
        problems.append(f"a file in memory: {ended.stdout!r}")
    return problems


def order(s):
    """Both streams in one pipe: what is written first is read first."""
    script = "i=0; while [ $i -lt 300 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done"
    wanted = "".join(f"o{i}\ne{i}\n" for i in range(300)).encode()
    problems = []
    for backend in BACKENDS:
        reading, writing = os.pipe()
        process = subprocess.Popen(s.words("sh", "-c", script, options=["--quiet", "--backend", backend]), cwd=s.workspace,
                                   env=s.variables(), stdin=subprocess.DEVNULL, stdout=writing, stderr=writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            told = file.read()
        process.wait()
        if told != wanted or s.broken:
            problems.append(f"{backend}: {told[:100]!r} ...")
    return problems


def all_bytes(s):
    """Much more than any pipe holds, to a reader that is slow at first; the status stays the program's."""
    script = "import sys\nfor i in range(200): sys.stdout.buffer.write(bytes([i]) * 50000)\nsys.exit(7)"
    wanted = hashlib.sha256(b"".join(bytes([i]) * 50000 for i in range(200))).hexdigest()
    problems = []
    for backend in BACKENDS:
        process = subprocess.Popen(s.words(PYTHON, "-I", "-c", script, options=["--backend", backend]), cwd=s.workspace,
                                   env=s.variables(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        pieces = [process.stdout.read(10)]
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            pass
        pieces.append(process.stdout.read())
        status = process.wait()
        if hashlib.sha256(b"".join(pieces)).hexdigest() != wanted or status != 7 or s.broken:
            problems.append(f"{backend}: {sum(map(len, pieces))} bytes, status {status}")
    ended = subprocess.run(["sh", "-c", '"$@" | head -n 2', "sh", *s.words("yes")], cwd=s.workspace, env=s.variables(),
                           capture_output=True, timeout=20)
    return problems + ([] if ended.stdout == b"y\ny\n" else [f"a reader that goes: {ended.stdout!r}"])


def lost_output(s):
    """A run fails if its output was lost, although the program succeeded. A reader may close its end."""
    problems = []
    for backend in ("namespaces", "landlock"):
        # The shell ends with 0 whether it sees the error or not, so that a 125 is cordon's own.
        with open("/dev/full", "wb", buffering=0) as full:
            ended = s.started("sh", "-c", "echo written || true", options=["--backend", backend], stdout=full,
                              stderr=subprocess.PIPE)
        lost = ended.returncode == 125 and b"stdout: not all output was written: No space left" in ended.stderr
        # As this user the device is the program's own, which then sees the error itself.
        if not lost and not (s.account.uid and not s.broken and b"I/O error" in ended.stderr):
            problems.append(f"{backend}: status {ended.returncode}, {ended.stderr[-200:]!r}")
        reading, writing = os.pipe()
        os.close(reading)
        ended = s.started("sh", "-c", "trap '' PIPE; echo written; true", options=["--backend", backend], stdout=writing,
                          stderr=subprocess.PIPE)
        os.close(writing)
        if ended.returncode != 0:
            problems.append(f"{backend}, no reader: status {ended.returncode}, {ended.stderr[-200:]!r}")
    return problems


ROWS = {
    "output that is lost": lost_output,
    "stdout and stderr are not read": outputs_again,
    "stdin is not written": input_again,
    "unread input of a pipe": rest_of_a_pipe,
    "files that may not be changed": read_only_files,
    "paths that mean another file": other_names,
    "a FIFO on disk": fifos,
    "unread input of a relayed file": rest_of_a_relayed_file,
    "a terminal of another session": foreign_terminal,
    "sockets": sockets,
    "descriptors that are not files": no_files,
    "the order of two streams": order,
    "all bytes arrive": all_bytes,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
