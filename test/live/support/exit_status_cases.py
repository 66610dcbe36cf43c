# SPDX-License-Identifier: BSL-1.0
"""The situations of exit_status.tsv, each performed for real."""
import json
import os
import signal
import time

from . import bare_host
from .account import Unavailable
from .scratch import Scratch, install, write

ACTS = {}


def situation(command, text):
    def remember(function):
        ACTS[command, text] = function
        return function
    return remember


class Stage(Scratch):
    def __init__(self, account, cordon, attempt):
        super().__init__(account, cordon)
        self.attempt = install(attempt, f"{self.workspace}/bin/attempt")
        self.marker = f"{self.workspace}/marker"
        self.problems = []

    def cordon_run(self, options, program, **how):
        return self.run([self.cordon, "run", "--workspace", self.workspace] + options + ["--"] + program, **how)

    def shell(self, script, options=(), **how):
        return self.cordon_run(list(options), ["/bin/sh", "-c", script], **how)

    def refused(self, options=(), **how):
        """A program that would leave a trace if it were started."""
        return self.cordon_run(list(options), ["/bin/touch", self.marker], **how)

    def policy(self, document, name="policy.json"):
        text = document if isinstance(document, str) else json.dumps(document)
        return write(f"{self.top}/{name}", text)

    def file(self, name, text, mode):
        path = write(f"{self.workspace}/{name}", text, mode)
        self.account.own(path)
        return path

    def survivors(self, sign):
        """Processes with this word in their command line, given a moment to go. None is left behind."""
        until = time.monotonic() + 1
        while True:
            every = filter(str.isdigit, os.listdir("/proc"))
            found = [int(pid) for pid in every if sign.encode() in _command_line(pid)]
            if not found or time.monotonic() > until:
                break
            time.sleep(0.02)
        for pid in found:
            os.kill(pid, signal.SIGKILL)
        return found


def _command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


@situation("run", "the program exits 0")
def _(stage):
    return stage.shell("exit 0")


@situation("run", "the program exits 3")
def _(stage):
    return stage.shell("exit 3")


@situation("run", "the program exits 255")
def _(stage):
    return stage.shell("exit 255")


@situation("run", "the program itself exits 124")
def _(stage):
    return stage.shell("exit 124")


@situation("run", "the program is ended by SIGKILL")
def _(stage):
    return stage.shell("kill -KILL $$")


@situation("run", "the program is ended by SIGTERM")
def _(stage):
    return stage.shell("kill -TERM $$")


@situation("run", "the program runs longer than --timeout")
def _(stage):
    sign = f"3600.{os.getpid()}1"
    started = time.monotonic()
    ended = stage.shell(f"sleep {sign} & setsid sleep {sign} & wait", ["--timeout", "500ms"])
    if not 0.4 < time.monotonic() - started < 5:
        stage.problems.append(f"took {time.monotonic() - started:.1f} s")
    if stage.survivors(sign):
        stage.problems.append("a process of the tree lives on")
    return ended


@situation("run", "the program writes more than --max-output")
def _(stage):
    ended = stage.shell("head -c 10000000 /dev/zero; sleep 60", ["--max-output", "4KiB"])
    if len(ended.out) > 8192:
        stage.problems.append(f"{len(ended.out)} bytes came through")
    return ended


@situation("run", "the program does not exist")
def _(stage):
    return stage.cordon_run([], [f"{stage.workspace}/nowhere"])


@situation("run", "the program is a file without the execute bit")
def _(stage):
    return stage.cordon_run([], [stage.file("plain", "#!/bin/sh\n", 0o644)])


@situation("run", "the program is a directory")
def _(stage):
    return stage.cordon_run([], [f"{stage.workspace}/bin"])


@situation("run", "a policy file has an unknown key")
def _(stage):
    return stage.run([stage.cordon, "run", "--policy", stage.policy({"cordon": 1, "levle": "none"}), "--",
                      "/bin/touch", stage.marker])


@situation("run", "a policy file does not exist")
def _(stage):
    return stage.run([stage.cordon, "run", "--policy", f"{stage.top}/nowhere.json", "--", "/bin/touch", stage.marker])


@situation("run", "profile os_hardened and the mechanism is missing")
def _(stage):
    if not bare_host.supported():
        raise Unavailable("system call numbers of this architecture")
    return stage.refused(["--profile", "os_hardened"], before=bare_host.make())


@situation("run", "--backend none without CORDON_ALLOW_NO_SANDBOX")
def _(stage):
    return stage.refused(["--backend", "none"])


@situation("run", "CORDON_SANDBOX=strict")
def _(stage):
    return stage.refused(CORDON_SANDBOX="strict")


@situation("run", "an unknown option")
def _(stage):
    return stage.refused(["--wrokspace", "/"])


@situation("run", "the guard refuses the command line")
def _(stage):
    policy = stage.policy({"cordon": 1, "guard": {"executables": ["git"]}})
    return stage.run([stage.cordon, "run", "--policy", policy, "--", "/bin/touch", stage.marker])


@situation("run", "the policy does not let the program file be run")
def _(stage):
    return stage.cordon_run([], [install("/bin/touch", f"{stage.outside}/touch"), stage.marker])


@situation("run", "the program is a script whose interpreter does not exist")
def _(stage):
    return stage.cordon_run([], [stage.file("script", "#!/nowhere/interpreter\n", 0o755)])


@situation("run", "the program is a text file with the execute bit and no interpreter line")
def _(stage):
    return stage.cordon_run([], [stage.file("text", f"touch {stage.marker}\n", 0o755)])


@situation("run", "the current directory lies outside every granted place")
def _(stage):
    return stage.refused(directory=stage.outside)


@situation("run", "the program exits 0 and leaves a background process behind")
def _(stage):
    sign = f"3600.{os.getpid()}2"
    ended = stage.shell(f"sleep {sign} >/dev/null 2>&1 & setsid sleep {sign} >/dev/null 2>&1 & exit 0")
    if stage.survivors(sign):
        stage.problems.append("the background process lives on")
    return ended


@situation("run", "a strict syscall filter kills the program (SIGSYS)")
def _(stage):
    plain = stage.run([stage.attempt, "call_i386", "20"])
    if plain.status != 0:
        raise Unavailable("the i386 ABI")
    return stage.cordon_run(["--syscalls", "strict"], [stage.attempt, "call_i386", "20"])


@situation("run", "the program uses more CPU time than --cpu (SIGXCPU)")
def _(stage):
    return stage.shell("while :; do :; done", ["--cpu", "1"])


@situation("run", "cordon gets SIGTERM while the program runs")
def _(stage):
    sign = f"3600.{os.getpid()}3"
    script = f"sleep {sign} & setsid sleep {sign} & touch {stage.marker}; wait"
    process = stage.start([stage.cordon, "run", "--workspace", stage.workspace, "--", "/bin/sh", "-c", script])
    until = time.monotonic() + 10
    while not os.path.exists(stage.marker) and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    if not os.path.exists(stage.marker):
        stage.problems.append("the program does not start")
    process.send_signal(signal.SIGTERM)
    ended = stage.finish(process)
    if stage.survivors(sign):
        stage.problems.append("a process of the tree lives on")
    return ended


NARROW = {"cordon": 1, "files": [{"path": "/srv/a", "rights": "read"}], "presets": []}
WIDE = {"cordon": 1, "files": [{"path": "/srv", "rights": "write"}], "presets": []}
OTHER = {"cordon": 1, "files": [{"path": "/opt", "rights": "read"}], "presets": []}


@situation("check", "the file is fine")
def _(stage):
    return stage.run([stage.cordon, "check", stage.policy(WIDE)])


@situation("check", "the file has an unknown key")
def _(stage):
    return stage.run([stage.cordon, "check", stage.policy({"cordon": 1, "levle": "none"})])


@situation("meet", "two good files that have nothing in common")
def _(stage):
    ended = stage.run([stage.cordon, "meet", "--json", stage.policy(NARROW), stage.policy(OTHER, "other.json")])
    if ended.status == 0 and json.loads(ended.out).get("files") != "none":
        stage.problems.append("files is not none")
    return ended


@situation("within", "the child exceeds the ceiling")
def _(stage):
    ended = stage.run([stage.cordon, "within", stage.policy(WIDE), stage.policy(NARROW, "other.json")])
    if "/srv" not in ended.out:
        stage.problems.append("the excess is not listed")
    return ended


@situation("within", "the child is within the ceiling")
def _(stage):
    return stage.run([stage.cordon, "within", stage.policy(NARROW), stage.policy(WIDE, "other.json")])


@situation("verify", "rules and policy differ somewhere without a listed gap")
def _(stage):
    if not stage.faulty:
        raise Unavailable("a cordon with a planted fault (--faulty)")
    return stage.run([install(stage.faulty, f"{stage.top}/bin/faulty"), "verify", stage.policy(WIDE)])
