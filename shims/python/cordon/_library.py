# SPDX-License-Identifier: BSL-1.0
"""libcordon, and the types of its functions."""
from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from typing import Any, Callable, Iterable

NAME = "libcordon.0.dylib" if sys.platform == "darwin" else "libcordon.so.0"
API_VERSION = 0
FAILED = -1  # of functions that return a number; no pointer has this value

# The function that receives output: user, stream, bytes, size.
OUTPUT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)
Texts = ctypes.POINTER(ctypes.c_char_p)


class Error(Exception):
    """What failed: why; what to do."""


class Request(ctypes.Structure):
    """`cordon_request` of cordon.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("policy", ctypes.c_void_p),
        ("argv", Texts),
        ("directory", ctypes.c_char_p),
        ("environment", Texts),
        ("input", ctypes.c_char_p),
        ("input_size", ctypes.c_size_t),
        ("timeout_ms", ctypes.c_uint64),
        ("accepted_gaps", Texts),
        ("on_output", OUTPUT),
        ("user", ctypes.c_void_p),
        ("session", ctypes.c_char_p),
        ("publish", Texts),
    ]


# Results are void pointers, not char pointers: ctypes would copy a char pointer's text and lose what must be freed.
POINTER, TEXT, OUT = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "cordon_api_version": (ctypes.c_int, []),
    "cordon_version": (TEXT, []),
    "cordon_free": (None, [POINTER]),
    "cordon_policy_parse": (POINTER, [TEXT, ctypes.c_size_t, TEXT, OUT]),
    "cordon_policy_load": (POINTER, [TEXT, OUT]),
    "cordon_policy_free": (None, [POINTER]),
    "cordon_policy_text": (POINTER, [POINTER, OUT]),
    "cordon_policy_meet": (POINTER, [POINTER, POINTER, OUT]),
    "cordon_policy_within": (ctypes.c_int, [POINTER, POINTER, OUT, OUT]),
    "cordon_compile": (POINTER, [POINTER, TEXT, TEXT, OUT]),
    "cordon_explain": (ctypes.c_int, [POINTER, TEXT, TEXT, OUT, OUT]),
    "cordon_explain_command": (ctypes.c_int, [POINTER, Texts, TEXT, OUT, OUT]),
    "cordon_run_start": (POINTER, [ctypes.POINTER(Request), OUT]),
    "cordon_run_advance": (ctypes.c_int, [POINTER, ctypes.c_uint32, OUT]),
    "cordon_run_wait": (ctypes.c_int, [POINTER, OUT, OUT]),
    "cordon_run_cancel": (None, [POINTER]),
    "cordon_run_free": (None, [POINTER]),
}


def _path() -> str:
    """The library that CORDON_LIBRARY names, the one beside this file, or the name for the loader to find."""
    named = os.environ.get("CORDON_LIBRARY")
    beside = pathlib.Path(__file__).with_name(NAME)
    return named or (str(beside) if beside.exists() else NAME)


def _loaded() -> ctypes.CDLL:
    path = _path()
    try:
        library = ctypes.CDLL(path)
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as fault:
        raise ImportError(f"cannot load {path}: {fault}; install cordon, or set CORDON_LIBRARY to its file") from fault
    if library.cordon_api_version() != API_VERSION:
        raise ImportError(f"{path} has version {library.cordon_api_version()} of the C interface, and this module is for "
                          f"version {API_VERSION}; install both from one release of cordon")
    return library


lib = _loaded()


def version() -> str:
    """The version of the library, such as "0.1.0"."""
    text: bytes = lib.cordon_version()
    return text.decode()


def taken(text: ctypes.c_void_p) -> str:
    """The text that the library has stored there, which is then freed; empty if it is NULL."""
    if not text.value:
        return ""
    try:
        return ctypes.string_at(text.value).decode("utf-8", "surrogateescape")
    finally:
        lib.cordon_free(text)
        text.value = None


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function whose last parameter receives an error. Raises: Error."""
    error = ctypes.c_void_p()
    result = function(*arguments, ctypes.byref(error))
    if result is None or result == FAILED:
        raise Error(taken(error) or "not enough memory; free some, and call again")
    return result


def text_of(value: str | bytes | os.PathLike[Any], what: str) -> bytes:
    """The bytes of a text for the library. Raises: ValueError for a zero byte, where C would cut the text off."""
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise ValueError(f"{what} has a zero byte: {value!r}; leave the byte out")
    return encoded


def list_of(texts: Iterable[bytes]) -> Any:
    """A list for C, which ends with NULL."""
    items = [*texts, None]
    return ctypes.cast((ctypes.c_char_p * len(items))(*items), Texts)
