#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Sandbox profiles by an independent reader: the verdicts of a Scheme program on the emitted text must equal those of
cordon's interpreter on the rules, for policies as users write them, for random ones, and for paths that might break the
text."""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.results import Results

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 5000
SECONDS = 120
WORDS = ("read", "run", "write", "hide")
EXACT = ("read", "list", "run", "write", "create", "remove", "attributes", "connect")
DEVICES = {"/dev/null", "/dev/random", "/dev/urandom", "/dev/zero",
           "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper", "/dev/fd"}
NASTY = (
    'a"b', "a\\b", "a\\", 'a\\"', '"', '""', "\\\\", '")(allow default)("', ")(allow default)", '"))(allow default)',
    "(version 1)", "; comment", "a;b", "#|", "|#", "#\\a", "a b", " ", "a  b ", "\u00e9t\u00e9", "\u65e5\u672c", "\U0001f512",
    "e\u0301", "\u202e", "\u2028", "'quote", "`quasi", ",unquote", "{}", "[0]", "*", "?", "~", "$HOME", "%n", "-rf", "--", "a,b",
    "a:b", "@", "=", "a\nb", "a\rb", "\t", "\u0001", "\u007f", "x" * 200, "(subpath", '\\"))\n(allow default)',
)
GATEWAY = 3128

# The operations that make a right, with the kind of vnode; all of them must have the same answer.
OPERATIONS = {
    "read": [("file-read-data", "REGULAR-FILE"), ("file-read-data", "SOCKET")],
    "list": [("file-read-data", "DIRECTORY")],
    "run": [("process-exec", "REGULAR-FILE"), ("file-map-executable", "REGULAR-FILE")],
    "write": [("file-write-data", "REGULAR-FILE")],
    "create": [("file-write-create", "REGULAR-FILE"), ("file-write-create", "DIRECTORY")],
    "remove": [("file-write-unlink", "REGULAR-FILE"), ("file-write-unlink", "DIRECTORY")],
    "attributes": [(f"file-write-{what}", "REGULAR-FILE")
                   for what in ("mode", "owner", "times", "flags", "xattr", "acl")],
}
# What each facility needs: all of one of the lists.
FACILITIES = {
    "spawn": [["process-fork - - - -"]],
    "any_host": [["network-outbound - - out elsewhere:443", "network-outbound - - out elsewhere:22"]],
    "some_host": [["network-outbound - - out elsewhere:443"], [f"network-outbound - - out localhost:{GATEWAY}"]],
    "any_port": [["network-bind - - in elsewhere:4711", "network-inbound - - in elsewhere:4711"]],
    "loopback": [["network-outbound - - out localhost:80", "network-outbound - - out localhost:5432"]],
    "own_sockets": [],  # no network of the run's own there
}


def is_device(place):
    """Devices are open to every process; nothing lies beneath one."""
    return any(place == device or place.startswith(device + "/") for device in DEVICES)


def samples():
    """(name, document) of every policy."""
    def policy(files, **more):
        return {"cordon": 1, "files": files, "presets": [], "level": "network", "network": "none", "sockets": "none",
                "abilities": ["spawn"], **more}

    def grants(*pairs):
        return [{"path": path, "rights": rights} for path, rights in pairs]

    yield "nothing", policy("none", abilities="none")
    yield "any", policy("any", network="any", sockets="any")
    yield "job", policy(grants(("/usr", "run"), ("/etc", "read"), ("/srv/job", "write")))
    yield "repository", policy(grants(("/usr", "run"), ("/w", "write"), ("/w/.git/hooks", "read"),
                                      ("/w/.git/config", "read"), ("/w/secrets", "hide")))
    yield "home", policy(grants(("/Users/u", "read"), ("/Users/u/.ssh", "hide"), ("/Users/u/.cargo", "run"),
                                ("/Users/u/.ssh/known_hosts", "read"), ("/Users/u/work/app", "write")))
    yield "temporary", policy(grants(("/tmp", "write"), ("/private/tmp/key", "hide"), ("/private/var", "read"),
                                     ("/var/folders/x", "write"), ("/etc/ssh", "hide"), ("/private", "read")))
    yield "presets", {"cordon": 1, "files": grants(("/w", "write"))}
    yield "devices", policy(grants(("/dev", "read"), ("/dev/null", "hide"), ("/dev/zero", ["list"])))
    yield "streams", policy(grants(("/dev", "write"), ("/dev/fd", "hide"), ("/dev/fd/3", "read"), ("/dev/stdin", "hide")))
    yield "system", policy(grants(("/", "write"), ("/sbin", "hide"), ("/sbin/x", "run"), ("/var/db", "hide"),
                                  ("/private/var/db/dyld/x", "write")))
    yield "programs", policy(grants(("/sbin", "read"), ("/sbin/x", "hide"), ("/private/var/db/dyld", ["run"])))
    yield "hosts", policy("none", network={"allowed_domains": ["example.com:443"]})
    yield "hosts and ports", policy("none", network={"allowed_domains": ["example.com"]},
                                    sockets={"listen": [8080, "9000-9010"], "loopback": True})
    yield "any host, no loopback", policy("none", network="any")
    yield "unix", policy(grants(("/", EXACT), ("/run", "write"), ("/run/app.sock", ["connect"])))
    for name in NASTY:
        for rights, inner in (("write", "read"), ("hide", "write")):
            yield f"path {name!r} {rights}", policy(grants(("/w", "write"), (f"/w/{name}", rights),
                                                           (f"/w/{name}/in", inner), (f"/w/q/{name}", inner)))
    dice = random.Random(1)
    for number in range(30):
        places = {}
        for _ in range(dice.randint(1, 9)):
            parts = [dice.choice(["a", "b", "tmp", "private", "var", "a b", 'q"', "\\"]) for _ in range(dice.randint(1, 4))]
            places["/" + "/".join(parts)] = dice.choice(
                WORDS + tuple([r for r in EXACT if dice.random() < 0.4] or ["read"] for _ in range(3)))
        yield f"random {number}", policy(grants(*places.items()))


def judge(options, name, document, links, gateway):
    """(number of questions, what is wrong)"""
    with tempfile.TemporaryDirectory() as folder:
        file, text = f"{folder}/policy.json", f"{folder}/profile.sb"
        with open(file, "w", encoding="utf-8") as out:
            json.dump(document, out)
        made = subprocess.run([options.profile, file, str(gateway), str(int(links))], capture_output=True,
                              timeout=SECONDS, check=False)
        if made.returncode != 0:
            return 0, [f"status {made.returncode}: {made.stderr.decode(errors='replace')}"]
        with open(text, "wb") as out:
            out.write(made.stdout)
        said = [line[3:].split() for line in made.stdout.decode("latin1").split("\n") if line.startswith(";; ")]
        questions, asks = [], []
        for what, place, answer in said:
            if what in FACILITIES:
                needs = [need for need in FACILITIES[what] if gateway or not need[0].endswith(f":{GATEWAY}")]
            elif what == "listen":
                ports = document.get("sockets")
                port = ports["listen"][0] if isinstance(ports, dict) and "listen" in ports else 4711
                needs = [[f"network-bind - - in elsewhere:{port}", f"network-inbound - - in localhost:{port}"]]
            elif (what, place) == ("read", "2f") or is_device(bytes.fromhex(place).decode("latin1")):
                continue  # the root is no file
            elif what == "connect":
                needs = [[f"network-outbound {place} SOCKET out unix"]]
            else:
                needs = [[f"{operation} {place} {kind} - -" for operation, kind in OPERATIONS[what]]]
            asks.append((what, place, answer, needs))
            questions += [q for need in needs for q in need]
        # Whatever the policy says, never: what no rule names.
        never = ["mach-lookup - - - -", "sysctl-read - - - -", "nvram-get - - - -", "file-link 2f77 REGULAR-FILE - -"]
        told = subprocess.run([options.guile, "--no-auto-compile", "-s", f"{HERE}/sbpl.scm", text],
                              input="\n".join(questions + never) + "\n", capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, "GUILE_AUTO_COMPILE": "0", "LC_ALL": "C.UTF-8"}, check=False)
        answers = told.stdout.split()
        if told.returncode != 0 or len(answers) != len(questions) + len(never):
            return 0, [f"the evaluator ended with {told.returncode}, {len(answers)} answers: {told.stderr[-600:]}"]
        known, wrong = dict(zip(questions, answers)), []
        if any(answer != "deny" for answer in answers[len(questions):]):
            wrong.append("something is allowed that no rule names")
        for what, place, answer, needs in asks:
            found = [{known[q] for q in need} for need in needs]
            if any("split" in f or (len(f) != 1 and len(need) != 1 and what not in FACILITIES)
                   for f, need in zip(found, needs)):
                wrong.append(f"{what} {place}: the operations or the ways to choose a rule disagree")
            elif (answer == "yes") != any(f == {"allow"} for f in found):
                where = bytes.fromhex(place) if place != "-" else ""
                wrong.append(f"{what} {where!r}: cordon says {answer}, the profile {found}")
        return len(questions), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", required=True, help="the program built from profile.cpp")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = Results(options.json)
    options.guile = shutil.which("guile-3.0") or shutil.which("guile")
    if options.guile is None:
        results.skipped("sandbox profiles read by Scheme", "guile is missing")
        return results.end()
    jobs = [(name, document, links, gateway) for name, document in samples()
            for links, gateway in ((True, 0), (False, GATEWAY))]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda job: judge(options, *job), jobs))
    total = 0
    for (name, _, links, gateway), (asked, wrong) in zip(jobs, answers):
        total += asked
        results.check(f"{name}, {'with' if links else 'without'} links, gateway {gateway}", wrong[:5])
    results.check("enough queries were made", [] if total >= LEAST else [f"{total} verdicts, not {LEAST}"])
    print(f"{total} verdicts")
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
