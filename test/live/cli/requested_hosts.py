#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What the guard and the preflight find in command lines before the start, and what every command says about a refused host."""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

LIST = "level network\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nread /etc\nwrite {}\nconnect example.com *.org\nrefuse evil.org\n"


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.policy = write(os.path.join(self.top, "policy"), LIST.format(self.workspace))

    def started(self, argv, *options, policy=True):
        """What `run` says, or the bare program where nothing is confined."""
        given = ["--policy", self.policy] if policy else []
        cordon = [] if self.broken else [self.cordon, "run", "--quiet", *given, *options, "--"]
        return self.run([*cordon, *argv])

    def explained(self, *question):
        """The text and JSON of cordon explain for a query; empty without cordon."""
        if self.broken:
            return "", [{}]
        text = self.run([self.cordon, "explain", self.policy, *question]).out
        lines = self.run([self.cordon, "explain", "--json", self.policy, *question]).out
        return text, [json.loads(line) for line in lines.splitlines()]

    def refused(self, argv, words, *options):
        ended = self.started(argv, *options)
        problems = [] if ended.status == 125 else [f"{argv}: status {ended.status}"]
        return problems + ([] if words in ended.err else [f"{words!r} is not in {ended.err!r}"])

    def passes(self, argv, *options, policy=True):
        ended = self.started(argv, *options, policy=policy)
        return [] if ended.status == 0 and not self.broken else [f"{argv}: status {ended.status}: {ended.err!r}"]


def sentence_of_explain(s):
    problems = []
    for question, words in ((("--host", "Gist.github.com"), "host Gist.github.com is not in allowed_domains"),
                            (("--url", "https://gist.github.com/x"), "host gist.github.com is not in allowed_domains"),
                            (("--host", "a.evil.org:80"), "host a.evil.org is in denied_domains"),
                            (("--exec", "curl", "http://a.net/"), "host a.net is not in allowed_domains")):
        text, lines = s.explained(*question)
        if words not in text or lines[0].get("reason") != words:
            problems.append(f"{question}: {text!r}, {lines}")
        if list(lines[0])[:4] != ["question", "verdict", "clause", "axis"]:
            problems.append(f"keys {list(lines[0])}")
    return problems


def sentence_below_the_level(s):
    if not s.broken:
        write(s.policy, "level process_exec\n")
    text, lines = s.explained("--host", "example.com")
    good = "host example.com is not in allowed_domains: level process_exec has no network"
    problems = [] if good in text and lines[0].get("reason") == good else [f"{text!r}"]
    if not s.broken:
        write(s.policy, "level network\n")
    text, lines = s.explained("--url", "ftp://example.com/")
    return problems + ([] if "only http and https" in text and "example.com" in lines[0].get("reason", "") else [f"{text!r}"])


def an_allowed_host_has_no_reason(s):
    text, lines = s.explained("--host", "example.com", "--url", "https://a.org/")
    return [] if len(lines) == 2 and all("reason" not in line for line in lines) and "allow" in text else [f"{lines}"]


def preflight(s):
    problems = []
    for mode in ("preflight", "strict"):
        for argv in (["curl", "evil.com"], ["ssh", "me@evil.com"], ["git", "clone", "evil.com:o/r"],
                     ["curl", "--resolve", "evil.com:443:1.2.3.4", "https://example.com"],
                     ["curl", "--connect-to=::evil.com:443", "https://example.com"],
                     ["env", "-S", "wget evil.com"], ["true", "https://evil.com/"]):
            problems += s.refused(argv, "host evil.com is not in allowed_domains", "--egress", mode)
        problems += s.refused(["curl", "ftp://example.com/x"], "only http and https", "--egress", mode)
        problems += s.refused(["curl", "evil.org"], "host evil.org is in denied_domains", "--egress", mode)
    return problems


def requested(s):
    words = "host evil.com is not in allowed_domains"
    return (s.refused(["true"], words, "--egress", "preflight", "--requested-host", "example.com", "--requested-host",
                      "evil.com") +
            s.refused(["true"], words, "--egress", "strict", "--requested-host", "https://evil.com/") +
            s.passes(["true"], "--egress", "preflight", "--requested-host", "a.org") +
            s.passes(["true"], "--requested-host", "evil.com"))


def guarded(s):
    os.symlink("/root", os.path.join(s.workspace, "out"))
    problems = []
    for argv in (["tar", "-xf/root/x"], ["cat", "out/x"], ["cp", "--target-directory=out", "x"], ["cat", "/root/x"],
                 ["tool", "-I/root"]):
        problems += s.refused(argv, "grants nothing", "--guard", "refuse")
    return problems


def no_false_alarm(s):
    return (s.passes(["head", "-n1", "/etc/passwd"], "--guard", "refuse") +
            s.passes(["sh", "-c", "head -n1 /etc/passwd"], "--guard", "refuse") +
            s.passes(["head", "-n1", "/etc/passwd"], "--guard", "refuse", "--egress", "preflight", policy=False) +
            s.passes(["sh", "-c", "exit 0"], "--guard", "refuse", policy=False))


ROWS = {
    "the sentence of explain": sentence_of_explain,
    "the sentence of a host below the level, and of a URL": sentence_below_the_level,
    "an allowed host": an_allowed_host_has_no_reason,
    "hosts in arguments": preflight,
    "hosts that the caller hands over": requested,
    "paths that lead out": guarded,
    "what the policy allows": no_false_alarm,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
