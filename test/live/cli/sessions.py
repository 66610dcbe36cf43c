#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a session keeps between runs, whom it is closed to, and how `cordon session` lists and removes it."""
import json
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

BACKENDS = ("namespaces", "landlock", "bubblewrap")
SESSIONS = ".local/state/cordon/sessions"


class Stage(Scratch):
    def __init__(self, account, options):
        tempfile.tempdir = "/var/tmp"  # a view with places of the policy below /tmp has a /tmp of its own
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.sessions = os.path.join(self.home, SESSIONS)

    def confined(self, script, *options):
        cordon = [] if self.broken else [self.cordon, "run", "--quiet", "--workspace", self.workspace, *options, "--"]
        return self.run([*cordon, "sh", "-c", script], TMPDIR=self.outside)

    def listed(self):
        ended = self.run([self.cordon, "session", "--json"])
        return {s["name"]: s for s in json.loads(ended.out)["sessions"]}

    def end(self, ended, status, *wanted):
        """Problems of a run that must have ended with this status and these words."""
        told = ended.out + ended.err
        return [] if ended.status == status and all(w in told for w in wanted) else [f"status {ended.status}: {told[-300:]}"]


def kept(s):
    """The same script with and without a session: without one each run starts afresh."""
    problems = []
    script = 'cat "$TMPDIR/note"; echo kept > "$TMPDIR/note"'
    for backend in BACKENDS:
        with_session, alone = ("--backend", backend, "--session", backend), ("--backend", backend)
        answers = [s.confined(script, *options).out for options in (with_session, with_session, alone, alone)]
        if answers != ["", "kept\n", "", ""]:
            problems.append(f"{backend}: {answers}")
    return problems


def kept_at_tmp(s):
    script = "cat /tmp/cordon-note; echo kept > /tmp/cordon-note"
    if s.broken:
        return ["nothing keeps /tmp apart from the machine's"]
    answers = [s.confined(script, "--backend", "namespaces", "--session", "one").out for _ in range(2)]
    outside = os.path.exists("/tmp/cordon-note")
    return [] if answers == ["", "kept\n"] and not outside else [f"{answers}, on the machine: {outside}"]


def planted_links(s):
    """A program leaves a link at a name in /tmp below which the next run's policy has a place."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        os.chmod(place, 0o777)
        secret = write(f"{s.outside}/secret", "secret\n")
        s.confined(f'rm -rf "{place}"; ln -s {s.outside} "$TMPDIR/{os.path.basename(place)}"', "--session", "one")
        os.makedirs(place, exist_ok=True)
        ended = s.confined(f'cat {place}/secret; cat "{secret}"; echo x > {place}/new; ls /tmp', "--session", "one", "--write", place,
                           "--report", f"{s.home}/report")
        if s.broken:
            return [ended.out]
        with open(f"{s.home}/report", encoding="utf-8") as file:
            report = json.load(file)
        problems = [] if "secret\n" not in ended.out and os.listdir(place) == ["new"] else [f"{ended.out} {os.listdir(place)}"]
        if report["session"] != "one" or "session.tmp" not in [gap["id"] for gap in report["gaps"]]:
            problems.append(f"the report: {report['session']}, {report['gaps']}")
        return problems


def closed_to_others(s):
    """Another session, and a run without one, cannot read what a session holds, whatever they may read at home."""
    s.confined('echo secret > "$TMPDIR/token"', "--session", "one")
    problems = []
    for backend in BACKENDS:
        for options in (["--session", "two"], []):
            ended = s.confined(f'cat "$HOME/{SESSIONS}/one/token" "{s.outside}/token"', "--backend", backend, "--read", s.home, *options)
            if "secret" in ended.out:
                problems.append(f"{backend} {options}: {ended.out}")
    mode = 0 if s.broken else os.stat(f"{s.sessions}/one").st_mode & 0o777
    return problems + ([] if mode == 0o700 else [f"mode {mode:o}"])


def shared(s):
    """Two runs at once; while one uses the session it cannot be removed, and afterwards it can."""
    first = s.start([s.cordon, "run", "--quiet", "--workspace", s.workspace, "--session", "one", "--", "sh", "-c",
                     'echo from-first > "$TMPDIR/first"; while ! [ -e "$TMPDIR/second" ]; do sleep 0.05; done'])
    end = time.monotonic() + 20
    while time.monotonic() < end and not os.path.exists(f"{s.sessions}/one/first"):
        time.sleep(0.02)
    problems = s.end(s.run([s.cordon, "session", "rm", "one"]), 2, "a run uses session one")
    if not s.listed().get("one", {}).get("in_use"):
        problems.append("it is not listed as in use")
    problems += s.end(s.confined('cat "$TMPDIR/first"; : > "$TMPDIR/second"', "--session", "one"), 0, "from-first")
    problems += s.end(s.finish(first), 0)
    if s.listed()["one"]["in_use"]:
        problems.append("it is still listed as in use")
    problems += s.end(s.run([s.cordon, "session", "rm", "one"]), 0)
    problems += s.end(s.run([s.cordon, "session", "rm", "one"]), 2, "there is no session one")
    return problems + (["its directory is left"] if os.path.exists(f"{s.sessions}/one") else [])


def warm_caches(s):
    ended = s.confined("echo $npm_config_cache; echo $PIP_CACHE_DIR; echo $TMPDIR", "--session", "one")
    places = ended.out.split()
    return [] if len(places) == 3 and all(p.startswith(f"{s.sessions}/one") for p in places) else [str(places)]


def refused(s):
    """Names that a session cannot have, a session that is a link, a policy without a temporary directory, one session too many."""
    problems = []
    if s.broken:
        return ["nothing refuses"]
    for name in ("../one", ".one", "a/b", "", "x" * 65):
        ended = s.confined("true", "--session", name)
        problems += s.end(ended, 125, "session")
    s.confined("true", "--session", "one")
    os.rename(f"{s.sessions}/one", f"{s.home}/moved")
    os.symlink(f"{s.home}/moved", f"{s.sessions}/one")
    problems += s.end(s.confined("true", "--session", "one"), 125, "cannot open the directory of the session")
    os.unlink(f"{s.sessions}/one")
    write(f"{s.home}/policy", "files any\nabilities spawn\n")
    problems += s.end(s.confined("true", "--session", "one", "--policy", f"{s.home}/policy"), 125, "does not grant")
    for number in range(64):
        os.mkdir(f"{s.sessions}/s{number}")
        s.account.own(f"{s.sessions}/s{number}")
    problems += s.end(s.confined("true", "--session", "one"), 125, "there are 64 sessions")
    return problems + s.end(s.confined("true", "--session", "s0"), 0)


def bounded(s):
    """A run that leaves more than the bound ends as always; the next one is refused until there is room."""
    if s.broken:
        return ["nothing is bounded"]
    problems = s.end(s.confined('fallocate -l 8590983168 "$TMPDIR/large"', "--session", "one"), 0)
    # Each run measures it soon after its start.
    ended = next((e for e in (s.confined("true", "--session", "one") for _ in range(3)) if e.status != 0), None)
    problems += s.end(ended, 125, "cordon session rm one") if ended else ["it is not refused"]
    os.unlink(f"{s.sessions}/one/large")
    return problems + s.end(s.confined("true", "--session", "one"), 0)


ROWS = {
    "what a session keeps": kept,
    "what it keeps at /tmp": kept_at_tmp,
    "a link that a program leaves in it": planted_links,
    "who can read it": closed_to_others,
    "two runs at once": shared,
    "caches": warm_caches,
    "what is refused": refused,
    "its bound": bounded,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon", ("two runs at once",)))
