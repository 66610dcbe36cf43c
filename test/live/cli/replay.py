#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Records of runs: they can be run again and replayed without a run, and are refused after any change; and the
attestations of records and reports."""
import json
import os
import pathlib
import stat
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        if options.broken:
            self.cordon = "/bin/true"
        self.key = self.private("key", "sixteen bytes or more, and this is the key")
        self.other_key = self.private("other-key", "sixteen bytes or more, and this is another")

    def private(self, name, text):
        path = write(os.path.join(self.outside, name), text + "\n", 0o600)
        self.account.own(path)
        return path

    def tool(self, *words):
        return self.run([self.cordon, *words], 20)

    def record(self, script, *options):
        """The name of the record of a shell's run."""
        path = os.path.join(self.outside, "record.json")
        self.tool("run", "--quiet", *options, "--record", path, "--", "sh", "-c", script)
        return path

    def change(self, path, old, new):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if old not in text:
            raise RuntimeError(f"{old!r} is not in the record")
        write(path, text.replace(old, new, 1), 0o600)
        self.account.own(path)


def expected(ended, status, out=None, err=None):
    problems = [] if ended.status == status else [f"status {ended.status} instead of {status}: {ended.err!r}"]
    if out is not None and ended.out != out:
        problems.append(f"stdout is {ended.out!r}")
    if err is not None and err not in ended.err:
        problems.append(f"{err!r} is not in {ended.err!r}")
    return problems


def same(s):
    return expected(s.tool("replay", s.record("echo out; echo err >&2; exit 3")), 0, "the same outcome and the same output\n")


def other_output(s):
    path = s.record("cat counter 2>/dev/null; echo x >> counter")
    return expected(s.tool("replay", path), 1, "stdout: 0 bytes were recorded, now there are 2; the first other one is byte 0\n")


def bytes_in_words(s):
    """Arguments that are not UTF-8 are replayed unchanged; a policy that is not UTF-8 is refused before the start."""
    path = os.path.join(s.workspace, "record.json")
    s.tool("run", "--quiet", "--record", path, "--", "printf", "%s", b"a\xff\xfeb")
    problems = expected(s.tool("replay", path), 0, "the same outcome and the same output\n")
    with open(path, encoding="utf-8") as file:
        if json.load(file)["argv"][2] != {"base64": "Yf/+Yg=="}:
            problems.append("the record has another word")
    odd = os.path.join(os.fsencode(s.workspace), b"odd\xff")
    mark = os.path.join(s.workspace, "ran")
    refused = s.tool("run", "--record", path, "--hide", odd, "--", "touch", mark)
    problems += expected(refused, 125, "", "--record: a path or a variable of the policy is not UTF-8")
    return problems + (["the program ran"] if os.path.exists(mark) else [])


def other_outcome(s):
    path = s.record("mkdir once")
    ended = s.tool("replay", path)
    return expected(ended, 1) + ([] if "outcome: was exited 0, is exited 1\n" in ended.out else [f"stdout is {ended.out!r}"])


def tape_of_bytes(s):
    path = s.record("printf 'a\\377\\000b'; printf 'err\\n' >&2; : > mark; exit 5")
    mark = os.path.join(s.workspace, "mark")
    if os.path.exists(mark):
        os.remove(mark)
    process = s.start([s.cordon, "replay", "--tape", path])
    out, err = process.communicate(timeout=20)
    problems = [] if (out, err) == (b"a\xff\0b", b"err\n") else [f"told {out!r} and {err!r}"]
    if process.returncode != 5:
        problems.append(f"status {process.returncode}")
    if os.path.exists(mark):
        problems.append("the program has run")
    return problems


def tape_of_words(s):
    path = s.record("echo x")
    good = s.tool("replay", "--tape", path, "--", "sh", "-c", "echo x")
    bad = s.tool("replay", "--tape", path, "--", "sh", "-c", "echo y")
    return expected(good, 0, "x\n") + expected(bad, 2, "", "another command line")


def tampered(s):
    problems = []
    for old, new in (("echo 12", "echo 13"), ('"number": 0', '"number": 1'), ('"text": "12\\n"', '"text": "13\\n"'),
                     ('"profile": "worktree"', '"profile": "unrestricted"'), ('"rights": ["read"', '"rights": ["write"'),
                     ('"stdout"', '"stderr"'), ("sha256:", "sha256:0")):
        path = s.record("echo 12")
        s.change(path, old, new)
        for how in ([], ["--tape"]):
            problems += [f"{new}: {p}" for p in expected(s.tool("replay", *how, path), 2, "", "record.json")]
    return problems


def attested(s):
    path = s.record("echo x", "--key", s.key)
    problems = expected(s.tool("replay", "--tape", "--key", s.key, path), 0, "x\n")
    problems += expected(s.tool("replay", "--tape", path), 0, "x\n")
    problems += expected(s.tool("replay", "--tape", "--key", s.other_key, path), 2, "", "the key is another one")
    bare = s.record("echo x")
    return problems + expected(s.tool("replay", "--tape", "--key", s.key, bare), 2, "", "it is not attested")


def attested_report(s):
    path = os.path.join(s.workspace, "report.json")
    s.tool("run", "--quiet", "--report", path, "--key", s.key, "--", "true")
    problems = expected(s.tool("check", "--key", s.key, path), 0, f"{path}: attested\n")
    problems += expected(s.tool("check", "--key", s.other_key, path), 1)
    s.change(path, '"outcome": "exited"', '"outcome": "signaled"')
    return problems + expected(s.tool("check", "--key", s.key, path), 1)


def key_in_reach(s):
    path = os.path.join(s.workspace, "key")
    write(path, "sixteen bytes or more, which the program can read\n", 0o600)
    s.account.own(path)
    options = ["run", "--quiet", "--report", "report.json", "--key", path]
    problems = expected(s.tool(*options, "--", "touch", "mark"), 125, "", "lets the program read the key")
    if os.path.exists(os.path.join(s.workspace, "mark")):
        problems.append("the program has run")
    return problems + expected(s.tool(*options, "--hide", path, "--", "touch", "mark"), 0)


def mechanism_gone(s):
    strict = s.record("echo x", "--profile", "os_hardened")
    problems = expected(s.tool("replay", "--backend", "landlock", strict), 125, "", "os_hardened")
    mild = s.record("echo x")
    problems += expected(s.tool("replay", "--backend", "landlock", mild), 1,
                         "mechanism: namespaces was in force and is not\n", "not in force here: namespaces")
    return problems


def secrets(s):
    path = os.path.join(s.workspace, "report.json")
    s.tool("run", "--quiet", "--env", "API_TOKEN=hunter2", "--report", path, "--", "sh", "-c", "exit 0", "sh",
           "--password", "hunter2", "--token=hunter2", "https://me:hunter2@example.com/")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        argv = json.loads(text)["argv"]
    except (OSError, ValueError) as e:
        return [f"no report: {e}"]
    problems = ["the secret is in the report"] if "hunter2" in text else []
    return problems + ([] if argv[-4:-2] == ["--password", "[redacted]"] else [f"argv is {argv}"])


def private(s):
    path = s.record("echo x")
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except OSError as e:
        return [str(e)]
    return [] if mode == 0o600 else [f"its mode is {mode:o}"]


ROWS = {
    "what has not changed is the same": same,
    "other output": other_output,
    "another outcome": other_outcome,
    "a tape returns the recorded bytes and starts nothing": tape_of_bytes,
    "a tape refuses other arguments": tape_of_words,
    "arguments that are not UTF-8": bytes_in_words,
    "a changed record": tampered,
    "an attested record": attested,
    "an attested report": attested_report,
    "a key that the program could read": key_in_reach,
    "a mechanism that is missing now": mechanism_gone,
    "secrets on the command line": secrets,
    "a record is readable by its owner alone": private,
}


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "with a cordon that does nothing"))
