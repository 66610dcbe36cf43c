#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Is the view that bubblewrap makes the one that its backend tells? For each policy one run of bwrap over a tree of
real files, every right tried for real at every place, and the same acts without confinement."""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile

from account import Account, Unavailable
from command import end, parser_of, turned
from scratch import Scratch, write

RIGHTS = ["read", "list", "run", "write", "create", "remove", "attributes", "connect"]
LEAST = 2000  # verdicts of all policies together

# What runs inside: a line of JSON with [right, place in hex] pairs on stdin, a line with an answer for each on stdout.
# Nothing that it does stays: what it makes and moves it takes back.
PROBE = r"""
import errno, json, os, socket, subprocess, sys

def attributes(place):
    os.chmod(place, os.stat(place).st_mode & 0o7777)
    os.utime(place)

def append(place):
    with open(place, "ab") as file:
        file.write(b"\n")

def create(place):
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    os.unlink(place)
    os.mkdir(place)
    os.rmdir(place)

def remove(place):
    os.rename(place, place + b".moved")
    os.rename(place + b".moved", place)

def connect(place):
    os.chdir(os.path.dirname(place))  # the address of a socket has 108 bytes
    with socket.socket(socket.AF_UNIX) as stream:
        stream.connect(os.path.basename(place))

def run(place):
    if subprocess.run([place], stdin=subprocess.DEVNULL).returncode != 0:
        raise RuntimeError("it ran otherwise")

acts = {"read": lambda place: open(place, "rb").read(), "list": os.listdir, "run": run, "write": append,
        "create": create, "remove": remove, "attributes": attributes, "connect": connect}

def answer(right, place):
    try:
        acts[right](bytes.fromhex(place))
        return "happens"
    except OSError as e:
        return errno.errorcode[e.errno]

print(json.dumps([answer(right, place) for right, place in json.load(sys.stdin)]))
"""


def word(place):
    """A path as a word of the notation, whatever its bytes."""
    return b'"' + b"".join(b"\\x%02x" % c if c < 32 or c in b'"\\' else bytes([c]) for c in place) + b'"'


# name -> the grants; a place ends with a slash where it is a directory, and "?" before it says that it does not exist.
# "..text" is also tried as the command line that is printed for people, where nobody looks what lies at a place.
SCENES = {
    "nothing": [],
    "disjoint ..text": [("read", "a/"), ("write", "b/"), ("run", "c/d/")],
    "read-only in writable in read-only ..text":
        [("read", "a/"), ("write", "a/b/"), ("read", "a/b/c/"), ("write", "a/b/c/d/"), ("run", "a/b/c/d/e/f/")],
    "hidden inside granted ..text":
        [("write", "w/"), ("hide", "w/secret/"), ("read", "r/"), ("hide", "r/x/y/"), ("hide", "r/x/z/")],
    "granted inside hidden ..text":
        [("read", "r/"), ("hide", "r/ssh/"), ("read", "r/ssh/known/"), ("write", "r/ssh/deep/er/"),
         ("hide", "r/ssh/known/k/")],
    "protected far below ..text":
        [("write", "w/"), ("read", "w/.git/hooks/"), ("hide", "w/a/b/c/d/e/"), ("read", "w/a/q/")],
    "files":
        [("read", "etc/hosts"), ("write", "w/"), ("read", "w/.git/config"), ("hide", "w/key"), ("write", "log/one"),
         ("hide", "etc/shadow"), ("read", "usr/"), ("hide", "usr/secret"), ("write", "usr/open")],
    "blanks and quotes ..text":
        [("write", "it's here/"), ("read", "it's here/two  words/"), ("hide", "it's here/$(exit 7)`exit 7`/"),
         ("read", "\"quoted\"/"), ("write", "\"quoted\"/back\\slash/"), ("run", "--tmpfs/"), ("read", "*/"),
         ("hide", "*/?[a]/")],
    "other bytes ..text":
        [("write", "\u017elu\u0165ou\u010dk\u00fd k\u016f\u0148/"),
         ("hide", "\u017elu\u0165ou\u010dk\u00fd k\u016f\u0148/\u65e5\u672c/"),
         ("read", "\udcff\udcfe/"), ("hide", "\udcff\udcfe/\udc80/"), ("write", "line\nfeed/"),
         ("read", "line\nfeed/tab\tbell\a/")],
    "exact sets":
        [("allow read", "secret.txt"), ("allow read", "dir/"), ("allow read,write", "data"), ("allow list", "names/"),
         ("allow read,write,attributes", "state"), ("allow run", "tool"), ("allow read,list,write", "half/"),
         ("allow read,list,write,create,remove,attributes", "noexec/"), ("allow read,list,run,connect", "served/"),
         ("allow connect", "one.sock"), ("allow connect", "sockets/"), ("allow create", "spool/")],
    "names that are not siblings ..text":
        [("write", "a/"), ("read", "a/b/"), ("hide", "a/b-/"), ("read", "a/b./"), ("hide", "a/bc/"),
         ("write", "a/b/c/"), ("read", "a-/")],
    "missing":
        [("write", "w/"), ("read", "?w/.git/hooks/"), ("hide", "?w/secret/"), ("write", "v/"), ("read", "?v/only/"),
         ("read", "?gone/"), ("read", "r/"),
         ("hide", "?r/gone/"), ("write", "?r/also/gone/"), ("write", "?r/new dir/"), ("write", "?made/")],
    "everything but ..text": [("everything", ""), ("hide", "x/"), ("read", "y/"), ("write", "y/z/")],
    "all read ..text": [("all read", ""), ("write", "w/"), ("read", "w/r/"), ("hide", "h/")],
    "many": [("read" if i % 3 else "write", f"{'ab'[i % 2]}/n{i}/" + "deep/" * (i % 4)) for i in range(40)],
    "ladder ..text": [(("write", "read", "hide")[i % 3], "s/" * (i + 1)) for i in range(12)],
}


class Tree:
    """Real files at and around every place of a scene, and sockets that somebody outside listens on."""

    def __init__(self, top, grants, account):
        self.top, self.directories, self.files, self.sockets, self.absent = top, set(), set(), set(), set()
        self.listening = []
        gone = [os.path.join(top, os.fsencode(place[1:]).rstrip(b"/")) for _, place in grants if place.startswith("?")]
        self._directory(top)
        for _, place in grants:
            full = os.path.join(top, os.fsencode(place.lstrip("?")))
            if place.startswith("?"):
                self.absent.add(full.rstrip(b"/"))
                continue
            self._directory(os.path.dirname(full.rstrip(b"/")))
            if place.endswith("/"):
                self._directory(full.rstrip(b"/"))
            elif place.endswith(".sock"):
                self._socket(full)
            elif place:
                self._file(full)
        for directory in sorted(self.directories):
            self._file(os.path.join(directory, b"file"))
            self._socket(os.path.join(directory, b"sock"))
            self.absent.add(os.path.join(directory, b"new"))
            below = os.path.join(directory, b"sub")
            if below not in self.directories:
                os.mkdir(below)
                self.directories.add(below)
                self._file(os.path.join(below, b"file"))
                self.absent.add(os.path.join(below, b"new"))
        for place in gone:
            self.absent.add(os.path.join(place, b"file"))
        account.own_tree(top)

    def _directory(self, place):
        while place not in self.directories and place.startswith(self.top):
            os.makedirs(place, exist_ok=True)
            self.directories.add(place)
            place = os.path.dirname(place)

    def _file(self, place):
        if place not in self.files:
            write(place, "#!/bin/sh\nexit 0\n", 0o755)
            self.files.add(place)

    def _socket(self, place):
        here = os.open(".", os.O_RDONLY)
        stream = socket.socket(socket.AF_UNIX)
        try:
            os.chdir(os.path.dirname(place))
            stream.bind(os.path.basename(place))
        finally:
            os.fchdir(here)
            os.close(here)
        stream.listen(64)
        self.listening.append(stream)
        self.sockets.add(place)

    def questions(self):
        every = [(right, place) for place in self.directories for right in ("list", "attributes", "remove")]
        every += [(right, place) for place in self.files for right in ("read", "run", "write", "attributes", "remove")]
        every += [("connect", place) for place in self.sockets]
        every += [("create", place) for place in self.absent]
        way = self.top
        while way != b"/":
            way = os.path.dirname(way)
            every.append(("list", way))
        return sorted(every)

    def close(self):
        for stream in self.listening:
            stream.close()
        shutil.rmtree(self.top, ignore_errors=True)


class Judge:
    def __init__(self, scratch, account, broken):
        self.scratch, self.account, self.broken = scratch, account, broken
        self.verdicts = 0

    def run(self, command, given=b"", environment=None):
        return subprocess.run(self.account.prefix + command, input=given, capture_output=True, cwd="/", timeout=120,
                              env=environment or self.scratch.variables(), check=False)

    def told(self, policy, what, given=b""):
        ended = self.run([self.scratch.cordon, policy, what], given)
        if ended.returncode != 0:
            raise RuntimeError(f"view {what}: status {ended.returncode}: {ended.stderr.decode(errors='replace')}")
        return ended.stdout

    def probe(self, prefix, questions):
        """The answers, or a sentence that says why there are none."""
        given = json.dumps([[right, place.hex()] for right, place in questions]).encode()
        ended = self.run(prefix + ["/usr/bin/python3", "-I", "-c", PROBE], given)
        if ended.returncode != 0:
            return f"status {ended.returncode}: {ended.stderr.decode(errors='replace')[-600:]}"
        return json.loads(ended.stdout)

    def command(self, policy, looks):
        if self.broken:
            return ["bwrap", "--bind", "/", "/", "--"]
        if looks:
            return ["bwrap"] + [os.fsdecode(part) for part in self.told(policy, "arguments").split(b"\0")[:-1]]
        line = self.told(policy, "command").decode("utf-8", "surrogateescape")
        return ["/bin/sh", "-c", line.rstrip("\n") + ' "$@"', "sh"]

    def problems(self, policy, tree, looks):
        questions = tree.questions()
        control = self.probe([], questions)
        if isinstance(control, str):
            return [f"the control: {control}"]
        # What this user may not do at all says nothing about the confinement. In the tree itself, all must happen.
        for (right, place), answer in zip(questions, control):
            fine = answer == "happens" or (right == "create" and answer == "ENOENT")
            if place.startswith(tree.top + b"/") and not fine:
                return [f"the control: {right} {place!r}: {answer}"]
        places = sorted({place for _, place in questions})
        lines = self.told(policy, "looked" if looks else "unlooked", b"".join(place + b"\0" for place in places))
        table = dict(zip(places, lines.decode().split("\n")))
        answers = self.probe(self.command(policy, looks), questions)
        if isinstance(answers, str):
            return [f"bwrap: {answers}"]
        wrong = []
        for (right, place), without, answer in zip(questions, control, answers):
            bits = table[place]
            permitted = bits[RIGHTS.index(right)] == "1" and not (right == "remove" and bits[8] == "1")
            # Inside a directory that is not there nothing is made, with or without confinement.
            if without != "happens" and answer == without:
                continue
            self.verdicts += without == "happens"
            if permitted != (answer == "happens"):
                wrong.append(f"{right} {place!r}: {answer}, but told is {'yes' if permitted else 'no'}")
        for place in sorted(tree.files | tree.sockets):
            if not os.path.lexists(place):
                wrong.append(f"{place!r} is gone")
        return wrong[:6] + ([f"... {len(wrong)} in all"] if len(wrong) > 6 else [])


def policy_of(top, grants):
    """The interpreter of the probe is granted too; what a scene says of its own places stands above."""
    system = [b"run /usr", b"run /etc"] + [b"run " + os.fsencode(place) for place in ("/lib", "/lib64", "/bin")
                                           if os.path.isdir(place) and not os.path.islink(place)]
    lines = [b"network none"]
    verbs = [verb for verb, _ in grants]
    if "everything" in verbs:
        lines.append(b"allow read,list,run,write,create,remove,attributes,connect /")
    elif "all read" in verbs:
        lines.append(b"run /")
    else:
        lines += system
    for verb, place in grants:
        if place:
            full = os.path.join(top, os.fsencode(place.lstrip("?").rstrip("/")))
            lines.append(verb.encode() + b" " + word(full))
    return b"\n".join(lines) + b"\n"


def refusal(judge, policy, tree, tally):
    """A restriction inside a writable place that does not exist: whoever does not look must not start."""
    answers = judge.probe(judge.command(policy, False), tree.questions()[:1])
    fine = isinstance(answers, str) and "bwrap: " in answers
    tally.check(f"{judge.account.name}: what is missing, as text", [] if fine else [f"it starts: {answers}"])


def forgery(judge, top, tally):
    """Moving away what a restriction lies in must not free its name for what others outside will read."""
    script = ("import os, sys\n"
              "def tried(act, *words):\n"
              "  try: act(*words)\n"
              "  except OSError: pass\n"
              "for name in ('a', 'a/b'): tried(os.rename, f'{sys.argv[1]}/{name}', f'{sys.argv[1]}/moved')\n"
              "tried(os.makedirs, sys.argv[1] + '/a/b/hooks')\n"
              "tried(lambda: open(sys.argv[1] + '/a/b/hooks/forged', 'w').close())\n")
    for missing in (False, True):
        work = os.path.join(top, "missing" if missing else "there")
        os.makedirs(work if missing else os.path.join(work, "a/b/hooks"))
        judge.account.own_tree(work)
        policy = write(work + ".policy", policy_of(os.fsencode(work), [("write", "."), ("read", "a/b/hooks")]))
        ended = judge.run(judge.command(policy, True) + ["/usr/bin/python3", "-I", "-c", script, work])
        problems = [ended.stderr.decode()] if ended.returncode != 0 else []
        if os.path.exists(work + "/a/b/hooks/forged"):
            problems.append("a/b/hooks/forged was made")
        tally.check(f"{judge.account.name}: a forged name, {os.path.basename(work)}", problems)


def guards(judge, policy, tally):
    """What a root inside could do to the machine outside: files are only opened, never written."""
    question = ("import errno, os\n"
                "for place in ('/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger', "
                "'/new', '/dev/new', '/proc/new'):\n"
                "  try: os.close(os.open(place, os.O_WRONLY | (os.O_CREAT if 'new' in place else 0)))\n"
                "  except OSError as e: print(place, errno.errorcode[e.errno])\n"
                "  else: print(place, 'happens'), 'new' in place and os.unlink(place)\n"
                "for place in ('/tmp/new', '/dev/shm/new'): open(place, 'w').close()\n"
                "for line in open('/proc/self/status'):\n"
                "  if line[:6] in ('CapEff', 'CapBnd') and int(line.split()[1], 16): print(line.strip(), 'happens')\n"
                "print('processes', len([n for n in os.listdir('/proc') if n.isdigit()]))\n"
                "print('secret', os.environ.get('SECRET'), 'happens' if 'SECRET' not in os.environ else '')\n"
                "import ctypes\n"
                "print('unshare', 'happens' if ctypes.CDLL(None).unshare(0x10000000) == 0 else 'refused')\n")
    ended = judge.run(judge.command(policy, True) + ["/usr/bin/python3", "-I", "-c", question],
                      environment=judge.scratch.variables(SECRET="passes"))
    out = ended.stdout.decode()
    problems = [line for line in out.split("\n") if line.endswith("happens")]
    if ended.returncode != 0:
        problems.append(ended.stderr.decode())
    if "processes 2" not in out and not judge.broken:
        problems.append(f"other processes are seen: {out}")
    if any(os.path.exists(place) for place in ("/tmp/new", "/dev/shm/new")):
        problems.append("/tmp or /dev/shm is the machine's")
        for place in ("/tmp/new", "/dev/shm/new"):
            os.unlink(place)
    tally.check(f"{judge.account.name}: the machine outside", problems)


def run(options, tally):
    account = Account(options.user)
    if shutil.which("bwrap") is None:
        raise Unavailable("bwrap is not installed")
    trial = subprocess.run(account.prefix + ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "/bin/true"], check=False,
                           stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd="/")
    if trial.returncode != 0:
        raise Unavailable(f"bwrap cannot make namespaces here: {trial.stderr.decode(errors='replace').strip()}")
    tempfile.tempdir = "/var/tmp"  # /tmp is the run's own inside
    scratch = Scratch(account, options.view)
    try:
        judge = Judge(scratch, account, options.broken)
        for number, (name, grants) in enumerate(SCENES.items()):
            if options.only not in name:
                continue
            for looks in (True, False) if "..text" in name else (True,):
                top = os.fsencode(os.path.join(scratch.top, f"scene{number}"))
                policy = write(os.path.join(scratch.top, f"policy{number}"), policy_of(top, grants))
                tree = Tree(top, grants, account)
                try:
                    tally.check(f"{account.name}: {name.replace(' ..text', '')}" + ("" if looks else ", as text"),
                                judge.problems(policy, tree, looks))
                    if name == "missing":
                        refusal(judge, policy, tree, tally)
                finally:
                    tree.close()
        forgery(judge, scratch.top, tally)
        guards(judge, policy, tally)
        print(f"{judge.verdicts} verdicts")
        if not options.only:
            tally.check("verdicts enough", [] if judge.verdicts >= LEAST else [f"{judge.verdicts}, not {LEAST}"])
    finally:
        scratch.close()


def self_test(options):
    """In a view that hides and forbids nothing every scene must fail, or it would not notice a broken backend."""
    options.broken = True
    return turned(options, run, "the control: ", "in a view that hides nothing", ("verdicts enough",))


def main():
    parser = parser_of(__doc__, "scenes")
    parser.add_argument("--view", required=True, help="the built program of test/live/view.cpp")
    parser.add_argument("--cordon", help="not used: every live test is given it")
    options = parser.parse_args()
    options.broken = False
    return end(options, run, self_test, "scenes")


if __name__ == "__main__":
    sys.exit(main())
