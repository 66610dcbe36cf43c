#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Names, paths and words of others never reach a terminal or a log as they are: what would move a cursor, set a title or turn
the direction of writing is printed as its bytes, by every command."""
import os
import re
import sys

from command import main, run_rows
from scratch import Scratch, write

BAD = "\x1b]0;x\x07\n\x7f\u009b2J\u202e\udcff"  # the last one: a byte that is no UTF-8
SHOWN = r"\x1b]0;x\x07\x0a\x7f\xc2\x9b2J\xe2\x80\xae\xff"
UNSAFE = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]")


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.named = os.path.join(self.workspace, BAD)
        write(self.named, "levle none\n")

    def told(self, *words):
        """What one command says, on both streams; as it came where nothing escapes it."""
        if self.broken:
            ended = self.run(["printf", "%s\n", *words])
        else:
            ended = self.run([self.cordon, *words])
        return ended.out + ended.err

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
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "as they are"))
