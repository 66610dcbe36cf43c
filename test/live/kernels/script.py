# SPDX-License-Identifier: BSL-1.0
"""The plan that every machine goes through, and which of its lines answers which question."""
from support import rows
from guest import USERS, Plan

BACKENDS = ("namespaces", "landlock")
POLICIES = {"base": [], "open": ["--network", "any"], "closed": ["--sockets", "none"], "device": ["--read", "/dev/console"]}
SEVEN = ["exit", "7"]
# Limit, its option, an act within it, one beyond it.
LIMITS = [("memory", ["--memory", "60MiB"], "fill 12 3", "fill 40 3"),
          ("processes", ["--processes", "12"], "processes 6", "processes 20")]


class Script:
    """`lines`: numbers of the plan, by user, subject and circumstance."""

    def __init__(self, top, scenes):
        self.plan = Plan(top)
        self.scenes = scenes  # in which limits are tried
        self.table = rows.read("kernels/kernels.tsv")
        self.lines = {}
        for user in USERS:
            self._starts(user)
            for row in self.table:
                if row.concerns(user):
                    self._row(user, row)
            for backend in BACKENDS:
                self._trees(user, backend)
                self._limits(user, backend)

    def _cordon(self, user, backend, policy, act, options=(), **how):
        workspace = self.plan.workspace(user)
        words = [f"{self.plan.top}/bin/cordon", "run", "--backend", backend, "--workspace", workspace, *POLICIES[policy],
                 *options, "--", f"{workspace}/bin/attempt", *act]
        return self.plan.run(user, words, **how)

    def _reported(self, key, user, backend, policy, act, options=(), **how):
        report = f"{self.plan.top}/reports-{user}/report.json"  # not where the program writes
        self.lines[key] = self._cordon(user, backend, policy, act, [*options, "--report", report], **how)
        self.lines[(*key, "report")] = self.plan.file(report)

    def _starts(self, user):
        self.lines[user, "doctor"] = self.plan.run(user, [f"{self.plan.top}/bin/cordon", "doctor", "--json"])
        self._reported((user, "auto", "base"), user, "auto", "base", SEVEN)
        for backend in BACKENDS:
            for policy in POLICIES:
                self._reported((user, backend, policy), user, backend, policy, SEVEN)
            self.lines[user, backend, "hardened"] = self._cordon(user, backend, "base", SEVEN,
                                                                 ["--profile", "os_hardened"])

    def _row(self, user, row):
        workspace = self.plan.workspace(user)
        act = row.words({"ws": workspace, "out": f"{self.plan.top}/outside", "top": self.plan.top})
        self.lines[user, row.label, "control"] = self.plan.run(user, [f"{workspace}/bin/attempt", *act], row.scene)
        for backend in BACKENDS:
            self.lines[user, row.label, backend] = self._cordon(user, backend, row.policy, act, scene=row.scene)

    def _trees(self, user, backend):
        """Daemons of a program that ends, of one whose time is up, and of one whose launcher is killed."""
        self.lines[user, backend, "end"] = self._cordon(user, backend, "base", ["daemons", "3"])
        self.lines[user, backend, "late"] = self._cordon(user, backend, "base", ["stay", "3"], ["--timeout", "300ms"])
        self.lines[user, backend, "killed"] = self._cordon(user, backend, "base", ["stay", "3"], seconds=0.7)

    def _limits(self, user, backend):
        for limit, options, within, beyond in LIMITS:
            for scene in self.scenes:
                for name, act in (("within", within), ("beyond", beyond)):
                    self._reported((user, backend, limit, scene, name), user, backend, "base", act.split(), options,
                                   scene=scene)
