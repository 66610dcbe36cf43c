#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A host without namespaces: `auto` continues with Landlock and reports the gaps. A request for more is refused with
reason and remedy, before a program is started. The test simulates such a host by a user namespace that permits no other
one."""
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable
from support.command import main
from support.scratch import Scratch

NONE = ["unshare", "--user", "--map-current-user", "--keep-caps", "--", "sh", "-c",
        'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"]
REMEDY = "user.max_user_namespaces is 0"


def run(options, results):
    account = Account(options.user)
    scratch = Scratch(account, options.cordon)
    prefix = [] if options.broken else NONE
    try:
        trial = scratch.run(NONE + ["true"])
        if trial.status != 0:
            raise Unavailable(f"a user namespace to forbid others in: {trial.err.strip()}")
        report, mark = os.path.join(scratch.workspace, "report.json"), os.path.join(scratch.workspace, "mark")

        def cordon(*words):
            begin = time.monotonic()
            ended = scratch.run(prefix + [scratch.cordon, "run", *words, "--", "touch", mark])
            ended.started = os.path.exists(mark)
            ended.milliseconds = (time.monotonic() - begin) * 1000
            if ended.started:
                os.unlink(mark)
            return ended

        def check(name, ended, started, words):
            problems = [f"{word!r} is not in {ended.err!r}" for word in words if word not in ended.err]
            if ended.started != started:
                problems.append(f"started: {ended.started}, status {ended.status}, {ended.err!r}")
            results.check(f"{account.name}: {name}", problems)

        ended = cordon("--report", report)
        check("auto", ended, True, ["not enforced here:", "landlock.existence", "tree.daemons"])
        with open(report, encoding="utf-8") as file:
            told = json.load(file)
        results.check(f"{account.name}: the report", [] if told["backend"] == "landlock" else [told["backend"]])
        ended = cordon("--backend", "namespaces")
        check("namespaces requested", ended, False, [REMEDY, "sysctl -w"])
        late = ended.milliseconds > 1000  # of which cordon itself takes some ten
        results.check(f"{account.name}: refused at once", [f"{ended.milliseconds} ms"] if late or options.broken else [])
        check("os_hardened", cordon("--profile", "os_hardened"), False, ["--accept-gap landlock.existence"])
        doctor = scratch.run(prefix + [scratch.cordon, "doctor"])
        results.check(f"{account.name}: doctor", [] if f"namespaces         {REMEDY}" in doctor.out else [doctor.out])
    finally:
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run, "where namespaces can be made"))
