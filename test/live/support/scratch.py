# SPDX-License-Identifier: BSL-1.0
"""A scratch directory with a workspace, a home and an outside, and programs that run in it."""
import os
import re
import shutil
import signal
import subprocess
import tempfile


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    os.chmod(path, mode)
    return path


def install(source, place):
    """A copy that every user may run, since the build directory may be closed to the user of the test."""
    os.makedirs(os.path.dirname(place), exist_ok=True)
    shutil.copy(source, place)
    os.chmod(place, 0o755)
    return place


def abandon(process):
    """Ends a process group. A process that left the group may keep the pipes open, so their end is not awaited."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in filter(None, (process.stdout, process.stderr)):
        pipe.close()


class Finished:
    def __init__(self, status, out, err):
        self.status = 128 - status if status < 0 else status
        self.out, self.err = out.decode(errors="replace"), err.decode(errors="replace")

    def told_by_cordon(self):
        return re.search(r"^cordon: .", self.err, re.M) is not None


class Scratch:
    def __init__(self, account, cordon):
        self.account = account
        self.top = tempfile.mkdtemp(prefix="cordon-live-")
        os.chmod(self.top, 0o755)
        try:
            for name in ("workspace", "home", "outside"):
                setattr(self, name, os.path.join(self.top, name))
                os.mkdir(getattr(self, name))
                account.own(getattr(self, name))
            self.cordon = install(cordon, os.path.join(self.top, "bin", "cordon"))
        except BaseException:
            self.close()
            raise

    def variables(self, **more):
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.home, "USER": self.account.name, "LANG": "C.UTF-8",
                "LC_ALL": "C.UTF-8", "TERM": "dumb", **more}

    def start(self, command, directory=None, before=None, **variables):
        return subprocess.Popen(self.account.prefix + command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=directory or self.workspace, start_new_session=True,
                                env=self.variables(**variables), preexec_fn=before)

    def finish(self, process, seconds=30):
        """Status 99 after the timeout; a cordon that hangs must not block its tests."""
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            abandon(process)
            return Finished(99, b"", f"no end within {seconds} s".encode())
        return Finished(process.returncode, out, err)

    def run(self, command, seconds=30, **how):
        return self.finish(self.start(command, **how), seconds)

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)
