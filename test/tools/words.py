#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Looks in comments, messages, names of tests and documents for habits of style that hide the actor or the fact.
`words.txt` beside it lists the sentences that keep such a word, each with its reason.

words.py [--self-test] [FILE...]   without files: all that are tracked"""
import ast
import os
import re
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OFF_LIST = "test/tools/words.txt"
LARGEST_OFF_LIST = 40

# A pattern, and what to write.
HABITS = (
    (r"[Nn]obody|[Ss]omebody|[Ww]hoever|[Ee]verybody|[Aa]nybody", "name the actor: the caller, the kernel, another process"),
    (r"(?:that|which|what) (?:is|are) none|(?:is|are) none(?= [a-z]*[;,.]|$)", "invalid, missing, not supported"),
    (r"to be had|what there is", "available, missing, not supported"),
    (r"is told|are told|(?:was|were|be|been) told|tells|asks|is asked|are asked|wants", "objects return, check, list, report"),
    (r"stands? (?:in|on|for|behind|beside|around)", "is, lies, is located, represents"),
    (r"by way of", "through, by"),
    (r"sees? to it|has to do with|goes? on with", "ensures, concerns, continues"),
)
COMMENT = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|(//[^\n]*|/\*.*?\*/)', re.S)


def cpp_lines(text):
    """The lines of the comments and sentences of a C++ file, with their numbers."""
    for found in COMMENT.finditer(text):
        if found.group(2) or is_sentence(found.group(0)):
            first = text.count("\n", 0, found.start()) + 1
            for i, line in enumerate(found.group(0).split("\n")):
                yield first + i, line


def is_sentence(literal):
    """Is a string literal prose, with three plain words, rather than data or a command with an option?"""
    words = re.findall(r"(?<![\w/.$-])[A-Za-z]{2,}(?=[ ,.;:?!\"'])", literal)
    return len(words) >= 3 and not re.match(r"\W*[\w./]+ -\w", literal)


def prose_lines(text):
    """The lines of a document that are no code, with their numbers."""
    code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code:
            yield number, line


def python_lines(text):
    """The lines of the comments, docstrings and other sentences of a Python file, with their numbers."""
    yield from hash_lines(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_sentence(node.value):
            for i, line in enumerate(node.value.split("\n")):
                yield node.lineno + i, line


def hash_lines(text):
    """The comments of a shell or Meson file that take a line of their own."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("#") and not line.startswith("#!"):
            yield number, line


READERS = {".hpp": cpp_lines, ".cpp": cpp_lines, ".c": cpp_lines, ".md": prose_lines, ".py": python_lines,
           "meson.build": hash_lines}


def habits_in(line):
    plain = re.sub(r"`[^`]*`", "", line)
    return [(found.group(0), better) for habit, better in HABITS for found in [re.search(rf"\b(?:{habit})\b", plain)] if found]


def findings(name, text, allowed):
    reader = next((r for end, r in READERS.items() if name.endswith(end)), None)
    for number, line in reader(text) if reader else ():
        for word, better in habits_in(line):
            if not any(part in line for part in allowed):
                yield f"{name}:{number}: '{word}': {better}: {line.strip()}"


def off_list(text):
    """Lines of `text that is kept | reason`."""
    rows = [line.split(" | ", 1) for line in text.splitlines() if line and not line.startswith("#")]
    bad = [row for row in rows if len(row) != 2 or len(row[0]) < 8 or not row[1].strip()]
    return [row[0] for row in rows], [f"{OFF_LIST}: a row without text or reason: {row}" for row in bad]


PLANTED = (
    ("x.hpp", "/// Whoever opens it may read it."), ("x.hpp", "// nobody else can see this"),
    ("x.hpp", "// a pattern that is none is an error"), ("x.hpp", "/// no namespace is to be had here"),
    ("x.hpp", "// the caller is told of it"), ("x.hpp", "// the kernel asks for a name"),
    ("x.hpp", "// what stands in the table"), ("x.hpp", "// reached by way of a link"),
    ("x.hpp", "// The mount sees to it."), ("x.hpp", "/// for somebody who reads it"),
    ("x.cpp", 'TEST_CASE("links: nobody follows a link") {'), ("x.cpp", 'SUBCASE("where nobody looks at it") {}'),
    ("x.cpp", 'throw refused("the program asks for a port");'),
    ("x.cpp", 'constexpr std::string_view why = R"(the caller is told of it)";'),
    ("x.py", '"""Whoever starts it may read it."""'),
    ("x.py", 'def f():\n    """Returns a path.\n\n    What stands in the table is kept."""'),
    ("x.py", 'check("a link that nobody follows", [])'), ("x.py", 'raise Fault(f"{path}: what there is of it")'),
)
PLAIN = (
    ("x.hpp", "// user `nobody` reads it"), ("x.hpp", "/// The kernel refuses a second name (EPERM)."),
    ("x.hpp", 'f("nobody asks"); // read once'), ("x.cpp", 'TEST_CASE("links: a dangling link is refused") {'),
    ("x.cpp", 'shell("su -s /bin/sh nobody -c id");'), ("x.py", 'run(["id", "-u", "nobody"])'),
    ("x.py", '"""Returns the names of all links."""'), ("x.py", 'owner = "nobody"  # as a name'),
)


def self_test():
    missed = [text for name, text in PLANTED if not list(findings(name, text, []))]
    false = [text for name, text in PLAIN if list(findings(name, text, []))]
    for text in missed + false:
        print("the check is wrong about:", text)
    return len(PLANTED) + len(PLAIN), len(missed) + len(false)


def main():
    passed, failed = self_test()
    names = [a for a in sys.argv[1:] if a != "--self-test"]
    if not names and "--self-test" not in sys.argv:
        names = subprocess.run(["git", "-C", TOP, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    with open(os.path.join(TOP, OFF_LIST)) as file:
        allowed, problems = off_list(file.read())
    if len(allowed) > LARGEST_OFF_LIST:
        problems.append(f"{OFF_LIST} has {len(allowed)} rows, at most {LARGEST_OFF_LIST} are allowed")
    for name in names:
        if name.endswith(tuple(READERS)) and name != "test/tools/words.py":
            with open(os.path.join(TOP, name) if not os.path.isabs(name) else name, encoding="utf-8", errors="replace") as file:
                found = list(findings(name, file.read(), allowed))
            problems += found
            passed += not found
    print("\n".join(problems))
    print(f"{passed - failed} passed, {failed + len(problems)} failed, 0 skipped")
    return 1 if failed or problems else 0


if __name__ == "__main__":
    sys.exit(main())
