# SPDX-License-Identifier: BSL-1.0
"""Programs that run under a policy."""
from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Callable, Iterable, Literal, Mapping, Sequence

from ._library import OUTPUT, Request, call, lib, list_of, taken, text_of
from ._policy import Policy
from ._report import Report

Word = str | bytes | os.PathLike[Any]
Stream = Literal["stdout", "stderr"]
OnOutput = Callable[[Stream, bytes], object]

SLICE = 200  # milliseconds; Python handles a signal between two slices at the latest


def _variables(env: Mapping[str, str]) -> list[bytes]:
    for name in env:
        if not name or "=" in name:
            raise ValueError(f"env: {name!r} is not the name of a variable; leave out the equals sign")
    return [text_of(f"{name}={value}", "env") for name, value in env.items()]


def _milliseconds(timeout: float | None) -> int:
    if timeout is None:
        return 0
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout} seconds; it must be more than 0, or None")
    return max(1, int(min(timeout, 1e9) * 1000))


class _Listener:
    """Receives output, and keeps the first exception of the caller's function for the caller."""

    def __init__(self, on_output: OnOutput | None, capture: bool) -> None:
        self.kept: dict[Stream, bytearray] | None = {"stdout": bytearray(), "stderr": bytearray()} if capture else None
        self.fault: BaseException | None = None
        self.run: int | None = None
        self._on_output = on_output
        self.function = OUTPUT(self._receive) if capture or on_output else OUTPUT(0)  # NULL

    def _receive(self, _user: int, stream: int, data: Any, size: int) -> None:
        if self.fault:
            return
        try:
            name: Stream = "stdout" if stream == 1 else "stderr"
            piece = ctypes.string_at(data, size)
            if self.kept is not None:
                self.kept[name] += piece
            if self._on_output:
                self._on_output(name, piece)
        except BaseException as fault:  # pylint: disable=broad-except  # C code cannot pass it on
            self.fault = fault
            lib.cordon_run_cancel(self.run)

    def captured(self, stream: Stream) -> bytes | None:
        return bytes(self.kept[stream]) if self.kept is not None else None


def _wait(run: int) -> dict[str, Any]:
    while not call(lib.cordon_run_advance, run, SLICE):
        pass
    report = ctypes.c_void_p()
    call(lib.cordon_run_wait, run, ctypes.byref(report))
    found: dict[str, Any] = json.loads(taken(report))
    return found


def run(argv: Sequence[Word], *, policy: Policy, cwd: Word | None = None, env: Mapping[str, str] | None = None,
        input: str | bytes | None = None,  # pylint: disable=redefined-builtin  # the name that subprocess has
        on_output: OnOutput | None = None, capture_output: bool = False, timeout: float | None = None,
        accepted_gaps: Iterable[str] = (), session: str | None = None, publish: Iterable[str] = ()) -> Report:
    """Runs a program under a policy, and waits until its whole process tree has ended.

    argv            the program and its arguments
    cwd             its working directory; None: the current one
    env             variables from which the policy chooses; None: those of this process
    input           its stdin; None: empty
    on_output       called with "stdout" or "stderr" and bytes, as output arrives; an exception from it ends the run
    capture_output  the report has stdout and stderr; a limit of the policy bounds them: `limit output 1MiB`
    timeout         seconds, after which the run ends with the outcome "timed_out"
    accepted_gaps   IDs of gaps that profile os_hardened may leave
    session         keeps temporary files and caches for the next run of this name; None: they end with the run
    publish         ports of the machine for servers in the run, "[ADDRESS:]PORT[:PORT]", beside those of the policy's text

    Without on_output and capture_output, the program writes to stdout and stderr of this process. A run that the policy
    or the host refuses has the outcome "refused". Ctrl-C, like every exception here, ends the run first.
    Raises: Error, ValueError for arguments that C cannot express.
    """
    if isinstance(argv, (str, bytes)):
        raise TypeError("argv is one text; pass a list: the program and its arguments")
    data = input.encode() if isinstance(input, str) else input
    listener = _Listener(on_output, capture_output)
    request = Request(
        size=ctypes.sizeof(Request), policy=policy._handle, argv=list_of(text_of(word, "argv") for word in argv),
        directory=None if cwd is None else text_of(cwd, "cwd"), environment=None if env is None else list_of(_variables(env)),
        input=data, input_size=len(data or b""), timeout_ms=_milliseconds(timeout),
        accepted_gaps=list_of(text_of(gap, "accepted_gaps") for gap in accepted_gaps), on_output=listener.function,
        session=None if session is None else text_of(session, "session"),
        publish=list_of(text_of(port, "publish") for port in publish))
    started: int = call(lib.cordon_run_start, ctypes.byref(request))
    try:
        listener.run = started
        report = _wait(started)
    finally:
        lib.cordon_run_free(started)  # ends the tree if it still runs
    if listener.fault:
        raise listener.fault
    return Report(report, listener.captured("stdout"), listener.captured("stderr"))
