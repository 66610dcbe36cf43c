#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs the examples and checks what they do.

examples.py --programs DIR   the folder with the built examples
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Failed, run, run_checks


def build_farm(programs, top):
    """Two sources compile; one has an error, and one would read its neighbour's directory."""
    sources = {"good.c": "int good(void) { return 1; }", "other.c": "int other(void) { return 2; }",
               "wrong.c": "int wrong(void) { return }", "nosy.c": f'#include "{top}/farm/1/good.c"\n'}
    for name, text in sources.items():
        (top / name).write_text(text + "\n", encoding="utf-8")
    said = run(programs / "build_farm", top / "farm", *(top / name for name in sources))
    for wanted in ("   2 exited 0", "   2 exited 1", "wrong.c", "nosy.c"):
        if wanted not in said:
            raise Failed(f"{wanted!r} is not in {said!r}")
    if not (top / "farm/1/object.o").exists() or (top / "farm/4/object.o").exists():
        raise Failed("the wrong objects exist")
    run("cc", "-c", top / "nosy.c", "-o", top / "control.o")  # without cordon it compiles


def plugin_host(programs, top):
    """What the plug-in's policy grants beyond the ceiling is printed, and not granted."""
    secret = top / "secret"
    secret.write_text("secret\n", encoding="utf-8")
    policy = top / "plugin.policy"
    policy.write_text(f"level process_exec\nrun /usr\nread {top}\nnetwork none\nabilities spawn\n", encoding="utf-8")
    said = run(programs / "plugin_host", policy, "/usr/bin/cat", secret, status=1)
    if f"not granted: {top}" not in said or "secret\n" in said.replace(f"{secret}\n", ""):
        raise Failed(said)
    if not run(programs / "plugin_host", policy, "/usr/bin/echo", "started").endswith("started\n"):
        raise Failed("an allowed program did not run")


def ceilings(programs, top):
    """What a policy allows beyond the ceiling is printed in words, and is not in what is left."""
    texts = {"ceiling": "network any\nwrite /srv\nlimit memory 512MiB\n", "within": "read /srv/app\nlimit memory 256MiB\n",
             "beyond": "write /srv\nread /etc\nlimit memory 1GiB\n"}
    for name, text in texts.items():
        (top / name).write_text("only\n" + text, encoding="utf-8")
    said = run(programs / "ceilings", top / "ceiling", top / "within", top / "beyond", status=1)
    left = said.partition("what is left of it:\n")[2]
    for wanted in (f"{top}/within: within the ceiling", f"{top}/beyond: beyond the ceiling", "/etc", "1GiB"):
        if wanted not in said:
            raise Failed(f"{wanted!r} is not in {said!r}")
    if "/etc" in left or f"limit memory {512 << 20}" not in left or "/srv" not in left:
        raise Failed(f"what is left: {left!r}")


def policy_editor(programs, top):
    """Paths are explained by the line that decides; an error has its position."""
    policy = top / "policy"
    policy.write_text("level process_exec\nrun /usr\nwrite /srv\nhide /srv/keys\n", encoding="utf-8")
    said = run(programs / "policy_editor", policy, "/usr/bin/cc", "/srv/app/x", "/srv/keys/k", "/home")
    wanted = ["/usr/bin/cc: read list run, by line 2", "/srv/app/x: read list run write create remove attributes, by line 3",
              "/srv/keys/k: nothing, by line 4", "/home: nothing, by no line"]
    if said.splitlines() != wanted:
        raise Failed(said)
    policy.write_text("level process_exec\nwriite /srv\n", encoding="utf-8")
    said = run(programs / "policy_editor", policy, status=1)
    if not said.startswith(f"{policy}:2:1: ") or "wriite" not in said:
        raise Failed(said)


def policy_tests(programs, _):
    """The checks of the policy hold on all systems."""
    run(programs / "policy_tests")


def shell_tool(programs, top):
    """Calls get their output and outcome, in order; what the policy forbids does not happen, and time limits hold."""
    work, secret = top / "work", top / "secret"
    work.mkdir()
    secret.write_text("secret\n", encoding="utf-8")
    policy = top / "policy"
    policy.write_text(f"only\nrun /usr\nwrite {work}\nabilities spawn\nlimit timeout 20s\n", encoding="utf-8")
    calls = [{"argv": ["/usr/bin/tee", "kept"], "input": "text\n"}, {"argv": ["/usr/bin/cat", str(secret)]},
             {"argv": ["/usr/bin/sleep", "60"], "seconds": 1}, {"argv": ["/usr/bin/true"], "seconds": 0}, {"argv": []}]
    said = run(programs / "shell_tool", policy, work, input="".join(json.dumps(call) + "\n" for call in calls), timeout=50)
    lines = [json.loads(line) for line in said.splitlines()]
    ends = [(line["ended"], line["status"]) for line in lines if "ended" in line]
    if ends != [("exited", 0), ("exited", 1), ("timed_out", 124), ("refused", 125)] or {"out": "text\n"} not in lines:
        raise Failed(said)
    if (work / "kept").read_text(encoding="utf-8") != "text\n" or "secret\\n" in said or "seconds is 0" not in said:
        raise Failed(said)
    run("cat", secret)  # without cordon it can be read


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    programs = parser.parse_args().programs
    examples = [build_farm, ceilings, plugin_host, policy_editor, policy_tests, shell_tool]
    return run_checks({e.__name__: lambda scratch, example=e: example(programs, scratch) for e in examples})


if __name__ == "__main__":
    sys.exit(main())
