#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Signals sent to cordon, the signal that ends it, and readers that are gone: as if the program ran without cordon."""
import os
import pathlib
import select
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account
from support.command import main
from support.scratch import Scratch, write

# Prints the name of each signal. Ends with 5 at SIGTERM. The signals are blocked: one that came between a look at them and
# pause(2) would wait for the next.
LISTENER = r"""
import os, signal
awaited = (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGWINCH, signal.SIGCONT, signal.SIGTERM)
signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
os.write(1, b"ready\n")
while True:
    number = signal.sigwait(awaited)
    os.write(1, b"%s\n" % signal.Signals(number).name.encode())
    if number == signal.SIGTERM: os._exit(5)
"""
# Ends only by SIGKILL.
STUBBORN = "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); os.write(1, b'ready\\n'); time.sleep(60)"
PASSED = ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT")
REPEATED = ("HUP", "INT", "QUIT", "PIPE", "TERM")
# Each writes more than its reader takes.
WRITERS = {"without an end": "yes", "more than pipes hold": "seq 1 1000000", "less than two pipes hold": "seq 1 20000",
           "later": "sh -c 'echo a; sleep 0.7; echo b; echo after >&2; exit 3'",
           "with SIGPIPE ignored": "python3 -I -c 'while True: print(1)'",
           "with a status of its own": "sh -c 'trap \"\" PIPE; seq 1 1000000 2> /dev/null; exit 6'"}


def next_line(process, seconds=5):
    """What the process has written up to the end of a line, or up to now."""
    line = b""
    while not line.endswith(b"\n") and select.select([process.stdout], [], [], seconds)[0]:
        byte = os.read(process.stdout.fileno(), 1)
        if not byte:
            break
        line += byte
    return line


def run(options, results):
    account = Account(options.user)
    scratch = Scratch(account, options.cordon)
    for name, text in (("listener.py", LISTENER), ("stubborn.py", STUBBORN)):
        account.own(write(f"{scratch.workspace}/{name}", text))

    def words(backend):
        return [] if options.broken else [scratch.cordon, "run", "--quiet", "--backend", backend, "--"]

    def check(name, problems):
        results.check(f"{account.name}{name}", [problem for problem in problems if problem])

    def ready(backend, program):
        process = scratch.start(words(backend) + ["python3", "-I", program])
        line = next_line(process)
        return process, [line != b"ready\n" and f"the program has not started: {line!r}"]

    def passed(backend):
        process, problems = ready(backend, "listener.py")
        for name in PASSED:
            process.send_signal(signal.Signals[name])
            line = next_line(process)
            problems.append(line != name.encode() + b"\n" and f"{name}: the program has said {line!r}")
        process.send_signal(signal.SIGTERM)
        ended = scratch.finish(process)
        problems.append((process.returncode, ended.out) != (5, "SIGTERM\n") and f"{process.returncode}, {ended.out!r}")
        check(f" by {backend}: signals are passed on", problems)

    def repeated(backend):
        problems = []
        for name in REPEATED:
            ended = scratch.start(words(backend) + ["sh", "-c", f"ulimit -c unlimited; kill -{name} $$"])
            scratch.finish(ended)
            wanted = -signal.Signals["SIG" + name]
            problems.append(ended.returncode != wanted and f"{name}: {ended.returncode}")
        cores = [name for name in os.listdir(scratch.workspace) if name.startswith("core")]
        problems.append(not options.broken and cores and f"core files: {cores}")
        check(f" by {backend}: the signal of the program ends cordon", problems)

    def asked(backend):
        """SIGHUP without a handler ends the program; what ignores SIGTERM is killed after the grace period."""
        process = scratch.start(words(backend) + ["sh", "-c", "echo ready; exec sleep 60"])
        next_line(process)
        process.send_signal(signal.SIGHUP)
        scratch.finish(process)
        check(f" by {backend}: SIGHUP ends what has no handler", [process.returncode != -1 and f"{process.returncode}"])
        process, problems = ready(backend, "stubborn.py")
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        scratch.finish(process, 8)
        took = time.monotonic() - begin
        problems.append((process.returncode != -15 or not 1.5 < took < 6) and f"{process.returncode} after {took:.1f} s")
        check(f" by {backend}: killed after a grace period", problems)

    def readers(backend):
        for name, writer in WRITERS.items():
            def status(program):
                script = f"{program} | head -n 1 > /dev/null; echo ${{PIPESTATUS[0]}}"
                return scratch.run(["bash", "--norc", "-c", script])
            plain, confined = status(writer), status(" ".join(words(backend) + [writer]))
            check(f" by {backend}: a reader that is gone: {name}",
                  [plain.out != confined.out and f"status {confined.out!r}, without cordon {plain.out!r}",
                   "after" in confined.err and "the program has gone on"])

    try:
        for backend in ("namespaces", "landlock"):
            for act in (passed, repeated, asked, readers):
                act(backend)
    finally:
        scratch.close()


if __name__ == "__main__":
    # Without cordon all of this holds as well, but for the grace period.
    sys.exit(main(__doc__, "checks", run, "without cordon",
                  ("signals are passed on", "ends cordon", "has no handler", "is gone: without an end",
                   "pipes hold", "later", "ignored", "of its own")))
