#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Other ways to the same engine, and names and words that a program chose: records that are replayed, streams that can do
more than their number says, files of cordon's own that are no files, and the words of bwrap."""
import json
import os
import pathlib
import shlex
import signal
import socket
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

PYTHON = "/usr/bin/python3"
BASE = "level process_exec\nrun /usr\nrun /lib64\nrun /bin\nread /etc\n"
BACKENDS = ("namespaces", "landlock", "bubblewrap")


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        for name in ("project", "victim"):
            setattr(self, name, os.path.join(self.workspace, name))
        self.sh("mkdir project victim && git init -q project && echo precious > victim/secret", self.workspace)

    def sh(self, script, directory=None):
        ended = self.run(["sh", "-ec", script], directory=directory or self.project)
        if ended.status != 0:
            raise RuntimeError(f"the control: {script}: {ended.err}")

    def words(self, *options):
        return [] if self.broken else [self.cordon, "run", *options, "--"]

    def confined(self, script, *options, directory=None, **variables):
        return self.run(self.words(*options) + ["sh", "-c", script], 20, directory=directory or self.project, **variables)

    def file(self, name, text):
        path = write(os.path.join(self.top, "files", name), text, 0o600)
        self.account.own_tree(os.path.dirname(path))
        return path

    def out(self, name):
        """A path that the user can write, outside every run."""
        return os.path.join(self.outside, name)


def replayed_links(s):
    """A link that is newer than the record, at a place that it grants."""
    if s.broken:
        return ["followed"]
    problems = []
    policy = s.file("policy", f"{BASE}write {s.project}/build\nread {s.project}/data\n")
    for name, options, script in (("workspace", ["--workspace", "build", "--cwd", "build"], "echo x > made"),
                                  ("grant", ["--policy", policy, "--cwd", f"{s.project}/build"], "cat ../data/secret; echo x > made")):
        s.sh("rm -rf build data; mkdir build data")
        record = s.out(f"{name}.json")
        s.confined(script, "--quiet", "--record", record, *options)
        for gone in ("build", "data"):
            s.sh(f"rm -rf build data; mkdir build data; rmdir {gone}; ln -s {s.victim} {gone}")
            ended = s.run([s.cordon, "replay", record], 20)
            used = gone == "build" or name == "grant"
            if os.path.exists(f"{s.victim}/made") or (used and (ended.status != 125 or "become a symbolic link" not in ended.err)):
                problems.append(f"{name}, {gone} is a link: status {ended.status}: {ended.out!r} {ended.err!r}")
    return problems


def replayed_words(s):
    """`replay` names what is not in force, as `run` does."""
    if s.broken:
        return ["not told"]
    problems = []
    free = s.file("free", "profile unrestricted\n")
    for record, options, told in ((s.out("free.json"), ["--policy", free], "not confined"),
                                  (s.out("landlock.json"), ["--backend", "landlock"], "landlock.existence")):
        if told not in s.confined("true", "--record", record, *options).err:
            problems.append(f"run {options}: not told")
        for more in ([], ["--backend", "landlock"]):
            if told == "not confined" or more:
                ended = s.run([s.cordon, "replay", *more, record], 20)
                if told not in ended.err:
                    problems.append(f"replay {more} of {options}: {ended.err!r}")
    record = s.out("here.json")
    s.confined("true", "--quiet", "--record", record, directory=s.outside)
    if f"policy.writable:{record}" not in s.run([s.cordon, "replay", record], 20).err:
        problems.append("replay: the writable record is not told")
    return problems


def report_of_a_killed_cordon(s):
    """Nothing in the attested report says that the program did not run."""
    if s.broken:
        return ["refused"]
    key, report = s.file("key", "sixteen bytes or more, and this is the key\n"), s.out("report.json")
    process = s.start(s.words("--quiet", "--report", report, "--key", key) + ["sh", "-c", "touch ran; sleep 30"], s.project)
    while process.poll() is None and not os.path.exists(f"{s.project}/ran"):
        pass
    os.kill(process.pid, signal.SIGKILL)
    s.finish(process)
    attested = s.run([s.cordon, "check", "--key", key, report])
    with open(report, encoding="utf-8") as file:
        told = json.load(file)
    if attested.status != 0 or (told["outcome"], told["status"]) != ("started", None):
        return [f"{attested.err!r}: {told['outcome']}, {told['status']}"]
    s.confined("exit 3", "--quiet", "--report", report, "--key", key)
    with open(report, encoding="utf-8") as file:
        told = json.load(file)
    return [] if (told["outcome"], told["status"]) == ("exited", 3) else [f"{told['outcome']}, {told['status']}"]


def endless_record(s):
    """A program cannot choose how much memory cordon takes: the output of a recorded run has a limit."""
    record, report = s.out("record.json"), s.out("report.json")
    problems = []
    for options, limit, status in (([], "", 121), (["--max-output", "1MiB"], "", 121), ([], "ulimit -v 600000; ", (121, 125))):
        command = shlex.join(s.words("--record", record, "--report", report, *options) + ["head", "-c", "200000000", "/dev/zero"])
        ended = s.run(["sh", "-c", f"{limit}{command} > /dev/null"], 60, directory=s.project)
        told = {} if s.broken else json.load(open(report, encoding="utf-8"))
        if ended.status not in (status if isinstance(status, tuple) else (status,)) or told["outcome"] not in ("output_quota", "started"):
            problems.append(f"{options} {limit}: status {ended.status}, {told.get('outcome')}: {ended.err[-200:]!r}")
        if not limit and not s.broken and os.path.getsize(record) > 500_000_000:
            problems.append(f"{options}: the record has {os.path.getsize(record)} bytes")
    return problems


USE = """
import os
try: fd = os.open('/proc/self/fd/%d', os.%s | os.O_NONBLOCK)
except OSError: raise SystemExit(1)
%s
"""


def wrong_ends(s):
    """The write end of a pipe as stdin, the read end as stdout or stderr."""
    problems = []
    for backend in BACKENDS:
        for options in ([], ["--profile", "os_hardened"] if backend == "namespaces" else ["--max-output", "1MiB"]):
            command = s.words("--quiet", "--backend", backend, *options)
            told = f"{backend} {options}"
            reading, writing = os.pipe()
            os.write(writing, b"password")
            steal = USE % (0, "O_RDONLY", "open('stolen', 'wb').write(os.read(fd, 9))")
            subprocess.run(s.account.prefix + command + [PYTHON, "-I", "-c", steal], stdin=writing, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, cwd=s.project, env=s.variables(), timeout=20)
            stolen = f"{s.project}/stolen"
            if os.path.exists(stolen):
                with open(stolen, "rb") as file:
                    problems += [f"{told}: stdin: {file.read()!r}"] if os.path.getsize(stolen) else []
                os.unlink(stolen)
            os.close(writing)
            os.close(reading)
            for number in (1, 2):
                reading, writing = os.pipe()
                os.set_blocking(reading, False)
                streams = {1: {"stdout": reading, "stderr": subprocess.DEVNULL}, 2: {"stderr": reading, "stdout": subprocess.DEVNULL}}
                inject = USE % (number, "O_WRONLY", "os.write(fd, b'injected')")
                subprocess.run(s.account.prefix + command + [PYTHON, "-I", "-c", inject], stdin=subprocess.DEVNULL, cwd=s.project,
                               env=s.variables(), timeout=20, **streams[number])
                try:
                    problems.append(f"{told}: stream {number}: {os.read(reading, 20)!r}")
                except BlockingIOError:
                    pass
                os.close(reading)
                os.close(writing)
    return problems


def listed_by_name(s):
    """A name in the list is a program of a directory that the program cannot write."""
    python = os.path.realpath(PYTHON)
    problems = []
    policy = s.file("policy", f"{BASE}executables git make\ninterpreters no\nwrite {s.project}\n")
    s.sh(f"mkdir -p .venv/bin; ln -s {python} git-foo; ln -s {python} git; ln -s {python} .venv/bin/make; cp {python} .venv/bin/git-x")
    for backend in BACKENDS:
        for search in ("/usr/bin:/bin", f"{s.project}/.venv/bin:/usr/bin:/bin", ".:/usr/bin:/bin", f":{s.project}:/usr/bin"):
            ended = s.run(s.words("--quiet", "--backend", backend, "--policy", policy) +
                          ["git", f"--exec-path={s.project}", "foo", "-c", "print(6*7)"], 20, directory=s.project, PATH=search)
            if "42" in ended.out:
                problems.append(f"{backend}, PATH {search}: {python} runs although git and make are listed")
    ended = s.run(s.words("--quiet", "--policy", policy) + ["git", "--version"], 20, directory=s.project)
    return problems + ([] if "git version" in ended.out else [f"git does not run: {ended.err!r}"])


def devices_and_streams(s):
    """What cordon writes goes to a stream as it is; no link and no device becomes a file."""
    if s.broken:
        return ["nothing is written"]
    problems = []
    s.sh(f"ln -s /proc/self/fd/1 {s.outside}/out; ln -s /dev/null {s.outside}/null; mkfifo {s.outside}/fifo; "
         f"ln -s real.json {s.outside}/link.json")
    for place in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        ended = s.confined("echo said", "--quiet", "--report", place)
        if not ended.out.startswith("said\n{") or json.loads(ended.out[5:])["outcome"] != "exited":
            problems.append(f"{place}: {ended.out[:200]!r} {ended.err!r}")
    ended = s.confined("true", "--quiet", "--record", "/dev/stderr")
    if '"cordon_record": 1' not in ended.err:
        problems.append(f"--record /dev/stderr: {ended.err[:200]!r}")
    for place in (f"{s.outside}/null", "/dev/null", f"{s.outside}/fifo"):
        reader = os.open(f"{s.outside}/fifo", os.O_RDONLY | os.O_NONBLOCK)
        ended = s.confined("exit 3", "--quiet", "--report", place)
        if ended.status != 3:
            problems.append(f"{place}: status {ended.status}: {ended.err!r}")
        if place.endswith("fifo") and not os.read(reader, 100).startswith(b"{"):
            problems.append("nothing is in the pipe")
        os.close(reader)
    if not stat.S_ISCHR(os.stat("/dev/null").st_mode) or not os.path.islink(f"{s.outside}/null"):
        problems.append("a device or a link has become a file")
    s.confined("true", "--quiet", "--report", f"{s.outside}/link.json")
    if not os.path.islink(f"{s.outside}/link.json") or not os.path.isfile(f"{s.outside}/real.json"):
        problems.append("a link of the caller's is replaced")
    ended = s.confined("touch started", "--report", f"{s.outside}/fifo")
    return problems + ([] if ended.status == 125 and not os.path.exists(f"{s.project}/started") else [f"a pipe without a reader: {ended.err!r}"])


def words_of_bwrap(s):
    """Names and texts of links that look like options of bwrap."""
    if not os.path.exists("/usr/bin/bwrap"):
        return []
    problems = []
    server = socket.create_server(("127.0.0.1", 0))
    reach = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2); print('reached')"
    for option in ("--share-net", "--bind", "--", "--args"):
        docs = os.path.join(s.workspace, "docs" + option)
        s.sh(f"mkdir {docs}; cd {docs}; echo hi > ok; mkdir -- --; ln -s -- -- a; "
             f"{'' if option == '--' else f'mkdir -- {option}; echo x > ./{option}/file;'} ln -s -- {option} b", s.workspace)
        policy = s.file("policy", f"{BASE.replace('process_exec', 'network')}write {s.project}\nread glob:{docs}/*\nnetwork none\nloopback yes\n")
        ended = s.run(s.words("--quiet", "--backend", "bubblewrap", "--policy", policy) + [PYTHON, "-I", "-c", reach], 20, directory=s.project)
        if "reached" in ended.out:
            problems.append(f"{option}: a server of the machine is reached")
        ended = s.confined(f"cat {docs}/ok; chmod 777 '/--remount-ro/file' {docs}/{option}/file; echo x > {docs}/ok",
                           "--quiet", "--backend", "bubblewrap", "--policy", policy)
        if ended.out != "hi\n":
            problems.append(f"{option}: {ended.out!r} {ended.err!r}")
        changed = os.path.join(docs, option, "file")
        if os.path.exists(changed) and stat.S_IMODE(os.stat(changed).st_mode) == 0o777:
            problems.append(f"{option}: a file that may only be read has another mode")
    server.close()
    return problems


ROWS = {
    "a record whose places have become links": replayed_links,
    "what replay says of a run": replayed_words,
    "the report of a cordon that was killed": report_of_a_killed_cordon,
    "a record of endless output": endless_record,
    "the wrong ends of pipes": wrong_ends,
    "programs that are listed by name": listed_by_name,
    "reports to streams and devices": devices_and_streams,
    "words of bwrap": words_of_bwrap,
}


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
