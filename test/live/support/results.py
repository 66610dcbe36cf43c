# SPDX-License-Identifier: BSL-1.0
"""Counts results and prints them."""
import json
import sys


class Results:
    def __init__(self, as_json=False, verbose=False):
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.as_json = as_json
        self.verbose = verbose

    def _tell(self, result, name, detail):
        self.counts[result] += 1
        if self.as_json:
            print(json.dumps({"name": name, "result": result, "detail": detail}))
        elif result != "passed" or self.verbose:
            # One line: what shows failures alone, keeps lines that say so.
            print(f"{result}: {name}" + (f": {' | '.join(detail.splitlines())}" if detail else ""))
        sys.stdout.flush()

    def passed(self, name, detail=""):
        self._tell("passed", name, detail)

    def failed(self, name, detail):
        self._tell("failed", name, detail)

    def skipped(self, name, feature):
        self._tell("skipped", name, feature)

    def check(self, name, problems):
        """One result out of a list of sentences that say what is wrong."""
        if problems:
            self.failed(name, "; ".join(problems))
        else:
            self.passed(name)

    def end(self):
        """The closing line, and the exit status of the whole program."""
        print(", ".join(f"{number} {word}" for word, number in self.counts.items()))
        if self.counts["failed"]:
            return 1
        return 0 if self.counts["passed"] else 77


class Record(Results):
    """Keeps the results instead of printing them."""

    def __init__(self):
        super().__init__()
        self.results = []

    def _tell(self, result, name, detail):
        self.results.append((result, name, detail))
