#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Limits of `cordon run` for all processes of a run, if control groups can be made on this host, and their class in the
report; and root gets an error if the workspace belongs to another user."""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import NOBODY, Account
from support.command import main
from support.scratch import Scratch

# Three processes of a third of what all may have together, and one of all of it.
TREE = ("import os, time\n"
        "children = 0\n"
        "for _ in range(2):\n"
        "  if os.fork() == 0: children = 0; break\n"
        "  children += 1\n"
        "b = bytearray(%d << 20)\n"
        "time.sleep(0.5)\n"
        "os.write(1, b'.')\n"
        "for _ in range(children): os.wait()\n")
MANY = ("import os, time\n"
        "for _ in range(%d):\n"
        "  if os.fork() == 0: time.sleep(0.3); os._exit(0)\n"
        "print('fine')\n")
# Over soon without a limit, too.
ENDED = (("timeout", ("--timeout", "300ms"), "import time; time.sleep(3)"),
         ("output", ("--max-output", "10B"), "print('x' * 100)"),
         ("cpu", ("--cpu", "1"), "import time\nwhile time.process_time() < 3: pass"))


def own_groups():
    """Directories of this process in the hierarchies of version 1 that hold these limits."""
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        paths = {name: path.rstrip("\n") for _, names, path in (line.split(":", 2) for line in file)
                 for name in names.split(",")}
    places = [f"/sys/fs/cgroup/{name}{paths[name]}" for name in ("memory", "pids") if name in paths]
    return [place for place in places if os.path.isdir(place)]


class Delegated:
    """Groups that root has handed over to the user, as a service manager does, and in which its programs start."""

    def __init__(self, account):
        self.places = []
        if account.name == "root" or os.geteuid() != 0:
            return
        for parent in own_groups():
            place = os.path.join(parent, f"cordon-test-{os.getpid()}")
            os.mkdir(place)
            self.places.append(place)
            for name in ("", "cgroup.procs", "tasks"):
                account.own(os.path.join(place, name))
        join = "".join(f"echo 0 > {place}/cgroup.procs && " for place in self.places)
        account.prefix = ["sh", "-c", join + 'exec "$@"', "sh"] + account.prefix

    def close(self):
        for place in self.places:
            os.rmdir(place)


def run(options, results):
    account = Account(options.user)
    delegated = Delegated(account)
    scratch = Scratch(account, options.cordon)
    report = os.path.join(scratch.workspace, "report.json")
    try:
        def cordon(script, *words):
            limits = [] if options.broken else list(words)
            return scratch.run([scratch.cordon, "run", "--report", report, *limits, "--", "python3", "-I", "-c", script])

        def grade(limit):
            with open(report, encoding="utf-8") as file:
                found = [l for l in json.load(file)["limits"] if l["limit"] == limit]
            return (found[0]["class"], found[0]["by"]) if found else ("not told", "")

        def check(name, limit, word, inside, outside, fine):
            held = cordon(inside, *word)
            told, by = grade(limit)
            problems = [] if held.out.strip() == fine else [f"within it: {held.out!r} {held.err!r}"]
            if "whole tree" not in by and not options.broken:
                return results.skipped(f"{account.name}: {name}", f"a control group that holds {limit} ({told}: {by})")
            beyond = cordon(outside, *word)
            if beyond.out.strip() == fine or told != "enforced":
                problems.append(f"beyond it: {beyond.out!r} {beyond.err!r}, told {told}")
            return results.check(f"{account.name}: {name}", problems)

        check("memory of a tree", "memory", ("--memory", "150MiB"), TREE % 20, TREE % 80, "...")
        check("processes of a tree", "processes", ("--processes", "12"), MANY % 6, MANY % 20, "fine")
        for limit, words, script in ENDED:
            loud, quiet = cordon(script, *words), cordon(script, *words, "--quiet")
            line = f"cordon: ended by the limit {limit}\n"
            fine = loud.err.endswith(line) and line not in quiet.err and loud.status == quiet.status != 0
            results.check(f"{account.name}: who is ended by {limit} hears it",
                          [] if fine else [f"{loud.status}: {loud.err!r}, quiet {quiet.status}: {quiet.err!r}"])
        # In a user namespace a group may be out of reach; where more run than the limit allows, the report says that nothing holds.
        inside = ["unshare", "--user", f"--map-user={NOBODY}"] if account.name == "root" else ["unshare", "-Ur"]
        limits = [] if options.broken else ["--processes", "12"]
        ended = scratch.run([*inside, scratch.cordon, "run", "--report", report, "--workspace", scratch.workspace, *limits,
                             "--", "python3", "-I", "-c", MANY % 40])
        held = ended.out.strip() != "fine"
        told, by = grade("processes")
        fine = told in (("best_effort", "enforced") if held else ("none",))
        results.check(f"{account.name}: the class of a limit of processes in a user namespace",
                      [] if fine else [f"{told} ({by}), {'held' if held else 'did not hold'}: {ended.err[-300:]}"])
        if account.name == "root":
            theirs = os.path.join(scratch.top, "theirs")
            os.mkdir(theirs)
            os.chown(theirs, NOBODY if not options.broken else 0, NOBODY)
            ended = scratch.run([scratch.cordon, "run", "--workspace", theirs, "--cwd", theirs, "--", "true"])
            fine = ended.status == 125 and f"setpriv --reuid={NOBODY}" in ended.err
            results.check("root: a workspace of another user", [] if fine else [f"{ended.status}: {ended.err}"])
    finally:
        scratch.close()
        delegated.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run, "without a limit, in a workspace of its own"))
