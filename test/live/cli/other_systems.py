#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Rules for another system use that system's presets and home, and contain no file of this machine."""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

# The backends, the system that takes their rules, and what it has that others have not.
SYSTEMS = {
    "seatbelt": ("/Users/USER", ["/Library", "/Applications", "/opt/homebrew", "/private/var/select", "/var/folders"],
                 ["/lib64", "/nix/store", "<run-temp>"]),
    "unveil": ("/home/USER", ["/usr", "/lib", "<run-temp>"], ["/lib64", "/nix/store", "/Library", "/System"]),
    "appcontainer": ("/Users/USER", [], ["/lib64", "/nix/store", "/usr", "/etc", "<run-temp>", ".cargo", ".npmrc"]),
    "bubblewrap": (None, ["/lib64", "/nix/store", "<run-temp>"], ["/Library", "/Applications"]),
    "container": (None, ["/lib64", "/nix/store", "<run-temp>"], ["/Library", "/Applications"]),
}
DEFAULTS = {"cordon": 1, "level": "process_exec", "files": [{"path": "/srv/job", "rights": "write"}]}


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.file = self.document("job.json", DEFAULTS)

    def document(self, name, value):
        return write(os.path.join(self.top, name), json.dumps(value))

    def compile(self, backend, *options, file=None):
        """The rules; under `broken` those for this system."""
        if self.broken:
            options = (*options, "--system", "linux" if backend not in ("bubblewrap", "container") else "macos")
        ended = self.run([self.cordon, "compile", "--backend", backend, *options, file or self.file])
        return ended.out.replace("\\\\", "/").replace("\\", "/"), ended


def shows(text, place):
    """Whether the rules contain the word as a whole component."""
    return re.search(re.escape(place) + r"(?![\w.-])", text) is not None


def presets(s):
    problems = []
    for backend, (_, there, absent) in SYSTEMS.items():
        out, ended = s.compile(backend)
        if ended.status != 0:
            problems.append(f"{backend}: {ended.err}")
        problems += [f"{backend}: no {p}" for p in there if not shows(out, p)]
        problems += [f"{backend}: {p}" for p in absent if shows(out, p)]
    return problems


def home(s):
    """The home of this machine is not used for other systems; --home is; a substitute gives a warning."""
    file = s.document("home.json", {**DEFAULTS, "files": [{"path": "~/job", "rights": "write"}]})
    problems = []
    for backend, (usual, _, _) in SYSTEMS.items():
        out, ended = s.compile(backend, file=file)
        expected = s.home if usual is None else usual
        told = "--home DIR" in ended.err
        if not shows(out, expected + "/job") or (usual is not None and s.home in out) or told != (usual is not None):
            problems.append(f"{backend}: {ended.err} {out[:200]}")
        out, ended = s.compile(backend, "--home", "/there/u", file=file)
        if not shows(out, "/there/u/job") or ended.err:
            problems.append(f"{backend} --home: {ended.err} {out[:200]}")
    return problems


def another_system(s):
    """--system overrides the backend's own system."""
    out, _ = s.compile("seatbelt", "--system", "openbsd")
    problems = [] if shows(out, "<run-temp>") and not shows(out, "/Library") else ["openbsd's presets are not there"]
    for options in (["--system", "plan9"], ["--home", "relative"]):
        ended = s.run([s.cordon, "compile", "--backend", "seatbelt", *options, s.file])
        if ended.status != 2 or options[0] not in ended.err:
            problems.append(f"{options}: {ended.status} {ended.err}")
    return problems


def explicit_presets(s):
    """Windows has presets under home if a document names them, and a document without presets has none."""
    asked = s.document("asked.json", {**DEFAULTS, "presets": ["developer_toolchains", "package_manager_config"]})
    none = s.document("none.json", {**DEFAULTS, "presets": []})
    out, ended = s.compile("appcontainer", file=asked)
    problems = [] if shows(out, "/Users/USER/.cargo") and shows(out, "/Users/USER/scoop") else [ended.err + out[:300]]
    for backend in SYSTEMS:
        out, _ = s.compile(backend, file=none)
        problems += [f"{backend}: {p}" for p in ("/Library", "/lib64", ".cargo", "<run-temp>") if shows(out, p)]
    return problems


def programs_of_this_machine(s):
    """The first line of a script of this machine says nothing about a file of the same name elsewhere."""
    script = write(os.path.join(s.top, "tool"), "#!/usr/bin/perl\n", 0o755)
    file = s.document("permissions.json", {"read": [], "write": [], "exec": [script], "net": []})
    problems = []
    for backend in ("seatbelt", "unveil", "container"):
        out, ended = s.compile(backend, file=file)
        if shows(out, "perl") or not shows(out, script):
            problems.append(f"{backend}: {ended.err} {out[:300]}")
    return problems


def pod(s):
    """Default presets show files inside a directory that they hide, which a Pod has mount points for."""
    out, ended = s.compile("container", "--target", "kubernetes")
    kinds = []
    if ended.status == 0:  # gaps stand behind the text
        kinds = [item["kind"] for item in json.JSONDecoder().raw_decode(out)[0]["items"]]
    shown = all(shows(out, p) for p in ("/etc/ssh/ssh_config", "/lib64")) and '"path": "ssh_config/empty"' in out
    return [] if kinds == ["NetworkPolicy", "ConfigMap", "Pod"] and shown else [f"{kinds} {out[-300:]}"]


def proofs(s):
    """verify lowers for each backend's own system as well."""
    odd = s.document("odd.json", {**DEFAULTS, "files": [{"path": "~/job", "rights": "write"}]})
    options = ["--system", "linux"] if s.broken else []
    problems = []
    for backend in ("seatbelt", "appcontainer"):
        counts = {}
        for words in ((), ("--system", "macos" if backend == "seatbelt" else "windows"), ("--system", "linux")):
            ended = s.run([s.cordon, "verify", "--backend", backend, *(words or options), odd], seconds=120)
            if ended.status != 0:
                problems.append(f"{backend} {words}: {ended.out[-300:]} {ended.err}")
            counts[words[1:]] = ended.out
        own, named, other = counts.values()
        if own != named or own == other:
            problems.append(f"{backend}: {counts}")
    return problems


ROWS = {
    "presets": presets,
    "home": home,
    "another system": another_system,
    "presets that are named": explicit_presets,
    "programs of this machine": programs_of_this_machine,
    "a Pod": pod,
    "proofs": proofs,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "for this system"))
