#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Sockets of the run's own: its processes reach one another, and nothing outside, whenever the other program began to
listen. Each act that must not leave the run reaches the listener without cordon."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch

PYTHON = "/usr/bin/python3"
BACKENDS = ("namespaces", "bubblewrap")
# A server in a thread and its clients, over TCP and UDP and both families, on several ports.
TALK = """
import socket, threading
def echo(kind, host, port):
  family = socket.AF_INET6 if ':' in host else socket.AF_INET
  s = socket.socket(family, kind); s.bind((host, port))
  if kind == socket.SOCK_STREAM: s.listen()
  def serve():
    if kind == socket.SOCK_STREAM:
      c = s.accept()[0]; c.sendall(c.recv(9)); c.close()
    else:
      text, who = s.recvfrom(9); s.sendto(text, who)
  t = threading.Thread(target=serve); t.start()
  c = socket.socket(family, kind); c.settimeout(9); c.connect(s.getsockname()); c.send(b'own')
  assert c.recv(9) == b'own'
  t.join()
for host in ('127.0.0.1', '::1'):
  for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    for port in %s: echo(kind, host, port)
print('talked')
"""
NODE = """
const net = require('net'), os = require('os');
if (!os.networkInterfaces().lo) throw new Error('no lo');
const server = net.createServer(c => c.pipe(c)).listen(0, '127.0.0.1', () => {
  const c = net.connect(server.address().port, '127.0.0.1');
  c.on('data', d => { console.log('talked ' + d); c.end(); server.close(); });
  c.write('node');
});
"""
# Says `ready`, waits for a line with the addresses, and tries each.
REACH = """
import json, socket, sys
print('ready', flush=True)
tcp, udp, abstract, stream, datagram = json.loads(sys.stdin.readline())
acts = [(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', tcp)), (socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', udp)),
        (socket.AF_UNIX, socket.SOCK_STREAM, chr(0) + abstract), (socket.AF_UNIX, socket.SOCK_STREAM, stream),
        (socket.AF_UNIX, socket.SOCK_DGRAM, datagram)]
for family, kind, place in acts:
  try:
    s = socket.socket(family, kind); s.settimeout(5); s.connect(place); s.send(b'reached')
  except OSError: pass
print('tried', flush=True)
"""
# The same by unix sockets: names of every form, and what connect(2) returns for names without a server.
NAMES = """
import errno, os, socket, threading
where = os.environ['XDG_RUNTIME_DIR']
def talk(kind, bound, name, blocking=True):
  s = socket.socket(socket.AF_UNIX, kind); s.bind(bound); s.listen(8)
  c = socket.socket(socket.AF_UNIX, kind); c.setblocking(blocking); c.connect(name); c.setblocking(True)
  a = s.accept()[0]
  c.sendall(b'own'); assert a.recv(9) == b'own'
  uid = int.from_bytes(a.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[4:8], 'little')
  assert uid == os.getuid(), (uid, os.getuid())
  assert c.getpeername() == s.getsockname()
  for one in (a, c): one.close()
  return s
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
  for blocking in (True, False):
    tag = '%d%d' % (kind, blocking)
    for name in (where + '/' + tag, os.getcwd() + '/' + tag, 'relative' + tag, chr(0) + 'abstract' + tag):
      talk(kind, name, name, blocking).close()
os.mkdir('deep'); os.symlink(where, 'link')
s = talk(socket.SOCK_STREAM, where + '/target', 'link/target')
os.symlink(where + '/target', 'direct'); os.chdir('deep')
for name in ('../link/target', '../direct', where + '/../' + os.path.basename(where) + '/target'):
  c = socket.socket(socket.AF_UNIX); c.connect(name); s.accept(); c.close()
def refusal(name, family=socket.AF_UNIX):
  try: socket.socket(family).connect(name)
  except OSError as e: return errno.errorcode[e.errno]
  return 'connected'
s.close()
open('file', 'w').close()
said = [refusal(where + '/target'), refusal('none'), refusal('file'), refusal('/'), refusal(''), refusal(('127.0.0.1', 1), socket.AF_INET)]
assert said == ['ECONNREFUSED', 'ENOENT', 'ECONNREFUSED', 'ECONNREFUSED', 'EINVAL', 'ECONNREFUSED'], said
print('talked')
"""
# The kernel's look-up of a `..` fails where the machine renames a file at that moment (openat2(2)).
BESIDE_RENAMES = """
import os, socket
where = os.environ['XDG_RUNTIME_DIR']
os.mkdir('deep'); os.symlink(where, 'link'); os.chdir('deep')
s = socket.socket(socket.AF_UNIX); s.bind(where + '/renames'); s.listen(8)
for i in range(1000):
  c = socket.socket(socket.AF_UNIX); c.connect('../link/renames'); s.accept(); c.close()
print('connected')
"""
RENAME = """
import os, sys
a, b = sys.argv[1] + '/a', sys.argv[1] + '/b'
open(a, 'w').close()
while True: os.rename(a, b); os.rename(b, a)
"""
# A full queue stops the clients that connect to it, and no others; then a thousand clients at a time.
QUEUES = """
import os, socket, threading, time
where = os.environ['XDG_RUNTIME_DIR']
full = socket.socket(socket.AF_UNIX); full.bind(where + '/full'); full.listen(0)
def connect(name):
  c = socket.socket(socket.AF_UNIX); c.connect(name); return c
first = connect(where + '/full')
waiting = threading.Thread(target=connect, args=(where + '/full',)); waiting.start(); time.sleep(0.3)
assert waiting.is_alive()
late = socket.socket(socket.AF_UNIX); late.setblocking(False)
try: late.connect(where + '/full')
except BlockingIOError: print('again')
s = socket.socket(socket.AF_UNIX); s.bind(where + '/s'); s.listen(128)
got = []
def client(): c = connect(where + '/s'); got.append(c.recv(9)); c.close()
def serve():
  for i in range(1000): a = s.accept()[0]; a.sendall(b'%d' % i); a.close()
threading.stack_size(65536)
all = [threading.Thread(target=f) for f in [serve] + [client] * 1000]
for t in all: t.start()
for t in all: t.join()
assert len(set(got)) == 1000, len(set(got))
full.accept(); full.accept(); waiting.join()
print('served')
"""
MANAGER = """
import multiprocessing
def double(x): return 2 * x
if __name__ == '__main__':
  with multiprocessing.Manager() as m:
    d = m.dict(); d['a'] = 1
    context = multiprocessing.get_context('forkserver')
    with context.Pool(2) as pool: print('managed', d['a'], pool.map(double, [1, 2]))
"""
KINDS = ("a TCP port", "a UDP port", "an abstract name", "a socket in the workspace", "a datagram socket there")


class Outside:
    """Listeners of the machine."""

    def __init__(self, directory, label):
        self.heard, self.sockets, self.addresses = [], [], []
        name = f"cordon-own-{os.getpid()}-{label}"
        places = [(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)), (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
                  (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name),
                  (socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(directory, label + ".stream")),
                  (socket.AF_UNIX, socket.SOCK_DGRAM, os.path.join(directory, label + ".datagram"))]
        for family, kind, place in places:
            s = socket.socket(family, kind)
            s.bind(place)
            s.setblocking(False)
            if kind == socket.SOCK_STREAM:
                s.listen(8)
            self.sockets.append(s)
            named = isinstance(place, str) and place[0] == "/"
            if named:
                os.chmod(place, 0o777)
            self.addresses.append(place if named else name if isinstance(place, str) else s.getsockname()[1])

    def reached(self):
        time.sleep(0.2)
        found = []
        for kind, s in zip(KINDS, self.sockets):
            try:
                s.accept()[0].close() if s.type == socket.SOCK_STREAM else s.recv(16)
                found.append(kind)
            except OSError:
                pass
        return found

    def close(self):
        for s in self.sockets:
            s.close()


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken

    def words(self, *options):
        return [] if self.broken else [self.cordon, "run", "--workspace", self.workspace, *options, "--"]

    def python(self, script, *options, **how):
        return self.run(self.words(*options) + [PYTHON, "-I", "-c", script], **how)


def missing(backend):
    return backend == "bubblewrap" and shutil.which("bwrap") is None


def talk(s):
    problems = []
    for backend in BACKENDS:
        if missing(backend):
            continue
        ports = "(0, 28080, 28081)" if backend == "bubblewrap" else "(0, 80, 28080, 28081)"
        ended = s.python(TALK % ports, "--backend", backend)
        if "talked" not in ended.out:
            problems.append(f"{backend}: {ended.out} {ended.err[-300:]}")
    return problems


def talk_in_node(s):
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if node is None:
        return []
    ended = s.run(s.words() + [node, "-e", NODE])
    return [] if "talked node" in ended.out else [ended.out + ended.err[-300:]]


def nothing_outside(s):
    """Of listeners from before the start, and of listeners that begin while the program runs."""
    problems = []
    for backend in BACKENDS + ("landlock",):
        if missing(backend):
            continue
        for label, late in (("early", False), ("late", True)):
            outside = None if late else Outside(s.workspace, backend + label)
            command = s.words("--backend", backend) + [PYTHON, "-I", "-c", REACH]
            program = subprocess.Popen(s.account.prefix + command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, cwd=s.workspace, env=s.variables(), text=True)
            ready = program.stdout.readline()
            outside = outside or Outside(s.workspace, backend + label)
            told, err = program.communicate(json.dumps(outside.addresses) + "\n", timeout=60)
            found = outside.reached()
            outside.close()
            if ready != "ready\n" or told != "tried\n":
                raise RuntimeError(f"the control: {backend} {label}: {ready}{told}{err[-300:]}")
            if s.broken and found != list(KINDS):
                raise RuntimeError(f"the control: {backend} {label}: only these are reached: {found}")
            problems += [f"{backend}, a listener from {label}: {what}" for what in found]
    return problems


def by_backends(s, script, wanted, *arguments):
    problems = []
    for backend in BACKENDS:
        if missing(backend):
            continue
        shutil.rmtree(s.workspace + "/job", ignore_errors=True)
        os.mkdir(s.workspace + "/job")
        s.account.own_tree(s.workspace + "/job")
        runtime = {"XDG_RUNTIME_DIR": s.workspace + "/job"} if s.broken else {}
        ended = s.run(s.words("--backend", backend) + [PYTHON, "-I", "-c", script, *arguments], 60,
                      directory=s.workspace + "/job", **runtime)
        if wanted not in ended.out:
            problems.append(f"{backend}: {ended.out[-300:]} {ended.err[-600:]}")
    return problems


def names(s):
    return by_backends(s, NAMES, "talked\n")


def names_beside_renames(s):
    renaming = subprocess.Popen([PYTHON, "-I", "-c", RENAME, s.top])
    try:
        return by_backends(s, BESIDE_RENAMES, "connected\n")
    finally:
        renaming.kill()
        renaming.wait()


def queues(s):
    return by_backends(s, QUEUES, "again\nserved\n")


def managers(s):
    file = os.path.join(s.workspace, "manager.py")
    with open(file, "w", encoding="utf-8") as out:
        out.write(MANAGER)
    return by_backends(s, f"import runpy; runpy.run_path({file!r}, run_name='__main__')", "managed 1 [2, 4]")


def private_run(s):
    """/run is the run's own, under both names, with a directory for sockets."""
    script = ("import os, stat, sys\nd = os.environ['XDG_RUNTIME_DIR']\nassert d == '/run/user/%d' % os.getuid(), d\n"
              "assert stat.S_IMODE(os.stat(d).st_mode) == 0o700\nopen(d + '/x', 'w').close()\n"
              "open('/var/run/own-mark', 'w').close()\n"
              "print(sorted(os.listdir('/run')), os.path.realpath('/var/run'), os.path.exists(sys.argv[1]))")
    mark = f"/run/cordon-own-{os.getpid()}"
    held = None
    if os.geteuid() == 0:
        held = open(mark, "w")
        os.chmod(mark, 0o644)
    problems = []
    try:
        for backend in BACKENDS:
            if missing(backend):
                continue
            ended = s.run(s.words("--backend", backend) + [PYTHON, "-I", "-c", script, mark])
            if ended.out != "['lock', 'mysqld', 'own-mark', 'postgresql', 'redis', 'user'] /run False\n":
                problems.append(f"{backend}: {ended.out}{ended.err[-300:]}")
            if os.path.exists("/run/own-mark"):
                problems.append(f"{backend}: /run is the machine's")
                os.unlink("/run/own-mark")
    finally:
        if held:
            held.close()
            os.unlink(mark)
    return problems


ROWS = {"processes of a run talk by loopback": talk, "node serves and lists interfaces": talk_in_node,
        "nothing outside is reached": nothing_outside, "unix sockets of every name talk": names,
        "names with .. while files are renamed": names_beside_renames,
        "queues that are full, and a thousand clients": queues, "managers and fork servers of Python": managers,
        "a private /run": private_run}

# What these say does not depend on confinement.
UNCONFINED = ("talk by loopback", "every name talk", "are renamed", "a thousand clients", "of Python", "lists interfaces")

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon", UNCONFINED))
