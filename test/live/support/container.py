# SPDX-License-Identifier: BSL-1.0
"""Shared by tests of containers: policies that are difficult for containers, and containers to run commands in."""
import json
import os

from .view_cases import CASES
from .view_suite import ViewSuite

# Beside those of every view: what only containers have trouble with.
MORE = {
    "names in other scripts":
        [("write", "\u017elu\u0165ou\u010dk\u00fd k\u016f\u0148/"),
         ("hide", "\u017elu\u0165ou\u010dk\u00fd k\u016f\u0148/\u65e5\u672c/"), ("write", "line\nfeed/"),
         ("read", "line\nfeed/tab\tbell\a/"), ("read", "a,source=b/"), ("write", "a:rw/")],
    "refused": [("write", "w/"), ("read", "w/\udcff/")],
    "connects, on a network":
        [("allow read,list,connect", "served/"), ("read", "r/"), ("hide", "r/h/"), ("write", "w/")],
}
# Who looks masks what is missing; a directory that is missing on the way to a restriction cannot be bound on itself,
# and nothing starts (see `forgery`).
MORE["missing"] = [(verb, place) for verb, place in CASES["missing"] if ".git" not in place]


class Box(ViewSuite):
    """Commands that begin with a form are run in a container of it, by `play`."""
    form = "oci"

    def told(self, policy, what, given=b""):
        return super().told(policy, f"{self.form}-{what}" if what in ("looked", "unlooked") else what, given)

    def command(self, policy, looks):
        return [(self.form if looks else self.form + "-text", policy)]

    def run(self, command, given=b"", environment=None):
        if not isinstance(command[0], tuple):
            return super().run(command, given, environment)
        form, policy = command[0]
        return self.play(json.loads(self.told(policy, form)), command[1:], given)


def make_root(root):
    """What an image holds: nothing but the links of this machine's own root."""
    os.mkdir(root)
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), os.path.join(root, name))
