#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the names and numbers of the table of system calls; the kinds in it are written by people and kept.

syscall_tables.py           brings include/cordon/backend/seccomp/table.hpp up to date: what the installed kernel
                            headers know, the calls below that are newer than many of them, and what the table has
syscall_tables.py --check   exit 1 if the table is not what would be written. A call that only the headers or only the
                            table knows, because one of them is newer, is reported and no error.
syscall_tables.py --self-test   seeds wrong tables and demands that each is found
"""
import pathlib
import re
import subprocess
import sys

TABLE = pathlib.Path(__file__).resolve().parents[2] / "include/cordon/backend/seccomp/table.hpp"
MACHINES = ("x86_64", "aarch64", "riscv64")

# arch/{arm64,riscv}/include/uapi/asm/unistd.h: the parts of the generic list that a machine selects, and its additions.
GENERIC = {
    "aarch64": ("RENAMEAT", "NEW_STAT", "SET_GET_RLIMIT", "TIME32_SYSCALLS", "SYS_CLONE3", "MEMFD_SECRET"),
    "riscv64": ("NEW_STAT", "SET_GET_RLIMIT", "SYS_CLONE3", "MEMFD_SECRET"),
}
OWN = {
    "x86_64": {"uretprobe": 335, "uprobe": 336},
    "aarch64": {},
    "riscv64": {"riscv_hwprobe": 258, "riscv_flush_icache": 259},
}
# Linux 6.5 to 6.17; from 424 on all machines share their numbers.
NEWER = {name: 451 + i for i, name in enumerate(
    "cachestat fchmodat2 map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount lsm_get_self_attr "
    "lsm_set_self_attr lsm_list_modules mseal setxattrat getxattrat listxattrat removexattrat open_tree_attr "
    "file_getattr file_setattr".split())}
REVIEWED = 469  # the highest number whose kind was reviewed

HEAD = """// SPDX-License-Identifier: BSL-1.0
/// The system calls of every machine, sorted by name. test/tools/syscall_tables.py writes names and numbers; the second
/// column is the reviewer's: the tool keeps it, and gives a call that it meets for the first time `unreviewed`.
#pragma once

#include "call.hpp"

#include <array>

namespace cordon::seccomp {

// clang-format off
/// The calls that were reviewed, by name.
inline constexpr std::array<call, %d> calls{{
"""
TAIL = """}};
// clang-format on

} // namespace cordon::seccomp
"""
ROW = re.compile(r'  \{"(\w+)", call_class::(\w+), \{(-?\d+), (-?\d+), (-?\d+)\}\},')


def of_x86_64():
    for folder in ("/usr/include/x86_64-linux-gnu/asm", "/usr/include/asm", "/usr/x86_64-linux-gnu/include/asm"):
        path = pathlib.Path(folder) / "unistd_64.h"
        if path.is_file() and "__NR_arch_prctl" in (text := path.read_text(encoding="utf-8")):
            return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", text)}
    return {}


def of_generic(machine):
    """asm-generic/unistd.h as that machine would read it."""
    wants = [f"-D__ARCH_WANT_{want}" for want in GENERIC[machine]]
    done = subprocess.run(["cc", "-E", "-dM", "-x", "c", "-D__BITS_PER_LONG=64", *wants, "-"], capture_output=True,
                          input="#include <asm-generic/unistd.h>\n", text=True, check=False)
    defines = dict(re.findall(r"#define (__NR\w+) (\w+)", done.stdout))

    def number(word):
        return int(word) if word.isdigit() else number(defines[word])

    return {name[5:]: number(name) for name in defines if name.startswith("__NR_")
            and name not in ("__NR_syscalls", "__NR_arch_specific_syscall")}


def installed():
    return {machine: of_x86_64() if machine == "x86_64" else of_generic(machine) for machine in MACHINES}


def parse(text):
    return {name: (kind, [int(number) for number in numbers]) for name, kind, *numbers in ROW.findall(text)}


def merged(table, headers):
    """What the table should be. The headers are right about what they know; else the table, then the lists above."""
    rows = {}
    for column, machine in enumerate(MACHINES):
        known = {**NEWER, **OWN[machine], **headers[machine]}
        for name, (_, numbers) in table.items():
            if numbers[column] >= 0 and name not in known:
                known[name] = numbers[column]
        for name, number in known.items():
            kind = table[name][0] if name in table else "unreviewed"
            rows.setdefault(name, (kind, [-1] * len(MACHINES)))[1][column] = number
    return rows


def render(rows):
    lines = [f'  {{"{name}", call_class::{kind}, {{{", ".join(map(str, numbers))}}}}},\n' for name, (kind, numbers) in
             sorted(rows.items())]
    return HEAD % len(rows) + "".join(lines) + TAIL


def faults(text, headers):
    """What is wrong with the text of the table, and remarks."""
    table = parse(text)
    wrong = [] if text == render(table) else ["the table is not sorted, or not in the form that this tool writes"]
    wrong += [f"{name}: unreviewed; give it a call_class" for name, (kind, _) in table.items() if kind == "unreviewed"]
    remarks = []
    for column, machine in enumerate(MACHINES):
        if not headers[machine]:
            remarks.append(f"{machine}: no kernel headers here, numbers not compared")
        for name, number in {**NEWER, **OWN[machine], **headers[machine]}.items():
            mine = table[name][1][column] if name in table else -1
            if mine == number:
                continue
            if mine < 0 and number > REVIEWED:
                remarks.append(f"{machine}: {name} {number} is newer than the table")
            else:
                wrong.append(f"{machine}: {name} is {number}, the table has {mine}")
        used = [numbers[column] for _, numbers in table.values() if numbers[column] >= 0]
        wrong += [f"{machine}: two calls have number {number}" for number in set(used) if used.count(number) > 1]
        mine = [name for name, (_, numbers) in table.items() if numbers[column] >= 0 and name not in headers[machine]]
        if headers[machine] and mine:
            remarks.append(f"{machine}: {len(mine)} calls are newer than the headers here: {' '.join(mine)}")
    return wrong, remarks


def self_test():
    text = TABLE.read_text(encoding="utf-8")
    headers = {machine: {name: numbers[i] for name, (_, numbers) in parse(text).items() if 0 <= numbers[i] < 400}
               for i, machine in enumerate(MACHINES)}
    older = {machine: {"read": headers[machine]["read"]} for machine in MACHINES}
    newer = {machine: {**headers[machine], "tomorrow": 999} for machine in MACHINES}
    line = ROW.search(text)[0] + "\n"
    seeds = [
        ("the table as it is", text, headers, False),
        ("older headers", text, older, False),
        ("no headers", text, dict.fromkeys(MACHINES, {}), False),
        ("newer headers", text, newer, False),
        ("a wrong number", text.replace('"read", call_class::ordinary, {0,', '"read", call_class::ordinary, {1,'), headers, True),
        ("a wrong number of a newer call", text.replace("{462, 462, 462}", "{462, 463, 462}"), older, True),
        ("a missing call", text.replace(line, ""), headers, True),
        ("a call out of order", text.replace(line, "").replace("}};\n", line + "}};\n"), headers, True),
        ("a call nobody reviewed", text.replace('"read", call_class::ordinary', '"read", call_class::unreviewed'), headers, True),
        ("a line of another form", text.replace(line, line + "  // words\n"), headers, True),
    ]
    failed = [name for name, seed, known, bad in seeds if bool(faults(seed, known)[0]) != bad]
    print(*(f"wrong verdict: {name}" for name in failed), sep="\n", end="\n" if failed else "")
    print(f"{len(seeds) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    text = TABLE.read_text(encoding="utf-8") if TABLE.is_file() else ""
    if arguments == ["--check"]:
        wrong, remarks = faults(text, installed())
        print(*remarks, *(f"wrong: {line}" for line in wrong), sep="\n")
        return 1 if wrong else 0
    if arguments:
        print(__doc__)
        return 2
    TABLE.write_text(render(merged(parse(text), installed())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
