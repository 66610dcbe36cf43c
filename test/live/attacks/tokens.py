#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Plants a secret at every path of include/cordon/policy/credential_paths.hpp and tries to read each under cordon's own policies."""
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

BACKENDS = ("namespaces", "landlock")
HEADER = pathlib.Path(__file__).resolve().parents[3] / "include/cordon/policy/credential_paths.hpp"
# What tools that no table knows may keep where other tools keep tokens.
UNKNOWN = (".config/unknown/token", ".cache/unknown/token", ".cargo/token", ".local/share/unknown/token",
           ".local/state/unknown/token", ".unknown/token")
READER = 'cat -- "$@" 2>/dev/null; grep -rhs -e secret- -- "$HOME"; cat "$HOME/notes"; true'


def rows_of_header():
    """The paths that a program on Linux may use."""
    text = HEADER.read_text(encoding="utf-8")
    rows = re.findall(r'^ +\{"([^"]+)", "[^"]+", "[^"]+"\},$', text, re.M)
    if len(rows) != len(re.findall(r'^ *\{"', text, re.M)) or len(rows) < 60:
        raise RuntimeError(f"{HEADER}: {len(rows)} rows have been understood")
    return [row for row in rows if not row.startswith(("Library/", "AppData/"))]


class Home(Scratch):
    """A home with a secret at each path, which is a file, or a directory with the file in it."""

    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.rows = rows_of_header()

    def plant(self, as_directories):
        shutil.rmtree(self.home)
        self.secrets = {}
        for number, row in enumerate((*self.rows, *UNKNOWN)):
            path = os.path.join(self.home, row, "kept") if as_directories and row in self.rows else os.path.join(self.home, row)
            self.secrets[f"secret-{number}."] = path
            write(path, f"secret-{number}.\n", 0o600)
        write(os.path.join(self.home, "notes"), "notes\n")
        self.account.own_tree(self.home)

    def policy(self, document):
        path = write(os.path.join(self.top, "policy.json"), json.dumps(document))
        self.account.own(path)
        return ["--policy", path]

    def read(self, cordon):
        """The paths whose secret is in the output of the reader, and whether it could read the notes."""
        ended = self.run([*cordon, "sh", "-c", READER, "reader", *self.secrets.values()], 60)
        if ended.status != 0:
            raise RuntimeError(f"{cordon[:8]}: status {ended.status}: {ended.err[-300:]}")
        found = set(re.findall(r"secret-\d+\.", ended.out))
        return {path for secret, path in self.secrets.items() if secret in found}, "notes" in ended.out.split()

    def expect(self, options, open_rows=(), notes=False):
        """Problems where the reader reads another secret than these, or, with `notes`, not the notes."""
        problems = []
        for as_directories in (False, True):
            self.plant(as_directories)
            if self.read([])[0] != set(self.secrets.values()):
                return ["the control: a reader without cordon does not read each"]
            wanted = {path for path in self.secrets.values()
                      if any(path == f"{self.home}/{row}" or path.startswith(f"{self.home}/{row}/") for row in open_rows)}
            for backend in BACKENDS:
                cordon = [self.cordon, "run", "--quiet", "--backend", backend, *options, "--"]
                seen, has_notes = self.read([] if self.broken else cordon)
                names = [os.path.relpath(path, self.home) for path in sorted(seen ^ wanted)]
                if names:
                    problems.append(f"{backend}: {len(names)} of {len(self.secrets)}, such as {names[:5]}")
                if has_notes != notes:
                    problems.append(f"{backend}: notes are {'read' if has_notes else 'not read'}")
        return problems


def builtin(h):
    return h.expect(["--workspace", h.workspace])


def home_read(h):
    return h.expect(["--workspace", h.workspace, "--read", h.home], UNKNOWN, notes=True)


def home_written(h):
    return h.expect(["--workspace", h.workspace, "--write", h.home], UNKNOWN, notes=True)


def named(h):
    return h.expect(["--workspace", h.workspace, "--read", f"{h.home}/.npmrc", "--read", f"{h.home}/.aws"], (".npmrc", ".aws"))


def document_of_cordon(h):
    files = [{"path": h.workspace, "rights": "write"}, {"path": "~", "rights": "read"}]
    return h.expect(h.policy({"cordon": 1, "level": "process_exec", "files": files}), UNKNOWN, notes=True)


def document_of_capabilities(h):
    """Its presets grant three directories as a whole; known paths of tokens in them are hidden."""
    opened = [path for path in UNKNOWN if path.startswith((".config/", ".cache/", ".cargo/"))]
    return h.expect(h.policy({"workspace_roots": [h.workspace], "side_effect_level": "process_exec"}), opened)


def closed_by_the_program(home):
    """A directory of tokens that the program closes for the next run and then opens again."""
    problems = []
    home.plant(False)
    place = os.path.join(home.home, ".config")
    if home.account.uid == 0 and not home.broken:
        return problems # root looks into every directory
    for backend in BACKENDS:
        cordon = [] if home.broken else [home.cordon, "run", "--quiet", "--backend", backend, "--write", home.home, "--"]
        home.run([*cordon, "chmod", "0", place], 60)
        ended = home.run([*cordon, "sh", "-c", f"chmod 755 {place}; cat {place}/gh/hosts.yml"], 60)
        os.chmod(place, 0o755)
        if ended.status != 125 or "secret-" in ended.out:
            problems.append(f"{backend}: status {ended.status}, {ended.out[:100]!r}: {ended.err[-200:]!r}")
    return problems


ROWS = {
    "a directory that the program closes": closed_by_the_program,
    "the built-in policy": builtin,
    "a home that is granted for reading": home_read,
    "a home that is granted for writing": home_written,
    "two paths that are granted by name": named,
    "a document of cordon's own that grants home": document_of_cordon,
    "a CapabilityPolicy document": document_of_capabilities,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Home), "without cordon"))
