# SPDX-License-Identifier: BSL-1.0
"""Makes the host look as if it had no means of confinement, for one child and all that it starts."""
import ctypes
import platform
import struct

# arch -> landlock_create_ruleset, seccomp, prctl, unshare, mount
NUMBERS = {"x86_64": (444, 317, 157, 272, 165), "aarch64": (444, 277, 167, 97, 40), "riscv64": (444, 277, 167, 97, 40)}
LOAD, EQUAL, RETURN, ALLOW, ERROR = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050000
ENOSYS, EPERM, EINVAL = 38, 1, 22
SET_NO_NEW_PRIVS, SET_SECCOMP = 38, 22


def _instruction(code, value, if_true=0, if_false=0):
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _program():
    landlock, seccomp, prctl, unshare, mount = NUMBERS[platform.machine()]
    code = [_instruction(LOAD, 0)]
    for number, error in ((landlock, ENOSYS), (seccomp, ENOSYS), (unshare, EPERM), (mount, EPERM)):
        code += [_instruction(EQUAL, number, 0, 1), _instruction(RETURN, ERROR | error)]
    # prctl(PR_SET_SECCOMP) is the older door to seccomp; its first argument stands at offset 16.
    code += [_instruction(EQUAL, prctl, 0, 3), _instruction(LOAD, 16), _instruction(EQUAL, SET_SECCOMP, 0, 1),
             _instruction(RETURN, ERROR | EINVAL), _instruction(RETURN, ALLOW)]
    return b"".join(code), len(code)


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def supported():
    return platform.machine() in NUMBERS


def make():
    """A function for between fork and exec. All memory is prepared here."""
    code, length = _program()
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Filter(length, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)

    def hide():
        if libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(SET_SECCOMP, 2, ctypes.byref(program), 0, 0):
            raise OSError(ctypes.get_errno(), "the filter that hides the host")

    hide.keep = buffer
    return hide
