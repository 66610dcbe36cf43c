#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that what a reader opens stays small.

sizes.py [--list] [ROOT]   exit 1 and one line for each excess; --list: the longest functions and largest folders
sizes.py --self-test       judges samples of code whose sizes are known

Bounds: 30 files of code in a folder; half of the files of the product have at most 70 lines; a file has at most 350,
but for tables; a function has at most 60 lines, and at most ten functions have more than 40."""
import pathlib
import re
import statistics
import subprocess
import sys

MOST_FILES, MEDIAN_LINES, MOST_FILE_LINES, MOST_LINES, LONG, MOST_LONG = 30, 70, 350, 60, 40, 10
# Files that are one table, which no reader reads from the top to the end.
TABLES = {"include/cordon/policy/credential_paths.hpp", "include/cordon/backend/seccomp/table.hpp"}
CODE = (".hpp", ".cpp", ".c", ".py")
NOISE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*', re.S | re.M)
CONTROL = re.compile(r"\b(?:if|for|while|switch|catch|else|do|namespace|struct|class|enum|union)\b")


def blank(text):
    """The text without comments, strings and preprocessor lines; line numbers stay."""
    return NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def is_body(head, name):
    """Does a function's body follow? It has parentheses before it; a lambda, a type or an initializer has other words."""
    plain = re.sub(r"template\s*<.*?>\s*(?=[\w\[])|\[\[.*?\]\]", "", name, flags=re.S)
    return head[-1:].isspace() and ")" in name and not CONTROL.search(plain) and not name.startswith((")", ",")) \
        and not re.search(r"(?:^|[=(,&|{])\s*\[[^\]]*\]|=\s*$|\breturn\b", plain)


def functions(text):
    """(lines, first line, head) of each function. A lambda's lines are those of the function around it."""
    text, open_at, found, start = blank(text), [], [], 0
    for at, c in enumerate(text):
        if c == "{":
            head = text[start:at]
            name = re.split(r"\n\s*\n", head)[-1].strip()
            inside = any(outer for _, outer, _ in open_at)
            open_at.append((at, not inside and is_body(head, name), name))
            if head[-1:].isspace():
                start = at + 1
        elif c == "}" and open_at:
            first, is_function, name = open_at.pop()
            if is_function:
                line = text.count("\n", 0, text.rfind(name, 0, first)) + 1
                found.append((text.count("\n", 0, at) + 2 - line, line, name.split("\n")[0][:80]))
            if text[first - 1].isspace():
                start = at + 1
        elif c == ";":
            start = at + 1
    return found


def tracked(root):
    return subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")


def folders(names):
    count = {}
    for name in names:
        if name.endswith(CODE):
            folder = name.rpartition("/")[0]
            count[folder] = count.get(folder, 0) + 1
    return count


def product(names):
    return [n for n in names if n.startswith(("include/", "shims/")) and n.endswith(CODE)]


def measure(root, names):
    every, lines = [], {}
    for name in product(names):
        text = (root / name).read_text(encoding="utf-8")
        lines[name] = text.count("\n")
        if name.endswith((".hpp", ".cpp", ".c")):
            every += [(n, f"{name}:{line}", head) for n, line, head in functions(text)]
    return sorted(every, reverse=True), lines


def excess(names, every, lines):
    found = [f"{folder}: {n} files, at most {MOST_FILES}" for folder, n in sorted(folders(names).items()) if n > MOST_FILES]
    found += [f"{name}: {n} lines, at most {MOST_FILE_LINES}" for name, n in sorted(lines.items())
              if n > MOST_FILE_LINES and name not in TABLES]
    if lines and statistics.median(lines.values()) > MEDIAN_LINES:
        found.append(f"the median file has {statistics.median(lines.values())} lines, at most {MEDIAN_LINES}")
    found += [f"{place}: {n} lines, at most {MOST_LINES}: {head}" for n, place, head in every if n > MOST_LINES]
    long = [f for f in every if f[0] > LONG]
    if len(long) > MOST_LONG:
        found.append(f"{len(long)} functions have more than {LONG} lines, at most {MOST_LONG}: "
                     + ", ".join(f"{place} ({n})" for n, place, _ in long))
    return found


def self_test():
    body = "  f();\n" * 70
    samples = {
        "a function": ("int f(int a) {\n" + body + "}\n", 72),
        "a head of two lines": ("int f(int a,\n      int b) {\n" + body + "}\n", 73),
        "a member": ("struct s {\n  int f() const {\n" + body + "  }\n};\n", 72),
        "a constructor": ("s::s(int a)\n    : a_{a},\n      b_(2) {\n" + body + "}\n", 74),
        "a template": ("template <class T> constexpr T f(T a) {\n" + body + "}\n", 72),
        "a lambda inside": ("void f() {\n  const auto g = [&](int a) {\n" + body + "  };\n}\n", 74),
        "no function": ("struct s {\n" + body + "};\nint a[]{\n" + "1,\n" * 70 + "};\n", 0),
    }
    wrong = []
    for name, (text, wanted) in samples.items():
        got = max([n for n, _, _ in functions(text)], default=0)
        if got != wanted:
            wrong.append(f"{name}: {got} lines, not {wanted}")
    planted = excess([f"include/a/{i}.hpp" for i in range(MOST_FILES + 1)], [(61, "x:1", "f()")] + [(41, "x:2", "g()")] * 10,
                     {"a": MOST_FILE_LINES + 1, "b": 99, "c": 99})
    if len(planted) != 5:
        wrong.append(f"planted: {planted}")
    for text in wrong:
        print(f"failed: {text}")
    print(f"{len(samples) + 1 - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


def main():
    if "--self-test" in sys.argv:
        return self_test()
    words = [a for a in sys.argv[1:] if a != "--list"]
    root = pathlib.Path(words[0] if words else pathlib.Path(__file__).resolve().parents[2])
    names = tracked(root)
    every, lines = measure(root, names)
    if "--list" in sys.argv:
        for n, place, head in every[:40]:
            print(n, place, head)
        for folder, n in sorted(folders(names).items(), key=lambda f: -f[1])[:8]:
            print(n, "files in", folder)
        print("median:", statistics.median(lines.values()), "lines")
    faults = excess(names, every, lines)
    for fault in faults:
        print(f"failed: {fault}")
    print(f"{len(lines) + len(every)} passed, {len(faults)} failed, 0 skipped")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
