# SPDX-License-Identifier: BSL-1.0
"""Compares the results of one machine with the claims of cordon there."""
import json
import re

from guest import USERS
from script import BACKENDS, LIMITS, POLICIES

HELD, OPEN, IMPOSSIBLE, WRONG = ".", "g", "-", "X"


class Comparison:
    """`cells`: the result for each user, backend and act. `emulated`: in a virtual machine, with control groups."""

    def __init__(self, name, script, told, emulated):
        self.name, self.script, self.told, self.emulated = name, script, told, emulated
        self.cells, self.problems, self.remarks = {}, [], []
        self.checked = 0
        self.seconds = 0.0

    def all(self):
        if not self.check(self.told.whole, f"the guest did not come to its end: ...{self.told.log[-1500:]!r}"):
            return
        for user in USERS:
            working = [backend for backend in BACKENDS if self.ended(user, backend, "base").status == 7]
            self._doctor(user, working)
            self._auto(user, working)
            for backend in BACKENDS:
                if backend not in working:
                    self._missing(user, backend)
                    continue
                self._hardened(user, backend)
                self._trees(user, backend)
                self._limits(user, backend)
                for policy in POLICIES:
                    self._rows(user, backend, policy)

    def ended(self, *key):
        return self.told.ended[self.script.lines[key]]

    def report(self, *key):
        """The report of that run, or None."""
        try:
            return json.loads(self.ended(*key, "report").text)
        except ValueError:
            return None

    def gaps(self, user, backend, policy, kind):
        told = self.report(user, backend, policy)
        return {gap["id"] for gap in told["gaps"] if gap["kind"] == kind} if told else set()

    def check(self, fine, sentence):
        self.checked += 1
        if not fine:
            self.problems.append(f"{self.name}: {sentence}")
        return fine

    def _doctor(self, user, working):
        ended = self.ended(user, "doctor")
        try:
            told = json.loads(ended.text)
        except ValueError:
            return self.check(False, f"{user}: doctor: {ended.status}: {ended.text!r}")
        host = {item["name"]: item for item in told["host"]}
        for backend in BACKENDS:
            self.check(host[backend]["works"] == (backend in working),
                       f"{user}: doctor says of {backend}: {host[backend]}, but a run: "
                       f"{self.ended(user, backend, 'base').text.strip() or 'starts'}")
        best = working[0] if working else None
        self.check(told["available"] == bool(working) and (not best or told["backend"] == best),
                   f"{user}: doctor would use {told['backend']} ({told['available']}), but {working} work")
        self._facts(user, {name: item["seen"] for name, item in host.items()})
        for name, item in host.items():
            self.check(item["works"] or item["remedy"], f"{user}: doctor has no remedy for {name}")
            if not item["works"]:
                self.remarks.append(f"{self.name}, {user}: no {name}: {item['seen']}; {item['remedy']}")
        return self.check(host["pidfd"]["works"], f"{user}: doctor: pidfd: {host['pidfd']}")

    def _facts(self, user, seen):
        """Compares doctor's facts with the kernel and with acts without cordon."""
        abi = f"ABI {self.told.abi}:" if self.told.abi > 0 else "not compiled in"
        self.check(abi in seen["landlock"], f"{user}: doctor: {seen['landlock']}, but the kernel says {self.told.abi}")
        ring = self.ended(user, "io_uring", "control").answer() == "happens"
        self.check(seen["io_uring"].startswith("present") == ring, f"{user}: doctor: io_uring {seen['io_uring']}")
        # Where the switch is off, a process with CAP_SYS_ADMIN can still do it.
        pushed = user != "root" and self.ended(user, "push into a terminal", "control").answer() == "happens"
        self.check("can be pushed" in seen["terminals"] or not pushed, f"{user}: doctor: {seen['terminals']}")

    def _missing(self, user, backend):
        """A backend that does not work is refused with a message, and nothing is started."""
        for ended in (self.ended(user, backend, "base"), self.ended(user, "write in the workspace", backend)):
            fine = ended.status == 125 and "cordon: " in ended.text
            self.check(fine, f"{user}: {backend} does not work, but: {ended.status}: {ended.text}")

    def _auto(self, user, working):
        ended, told = self.ended(user, "auto", "base"), self.report(user, "auto", "base")
        used = told["backend"] if told and ended.status == 7 else None
        self.check(ended.status == (7 if working else 125) and used == (working[0] if working else None),
                   f"{user}: auto: {ended.status}, {used}, but {working} work: {ended.text}")

    def _hardened(self, user, backend):
        ended, left = self.ended(user, backend, "hardened"), self.gaps(user, backend, "base", "unenforced")
        told = all(f"--accept-gap {gap}" in ended.text for gap in left)
        self.check(ended.status == (125 if left else 7) and told,
                   f"{user}, {backend}: os_hardened: {ended.status}, unenforced are {sorted(left)}: {ended.text}")

    def _rows(self, user, backend, policy):
        """Each act, and the gaps of which nothing was seen though there were acts for them."""
        seen = {}
        for row in self.script.table:
            if row.policy == policy and row.concerns(user):
                cell = self.cells[user, backend, row.label] = self._row(user, backend, row)
                seen.setdefault(row.gap, set()).add(cell)
        for gap in self.gaps(user, backend, policy, "unenforced") & set(seen):
            if OPEN not in seen[gap] and HELD in seen[gap]:
                self.remarks.append(f"{self.name}, {user}, {backend}, {policy}: {gap} is a gap, but all was refused")

    def _row(self, user, backend, row):
        control, confined = self.ended(user, row.label, "control"), self.ended(user, row.label, backend)
        name = f"{user}, {backend}: {row.label}"
        self.check(confined.orphans == 0, f"{name}: {confined.orphans} processes are left behind")
        possible = control.answer() == ("happens" if row.control == "felt" else row.control)
        if possible and row.control == "felt":
            self.check(control.noticed, f"{name}: the control happens, but nothing is noticed")
        answer, gap = confined.answer(), row.gap.split()
        if row.confined == "happens":
            fine = answer == "happens" or self.gaps(user, backend, row.policy, "tightened") & set(gap) or not possible
            cell = HELD if answer == "happens" else OPEN
        else:
            happened = confined.noticed or (answer in ("happens", row.control) and row.confined != "unfelt")
            # An ABI that the kernel lacks ends a process alike, confined or not.
            fine = not answer.startswith("(") or (not possible and confined.status == control.status)
            if happened:
                fine = fine and self.gaps(user, backend, row.policy, "unenforced") & set(gap)
            cell = OPEN if happened else HELD
        if not self.check(fine, f"{name}: {answer}, noticed: {confined.noticed}, and no gap says so ({row.gap})"):
            return WRONG
        return cell if possible else IMPOSSIBLE

    def _trees(self, user, backend):
        for which, status, act in (("end", 0, "outlive the program"), ("late", 124, "outlive the timeout"),
                                   ("killed", 99, "outlive a killed launcher")):
            ended = self.ended(user, backend, which)
            left = ended.orphans > 0
            gap = which == "killed" and "tree.daemons" in self.gaps(user, backend, "base", "unenforced")
            fine = self.check(ended.status == status and (not left or gap) and ended.milliseconds < 10000,
                              f"{user}, {backend}: {act}: status {ended.status} after {ended.milliseconds} ms, "
                              f"{ended.orphans} left: {ended.text}")
            self.cells[user, backend, act] = WRONG if not fine else OPEN if left else HELD

    def _limits(self, user, backend):
        for limit, *_ in LIMITS:
            for scene in self.script.scenes:
                self.cells[user, backend, f"exceed {limit}, {scene}"] = self._limit(user, backend, limit, scene)

    def _limit(self, user, backend, limit, scene):
        key, name = (user, backend, limit, scene), f"{user}, {backend}: {limit}, {scene}"
        within, beyond, told = self.ended(*key, "within"), self.ended(*key, "beyond"), self.report(*key, "beyond")
        stated = [each for each in told["limits"] if each["limit"] == limit] if told else []
        if not self.check(stated, f"{name}: no report: {beyond.text}"):
            return WRONG
        grade, before = stated[0]["class"], len(self.problems)
        self.check(within.answer() == "happens", f"{name}: within it: {within.answer()}")
        self.check(within.orphans + beyond.orphans == 0, f"{name}: {within.orphans}, {beyond.orphans} processes left")
        for each in (within, beyond):
            # The leaf that the launcher itself was in cannot be removed by it.
            left = re.search(r"^groups left:(?! cordon-own-\d+$).*", each.text, re.M)
            self.check(not left, f"{name}: {left and left[0]}")
        if self.emulated and (user == "root" or scene == "group"):
            self.check(grade == "enforced", f"{name}: a group can be made, but it is {stated[0]}")
        if grade == "enforced":
            # For memory the whole tree is killed, or one process where a group has version 1; of processes none is made.
            answers = ("ENOMEM",) if limit == "memory" else ("EAGAIN",)
            fine = beyond.answer() in answers or (limit == "memory" and beyond.status == 137)
            self.check(fine, f"{name}: {stated[0]}, but beyond it: {beyond.status}: {beyond.text}")
        return WRONG if len(self.problems) > before else HELD if grade == "enforced" else OPEN


class Blind(Comparison):
    """The same of a cordon that confines nothing and states no gap: every act that must be refused must look wrong."""

    def ended(self, *key):
        confined = len(key) == 3 and key[2] in BACKENDS
        return super().ended(key[0], key[1], "control") if confined else super().ended(*key)

    def gaps(self, user, backend, policy, kind):
        return set()
