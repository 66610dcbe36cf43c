#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs what the pages show, and compares what they print.

samples.py --cordon FILE [--compiler CXX...] [--build DIR] [--only TEXT] [PAGE...]   all README.md and .github/*.md
samples.py --output NAME LOG       does LOG end as the block below `<!-- output: NAME -->` in README.md says?
samples.py --self-test --cordon FILE [--compiler CXX...] [--build DIR]   breaks a sample of each kind: each must be found

A page runs from top to bottom in one scratch project, a copy of project/ with a repository. Its blocks:

  ```sh       with `$ COMMAND` lines: a transcript. The lines below a command are its output, stdout and stderr. `...` is
              any number of lines, `<word>` any text in a line; /srv/project is the project and /home/user the home.
              Without such lines: a script, of which each command must end with 0.
  ```policy   `cordon check` accepts it.
  ```json     the same.
  ```cpp      compiles as it stands; what has a main is linked and run, and must end with 0.
  ```c        compiles as C99; what has a main is linked with the C interface and run, and must end with 0.
  ```python   runs with the Python module, and must end with 0.
  ```text, ```meson, ```yaml   nothing is run.

A comment directly before a block changes that:

  <!-- file: NAME -->      writes the block to that file as well
  <!-- refused: TEXT -->   `cordon check` refuses it with TEXT
  <!-- command: NAME -->   .ci/run runs it; <!-- output: NAME --> is its output
  <!-- not run: REASON --> the block cannot run, for that reason
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
SHOWN = {"project": "/srv/project", "home": "/home/user"}
LANGUAGES = ("sh", "policy", "json", "cpp", "c", "python", "text", "meson", "cmake", "yaml")
MARK = "--- end of the command ---"
FENCE = re.compile(r"^```(.*)$")
COMMENT = re.compile(r"^<!-- ([a-z ]+): ?(.*) -->$")
LONGEST = 300  # seconds for one block


class Wrong(Exception):
    pass


class Block:
    def __init__(self, page, line, language, note):
        self.page, self.line, self.language, self.note = page, line, language, note
        self.lines = []

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)

    def __str__(self):
        return f"{self.page}:{self.line}"


def blocks_of(name, text):
    """The fenced blocks of a page, each with (kind, words) of the comment before it, or None."""
    blocks, open_block, note = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if open_block is not None:
            if fence:
                open_block = None
            else:
                open_block.lines.append(line)
            continue
        if fence:
            open_block = Block(name, number, fence[1], note)
            blocks.append(open_block)
            note = None
            continue
        comment = COMMENT.match(line)
        note = (comment[1], comment[2].strip()) if comment else None
    if open_block is not None:
        raise Wrong(f"{open_block}: the block has no end")
    return blocks


def pattern_of(line):
    """A regular expression for a line of output with placeholders."""
    pieces = re.split(r"(<[a-z][a-z ]*>)", line.rstrip())
    return "".join(".+" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces))


def agrees(wanted, printed):
    """Do the printed lines agree with the expected ones, in which `...` matches any number of lines?"""
    if not wanted:
        return not printed
    if wanted[0].strip() == "...":
        return any(agrees(wanted[1:], printed[skip:]) for skip in range(len(printed) + 1))
    return bool(printed) and re.fullmatch(pattern_of(wanted[0]), printed[0].rstrip()) is not None \
        and agrees(wanted[1:], printed[1:])


def differ(wanted, printed):
    return "\n".join(["  expected:", *("    " + line for line in wanted), "  printed:", *("    " + line for line in printed)])


def transcript(lines):
    """(command, output) for each `$` line; a command goes on behind a backslash at the end of a line."""
    steps, continued = [], False
    for line in lines:
        if continued:
            steps[-1][0].append(line)
        elif line.startswith("$ "):
            steps.append(([line[2:]], []))
        elif steps:
            steps[-1][1].append(line)
        else:
            raise Wrong("output stands before the first command")
        if continued or line.startswith("$ "):
            continued = line.endswith("\\")
    return [("\n".join(command), output) for command, output in steps]


class Scratch:
    """A project, a home and a PATH with the tool."""

    def __init__(self, options):
        self.options = options
        # Not $TMPDIR: the order of paths in canonical output must be that of the names shown.
        self.top = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
        self.project, self.home = self.top / "project", self.top / "home"
        shutil.copytree(HERE / "project", self.project)
        self.home.mkdir()
        (self.top / "bin").mkdir()
        (self.top / "bin" / "cordon").symlink_to(options.cordon.resolve())
        self.environment = {"PATH": f"{self.top}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.home),
                            "LC_ALL": "C.UTF-8", "USER": "user"}
        self.call("git init -q -b main . && git add . && git -c user.name=user -c user.email=user@host commit -qm 'A project'")
        self.call("cordon run -- true")  # prints what each user is told once a day

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)

    def hidden(self, text):
        for name, shown in SHOWN.items():
            text = text.replace(shown, str(self.top / name))
        return text

    def shown(self, text):
        for name, shown in SHOWN.items():
            text = text.replace(str(self.top / name), shown)
        return text

    def call(self, script, stdin=None):
        """The exit status and what a script prints."""
        done = subprocess.run(["bash", "-c", script], cwd=self.project, env=self.environment, text=True, errors="replace",
                              stdin=subprocess.DEVNULL if stdin is None else None, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LONGEST, check=False)
        return done.returncode, self.shown(done.stdout)

    def run_sh(self, block):
        if not any(line.startswith("$ ") for line in block.lines):
            status, printed = self.call("set -e -o pipefail\n" + self.hidden(block.text))
            if status:
                raise Wrong(f"ended with {status}:\n{printed}")
            return
        steps = transcript(block.lines)
        mark = f"__status=$?; printf '\\n%s\\n' '{MARK}'; (exit $__status)\n"
        _, printed = self.call("".join(f"{self.hidden(command)}\n{mark}" for command, _ in steps))
        parts = printed.split(f"\n{MARK}\n")
        if len(parts) != len(steps) + 1:
            raise Wrong(f"the shell stopped:\n{printed}")
        for (command, wanted), part in zip(steps, parts):
            got = part.splitlines()
            if not agrees(wanted, got):
                raise Wrong(f"$ {command}\n{differ(wanted, got)}")

    def run_policy(self, block):
        ending = "json" if block.language == "json" else "policy"
        file = self.project / f"sample.{ending}"
        file.write_text(self.hidden(block.text), encoding="utf-8")
        status, printed = self.call(f"cordon check {file.name}")
        file.unlink()
        kind, words = block.note or ("", "")
        if kind == "refused":
            if status != 2 or words not in printed:
                raise Wrong(f"`cordon check` must refuse it with `{words}`, but ended with {status}:\n{printed}")
        elif status:
            raise Wrong(f"`cordon check` ended with {status}:\n{printed}")

    def run_cpp(self, block):
        source, program = self.top / "sample.cpp", self.top / "sample"
        source.write_text(block.text, encoding="utf-8")
        has_main = re.search(r"\bint main\(|IMPLEMENT_WITH_MAIN", block.text)
        command = [*self.options.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{TREE / 'include'}", str(source)]
        command += [*self.options.link, "-o", str(program)] if has_main else ["-fsyntax-only"]
        self.compile_and_run(command, program if has_main else None)

    def compile_and_run(self, command, program):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST, check=False)
        if done.returncode:
            raise Wrong(f"it does not compile:\n{done.stdout[:4000]}")
        if program:
            status, printed = self.call(str(program))
            if status:
                raise Wrong(f"it ended with {status}:\n{printed}")

    def run_c(self, block):
        source, program = self.top / "sample.c", self.top / "sample"
        source.write_text(self.hidden(block.text), encoding="utf-8")
        command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{TREE / 'include'}", str(source)]
        if not re.search(r"\bint main\(", block.text):
            return self.compile_and_run([*command, "-fsyntax-only"], None)
        folder = self.options.library.parent
        return self.compile_and_run([*command, f"-L{folder}", "-lcordon", f"-Wl,-rpath,{folder}", "-o", str(program)], program)

    def run_python(self, block):
        source = self.top / "sample.py"
        source.write_text(self.hidden(block.text), encoding="utf-8")
        status, printed = self.call(f"CORDON_LIBRARY={self.options.library} PYTHONPATH={TREE / 'shims/python'} "
                                    f"PYTHONDONTWRITEBYTECODE=1 python3 {source}")
        if status:
            raise Wrong(f"it ended with {status}:\n{printed}")

    def run(self, block):
        if block.note and block.note[0] == "file":
            target = self.project / block.note[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.hidden(block.text), encoding="utf-8")
        runner = {"sh": self.run_sh, "policy": self.run_policy, "json": self.run_policy, "cpp": self.run_cpp}
        if self.options.library:
            runner |= {"c": self.run_c, "python": self.run_python}
        if block.language not in runner:
            return False
        runner[block.language](block)
        return True


def check_block(block):
    """What is wrong with a block as such; and is it left out, for a reason that it gives?"""
    if block.language not in LANGUAGES:
        raise Wrong(f"language `{block.language}`: use one of {' '.join(LANGUAGES)}")
    kind, words = block.note or ("", "")
    if kind not in ("", "file", "refused", "command", "output", "not run"):
        raise Wrong(f"unknown comment `{kind}`")
    if kind and not words:
        raise Wrong(f"the comment `{kind}` has no {'reason' if kind == 'not run' else 'words'}")
    if block.language in ("text", "meson", "yaml", "") and any(line.startswith("$ ") for line in block.lines):
        raise Wrong("it looks like a transcript: use sh")
    return kind in ("not run", "command", "output")


def run_page(name, text, options):
    """(passed, failures, left out) of a page."""
    passed, failures, left_out = 0, [], []
    try:
        blocks = blocks_of(name, text)
    except Wrong as fault:
        return 0, [str(fault)], []
    scratch = None
    try:
        for block in blocks:
            if options.only and options.only not in str(block):
                continue
            try:
                if check_block(block):
                    if block.note[0] == "not run":
                        left_out.append(f"{block}: {block.note[1]}")
                    continue
                scratch = scratch or Scratch(options)
                passed += scratch.run(block)
            except subprocess.TimeoutExpired:
                failures.append(f"{block}: takes more than {LONGEST} seconds")
            except Wrong as fault:
                failures.append(f"{block}: {fault}")
    finally:
        if scratch:
            scratch.close()
    return passed, failures, left_out


def link_words(build):
    """What the compiler needs to link the launcher of a build folder."""
    environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled")}
    done = subprocess.run(["pkg-config", "--cflags", "--libs", "--static", "cordon-shims"], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"samples: pkg-config: {done.stdout}")
    return done.stdout.split()


def pages_of(tree):
    """Every page of the repository."""
    listed = subprocess.run(["git", "-C", str(tree), "ls-files", "-co", "--exclude-standard", "*README.md", ".github/*.md"],
                            stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    if not listed:  # not a clone
        listed = [str(page.relative_to(tree)) for page in tree.rglob("*.md") if not str(page.relative_to(tree)).startswith("build")]
    return sorted(page for page in listed if (tree / page).is_file())


BROKEN = {
    "output of a command": "```sh\n$ echo one\ntwo\n```\n",
    "output that is missing": "```sh\n$ echo one\n```\n",
    "output that is too much": "```sh\n$ true\none\n```\n",
    "a script's status": "```sh\nfalse\n```\n",
    "a policy": "```policy\nreed /usr\n```\n",
    "a policy that must be refused": "<!-- refused: unknown word -->\n```policy\nread /usr\n```\n",
    "a refusal's text": "<!-- refused: no such text -->\n```policy\nreed /usr\n```\n",
    "JSON": "```json\n{\"cordon\": 1, \"file\": []}\n```\n",
    "C++ that does not compile": "```cpp\n#include <cordon.hpp>\nint i = \"text\";\n```\n",
    "C++ that a static_assert stops": "```cpp\n#include <cordon.hpp>\nstatic_assert(cordon::right::read == cordon::right::list);\n```\n",
    "C++ whose main fails": "```cpp\nint main() { return 1; }\n```\n",
    "C that does not compile": "```c\n#include <cordon.h>\nint i = \"text\";\n```\n",
    "C whose main fails": "```c\n#include <cordon.h>\nint main(void) { return cordon_api_version() + 1; }\n```\n",
    "Python that fails": "```python\nimport cordon\ncordon.Policy.parse('reed /usr')\n```\n",
    "a reason": "<!-- not run: -->\n```sh\nfalse\n```\n",
    "a language": "```\n$ false\n```\n",
    "a transcript as text": "```text\n$ false\n```\n",
    "a block without an end": "```sh\ntrue\n",
    "an unknown comment": "<!-- never run: why -->\n```sh\ntrue\n```\n",
}
WHOLE = {
    "a transcript": "```sh\n$ echo one two; echo three; echo four\none <word>\n...\nfour\n$ pwd\n/srv/project\n```\n",
    "a status": "```sh\n$ false\n$ echo $?\n1\n```\n",
    "a file": "<!-- file: a.policy -->\n```policy\nread /usr\n```\n```sh\n$ cordon within a.policy a.policy\n```\n",
    "a refusal": "<!-- refused: unknown word -->\n```policy\nreed /usr\n```\n",
    "C++": "```cpp\n#include <cordon.hpp>\nint main() { return 0; }\n```\n",
    "C": "```c\n#include <cordon.h>\nint main(void) { return cordon_api_version(); }\n```\n",
    "Python": "```python\nimport cordon\ncordon.Policy.parse('read /usr')\n```\n",
    "a block that is not run": "<!-- not run: it needs two machines -->\n```sh\nfalse\n```\n",
}


def self_test(options):
    failed = left_out = 0
    for wanted, pages in ((True, WHOLE), (False, BROKEN)):
        for name, text in pages.items():
            if not options.library and re.search("^```(c|python)$", text, re.M):
                left_out += 1
                continue
            failures = run_page("page", text, options)[1]
            if bool(failures) == wanted:
                failed += 1
                print(f"failed: {name}: {'; '.join(failures) if failures else 'its fault was not found'}")
    print(f"{len(WHOLE) + len(BROKEN) - failed - left_out} passed, {failed} failed, {left_out} skipped")
    return 1 if failed else 0


def compare_output(name, log):
    """The last lines of a log against the block of README.md that shows them."""
    text = (TREE / "README.md").read_text(encoding="utf-8")
    wanted = [block for block in blocks_of("README.md", text) if block.note == ("output", name)]
    if len(wanted) != 1:
        print(f"README.md has no block after <!-- output: {name} -->")
        return 1
    printed = pathlib.Path(log).read_text(encoding="utf-8", errors="replace").replace(str(TREE), SHOWN["project"]).splitlines()
    if agrees(["..."] + wanted[0].lines, printed):
        return 0
    print(f"README.md shows another output for the command `{name}`:\n{differ(wanted[0].lines, printed[-len(wanted[0].lines) - 5:])}")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cordon", type=pathlib.Path, default=TREE / "build" / "cordon")
    parser.add_argument("--compiler", nargs="+", default=["g++"])
    parser.add_argument("--build", type=pathlib.Path, help="a build folder whose launcher C++ samples are linked with")
    parser.add_argument("--only", default="", help="blocks whose PAGE:LINE contains this")
    parser.add_argument("--output", nargs=2, metavar=("NAME", "LOG"))
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("page", nargs="*")
    options = parser.parse_args()
    if options.output:
        return compare_output(*options.output)
    options.link = link_words(options.build.resolve()) if options.build else []
    library = options.build.resolve() / "shims" / "libcordon.so" if options.build else None
    options.library = library if library and library.exists() else None
    if options.self_test:
        return self_test(options)
    passed, failed = 0, 0
    left_out = []
    for page in options.page or pages_of(TREE):
        good, failures, reasons = run_page(page, (TREE / page).read_text(encoding="utf-8"), options)
        passed, failed = passed + good, failed + len(failures)
        left_out += reasons
        for failure in failures:
            print(f"failed: {failure}")
    for reason in left_out:
        print(f"not run: {reason}")
    print(f"{len(left_out)} blocks are not run, each with its reason")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
