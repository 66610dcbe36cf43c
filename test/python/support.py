# SPDX-License-Identifier: BSL-1.0
"""What the tests of the Python module share."""
import pathlib
import tempfile
import unittest

import cordon


class InScratch(unittest.TestCase):
    """Each test has a folder with a writable part, `inside`, and one that the policy does not grant, `outside`."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(scratch.cleanup)
        self.top = pathlib.Path(scratch.name)
        self.inside, self.outside = self.top / "inside", self.top / "outside"
        self.inside.mkdir()
        self.outside.mkdir()
        self.policy = cordon.Policy.parse(f"level process_exec\nrun /usr\nwrite {self.inside}\nnetwork none\n")

    def shell(self, script, **more):
        """The report of a script under the policy."""
        return cordon.run(["sh", "-c", script], policy=more.pop("policy", self.policy), cwd=self.inside, **more)
