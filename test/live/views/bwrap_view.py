#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the view that bubblewrap makes with its backend's claims. For each policy one run of bwrap over a tree of
real files: every right is tried for real at every path, and the same acts without confinement."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable
from support.scratch import Scratch, write
from support.view_cases import CASES, Tree, policy_of
from support.view_suite import ViewSuite, forgery, main


def refusal(suite, policy, tree, results):
    """A missing restriction inside a writable directory: rules made without a look at the host must not start."""
    answers = suite.probe(suite.command(policy, False), tree.questions()[:1])
    fine = isinstance(answers, str) and "bwrap: " in answers
    results.check(f"{suite.account.name}: what is missing, as text", [] if fine else [f"it starts: {answers}"])


def guards(suite, top, results):
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
    policy = write(os.path.join(top, "guards.policy"), policy_of(os.fsencode(top), []))
    ended = suite.run(suite.command(policy, True) + ["/usr/bin/python3", "-I", "-c", question],
                      environment=suite.scratch.variables(SECRET="passes"))
    out = ended.stdout.decode()
    problems = [line for line in out.split("\n") if line.endswith("happens")]
    if ended.returncode != 0:
        problems.append(ended.stderr.decode())
    if "processes 2" not in out and not suite.broken:
        problems.append(f"other processes are seen: {out}")
    if any(os.path.exists(place) for place in ("/tmp/new", "/dev/shm/new")):
        problems.append("/tmp or /dev/shm is the machine's")
        for place in ("/tmp/new", "/dev/shm/new"):
            os.unlink(place)
    results.check(f"{suite.account.name}: the machine outside", problems)


def view_case(suite, number, name, grants, results):
    for looks in (True, False) if "..text" in name else (True,):
        top = os.fsencode(os.path.join(suite.scratch.top, f"case{number}"))
        policy = write(os.path.join(suite.scratch.top, f"policy{number}"), policy_of(top, grants))
        tree = Tree(top, grants, suite.account)
        try:
            results.check(f"{suite.account.name}: {name.replace(' ..text', '')}" + ("" if looks else ", as text"),
                          suite.problems(policy, tree, looks))
            if name == "missing":
                refusal(suite, policy, tree, results)
        finally:
            tree.close()


def run(options, results):
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
        suite = ViewSuite(scratch, account, options.broken)
        suite.run_cases(CASES, view_case, options.only, results)
        forgery(suite, scratch.top, results)
        guards(suite, scratch.top, results)
        suite.sum(options.only, results)
    finally:
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, run, "in a view that hides nothing", ("enough",)))
