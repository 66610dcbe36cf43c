# SPDX-License-Identifier: BSL-1.0
"""The tables of attempts: tab-separated cells, the first line that is no comment names them."""
import os
import shlex

LIVE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Row(dict):
    def __getattr__(self, name):
        return self[name]

    def concerns(self, account):
        return self["user"] in ("both", account)

    def words(self, names):
        """The act and its words. Names are filled in after the split, so a path may hold anything."""
        return [word.format(**names) for word in shlex.split(self["attempt"])]


def read(name):
    """The rows of a table that is named relative to test/live."""
    with open(os.path.join(LIVE, name), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    head = lines[0].split("\t")
    rows = []
    for number, line in enumerate(lines[1:], 1):
        cells = line.split("\t")
        if len(cells) != len(head):
            raise ValueError(f"{name}: row {number} has {len(cells)} cells, not {len(head)}: {line}")
        rows.append(Row(zip(head, cells)))
    labels = [row.label for row in rows]
    if len(set(labels)) != len(labels):
        raise ValueError(f"{name}: a label is there twice: {sorted(l for l in labels if labels.count(l) > 1)}")
    return rows
