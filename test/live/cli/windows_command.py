#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the output of the Windows command line, under wine, with that of Linux, byte for byte: canonical forms,
meets, excesses, rules of every backend, answers, refusals, exit statuses. Also checks what only runs show: limits,
streams, reports.

windows_command.py --linux CORDON --vectors DIR -- WINE CORDON.EXE
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.results import Results

BACKENDS = "linux landlock seccomp namespaces bubblewrap container seatbelt appcontainer unveil wasi".split()


def run(words, arguments, where, **variables):
    """Into files: wine's own processes keep pipes open for seconds."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        status = subprocess.run(words + arguments, cwd=where, stdout=out, stderr=err, stdin=subprocess.DEVNULL, timeout=120,
                                env={**os.environ, **variables}).returncode
        for file in (out, err):
            file.seek(0)
        return status, out.read().decode(errors="replace"), err.read().decode(errors="replace")


def documents(file):
    """Every document of the vectors as text."""
    for row in json.loads(pathlib.Path(file).read_text(encoding="utf-8"))["cases"]:
        for document in row.get("documents", [row["document"]] if "document" in row else []):
            yield document if isinstance(document, str) else json.dumps(document)


def same(results, options, where, arguments, answers=True):
    one, other = run(options.linux, arguments, where), run(options.windows, arguments, where)
    if not answers:  # what is told depends on the host: its home, its spelling of a directory
        one, other = one[:1], other[:1]
    results.check(" ".join(arguments)[:80], [] if one == other else [f"linux: {one}, windows: {other}"])
    return one


def compare(results, options, where):
    exact = []
    texts = [text for name in ("cordon", "harn") for text in documents(options.vectors / f"{name}_documents.json")]
    for number, text in enumerate(texts):
        file = where / f"{number}.json"
        file.write_text(text, encoding="utf-8")
        status = same(results, options, where, ["check", file.name], answers=False)[0]
        if status != 0:
            continue
        # As exact notation a policy is the same on every host.
        file = where / f"{number}.policy"
        file.write_text(run(options.linux, ["check", f"{number}.json"], where)[1], encoding="utf-8")
        exact.append(file.name)
    results.check("documents", [] if len(exact) > 20 else ["too few"])
    same(results, options, where, ["check"] + exact)
    for name in exact:
        same(results, options, where, ["check", "--json", name])
    for one, other in zip(exact, exact[1:]):
        same(results, options, where, ["meet", one, other])
        same(results, options, where, ["within", "--json", one, other])
    for name in exact[::6]:
        for backend in BACKENDS:
            same(results, options, where, ["compile", "--backend", backend, name])
        for question in (["--path", "/srv/job/x", "--right", "write"], ["--url", "https://example.com/x"], ["--syscall", "ptrace"]):
            same(results, options, where, ["explain", name] + question)
    (where / "bad.policy").write_text("allow nonsense\n", encoding="utf-8")
    for arguments in (["check", "bad.policy"], ["check", "none"], ["nonsense"], ["compile", "--backend", "nonsense", exact[0]], ["schema"], []):
        same(results, options, where, arguments)


def live(results, options, where):
    """Wine has no confinement: nothing starts, or where a variable allows it that is said, and everything else
    is in force."""
    def cordon(*arguments):
        return run(options.windows, ["run", *arguments], where, CORDON_SANDBOX="warn")

    def check(fine, *told):
        results.check(str(told[0]), [] if fine else [str(told)])

    status, out, err = run(options.windows, ["run", "--", "cmd", "/c", "echo hi"], where)
    check((status, out) == (125, "") and "CORDON_SANDBOX=warn" in err, "fails closed", status, out, err)
    status, out, err = cordon("--", "cmd", "/c", "echo hi & exit 7")
    check((status, out.strip()) == (7, "hi") and "not confined" in err, "plain", status, out, err)
    status, out, err = cordon("--profile", "os_hardened", "--", "cmd", "/c", "echo hi")
    check(status == 125 and out == "" and "AppContainer" in err, "os_hardened", status, out, err)
    status, out, err = cordon("--backend", "appcontainer", "--", "cmd", "/c", "echo hi")
    check(status == 125 and out == "" and "no such call" in err, "appcontainer", status, out, err)
    status, out, err = cordon("--backend", "landlock", "--", "cmd", "/c", "echo hi")
    check(status == 125 and out == "", "landlock", status, out, err)
    status, out, err = cordon("--timeout", "1s", "--", "cmd", "/c", "ping -n 60 127.0.0.1 > NUL")
    check(status == 124, "timeout", status, out, err)
    status, out, err = cordon("--", "nothing-of-that-name")
    check(status == 127, "not found", status, out, err)
    (where / "job.bat").write_text("echo no\n", encoding="utf-8")
    status, out, err = cordon("--", ".\\job.bat")
    check(status == 126 and out == "", "script", status, out, err)
    status, out, err = cordon("--read", "C:\\none", "--", "cmd", "/c", "echo hi")
    check(status == 125 and "/C:/none" in err, "a grant that leads nowhere", status, out, err)
    status, out, err = cordon("--max-output", "1KiB", "--quiet", "--", "cmd", "/c", "for /l %i in (1,1,9999) do @echo 0123456789")
    check(status == 121 and len(out) == 1024, "output", status, len(out), err)
    status, out, err = cordon("--report", "report.json", "--record", "record.json", "--env", "MINE=x", "--", "cmd", "/c", "echo %MINE%")
    check((status, out.strip()) == (0, "x"), "report", status, out, err)
    report = json.loads((where / "report.json").read_text(encoding="utf-8"))
    check(report["selected"] == "unconfined_reported" and report["mechanisms"] == [] and report["outcome"] == "exited" and
                report["program"].lower() == "/c:/windows/system32/cmd.exe", "the report", report)
    record = json.loads((where / "record.json").read_text(encoding="utf-8"))
    check(record["output"][0]["text"].strip() == "x", "the record", record)
    status, out, err = run(options.windows, ["replay", "--tape", "record.json"], where)
    check((status, out.strip()) == (0, "x"), "tape", status, out, err)
    status, out, err = run(options.windows, ["replay", "record.json"], where)
    check(status == 0, "replay", status, out, err)
    (where / "record.json").write_text((where / "record.json").read_text(encoding="utf-8").replace("x", "y", 1), encoding="utf-8")
    status, out, err = run(options.windows, ["replay", "record.json"], where)
    check(status == 125 or status == 2, "a record that was changed", status, out, err)
    (where / "key").write_text("0123456789abcdef0123456789abcdef\n", encoding="utf-8")
    (where / "dir").mkdir()
    status, out, err = cordon("--key", "key", "--hide", "key", "--report", "dir\\report.json", "--", "cmd", "/c", "echo x")
    check(status == 0, "attested", status, out, err)
    # What one system has attested the other one believes.
    for words in (options.windows, options.linux):
        check(run(words, ["check", "--key", "key", "dir/report.json"], where)[0] == 0, "attestation", words)
    status, out, err = run(options.windows, ["doctor", "--json"], where)
    doctor = json.loads(out)
    check(status == 1 and not doctor["available"] and {h["name"]: h["works"] for h in doctor["host"]}["access lists"], "doctor", out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--linux", required=True, type=lambda word: [word])
    parser.add_argument("--vectors", required=True, type=pathlib.Path)
    parser.add_argument("windows", nargs="+")
    options = parser.parse_args()
    results = Results()
    with tempfile.TemporaryDirectory() as scratch:
        compare(results, options, pathlib.Path(scratch))
        (pathlib.Path(scratch) / "live").mkdir()
        live(results, options, pathlib.Path(scratch) / "live")
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
