#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""An unveil plan, replayed as mounts, must permit on a scratch tree what cordon's interpreter says. Mounts nest as
unveil does: the nearest one decides, and what has none does not exist. Without "w" a mount is read-only, without "r" it
is an empty directory (whose listing shows no file), so that only permissions that mounts can express are compared:
nothing, r, and rwc."""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.results import Results

SECONDS = 60
LEAST = 1000
CALL = re.compile(r'unveil\("((?:[^"\\]|\\.)*)", "(r?w?x?c?)"\)$')
# Tried inside, for a directory of the tree: one line of answers.
PROBE = r"""
import os, sys
def tried(act):
    try:
        act()
        return "yes"
    except (OSError, ValueError):
        return "no"
def written(path):
    with open(path, "r+b") as f:
        f.write(b"x")
def made(path):
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.unlink(path)
for place in sys.stdin.read().split("\0"):
    print(tried(lambda: open(place + "/file", "rb").close()), tried(lambda: os.listdir(place).index("file")),
          tried(lambda: written(place + "/file")), tried(lambda: made(place + "/new")),
          tried(lambda: os.chmod(place + "/file", 0o644)))
"""
ASKED = (("read", "/file"), ("list", ""), ("write", "/file"), ("create", "/new"), ("attributes", "/file"))


def unescaped(text):
    return re.sub(rb'\\([0-7]{3}|.)', lambda m: bytes([int(m[1], 8)]) if len(m[1]) == 3 else m[1],
                  text.encode("latin1"))


def directories(top, depth, names):
    yield top
    if depth:
        for name in names:
            yield from directories(f"{top}/{name}", depth - 1, names)


def replay(options, top, document, places):
    """(questions, what is wrong)"""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(document, file)
        file.flush()
        made = subprocess.run([options.profile, "--unveil", file.name], input=b"\0".join(os.fsencode(p + inner)
                              for p in places for _, inner in ASKED), capture_output=True, timeout=SECONDS, check=False)
    if made.returncode != 0:
        return 0, [f"status {made.returncode}: {made.stderr.decode(errors='replace')}"]
    lines = made.stdout.decode("latin1").split("\n")
    calls = [CALL.match(line) for line in lines if line.startswith("unveil(\"")]
    if not all(calls):
        return 0, ["a line is no call of unveil"]
    mounts = [(os.fsdecode(unescaped(call[1])), call[2]) for call in calls]
    words = [options.bwrap, "--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr"]
    for link in ("bin", "lib", "lib64", "sbin"):
        words += ["--symlink", f"usr/{link}", f"/{link}"]
    # Parents first, or a parent's mount would cover its child's. Around all of it nothing is unveiled.
    mounts = [mount for mount in mounts if (mount[0] + "/").startswith(top + "/")]
    empty = []
    for place, permissions in [(top, ""), *sorted(mounts)]:
        if "r" not in permissions:
            words += ["--tmpfs", place]
            empty.append(place)
        else:
            words += ["--bind" if "w" in permissions else "--ro-bind", place, place]
            empty = [other for other in empty if other != place]
    for place in empty:  # at the end, because places beneath are made in them
        words += ["--remount-ro", place]
    ran = subprocess.run([*words, "/usr/bin/python3", "-c", PROBE], input="\0".join(places), capture_output=True,
                         text=True, timeout=SECONDS, check=False)
    answers = [line.split() for line in ran.stdout.splitlines()]
    if ran.returncode != 0 or len(answers) != len(places):
        return 0, [f"bubblewrap ended with {ran.returncode}: {ran.stderr[-400:]}"]
    said = dict(line[3:].rsplit(" ", 1) for line in lines if line.startswith("## "))
    wrong = []
    for place, found in zip(places, answers):
        for (right, inner), answer in zip(ASKED, found):
            key = f"{right} {os.fsencode(place + inner).hex()}"
            if said.get(key) != answer:
                wrong.append(f"{right} {place + inner}: cordon says {said.get(key)}, the replay {answer}")
    return len(places) * len(ASKED), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", required=True, help="the program built from profile.cpp")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results, total = Results(options.json), 0
    options.bwrap = shutil.which("bwrap")
    if options.bwrap is None:
        results.skipped("unveil plans replayed as mounts", "bwrap is missing")
        return results.end()
    if subprocess.run([options.bwrap, "--unshare-all", "--ro-bind", "/", "/", "true"], check=False).returncode != 0:
        results.skipped("unveil plans replayed as mounts", "user namespaces are missing")
        return results.end()
    dice, names = random.Random(1), ("a", "b c", 'q"\\')
    with tempfile.TemporaryDirectory(dir="/var/tmp") as top:
        places = list(directories(top, 3, names))
        for place in places:
            os.makedirs(place, exist_ok=True)
            with open(f"{place}/file", "wb") as out:
                out.write(b"content")
        for number in range(20):
            grants = {}
            for _ in range(dice.randint(1, 7)):
                grants[dice.choice(places)] = dice.choice(("read", "write", "hide"))
            document = {"cordon": 1, "presets": [], "files": [{"path": p, "rights": r} for p, r in grants.items()]}
            asked, wrong = replay(options, top, document, places)
            total += asked
            results.check(f"random plan {number}", wrong[:5])
    results.check("enough queries were made", [] if total >= LEAST else [f"{total} verdicts, not {LEAST}"])
    print(f"{total} verdicts")
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
