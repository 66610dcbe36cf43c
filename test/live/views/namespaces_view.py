#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the view of the Linux shim with the claims of the namespaces backend. For each policy one run over a tree of
real files: every right is tried for real at every path, and the same acts without confinement."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import container_acts
from support.account import Account, Unavailable
from support.scratch import Scratch, install, write
from support.view_cases import CASES, Tree, policy_of
from support.view_suite import ViewSuite, forgery, main


# Beside those of every view.
MORE = {
    "run or not": [("read", "r/"), ("run", "r/x/"), ("read", "r/x/n/"), ("write", "w/"), ("run", "w/x/"),
                   ("allow everything", "w/e/"), ("allow read,list,write,create,remove,attributes", "w/x/n/"),
                   ("allow read,run", "tool"), ("allow read", "text")],
    "missing in missing": [("write", "w/"), ("hide", "?w/a/b/c/"), ("read", "?w/a/b/d/e/"), ("hide", "?w/f/"),
                           ("read", "r/"), ("write", "r/w/"), ("hide", "?r/w/h/"), ("read", "?r/h/")],
    "in a mask in a mask": [("read", "r/"), ("hide", "r/a/"), ("read", "r/a/b/"), ("hide", "r/a/b/c/"),
                            ("write", "r/a/b/c/d/e/"), ("read", "r/a/f/g/"), ("read", "r/a/one"), ("hide", "r/z/"),
                            ("allow connect", "r/z/one.sock")],
}
EVERYTHING = "read,list,run,write,create,remove,attributes,connect"
# What a filter of system calls refuses is no business of mounts.
FREE = ("unshare", "keyctl", "io_uring_setup", "clone3", "socket", "ioctl", "pair")

# Beside container_acts: what the run has of its own works, and is its own. No act here harms a machine that it reaches
# after all: modes are set to what they are, and nothing that might be the machine's is removed.
OWN = """
import os, pty, stat, sys
def refused(act, *words):
    try: act(*words)
    except OSError: return
    print(act.__name__, words, 'happens')
for name, number in (('null', (1, 3)), ('zero', (1, 5)), ('full', (1, 7)), ('random', (1, 8)), ('urandom', (1, 9))):
    s = os.stat('/dev/' + name)
    if (os.major(s.st_rdev), os.minor(s.st_rdev)) != number: print('/dev/' + name, s)
    refused(os.chmod, '/dev/' + name, stat.S_IMODE(s.st_mode))
open('/dev/null', 'w').write('x')
if len(open('/dev/urandom', 'rb').read(9)) != 9 or open('/dev/zero', 'rb').read(2) != b'\\0\\0': print('no bytes')
leader, follower = pty.openpty()
if os.ttyname(follower) != '/dev/pts/0' or len(os.listdir('/dev/pts')) != 2: print(os.ttyname(follower), 'is not ours')
refused(os.mknod, '/dev/shm/disk', stat.S_IFBLK | 0o600, os.makedev(254, 0))
refused(os.listdir, '/')
refused(os.chmod, '/', stat.S_IMODE(os.stat('/').st_mode))
for place in ('/proc/sys', '/proc/irq', '/proc/bus'):
    if os.path.isdir(place) and not os.statvfs(place).f_flag & os.ST_RDONLY: print(place, 'is writable')
for place, most in (('/tmp', 1 << 30), ('/dev/shm', 1 << 30)):
    s = os.statvfs(place)
    if s.f_blocks * s.f_frsize != most: print(place, s)
    if stat.S_IMODE(os.stat(place).st_mode) != 0o1777: print(place, 'is not for all')
if not os.path.samefile('/dev/fd', '/proc/self/fd') or not os.path.samestat(os.stat('/dev/stdin'), os.fstat(0)):
    print('links in /dev lead elsewhere')
for line in open('/proc/self/mountinfo'):
    if 'shared:' in line or 'master:' in line: print('tied to the machine:', line)
if open('/proc/self/mountinfo').read().count(' / / ') != 1: print('two roots')
print('end')
"""


class View(ViewSuite):
    """Commands begin with the program that enters the view."""
    enter = None

    def told(self, policy, what, given=b""):
        return super().told(policy, f"namespaces-{what}", given)

    def command(self, policy, looks):
        return [self.enter, policy] + (["--broken"] if self.broken else []) + ["--"]


def machine():
    """The state of the host that no run may change: mounts, except those of other tests, and devices."""
    with open("/proc/self/mountinfo", "rb") as file:
        mounts = [line for line in file if not line.split()[4].startswith((b"/var/tmp/", b"/tmp/"))]
    devices = [os.lstat("/dev/" + name) for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts")]
    return mounts, [(s.st_mode, s.st_rdev, s.st_uid, s.st_gid) for s in devices]


def own_places(suite, top, results):
    policy = write(os.path.join(top, "own.policy"), policy_of(os.fsencode(top), []))
    ended = container_acts.inside(suite, policy, OWN)
    told = ended.stdout.decode().strip()
    results.check("its own places", [] if told == "end" else [f"{told} {ended.stderr.decode()[-600:]}"])


def hidden_in_proc(suite, top, results):
    """Hidden paths in a granted /proc: existing ones, missing ones, and ones that only the host's /proc has."""
    lines = b"read /proc\nhide /proc/meminfo\nhide /proc/driver\nhide /proc/nothing\nhide /proc/%d\n" % os.getpid()
    script = ("import os\n"
              "for place, look in (('/proc/meminfo', open), ('/proc/driver', os.listdir)):\n"
              "  try: look(place); print(place, 'happens')\n"
              "  except OSError: pass\n"
              "open('/proc/uptime'); print('end')\n")
    policy = write(os.path.join(top, "proc.policy"), policy_of(os.fsencode(top), []) + lines)
    ended = container_acts.inside(suite, policy, script)
    told = ended.stdout.decode().strip()
    results.check("hidden in /proc", [] if told == "end" else [f"{told} {ended.stderr.decode()[-600:]}"])


def temporary(suite, top, results):
    """/tmp is private unless the policy grants the host's; granted paths below it are mounted in the private one."""
    cases = {"private": ([], "False False False"), "shown": ([b"write /tmp"], "True True True"),
             "hidden": ([b"hide /tmp"], "False False False"), "in part": ([b"read %s"], "True False False"),
             "hidden in all": ([b"read /", b"hide /tmp"], "False False False"),
             "in part of all": ([b"read /", b"hide /tmp", b"write %s"], "True True False")}
    for name, (grants, wanted) in cases.items():
        work = tempfile.mkdtemp(prefix="cordon-live-", dir="/tmp")
        try:
            os.chmod(work, 0o755)
            write(work + "/file", "x")
            suite.account.own_tree(work)
            lines = b"".join(line.replace(b"%s", os.fsencode(work)) + b"\n" for line in grants)
            policy = write(os.path.join(top, f"temporary-{name}.policy"), policy_of(os.fsencode(top), []) + lines)
            script = ("import os, sys\n"
                      "work = sys.argv[1]\n"
                      "print(os.path.exists(work + '/file'), os.access(work, os.W_OK), end=' ')\n"
                      "open('/tmp/' + os.path.basename(work) + '.new', 'w').close()\n")
            ended = container_acts.inside(suite, policy, script, work)
            told = ended.stdout.decode() + str(os.path.exists(work + ".new"))
            results.check(f"/tmp {name}", [] if told == wanted else [f"{told} {ended.stderr.decode()[-600:]}"])
            if os.path.exists(work + ".new"):
                os.unlink(work + ".new")
        finally:
            subprocess.run(["rm", "-rf", work], check=False)


def view_case(suite, number, name, grants, results):
    top = os.fsencode(os.path.join(suite.scratch.top, f"case{number}"))
    grants = [(verb.replace("allow everything", "allow " + EVERYTHING), place) for verb, place in grants]
    policy = write(os.path.join(suite.scratch.top, f"policy{number}"), policy_of(top, grants))
    tree = Tree(top, grants, suite.account)
    try:
        results.check(name.replace(" ..text", ""), suite.problems(policy, tree, True))
    finally:
        tree.close()


def run(options, results):
    account = Account(options.user)
    tempfile.tempdir = "/var/tmp"  # /tmp is the run's own inside
    scratch = Scratch(account, options.view)
    try:
        suite = View(scratch, account, options.broken)
        suite.enter = install(options.enter, os.path.join(scratch.top, "bin", "enter"))
        ended = suite.trial()
        if any(b"cannot " + what in ended.stderr for what in (b"make namespaces", b"map ids", b"keep the mounts")):
            raise Unavailable(f"no user namespace can be made here: {ended.stderr.decode(errors='replace').strip()}")
        before = machine()
        suite.run_cases({**CASES, **MORE}, view_case, options.only, results)
        forgery(suite, scratch.top, results)
        container_acts.submounts(suite, scratch.top, results)
        container_acts.guards(suite, scratch.top, results, (), FREE)
        own_places(suite, scratch.top, results)
        hidden_in_proc(suite, scratch.top, results)
        temporary(suite, scratch.top, results)
        results.check("the machine afterwards", [] if machine() == before else ["its mounts or devices have changed"])
        suite.sum(options.only, results)
    finally:
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, run, "in a view that hides nothing", ("enough", "afterwards", "shown"), ("enter",)))
