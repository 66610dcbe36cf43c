# SPDX-License-Identifier: BSL-1.0
"""The user of a test."""
import os
import signal

NOBODY = 65534

# What starts the tests may ignore signals, as nohup does and shells for background jobs; programs inherit that.
for number, usual in ((signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, usual)


class Unavailable(Exception):
    """This machine cannot run the test; the text says what is missing."""


class Account:
    """A user whose programs are started by a prefix. The harness itself stays what it is."""

    def __init__(self, name):
        self.name = name
        self.prefix = []
        self.uid = os.geteuid()
        self.gid = os.getegid()
        if name == "root" and self.uid != 0:
            raise Unavailable("root is needed")
        if name == "nobody" and self.uid == 0:
            self.prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
            self.uid = self.gid = NOBODY

    def own(self, path):
        """Hands a file of the scratch tree, not what a link leads to, over to the user."""
        if os.geteuid() == 0:
            os.lchown(path, self.uid, self.gid)

    def own_tree(self, top):
        self.own(top)
        for directory, below, files in os.walk(top):
            for name in below + files:
                self.own(os.path.join(directory, name))


def current():
    """The default account of a test: root, or the user who started it."""
    return "root" if os.geteuid() == 0 else "nobody"
