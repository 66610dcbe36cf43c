#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that the pages are complete and readable.

pages.py [--cordon FILE]              exit 1 and one line for each fault; without the tool nothing is said of its options
pages.py --self-test [--cordon FILE]  plants a fault for each check: each must be found

gaps       each gap ID in the code has an entry in include/cordon/backend/README.md, and each entry is an ID of the code
options    each command and option of `cordon --help` has an entry in shims/cli/README.md, and each entry is in the help
links      what a page links to exists, with its heading
front      README.md has at most 130 lines of at most 110 columns
sentences  have at most 25 words; a span of code is one word
files      that a page names exist
words      say who acts: no `somebody`, `nobody`, `whoever`, `everybody`
"""
import argparse
import pathlib
import re
import subprocess
import sys

from samples import TREE, pages_of

GAP_PAGE = "include/cordon/backend/README.md"
OPTION_PAGE = "shims/cli/README.md"
MECHANISMS = ("landlock seccomp namespaces bubblewrap container seatbelt appcontainer unveil wasi "
              "tree network sockets core stdio files policy project service guard session").split()
# A string that starts as an ID does, and one that follows the kind of a gap.
IDS = re.compile(r'"((?:%s)\.[a-z_]+)(?=[:"])' % "|".join(MECHANISMS))
STATED = re.compile(r'\b(?:tightened|unenforced),\s*"([a-z]+\.[a-z_]+)')
ENTRY = re.compile(r"^- `([a-z]+\.[a-z_]+)[`:]", re.M)
# A C++ or Python source of this tree: no header of a library, no pattern.
SOURCE = re.compile(r"(?<![\w<./-])(?!boost/)((?:\.\./|[a-z_0-9]+/)*[a-z_0-9]+\.(?:[hc]pp|py))\b")
MOST_WORDS = 25


def gaps_of_code(tree):
    found = set()
    for top in ("include/cordon", "shims"):
        for path in (tree / top).rglob("*.[hc]pp"):
            if path.name == "reasons.hpp":  # IDs of refusals
                continue
            text = re.sub(r"^\s*#include.*|//.*", "", path.read_text(encoding="utf-8"), flags=re.M)
            found |= set(IDS.findall(text)) | set(STATED.findall(text))
    return found


def check_gaps(page, code):
    listed = ENTRY.findall(page)
    faults = [f"{gap}: the code has this gap, {GAP_PAGE} does not" for gap in sorted(code - set(listed))]
    faults += [f"{gap}: {GAP_PAGE} has this gap, the code does not" for gap in sorted(set(listed) - code)]
    faults += [f"{gap}: {GAP_PAGE} has two entries" for gap in sorted(set(listed)) if listed.count(gap) > 1]
    return faults


def help_of(cordon, *command):
    return subprocess.run([str(cordon), *command, "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=True).stdout


def options_of_tool(cordon):
    """{command: options} as the tool's own help lists them."""
    commands = re.findall(r"^  ([a-z-]+) {2,}", help_of(cordon).split("Subcommands:")[1], re.M)
    return {command: set(re.findall(r"--[a-z][a-z-]*", help_of(cordon, command))) - {"--help"} for command in commands}


def options_of_page(page):
    """{command: options} as the sections `### cordon COMMAND` list them, in tables and in text."""
    sections = re.split(r"^### `cordon ([a-z-]+)[^`\n]*`\n", page, flags=re.M)
    listed = {}
    for command, text in zip(sections[1::2], sections[2::2]):
        text = re.split(r"^##? ", text, flags=re.M)[0]
        spans = re.findall(r"`([^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
        listed[command] = set(re.findall(r"(?:^|\s)(--[a-z][a-z-]*)", " ".join(spans)))
    return listed


def check_options(page, tool):
    listed = options_of_page(page)
    faults = [f"cordon {command}: {OPTION_PAGE} has no section" for command in sorted(tool.keys() - listed.keys())]
    faults += [f"cordon {command}: no such command" for command in sorted(listed.keys() - tool.keys())]
    every = set().union(*tool.values())
    for command in sorted(tool.keys() & listed.keys()):
        faults += [f"cordon {command} {option}: not in {OPTION_PAGE}" for option in sorted(tool[command] - listed[command])]
        faults += [f"cordon {command} {option}: no such option" for option in sorted(listed[command] - every)]
    return faults


def prose(text):
    """A page without its code: fenced blocks, comments, tables. Code spans become a word."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^\|.*$", "", text, flags=re.M)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`", "CODE", text)


def anchors_of(text):
    names = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M):
        names.add(re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-"))
    return names


def check_links(name, text, tree):
    faults = []
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (tree / name).parent / path if path else tree / name
        if not file.exists():
            faults.append(f"{name}: {target} does not exist")
        elif anchor and anchor not in anchors_of(file.read_text(encoding="utf-8")):
            faults.append(f"{name}: {path or 'this page'} has no heading for #{anchor}")
    return faults


def check_front(text):
    lines = text.splitlines()
    faults = [f"README.md: {len(lines)} lines, at most 130"] if len(lines) > 130 else []
    return faults + [f"README.md:{number}: {len(line)} columns, at most 110" for number, line in enumerate(lines, 1)
                     if len(line) > 110]


def check_sentences(name, text):
    faults = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=#)", prose(text)):
        for sentence in re.split(r"(?<=[.!?:;])\s+", " ".join(paragraph.split())):
            count = len(re.findall(r"[A-Za-z0-9][\w'/.-]*", sentence))
            if count > MOST_WORDS:
                faults.append(f"{name}: {count} words, at most {MOST_WORDS}: {sentence}")
    return faults


def check_words(name, text):
    return [f"{name}: `{word}`: name the caller, the kernel, the program or another process"
            for word in re.findall(r"\b(?:some|no|every)body\b|\bwhoever\b", prose(text), re.I)]


def check_files(name, text, files):
    """Sources that a page names are in the tree; `files` are their names without folders."""
    return [f"{name}: {file} is no file of the tree" for file in sorted(set(SOURCE.findall(text)))
            if file.rsplit("/", 1)[-1] not in files]


def sources_of(tree):
    return {path.name for top in ("include", "shims", "test", "bench") for path in (tree / top).rglob("*.*")}


def check_page(name, text, files):
    return (check_links(name, text, TREE) + check_sentences(name, text) + check_words(name, text)
            + check_files(name, text, files))


def self_test(cordon):
    gaps = gaps_of_code(TREE)
    page = (TREE / GAP_PAGE).read_text(encoding="utf-8")
    long = "word " * (MOST_WORDS + 1) + "."
    seeds = {
        "a gap without an entry": check_gaps(page.replace("- `landlock.proc`", "- `landlock`"), gaps),
        "an entry without a gap": check_gaps(page + "\n- `landlock.unknown`: text\n", gaps),
        "two entries": check_gaps(page + "\n- `landlock.proc`: text\n", gaps),
        "a link to nothing": check_links("README.md", "[a](no/such/file.md)", TREE),
        "a link to no heading": check_links("README.md", "[a](README.md#no-such-heading)", TREE),
        "a front page that is too long": check_front("\n" * 131),
        "a line that is too wide": check_front("x" * 111),
        "a long sentence": check_sentences("page", long),
        "a long sentence in a list": check_sentences("page", "- short\n- " + long),
        "a source that does not exist": check_files("page", "Start with `no_such_file.hpp`.", sources_of(TREE)),
        "a word": check_words("page", "Nobody knows."),
    }
    if cordon:
        tool, text = options_of_tool(cordon), (TREE / OPTION_PAGE).read_text(encoding="utf-8")
        seeds |= {
            "an option that is missing": check_options(text.replace("`--accept-gap", "`"), tool),
            "an option that does not exist": check_options(text.replace("`--accept-gap", "`--no-such-option` `--accept-gap"), tool),
            "a command that is missing": check_options(text.replace("### `cordon doctor", "### `cordon"), tool),
            "a command that does not exist": check_options(text.replace("### `cordon doctor", "### `cordon no-such"), tool),
        }
    missed = [name for name, faults in seeds.items() if not faults]
    for name in missed:
        print(f"failed: {name} was not found")
    print(f"{len(seeds) - len(missed)} passed, {len(missed)} failed, 0 skipped")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cordon", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    cordon = options.cordon.resolve() if options.cordon else None
    if options.self_test:
        return self_test(cordon)
    pages = {name: (TREE / name).read_text(encoding="utf-8") for name in pages_of(TREE)}
    faults = check_gaps(pages[GAP_PAGE], gaps_of_code(TREE)) + check_front(pages["README.md"])
    if cordon:
        faults += check_options(pages[OPTION_PAGE], options_of_tool(cordon))
    files = sources_of(TREE)
    for name, text in pages.items():
        faults += check_page(name, text, files)
    for fault in faults:
        print(f"failed: {fault}")
    print(f"{len(pages)} passed, 0 failed, 0 skipped" if not faults else f"{len(pages)} passed, {len(faults)} failed, 0 skipped")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
