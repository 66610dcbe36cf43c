# SPDX-License-Identifier: BSL-1.0
"""Policies: what a program may do."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Sequence

from ._library import call, lib, list_of, taken, text_of


@dataclass(frozen=True)
class Within:
    """Does a policy allow no more than a ceiling? True or false by itself."""

    within: bool
    excess: str
    """A line for each thing that the policy allows and the ceiling does not."""

    def __bool__(self) -> bool:
        return self.within


@dataclass(frozen=True)
class Explanation:
    """Does a policy allow something? True or false by itself."""

    allowed: bool
    text: str
    """The answer, with the clause that decides."""

    def __bool__(self) -> bool:
        return self.allowed


class Policy:
    """What a program may do. A value: it does not change, and threads may share it.

    It is resolved for this host when it is read: the home, the current directory and the files that exist then.
    """

    def __init__(self, handle: int) -> None:
        """Of the library's handle. Programs call `parse` or `load`."""
        self._handle = handle
        self._free = lib.cordon_policy_free

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._free(self._handle)
            self._handle = 0

    @classmethod
    def parse(cls, text: str | bytes, name: str = "policy") -> Policy:
        """Reads the policy language or JSON. `name` is the file name in messages. Relative paths are relative to the
        current directory. Raises: Error, with line and column."""
        data = text.encode() if isinstance(text, str) else text
        return cls(call(lib.cordon_policy_parse, data, len(data), text_of(name, "name")))

    @classmethod
    def load(cls, path: str | bytes | os.PathLike[Any]) -> Policy:
        """Reads a file. Relative paths in it are relative to its directory. Raises: Error."""
        return cls(call(lib.cordon_policy_load, text_of(path, "path")))

    def within(self, ceiling: Policy) -> Within:
        """Does this policy allow no more than the ceiling?"""
        excess = ctypes.c_void_p()
        found = call(lib.cordon_policy_within, self._handle, ceiling._handle, ctypes.byref(excess))
        return Within(found == 1, taken(excess))

    def compile(self, backend: str, system: str | None = None) -> str:
        """The rules that a backend makes of the documents as written, and a line for each gap. `system`: linux, macos,
        windows or openbsd, whose presets count; None: that of the backend. Raises: Error."""
        named = None if system is None else text_of(system, "system")
        return taken(ctypes.c_void_p(call(lib.cordon_compile, self._handle, text_of(backend, "backend"), named)))

    def explain(self, kind: str, subject: str | os.PathLike[Any]) -> Explanation:
        """Does the policy allow one thing? `kind`: a right of a path (read, list, run, write, create, remove, attributes,
        connect) with an absolute path as the subject; or host, url, syscall, ability, env or capability. Raises: Error."""
        text = ctypes.c_void_p()
        found = call(lib.cordon_explain, self._handle, text_of(kind, "kind"), text_of(subject, "subject"), ctypes.byref(text))
        return Explanation(found == 1, taken(text))

    def explain_command(self, argv: Sequence[str | os.PathLike[Any]],
                        cwd: str | os.PathLike[Any] | None = None) -> Explanation:
        """Does the policy allow a command line, as far as its arguments show? Advice: a run enforces the policy
        whatever this returns. Relative paths are relative to `cwd`; None: the current directory."""
        text = ctypes.c_void_p()
        found = call(lib.cordon_explain_command, self._handle, list_of(text_of(word, "argv") for word in argv),
                     None if cwd is None else text_of(cwd, "cwd"), ctypes.byref(text))
        return Explanation(found == 1, taken(text))

    def __and__(self, other: Policy) -> Policy:
        """The policy that allows what both allow."""
        if not isinstance(other, Policy):
            return NotImplemented
        return Policy(call(lib.cordon_policy_meet, self._handle, other._handle))

    def __str__(self) -> str:
        """The canonical text, in the policy language."""
        return taken(ctypes.c_void_p(call(lib.cordon_policy_text, self._handle)))

    def __repr__(self) -> str:
        return f"Policy.parse({str(self)!r})"
