#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs a tool that you do not trust, and prints what it was refused.

    untrusted.py FOLDER TOOL [ARGUMENT...]

The tool may read the system's programs and write FOLDER. Ends with the status of the tool.
"""
import sys

import cordon

POLICY = """level process_exec
run /usr
write "{folder}"
network none
limit timeout 1min
pass PATH LANG
"""


def show(stream, data):
    to = (sys.stdout if stream == "stdout" else sys.stderr).buffer
    to.write(data)
    to.flush()


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder, *argv = arguments
    try:
        policy = cordon.Policy.parse(POLICY.format(folder=folder), name="the policy of untrusted")
        report = cordon.run(argv, policy=policy, cwd=folder, on_output=show)
    except cordon.Error as fault:
        print(f"untrusted: {fault}", file=sys.stderr)
        return 125
    if report.outcome == "refused":
        print(f"untrusted: it was not started: {report.why}", file=sys.stderr)
    for denial in report.denials:
        print(f"refused: {denial.what} (seen by {denial.seen}, {denial.times} times)")
    return report.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
