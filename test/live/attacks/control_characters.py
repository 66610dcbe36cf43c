#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Control characters in names, paths and arguments never reach a terminal or a log: every command prints them as
escaped bytes. Rules escape them in the notation of the program that reads the rules, which gets the same bytes."""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

BAD = "\x1b]0;x\x07\n\x7f\u009b2J\u202e\udcff"  # the last one: a byte that is no UTF-8
SHOWN = r"\x1b]0;x\x07\x0a\x7f\xc2\x9b2J\xe2\x80\xae\xff"
TEXT = BAD[:-1]  # JSON holds no other bytes
IN_JSON = r"\u001b]0;x\u0007\u000a\u007f\u009b2J\u202e"
NAME = "\x7f\u009b2J\u202e"  # Windows and macOS profiles hold no other controls
UNSAFE = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]")


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.named = os.path.join(self.workspace, BAD)
        write(self.named, "levle none\n")

    def told(self, *words):
        """The output of one command on both streams; without cordon, the raw text."""
        if self.broken:
            ended = self.run(["printf", "%s\n", *words])
        else:
            ended = self.run([self.cordon, *words])
        return ended.out + ended.err

    def told_at_terminal(self, *words):
        """The same with a terminal as stdout, without what the terminal adds."""
        command = ["printf", "%s\n", *words] if self.broken else [self.cordon, *words]
        leader, follower = pty.openpty()
        with subprocess.Popen(self.account.prefix + command, stdin=subprocess.DEVNULL, stdout=follower,
                              env=self.variables(), cwd=self.workspace):
            os.close(follower)
            out = b""
            try:
                while piece := os.read(leader, 4096):
                    out += piece
            except OSError:  # its other end is closed
                pass
        os.close(leader)
        return out.decode(errors="replace").replace("\r\n", "\n")

    def problems(self, text, shown=SHOWN):
        problems = [f"raw: {text!r}"] if UNSAFE.search(text) else []
        return problems if shown in text else problems + [f"not named: {text!r}"]


def position(s):
    return s.problems(s.told("check", s.named))


def word_of_a_document(s):
    return s.problems(s.told("check", write(os.path.join(s.workspace, "p"), f"lev\x1b[2J\u202e none\n")),
                      r"lev\x1b[2J\xe2\x80\xae")


def unknown_words(s):
    return [p for words in (["run", "--", "./" + BAD], [BAD], ["run", "--hide", BAD, "--backend", BAD, "--", "true"])
            for p in s.problems(s.told(*words))]


def question(s):
    policy = write(os.path.join(s.workspace, "p"), "read /usr\n")
    return s.problems(s.told("explain", policy, "--path", "/" + BAD, "--right", "read"))


def question_as_json(s):
    policy = write(os.path.join(s.workspace, "p"), "read /usr\n")
    return s.problems(s.told("explain", "--json", policy, "--path", "/a\x7f\u009b\u202e", "--right", "read"),
                      r"/a\u007f\u009b\u202e")


def refused_host(s):
    policy = write(os.path.join(s.top, "p"), f"level network\nrun /usr\nwrite {s.workspace}\nconnect example.com\n")
    return [p for words in (["explain", policy, "--host", BAD],
                            ["run", "--policy", policy, "--egress", "preflight", "--requested-host", BAD, "--", "true"])
            for p in s.problems(s.told(*words), f"host {SHOWN} is invalid")]


def gap_on_stderr(s):
    os.link(s.named, os.path.join(s.workspace, "other"))
    return s.problems(s.told("run", "--hide", s.named, "--", "true"))


def canonical_form(s):
    policy = write(os.path.join(s.workspace, "p"), f'read "/a{SHOWN}"\n')
    return s.problems(s.told("check", policy))


def rules(s):
    policy = write(os.path.join(s.workspace, "p"), f'read /\nwrite "/a{SHOWN}"\nhide "/a{SHOWN}/b"\n')
    return [p for backend in ("landlock", "namespaces") for p in s.problems(s.told("compile", "--backend", backend, policy))]


def rules_in_json(s):
    policy = write(os.path.join(s.workspace, "p"), f'write "/a{SHOWN[:-4]}"\nread "/a{SHOWN[:-4]}/b"\n')
    problems = []
    for backend, targets in (("container", ("oci", "docker", "kubernetes")), ("wasi", ("wasmtime", "node", "library"))):
        for target in targets:
            text = s.told("compile", "--backend", backend, "--target", target, policy)
            problems += s.problems(text, f"/a{IN_JSON}")
            if f"/a{TEXT}/b" not in strings_of(json.JSONDecoder().raw_decode(text)[0] if text.startswith("{") else []):
                problems.append(f"{target}: not exact: {text!r}")
    return problems


def strings_of(value):
    """All strings of a JSON value."""
    if isinstance(value, dict):
        return [text for key, part in value.items() for text in [key, *strings_of(part)]]
    if isinstance(value, list):
        return [text for part in value for text in strings_of(part)]
    return [value] if isinstance(value, str) else []


def rules_for_a_shell(s):
    """Each argument of bwrap is exact, in every shell there is."""
    policy = write(os.path.join(s.workspace, "p"), f'write "/a{SHOWN}"\nread "/a{SHOWN}/b"\nwrite "/end\\x0a\\x0a"\n')
    told = s.told("compile", "--backend", "bubblewrap", policy)
    problems = s.problems(told, "'/a'\"$(printf '\\033')\"']0;x'")
    text = "bwrap() { printf '%s\\0' \"$@\" | od -An -v -tx1; }\n" + told.partition("\ngap ")[0]
    wanted = [os.fsencode(name) for name in (f"/a{BAD}", f"/a{BAD}/b", "/end\n\n")]
    for shell in ("dash", "bash", "busybox"):
        if not os.path.exists(f"/bin/{shell}"):
            continue
        ended = s.run([shell, *(["sh"] if shell == "busybox" else []), "-c", text])
        words = bytes.fromhex(ended.out).split(b"\0") if ended.status == 0 else []
        problems += [f"{shell}: no {name!r}: {ended.err}" for name in wanted if words.count(name) < 2]
    return problems


def rules_without_printf(s):
    """A shell that cannot write the bytes must not start bwrap with other ones."""
    policy = write(os.path.join(s.workspace, "p"), 'write /a\nhide "/a/\\x1b"\n')
    told = s.told("compile", "--backend", "bubblewrap", policy).partition("\ngap ")[0]
    ended = s.run(["/bin/sh", "-c", "printf() { return 127; }\nbwrap() { echo started; }\n" + told])
    fine = ended.status == 127 and "started" not in ended.out and not s.broken
    return [] if fine else [f"status {ended.status}: {ended.out} {ended.err}"]


def rules_for_windows(s):
    policy = write(os.path.join(s.workspace, "p"), f'write "/a{NAME}"\n')
    return s.problems(s.told("compile", "--backend", "appcontainer", policy), r"C:\a<U+007f><U+009b>2J<U+202e>")


def rules_for_openbsd(s):
    policy = write(os.path.join(s.workspace, "p"), f'write "/a{SHOWN}"\n')
    return s.problems(s.told("compile", "--backend", "unveil", policy),
                      r"/a\033]0;x\007\012\177\302\2332J\342\200\256\377")


def rules_for_macos(s):
    """Profiles have no known escape for control characters: a terminal gets other bytes than a file."""
    policy = write(os.path.join(s.workspace, "p"), f'write "/a{NAME[1:]}\udcff"\n'.encode(errors="surrogateescape"))
    words = ["compile", "--backend", "seatbelt", policy]
    raw, refused = s.told(*words), s.told(*words, "--json")
    problems = s.problems(s.told_at_terminal(*words), r'"/a\xc2\x9b2J\xe2\x80\xae\xff"')
    problems += [] if f'"/a{NAME[1:]}\ufffd"' in raw else [f"not exact: {raw!r}"]
    return problems + ([] if "leave --json out" in refused else [f"JSON: {refused!r}"])


ROWS = {
    "a file name in a position": position,
    "a word of a document": word_of_a_document,
    "words of the command line": unknown_words,
    "a question": question,
    "a question as JSON": question_as_json,
    "a refused host": refused_host,
    "a gap on stderr": gap_on_stderr,
    "a canonical form": canonical_form,
    "rules": rules,
    "rules in JSON": rules_in_json,
    "rules for a shell": rules_for_a_shell,
    "rules for a shell without printf": rules_without_printf,
    "rules for Windows": rules_for_windows,
    "rules for OpenBSD": rules_for_openbsd,
    "rules for macOS": rules_for_macos,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without escapes"))
