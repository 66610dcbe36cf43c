#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The stdin, stdout and stderr of a program, and the caller's side: the terminal stays the user's, a reader may be
slow, and cordon ends no other process of the caller."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account
from support.command import main
from support.scratch import Scratch, write
from support.terminal import Session

# Takes what it can of a terminal, and says so.
THIEF = r"""
import os, select, termios
for fd in (0, 1, 2):
    try:
        modes = termios.tcgetattr(fd)
        modes[3] &= ~(termios.ECHO | termios.ICANON)
        termios.tcsetattr(fd, termios.TCSANOW, modes)
    except (OSError, termios.error): pass
for fd in (0, 1, 2):
    if select.select([fd], [], [], 1 if fd == 2 else 0)[0]:
        try: open("stolen", "ab").write(os.read(fd, 100))
        except OSError: pass
"""
POLICY = "level process_exec\nrun /usr\nrun /etc\nwrite .\nread nest/fixed\nnetwork none\n"


def run(options, results):
    account = Account(options.user)
    scratch = Scratch(account, options.cordon)
    inside = scratch.workspace
    for path, text in ((f"{inside}/thief.py", THIEF), (f"{inside}/policy", POLICY), (f"{inside}/nest/fixed/file", "kept\n")):
        account.own(write(path, text))
    for place in (f"{inside}/nest", f"{inside}/nest/fixed"):
        account.own(place)

    def words(backend, *more):
        return [] if options.broken else [scratch.cordon, "run", "--backend", backend, *more, "--"]

    def check(name, problems):
        results.check(f"{account.name}{name}", [problem for problem in problems if problem])

    def at_terminal(backend, name, line, secret):
        """A shell with job control at a terminal: does what is typed into it arrive, and nowhere else?"""
        stolen = f"{inside}/stolen"
        program = " ".join(words(backend) + ["python3", "-I", "thief.py"])
        session = Session(scratch, ["bash", "--norc", "-c", line.replace("THIEF", program)])
        try:
            time.sleep(0.7)
            session.type(secret + b"\r")
            session.end()
            there = os.path.exists(stolen)
            told = open(stolen, "rb").read() if there else b""
            check(f" by {backend}: {name}",
                  [secret in told and "the program has read what was typed",
                   b"shell:" + secret + b":" not in session.said and f"the shell has not: {session.said!r}"])
        finally:
            session.close()
            if os.path.exists(stolen):
                os.unlink(stolen)

    def descriptors(backend):
        command = words(backend, "--policy", f"{inside}/policy")
        with open(f"{inside}/nest/fixed/file", "r+b") as file:
            # What was opened for reading and writing is open to every process that holds the descriptor.
            script = "echo changed 1<> /proc/self/fd/0; chmod 777 /proc/self/fd/0; cat"
            done = subprocess.run(account.prefix + command + ["sh", "-c", script], stdin=file, capture_output=True,
                                  cwd=inside, env=scratch.variables(), timeout=20, check=False)
        mode = os.stat(f"{inside}/nest/fixed/file").st_mode & 0o777
        text = open(f"{inside}/nest/fixed/file", encoding="utf-8").read()
        check(f" by {backend}: a file of a read-only place as stdin",
              [(text, mode) != ("kept\n", 0o644) and f"the file says {text!r} now, and has mode {mode:o}",
               not options.broken and b"kept" not in done.stdout and f"the program read {done.stdout!r}, {done.stderr!r}"])
        os.chmod(f"{inside}/nest/fixed/file", 0o644)
        write(f"{inside}/nest/fixed/file", "kept\n")
        account.own(f"{inside}/nest/fixed/file")
        if account.uid == 0:  # whose mode of /dev/null would be the machine's
            script = "import os, stat, sys; sys.exit(any(stat.S_ISCHR(os.fstat(fd).st_mode) for fd in (0, 1, 2)))"
            with open("/dev/null", "r+b") as null:
                done = subprocess.run(command + ["python3", "-I", "-c", script], stdin=null, stdout=null, stderr=null,
                                      cwd=inside, env=scratch.variables(), timeout=20, check=False)
            check(f" by {backend}: no device of the user's own", [done.returncode != 0 and f"status {done.returncode}"])
        directory = os.open(inside, os.O_RDONLY | os.O_DIRECTORY)
        done = subprocess.run(account.prefix + words(backend) + ["true"], stdin=directory, capture_output=True, cwd=inside,
                              env=scratch.variables(), timeout=20, check=False)
        os.close(directory)
        check(f" by {backend}: a directory as stdin", [done.returncode != 125 and f"status {done.returncode}"])

    def slow_reader(backend):
        reading, writing = os.pipe()
        started = time.monotonic()
        process = subprocess.Popen(account.prefix + words(backend, "--timeout", "500ms", "--max-output", "100MiB") + ["yes"],
                                   stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.DEVNULL, cwd=inside,
                                   env=scratch.variables())
        os.close(writing)
        try:
            status = process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        os.close(reading)
        check(f" by {backend}: a reader that does not read", [status != 124 and f"status {status} after "
                                                               f"{time.monotonic() - started:.1f} s"])

    def closed(backend):
        """No file that cordon opens becomes a stream of the program."""
        report = f"{inside}/report.json"
        script = "read -r x && exit 1; echo x && exit 2; echo x >&2 && exit 3; exit 7"

        def run_closed(*more):
            command = words(backend, *more) + ["sh", "-c", script]
            return scratch.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command])

        ended = run_closed()
        check(f" by {backend}: closed streams", [ended.status != 7 and f"status {ended.status}, {ended.err!r}"])
        if not options.broken:
            ended = run_closed("--max-output", "1MiB", "--report", report)
            told = json.load(open(report, encoding="utf-8"))
            check(f" by {backend}: a report beside closed streams", [told["number"] != 2 and f"{told['number']}"])
        ended = scratch.run(["bash", "-c", 'ulimit -f 0; exec "$@"', "bash"] + words(backend) + ["true"])
        told = ended.status == 125 and "File too large" in ended.err
        check(f" by {backend}: no file may grow", [ended.status != 0 and not told and f"{ended.status}, {ended.err!r}"])

    def launchers():
        """Signal dispositions and children that cordon inherits from its caller."""
        report = f"{inside}/report.json"
        script = "trap '' CHLD; exec " + " ".join(words("landlock", "--report", report) + ["sh", "-c", "'exit 3'"])
        ended = scratch.run(["python3", "-I", "-c", "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN);"
                             "os.execvp('sh', ['sh', '-c', sys.argv[1]])", script])
        told = json.load(open(report, encoding="utf-8")) if os.path.exists(report) else {}
        check(": SIGCHLD ignored before", [(ended.status, told.get("number")) != (3, 3) and f"{ended.status}, {told}"])
        scratch.run(["sh", "-c", "sleep 20 > /dev/null 2>&1 & echo $! > pid; exec " + " ".join(words("auto") + ["true"])])
        other = int(open(f"{inside}/pid", encoding="utf-8").read())
        state = open(f"/proc/{other}/stat", encoding="utf-8").read().split()[2] if os.path.exists(f"/proc/{other}") else "Z"
        check(": another child of the same process lives on", [state == "Z" and "it was ended"])
        if state != "Z":
            os.kill(other, signal.SIGKILL)
        process = scratch.start(["nohup"] + words("auto") + ["sh", "-c", "sleep 1; exit 5"])
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGHUP)
        check(": under nohup", [process.wait(10) != 5 and f"status {process.returncode}"])

    try:
        for backend in ("namespaces", "landlock"):
            at_terminal(backend, "from the background", "set -m; THIEF & read -r x; echo shell:$x:; wait", b"s3cret")
            at_terminal(backend, "with stderr alone", "THIEF < /dev/null > /dev/null; read -r x; echo shell:$x:",
                        b"an0ther")
            descriptors(backend)
            slow_reader(backend)
            closed(backend)
        launchers()
    finally:
        scratch.close()


if __name__ == "__main__":
    # What is not confined is stopped by job control, is born with its own signals and streams, and has no cordon above it.
    sys.exit(main(__doc__, "checks", run, "without cordon", ("from the background", ": SIGCHLD ignored before", "lives on",
                                                             ": under nohup", "closed streams", "no file may grow")))
