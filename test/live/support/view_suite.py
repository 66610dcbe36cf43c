# SPDX-License-Identifier: BSL-1.0
"""Compares a view with its backend's claims: every right is tried for real at every path of a case, inside and outside,
and compared with the verdict of the backend's own interpreter."""
import json
import os
import subprocess

from .account import Unavailable
from .command import end, parser_of, turned
from .scratch import write
from .view_cases import policy_of

RIGHTS = ["read", "list", "run", "write", "create", "remove", "attributes", "connect"]
LEAST = 2000  # verdicts of all policies of a test together

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


class ViewSuite:
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
                wrong.append(f"{right} {place!r}: {answer}, but the claim is {'yes' if permitted else 'no'}")
        for place in sorted(tree.files | tree.sockets):
            if not os.path.lexists(place):
                wrong.append(f"{place!r} is gone")
        return wrong[:6] + ([f"... {len(wrong)} in all"] if len(wrong) > 6 else [])

    def trial(self):
        """How a program that does nothing ends under a policy that allows everything."""
        policy = write(os.path.join(self.scratch.top, "trivial"), policy_of(b"/", []))
        return self.run(self.command(policy, True) + ["/usr/bin/true"])

    def begin(self, sentence):
        ended = self.trial()
        if ended.returncode != 0:
            raise Unavailable(f"{sentence}: {ended.stderr.decode(errors='replace').strip()[-300:]}")

    def run_cases(self, cases, view_case, only, results):
        for number, (name, grants) in enumerate(cases.items()):
            if only in name:
                view_case(self, number, name, grants, results)

    def sum(self, only, results):
        """Checks that enough verdicts were compared."""
        print(f"{self.verdicts} verdicts")
        if not only:
            results.check("verdicts enough", [] if self.verdicts >= LEAST else [f"{self.verdicts}, not {LEAST}"])


def forgery(suite, top, results):
    """Moving the directory of a restriction must not free its name for a forged file that others will read."""
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
        suite.account.own_tree(work)
        policy = write(work + ".policy", policy_of(os.fsencode(work), [("write", "."), ("read", "a/b/hooks")]))
        ended = suite.run(suite.command(policy, True) + ["/usr/bin/python3", "-I", "-c", script, work])
        problems = [ended.stderr.decode()] if ended.returncode != 0 else []
        if os.path.exists(work + "/a/b/hooks/forged"):
            problems.append("a/b/hooks/forged was made")
        results.check(f"{suite.account.name}: a forged name, {os.path.basename(work)}", problems)


def main(doc, run, unconfined, left_out, programs=()):
    """The command line of a test of views. Its proof: `unconfined`, where nothing is hidden nor forbidden, every case must
    fail, or it would not notice a broken backend. Names that end with one of `left_out` say nothing about that."""
    parser = parser_of(doc, "cases")
    for name in ("view", *programs):
        parser.add_argument(f"--{name}", required=True, help=f"the built program of test/live/helpers/{name}.cpp")
    parser.add_argument("--cordon", help="not used: every live test is given it")
    options = parser.parse_args()
    options.broken = False

    def self_test(options):
        options.broken = True
        return turned(options, run, "the control: ", unconfined, left_out)

    return end(options, run, self_test, "cases")
