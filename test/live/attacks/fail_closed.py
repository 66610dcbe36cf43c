#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Where the host has no mechanism that confines, or lacks one of them, no program is started, unless the caller or the policy
says that it may be."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import bare_host
from support.account import Unavailable
from support.command import main, run_rows
from support.scratch import Scratch, write

POLICY = "level process_exec\nrun /usr\nrun /bin\nrun /lib\nrun /lib64\nread /etc\nwrite {}\nnetwork none\npass PATH\n"


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.mark = os.path.join(self.workspace, "mark")
        if not bare_host.supported():
            raise Unavailable("a filter that hides the host's mechanisms")

    def attempt(self, *words, policy=None, bare=True, **variables):
        """Whether the program was started, and the messages. Under `broken` the host has its mechanisms."""
        if policy is not None:
            words = (*words, "--policy", write(os.path.join(self.top, "policy"), policy))
        else:
            words = (*words, "--workspace", self.workspace)
        before = bare_host.make() if bare and not self.broken else None
        ended = self.run([self.cordon, "run", *words, "--", "touch", self.mark], before=before, **variables)
        started = os.path.exists(self.mark)
        if started:
            os.unlink(self.mark)
        return started, ended

    def expect(self, started, words, *options, **how):
        was, ended = self.attempt(*options, **how)
        problems = [] if was == started and (started or ended.status == 125) else [
            f"{options} {how}: started {was}, status {ended.status}: {ended.err[-300:]}"]
        return problems + [f"{w!r} is not in {ended.err!r}" for w in words if w not in ended.err]


def refused(s):
    return s.expect(False, ["CORDON_SANDBOX=warn", "cordon doctor"])


def refused_by_a_file(s):
    return s.expect(False, ["CORDON_SANDBOX=warn"], policy=POLICY.format(s.workspace))


def loosened_by_a_variable(s):
    return [p for v in ({"CORDON_SANDBOX": "warn"}, {"CORDON_SANDBOX": "off"}, {"CORDON_ALLOW_NO_SANDBOX": "1"},
                        {"CORDON_ALLOW_NO_SANDBOX": "true"}) for p in s.expect(True, ["not confined"], **v)]


def loosened_by_the_policy(s):
    capability = '{"workspace_roots": ["%s"], "side_effect_level": "process_exec"}' % s.workspace
    return (s.expect(True, ["not confined"], policy=POLICY.format(s.workspace) + "fallback warn\n") +
            s.expect(True, ["not confined"], policy=capability))


def written_enforce(s):
    policy = POLICY.format(s.workspace) + "fallback enforce\n"
    return [p for v in ({"CORDON_SANDBOX": "warn"}, {"CORDON_ALLOW_NO_SANDBOX": "1"})
            for p in s.expect(False, ["fallback enforce"], policy=policy, **v)]


def strict_calls(s):
    return s.expect(False, ["syscalls strict"], "--syscalls", "strict", CORDON_SANDBOX="warn")


ROWS = {
    "nothing is started": refused,
    "nothing is started under a policy file": refused_by_a_file,
    "a variable loosens the default": loosened_by_a_variable,
    "a policy says otherwise": loosened_by_the_policy,
    "no variable loosens what a policy says": written_enforce,
    "strict system calls": strict_calls,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "on a host that has them"))
