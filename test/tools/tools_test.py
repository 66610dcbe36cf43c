#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Seeded faults for the tools that judge the others: each must be seen.

tools_test.py COMPILER [FLAG...]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parent
GOOD = '// prints: must_be_absolute\nbool must_be_absolute();\n#ifdef CONTROL\n#else\nconstexpr bool b = [] {\n' \
       'return must_be_absolute();\n}();\n#endif\n'
REJECTS = [
    ("an honest reject", GOOD, 0),
    ("compiles", "// prints: x\nint x;\n", 1),
    ("no promise", "#ifndef CONTROL\n#error words\n#endif\n", 1),
    ("an empty promise", "// prints: \n#ifndef CONTROL\n#error words\n#endif\n", 1),
    ("other words", GOOD.replace("prints: must", "prints: may"), 1),
    ("second line of words", GOOD.replace("absolute\n", "absolute\n// prints: and_short\n", 1), 1),
    ("one of two words", GOOD.replace("prints: must", "prints: may || must"), 0),
    ("none of two words", GOOD.replace("prints: must", "prints: may || can"), 1),
    ("control does not compile", GOOD.replace("#else", "#error control\n#else"), 1),
    ("words only in the source", "// prints: a reason\n#ifndef CONTROL\nint x = nothing; /* a reason */\n#endif\n", 1),
    ("a missing header", "// prints: absent.hpp\n#ifndef CONTROL\n#include <absent.hpp>\n#endif\n", 1),
    ("nothing to check", None, 1),
]
DOCTEST = "[doctest] test cases:  9 |  9 passed | 0 failed | 3 skipped\n"
BAD_DOCTEST = "[doctest] test cases:  9 |  7 passed | 2 failed | 0 skipped\n"
SUMS = [
    ("one test without a sum", [("OK", "")], "1 passed, 0 failed, 0 skipped", 0),
    ("a doctest sum", [("OK", DOCTEST)], "9 passed, 0 failed, 0 skipped", 0),
    ("a coloured doctest sum", [("OK", DOCTEST.replace("9 passed", "\x1b[32m9 passed\x1b[0m"))],
     "9 passed, 0 failed, 0 skipped", 0),
    ("a test case that lacked something", [("OK", "t.cpp:7: MESSAGE: skipped: no landlock\n" + DOCTEST)],
     "8 passed, 0 failed, 1 skipped", 0),
    ("a failed case", [("FAIL", BAD_DOCTEST), ("OK", DOCTEST)], "16 passed, 2 failed, 0 skipped", 1),
    ("died after its sum", [("FAIL", DOCTEST)], "9 passed, 1 failed, 0 skipped", 1),
    ("timed out", [("TIMEOUT", ""), ("OK", "")], "1 passed, 1 failed, 0 skipped", 1),
    ("failed although it should not pass", [("UNEXPECTEDPASS", "")], "0 passed, 1 failed, 0 skipped", 1),
    ("skipped", [("SKIP", ""), ("OK", "")], "1 passed, 0 failed, 1 skipped", 0),
    ("a sum of its own", [("OK", "5 passed, 0 failed, 0 skipped\nthen\n3 passed, 0 failed, 4 skipped\n")],
     "3 passed, 0 failed, 4 skipped", 0),
    ("nothing", [], "0 passed, 0 failed, 0 skipped", 1),
    ("no log", None, "0 passed, 1 failed, 0 skipped", 1),
]
# Imports of test/live/cli/one.py, or of the module support/shared.py, and what listed.py says about them.
BASE = {"test/meson.build": "'live/cli/one.py' 'live/cli/two.py' 'live/views/three.py'",
        "test/live/cli/two.py": "#!/usr/bin/env python3\n", "test/live/cli/beside.py": "",
        "test/live/views/three.py": "#!/usr/bin/env python3\n", "test/live/views/other.py": "",
        "test/live/support/__init__.py": "", "test/live/support/shared.py": ""}
IMPORTS = [
    ("nothing of its own", "import os\nfrom json import loads\n", "", None),
    ("from support", "from support import shared\nfrom support.shared import x\n", "from . import shared\n", None),
    ("a module beside it", "import beside\nfrom beside import x\n", "", None),
    ("a test beside it", "import two\n", "", "cli/one.py: imports two, a test;"),
    ("a test beside it, inside a function", "def f():\n    from two import x\n", "", "cli/one.py: imports two, a test;"),
    ("a test of another folder", "from three import x\n", "", "cli/one.py: imports three, a module of another folder;"),
    ("a module of another folder", "import other\n", "", "cli/one.py: imports other, a module of another folder;"),
    ("through its folder", "from views.other import x\n", "",
     "cli/one.py: imports views.other, a module of another folder;"),
    ("out of its folder", "from views import other\n", "", "cli/one.py: imports views, a module of another folder;"),
    ("a test in support", "", "#!/usr/bin/env python3\n", "support/shared.py: a test in support"),
    ("support on a test", "", "from two import x\n", "support/shared.py: imports two, a module of another folder;"),
    ("a test that no build lists", None, "", "test/live/cli/four.py: no meson.build lists it"),
]


def run(*command):
    done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def rejects(scratch, compiler, text, status):
    folder = scratch / "rejects"
    folder.mkdir()
    if text is not None:
        (folder / "one.cpp").write_text(text, encoding="utf-8")
    return run(TOOLS / "rejects.py", folder, *compiler)[0] == status


def sums(scratch, results, line, status):
    log = scratch / "testlog.json"
    if results is not None:
        records = (json.dumps({"result": result, "stdout": text}) + "\n" for result, text in results)
        log.write_text("".join(records), encoding="utf-8")
    return run(TOOLS / "summary.py", log) == (status, line + "\n")


def listed(scratch, test, module, words):
    files = {**BASE, "test/live/cli/one.py": f"#!/usr/bin/env python3\n{test or ''}"}
    files["test/live/support/shared.py"] = module
    if test is None:
        files["test/live/cli/four.py"] = "#!/usr/bin/env python3\n"
    for name, text in files.items():
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_text(text, encoding="utf-8")
    status, said = run(TOOLS / "listed.py", scratch)
    return status == (1 if words else 0) and (words or "0 failed") in said


def main(compiler):
    checks = [(name, rejects, (compiler, text, status)) for name, text, status in REJECTS]
    checks += [(name, sums, (results, line, status)) for name, results, line, status in SUMS]
    checks += [(name, listed, (test, module, words)) for name, test, module, words in IMPORTS]
    failed = 0
    for name, check, arguments in checks:
        with tempfile.TemporaryDirectory() as scratch:
            good = check(pathlib.Path(scratch), *arguments)
        failed += not good
        print(f"{'ok' if good else 'WRONG'}: {check.__name__}: {name}")
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["g++"]))
