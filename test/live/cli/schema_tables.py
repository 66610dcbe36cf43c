# SPDX-License-Identifier: BSL-1.0
"""Rows of the tables in test/vectors as documents."""
import json
import os
import re

from schema_documents import allowed, document, grant, limit

LIMITS = {"size": "memory", "duration": "timeout", "count": "processes"}


def unescaped(cell):
    if cell == '""':
        return ""
    raw = re.sub(rb"\\(x..|\\)", lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1][1:], 16)]), cell.encode())
    return raw.decode()


def rows(folder, name, read):
    """The rows whose cells a JSON text can hold."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    for line in lines[1:]:
        try:
            yield dict(zip(lines[0], map(read, line)))
        except UnicodeDecodeError:
            continue


def variables(row):
    return document("environment", {key: json.loads(row[key]) for key in ("pass", "set", "remove")})


def tables(folder):
    """Each table with its cases: label, document, is it good."""
    def is_good(row):
        return not row["result"].startswith("error")

    # Whether there is a home, or a directory that relative paths start at, is not for a document to say.
    yield "paths.tsv", [(row["written"], grant(row["written"]), is_good(row))
                        for row in rows(folder, "paths.tsv", unescaped)
                        if row["result"] not in ("error:no_home", "error:no_base")]
    yield "limits.tsv", [(row["text"], limit(LIMITS[row["kind"]], row["text"]), is_good(row))
                         for row in rows(folder, "limits.tsv", unescaped) if row["kind"] in LIMITS]
    yield "host_patterns.tsv", [(row["pattern"], allowed(row["pattern"]), is_good(row))
                                for row in rows(folder, "host_patterns.tsv", unescaped)]
    yield "environment.tsv", [(f"{row['pass']} {row['set']} {row['remove']}", variables(row), row["child"] != '"error"')
                              for row in rows(folder, "environment.tsv", str)]
