#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Adds up test results: N passed, N failed, N skipped.

summary.py FILE...   each FILE is Meson's testlog.json or a log whose last sum line counts

A Meson test that printed a sum of its own (doctest's, or `N passed, N failed, N skipped`) counts with that sum, any
other as one. What failed is named on stderr, with the lines that say why. Exit status 1 if anything failed or nothing was
counted.
"""
import json
import re
import sys

SUM = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", re.M)
DOCTEST = re.compile(r"^\[doctest\] test cases: *\d+ \| *(\d+) passed \| *(\d+) failed \|", re.M)
# The output of a test case if this machine lacks what it needs; doctest lacks this outcome and counts it as passed.
SKIPPED = re.compile(r"^(?:.*: )?skipped: ", re.M)
REASON = re.compile(r"^.*(?:\bFAIL|\bfailed: |WRONG|ERROR|NOT correct|values:|logged:|Traceback|Sanitizer|runtime error).*$", re.M)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def printed_sum(text):
    """(passed, failed, skipped) as the text's own last sum says, or None."""
    text = COLOUR.sub("", text)
    own = SUM.findall(text)
    if own:
        return tuple(int(number) for number in own[-1])
    cases = DOCTEST.findall(text)
    if cases:
        passed, failed = (sum(int(row[i]) for row in cases) for i in (0, 1))
        skipped = min(len(SKIPPED.findall(text)), passed)
        return passed - skipped, failed, skipped
    return None


def of_result(result, text):
    """The sum of one Meson test: never better than its result."""
    counted = printed_sum(text)
    if result == "SKIP":
        return counted if counted and counted[2] and not counted[1] else (0, 0, 1)
    good = result in ("OK", "EXPECTEDFAIL")
    if counted is None:
        return (1, 0, 0) if good else (0, 1, 0)
    passed, failed, skipped = counted
    return (passed, failed, skipped) if good or failed else (passed, 1, skipped)


def tell(record):
    text = COLOUR.sub("", record.get("stdout", "") + record.get("stderr", ""))
    lines = REASON.findall(text) or text.splitlines()[-8:]
    print(f"failed: {record.get('name', '?')} ({record['result']}, {record.get('duration', 0):.0f} s)", file=sys.stderr)
    for line in lines[:12]:
        print(f"failed:   {line.strip()[:1500]}", file=sys.stderr)


def of_file(name):
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as fault:
        print(fault, file=sys.stderr)
        return 0, 1, 0
    if not re.search(r"testlog(-\w+)?\.json$", name):
        return printed_sum(text) or (0, 0, 0)
    records = [json.loads(line) for line in text.splitlines()]
    sums = []
    for record in records:
        sums.append(of_result(record["result"], record.get("stdout", "")))
        if sums[-1][1]:
            tell(record)
    return tuple(sum(column) for column in zip((0, 0, 0), *sums))


def main(names):
    passed, failed, skipped = (sum(column) for column in zip((0, 0, 0), *(of_file(name) for name in names)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
