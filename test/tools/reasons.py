#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the table of reasons, include/cordon/run/reasons.hpp, and its use.

reasons.py [ROOT]        exit 1 and one line for each fault
reasons.py --self-test   plants a fault for each check: each must be found

Each ID is `subject.fact` and occurs once; each row is used in the code; each text says what to do or names the fact
that decides; no code throws a refusal with a text of its own."""
import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
TABLE = "include/cordon/run/reasons.hpp"
ROW = re.compile(r'inline constexpr reason (\w+)\{\s*"([^"]*)",\s*((?:"(?:\\.|[^"\\])*"\s*)+)\}', re.S)
PIECE = re.compile(r'"((?:\\.|[^"\\])*)"')
OWN_TEXT = re.compile(r"throw\s+(?:cordon::)?refused\s*[({]")


def rows(text):
    """[(constant, id, text)]"""
    return [(name, id_, "".join(PIECE.findall(pieces))) for name, id_, pieces in ROW.findall(text)]


def sources(tree):
    return {str(path.relative_to(tree)): path.read_text(encoding="utf-8")
            for top in ("include", "shims") for path in sorted((tree / top).rglob("*.[hc]pp"))}


def faults(code):
    table = rows(code[TABLE])
    found = [] if len(table) > 50 else [f"{TABLE}: {len(table)} rows were read"]
    if code[TABLE].count("inline constexpr reason ") != len(table):
        found.append(f"{TABLE}: a row that cannot be read")
    used = set(re.findall(r"\breasons::(\w+)", "\n".join(code.values())))
    ids = [id_ for _, id_, _ in table]
    for name, id_, text in table:
        if not re.fullmatch(r"[a-z]+\.[a-z0-9_]+", id_):
            found.append(f"{id_}: an ID is `subject.fact`")
        if ids.count(id_) > 1:
            found.append(f"{id_}: two rows have this ID")
        if name not in used:
            found.append(f"{id_}: no code uses reasons::{name}")
        if (text.endswith(".") and not text.endswith("...")) or text != text.strip():
            found.append(f"{id_}: the text ends with a point or a space")
    for name, text in code.items():
        for match in OWN_TEXT.finditer(text):
            found.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: take a row of {TABLE}: refused::because<reasons::...>")
    return found


def self_test():
    good = sources(TREE)
    table, seeds = good[TABLE], {}
    first = rows(table)[0]

    def planted(more, file=TABLE):
        return {**good, file: good[file] + more}

    seeds["two rows with one ID"] = planted(f'\ninline constexpr reason planted{{"{first[1]}", "a; b"}};')
    seeds["a row without use"] = planted('\ninline constexpr reason planted{"planted.row", "a; b"};')
    seeds["an ID of another form"] = planted('\ninline constexpr reason planted{"Planted", "a; b"};')
    seeds["a text with a point"] = planted('\ninline constexpr reason planted{"planted.row", "a."};')
    seeds["a row that cannot be read"] = planted('\ninline constexpr reason planted{some_id, "a"};')
    seeds["a text of its own"] = planted('\nvoid f() { throw refused("a"); }', "shims/common/decide.cpp")
    before = set(faults(good))
    missed = [name for name, code in seeds.items() if not set(faults(code)) - before]
    for name in missed:
        print(f"failed: {name} was not found")
    print(f"{len(seeds) - len(missed)} passed, {len(missed)} failed, 0 skipped")
    return 1 if missed else 0


def main():
    if "--self-test" in sys.argv:
        return self_test()
    code = sources(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TREE)
    found = faults(code)
    for fault in found:
        print(f"failed: {fault}")
    print(f"{len(rows(code[TABLE]))} passed, {len(found)} failed, 0 skipped")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
