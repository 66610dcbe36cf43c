#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""If the kernel executes no file in memory (vm.memfd_noexec is 2), cordon writes its own programs to a temporary
directory. If no such directory permits execution either, `auto` continues with Landlock; a request for more is refused,
with reason and remedy, and `doctor` prints both. The setting belongs to a PID namespace and needs root."""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable
from support.command import main
from support.scratch import Scratch

STRICT = ["unshare", "--pid", "--mount", "--fork", "--mount-proc", "--", "sh", "-ec",
          'echo 2 > /proc/sys/vm/memfd_noexec; for d in $NOEXEC; do mount -t tmpfs -o noexec,mode=1777 none $d; done; '
          'exec "$@"', "sh"]
REMEDY = "let files be executed in $TMPDIR, or sysctl -w vm.memfd_noexec=1"
# MFD_EXEC; EACCES is 13.
CONTROL = ["python3", "-c", "import ctypes, sys; c = ctypes.CDLL(None, use_errno=True)\n"
           "sys.exit(0 if c.memfd_create(b'x', 0x10) >= 0 else ctypes.get_errno())"]


def run(options, results):
    if os.geteuid() != 0:
        raise Unavailable("root, who alone may set vm.memfd_noexec")
    account = Account(options.user)
    scratch = Scratch(account, options.cordon)
    if not options.broken:
        account.prefix = STRICT + account.prefix
    temp, closed = os.path.join(scratch.top, "temp"), os.path.join(scratch.top, "closed")
    try:
        for place in (temp, closed):
            os.mkdir(place)
            os.chmod(place, 0o1777)
        control = scratch.run(CONTROL, NOEXEC="")
        if control.status not in (0, 13):
            raise Unavailable(f"a pid namespace with a setting of its own: {control.err.strip()}")
        report = os.path.join(scratch.workspace, "report.json")
        everywhere = {"TMPDIR": closed, "NOEXEC": f"{closed} /var/tmp /dev/shm"}

        def cordon(*words, **variables):
            return scratch.run([scratch.cordon, *words], **variables)

        def check(name, problems):
            results.check(f"{account.name}: {name}", problems)

        def by(expected, ended):
            problems = [] if ended.out == "ran\n" else [f"status {ended.status}, {ended.err!r}"]
            if not problems:
                with open(report, encoding="utf-8") as file:
                    used = json.load(file)["backend"]
                problems = [] if used == expected else [f"by {used}"]
            return problems

        words = ("--report", report, "--", "echo", "ran")
        unseen = [] if control.status == 13 else ["files in memory are executed here"]
        for backend in ("namespaces", "bubblewrap"):
            ended = cordon("run", "--backend", backend, *words, TMPDIR=temp, NOEXEC="")
            check(f"a program of cordon's own on a disk, {backend}", unseen + by(backend, ended))
        check("nothing is left there", unseen + os.listdir(temp))
        check("auto goes on", by("landlock", cordon("run", *words, **everywhere)))
        for backend in ("namespaces", "bubblewrap"):
            ended = cordon("run", "--backend", backend, *words, **everywhere)
            check(f"{backend} asked for", [] if REMEDY in ended.err and not ended.out else [ended.err or ended.out])
        doctor = cordon("doctor", **everywhere)
        check("doctor", [] if doctor.out.count(f"remedy: {REMEDY}\n") == 2 else [doctor.out])
    finally:
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run, "where files in memory are executed"))
