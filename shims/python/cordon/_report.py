# SPDX-License-Identifier: BSL-1.0
"""The report of a run."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Gap(NamedTuple):
    """A difference between the policy and what was in force: "unenforced" or "tightened"."""

    id: str
    kind: str
    why: str


class Denial(NamedTuple):
    """An act of the program that was refused, as far as it was observed."""

    seen: str
    what: str
    times: int


@dataclass(frozen=True, repr=False)
class Report:
    """What was requested, what was in force, and how the run ended."""

    json: dict[str, Any]
    """The whole report; `cordon schema report` describes it."""
    stdout: bytes | None = None
    """What the program wrote, if `capture_output` was set."""
    stderr: bytes | None = None

    @property
    def outcome(self) -> str:
        """exited, signaled, timed_out, output_quota, memory_limit, cpu_limit, interrupted, refused, not_found or
        not_executable."""
        return str(self.json["outcome"])

    @property
    def status(self) -> int:
        """The exit status that `cordon run` has: the program's own, 128+N for signal N, 124 for a timeout, 125 for a
        refusal."""
        return int(self.json["status"])

    @property
    def why(self) -> str | None:
        """Why the program was not started, and the remedy."""
        why: str | None = self.json["why"]
        return why

    @property
    def gaps(self) -> list[Gap]:
        return [Gap(gap["id"], gap["kind"], gap["why"]) for gap in self.json["gaps"]]

    @property
    def denials(self) -> list[Denial]:
        return [Denial(denial["seen"], denial["what"], denial["times"]) for denial in self.json["denials"]]

    def __repr__(self) -> str:
        return f"Report(outcome={self.outcome!r}, status={self.status}, gaps={[gap.id for gap in self.gaps]})"
