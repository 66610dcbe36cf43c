# SPDX-License-Identifier: BSL-1.0
"""A user's terminal, at which a test types."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time


class Session:
    """A command at a terminal of 31 rows and 97 columns."""

    def __init__(self, scratch, command, keys=True):
        self.person, self.slave = pty.openpty()
        self.said = b""
        self.resize(31, 97)
        self.modes = termios.tcgetattr(self.slave)

        slave = self.slave

        def take():
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(scratch.account.prefix + command, stdin=self.slave if keys else subprocess.DEVNULL, stdout=self.slave,
                                        stderr=self.slave, cwd=scratch.workspace, env=scratch.variables(TERM="xterm"),
                                        start_new_session=True, preexec_fn=take)

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def identity(self):
        """The number of the user's terminal, and of the file system that has it; each file system counts its own."""
        file = os.fstat(self.slave)
        return file.st_dev, file.st_rdev

    def sees(self, pattern, seconds=10):
        """Has the program said that by now?"""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.said):
            left = end - time.monotonic()
            if left < 0 or not select.select([self.person], [], [], left)[0]:
                return False
            try:
                self.said += os.read(self.person, 65536)
            except OSError:
                return False
        return True

    def type(self, keys):
        os.write(self.person, keys)

    def end(self):
        """The exit status; 99 after the timeout."""
        for _ in range(1000):
            while select.select([self.person], [], [], 0.01)[0]:
                self.said += os.read(self.person, 65536)
            if self.process.poll() is not None:
                status = self.process.returncode
                return 128 - status if status < 0 else status
        self.process.kill()
        self.process.wait()
        return 99

    def close(self):
        os.close(self.person)
        os.close(self.slave)
