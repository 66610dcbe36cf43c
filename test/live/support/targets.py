# SPDX-License-Identifier: BSL-1.0
"""A process outside and its System V and POSIX objects."""
import ctypes
import os
import subprocess
import time

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
IPC_CREATE, IPC_REMOVE, IPC_NOWAIT, GET_VALUE = 0o1000, 0, 0o4000, 12


class Sleeper:
    """An innocent process of the same user. Ended by the harness, replaced when something has touched it."""

    def __init__(self, account, directory):
        self.account = account
        self.directory = directory
        self.process = None
        self.start()

    def start(self):
        with open(os.path.join(self.directory, "file"), "rb") as file:
            self.process = subprocess.Popen(
                self.account.prefix + ["/bin/sleep", "3600"], stdin=file, cwd=self.directory, start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"VICTIM_SECRET": "outside"})
        until = time.monotonic() + 5
        # The kernel changes the name first, and knows where the stack is a moment later.
        while self._read("comm") != b"sleep\n" or b"[stack]" not in self._read("maps"):
            if time.monotonic() > until:
                raise RuntimeError("the sleeper does not start")
            time.sleep(0.002)
        self.normal = self.observe()

    def _read(self, name):
        with open(f"/proc/{self.process.pid}/{name}", "rb") as file:
            return file.read()

    def stack(self):
        for line in self._read("maps").decode().splitlines():
            if line.endswith("[stack]"):
                return int(line.split("-")[1].split()[0], 16) - 4096
        raise RuntimeError("the sleeper has no stack")

    def observe(self):
        # A signal that has been sent may take a moment to end the process.
        pid = self.process.pid
        if self.process.poll() is not None:
            return {**self.normal, "the sleeper": "ended"}
        return {"the sleeper": "alive",
                "limits of the sleeper": self._read("limits"),
                "processors of the sleeper": sorted(os.sched_getaffinity(pid)),
                "priority of the sleeper": os.getpriority(os.PRIO_PROCESS, pid),
                "schedule of the sleeper": os.sched_getscheduler(pid)}

    def renew(self):
        if self.observe() != self.normal:
            self.close()
            self.start()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Queue(ctypes.Structure):
    _fields_ = [(name, ctypes.c_long) for name in ("flags", "maximum", "size", "current")]
    _fields_ += [("padding", ctypes.c_long * 4)]


class Objects:
    """Shared memory, a message queue and a semaphore that every user may use, and a named queue."""

    def __init__(self, name):
        mode = 0o666 | IPC_CREATE
        self.memory = LIBC.shmget(0, 4096, mode)
        self.messages = LIBC.msgget(0, mode)
        self.semaphore = LIBC.semget(0, 1, mode)
        self.name = name.encode()
        before = os.umask(0)
        self.queue = LIBC.mq_open(self.name, os.O_RDONLY | os.O_CREAT | os.O_NONBLOCK, 0o666,
                                  ctypes.byref(Queue(0, 8, 64, 0)))
        os.umask(before)
        self.received = 0
        self.place = LIBC.shmat(self.memory, None, 0) if self.memory >= 0 else None

    def observe(self):
        buffer = ctypes.create_string_buffer(128)
        while self.messages >= 0 and LIBC.msgrcv(self.messages, buffer, 64, 0, IPC_NOWAIT) >= 0:
            self.received += 1
        while self.queue >= 0 and LIBC.mq_receive(self.queue, buffer, 64, None) >= 0:
            self.received += 1
        return {"messages": self.received,
                "shared memory": ctypes.string_at(self.place, 8) if self.place else b"",
                "semaphore": LIBC.semctl(self.semaphore, 0, GET_VALUE) if self.semaphore >= 0 else 0}

    def renew(self):
        if self.place:
            ctypes.memset(self.place, 0, 8)

    def close(self):
        LIBC.shmctl(self.memory, IPC_REMOVE, None)
        LIBC.msgctl(self.messages, IPC_REMOVE, None)
        LIBC.semctl(self.semaphore, 0, IPC_REMOVE)
        if self.queue >= 0:
            os.close(self.queue)
            LIBC.mq_unlink(self.name)
