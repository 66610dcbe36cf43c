#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What is hidden by a rule and by no list: files of the machine that their modes close to others, tokens in the home of the
account whatever $HOME is, and what a policy hides of the /proc and /dev that every program gets."""
import json
import os
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

BACKENDS = ("namespaces", "landlock", "bubblewrap")
# Closed to others: a file, a file in a closed directory, a directory, and a directory that can be searched.
CLOSED = {"unknown/key": 0o600, "unknown/group-key": 0o640, "vault/inner/token": 0o644, "searched/token": 0o600,
          "wireguard/wg0.conf": 0o600, "app.d/99-password.conf": 0o400}
CLOSED_DIRECTORIES = {"vault": 0o700, "searched": 0o711}
OPEN = {"unknown/settings": 0o644, "searched/settings": 0o644}


class Stage(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.report = os.path.join(self.outside, "report.json")

    def words(self, *options):
        return [] if self.broken else [self.cordon, "run", "--quiet", *options, "--"]

    def gaps(self):
        with open(self.report, encoding="utf-8") as file:
            return [gap["id"] for gap in json.load(file)["gaps"]]

    def with_etc(self, script):
        """Runs a script of the machine's root in a mount namespace with these files in /etc."""
        made = os.path.join(self.top, "etc")
        for name, mode in {**CLOSED, **OPEN}.items():
            write(os.path.join(made, name), f"{'open' if name in OPEN else 'token'}\n", mode)
        for name, mode in CLOSED_DIRECTORIES.items():
            os.chmod(os.path.join(made, name), mode)
        mount = f"cp -an /etc/. {made}/ && mount --bind {made} /etc"
        return self.run(["unshare", "-m", "sh", "-c", f"{mount} || exit 99; cd {self.workspace}; {script}"], 60)


def closed_files(s):
    tokens, settings = (" ".join(f"/etc/{name}" for name in names) for names in (CLOSED, OPEN))
    problems = []
    for backend in BACKENDS:
        ended = s.with_etc(shlex.join(s.words("--backend", backend) + ["sh", "-c", f"cat {tokens}; cat {settings}"]))
        s.run(["rm", "-rf", f"{s.top}/etc"])
        if ended.status == 99:
            raise RuntimeError(f"the control: {ended.err}")
        if "token" in ended.out or ended.out.count("open") != len(OPEN):
            problems.append(f"{backend}: {ended.out!r} {ended.err[-200:]!r}")
    return problems


def closed_file_by_name(s):
    """A grant of the file, or of a directory below /etc, opens it."""
    problems = []
    for granted in ("/etc/unknown/key", "/etc/unknown"):
        ended = s.with_etc(shlex.join(s.words("--read", granted) + ["sh", "-c", "cat /etc/unknown/key; cat /etc/wireguard/wg0.conf"]))
        s.run(["rm", "-rf", f"{s.top}/etc"])
        if ended.out != "token\n":
            problems.append(f"{granted}: {ended.out!r} {ended.err[-200:]!r}")
    return problems


def home_of_the_account(s):
    problems = []
    tokens = {".npmrc": "token\n", ".ssh/id_rsa": "token\n", ".aws/credentials": "token\n"}
    for name, text in tokens.items():
        write(os.path.join(s.home, name), text, 0o600)
    names = " ".join(f"/root/{name}" for name in tokens)
    for home in ("-u HOME", "HOME=", "HOME=root", f"HOME={s.outside}", "HOME=/root"):
        for options in (["--read", "/root"], ["--read", "/"], ["--read", "/root", "--profile", "os_hardened"],
                        ["--read", "/root", "--backend", "landlock"]):
            command = shlex.join(s.words(*options) + ["sh", "-c", f"cat {names}; echo ran"])
            ended = s.run(["unshare", "-m", "sh", "-c", f"mount --bind {s.home} /root || exit 99; cd {s.workspace}; env {home} {command}"], 30)
            if ended.status == 99:
                raise RuntimeError(f"the control: {ended.err}")
            if "token" in ended.out or (ended.status == 0 and "ran" not in ended.out):
                problems.append(f"{home}, {options}: {ended.out!r} {ended.err[-200:]!r}")
    return problems


def private_places(s):
    """Hidden, or named as a gap."""
    problems = []
    for place in ("/proc/cpuinfo", "/proc/meminfo", "/proc/sys/kernel/ostype", "/proc/self/maps", "/proc/self/status", "/dev/urandom",
                  "/dev/zero", "/dev/null", "/dev/full"):
        for backend in BACKENDS:
            ended = s.run(s.words("--backend", backend, "--hide", place, "--report", s.report) +
                          ["dd", f"if={place}", "bs=1", "count=1", "status=none"], 20)
            is_read = ended.status == 0
            if s.broken or (is_read and f"files.private:{place}" not in s.gaps()):
                problems.append(f"{backend}, {place}: read, and no gap names it: {ended.err[-200:]!r}")
            if not s.broken and not is_read and ended.status != 1:
                problems.append(f"{backend}, {place}: status {ended.status}: {ended.err[-200:]!r}")
        ended = s.run(s.words("--hide", place, "--profile", "os_hardened") + ["dd", f"if={place}", "bs=1", "count=1", "status=none"], 20)
        if ended.status == 0:
            problems.append(f"os_hardened, {place}: read")
    return problems


def one_model(s):
    """`explain` and the run say the same."""
    problems = []
    base = "level process_exec\nrun /usr\nrun /bin\nrun /lib64\nwrite .\n"
    for hidden in ("/proc/cpuinfo", "/proc/sys/kernel"):
        policy = write(os.path.join(s.workspace, "policy"), f"{base}hide {hidden}\n")
        for place in ("/proc/cpuinfo", "/proc/sys/kernel/ostype", "/proc/meminfo"):
            told = s.run([s.cordon, "explain", policy, "--path", place, "--right", "read"]).out.split(" ")[0]
            ended = s.run(s.words("--policy", policy) + ["cat", place], 20)
            if (told == "allow") != (ended.status == 0):
                problems.append(f"hide {hidden}, {place}: explain says {told}, the run ends with {ended.status}")
    return problems


ROWS = {
    "files of /etc that are closed to others": closed_files,
    "a closed file that is granted by its name": closed_file_by_name,
    "tokens in the home of the account": home_of_the_account,
    "what every program gets": private_places,
    "explain, where something is hidden in /proc": one_model,
}
OF_USERS = {name: ROWS[name] for name in ("what every program gets", "explain, where something is hidden in /proc")}


def run(options, results):
    run_rows(ROWS if options.user == "root" else OF_USERS, Stage)(options, results)


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run, "without cordon"))
