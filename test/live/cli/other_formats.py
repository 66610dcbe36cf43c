#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Documents of other programs, as their authors write them: what they list starts and works, and nothing else."""
import json
import os
import pathlib
import shutil
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

BACKENDS = ("namespaces", "landlock")
TOOL = "#!/bin/sh\nread line <input.json\necho \"got $line\"\n"


class Documents(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.tool = write(f"{self.workspace}/untrusted-tool", TOOL, 0o755)
        self.account.own(self.tool)
        self.account.own(write(f"{self.workspace}/input.json", "input\n"))

    def under(self, document, program, *options, backend="auto"):
        """What a program does under the document; without cordon, what it does at all."""
        policy = write(os.path.join(self.workspace, "policy.json"), json.dumps(document))
        self.account.own(policy)
        cordon = [self.cordon, "run", "--quiet", "--backend", backend, *options, "--policy", policy,
                  "--cwd", self.workspace, "--"]
        if self.broken:
            return self.run(["/usr/bin/env", "-C", self.workspace] + program)
        return self.run(cordon + program)

    def expect(self, *cases):
        """(document, program, exit status); a status of none is any but 0."""
        problems = []
        for backend in BACKENDS:
            for document, program, status in cases:
                ended = self.under(document, program, backend=backend)
                if ended.status != status and (status is not None or ended.status == 0):
                    problems.append(f"{backend}: {program} under {document}: status {ended.status}, not {status}: {ended.err}")
        return problems


def any_program(s):
    document = {"read": ["**"], "write": ["**"], "exec": ["**"]}
    return s.expect((document, ["sh", "-c", "echo x >made && cat made"], 0), (document, ["./untrusted-tool"], 0),
                    (document, ["touch", f"{s.top}/made"], None))


def named_program(s):
    document = {"read": ["**"], "exec": ["git", "sh"]}
    return s.expect((document, ["git", "--version"], 0), (document, ["sh", "-c", "git --version"], 0),
                    ({"read": ["**"], "exec": ["git"]}, ["sh", "-c", ":"], 125),
                    (document, ["sh", "-c", "exec touch made"], 126))


def script_by_path(s):
    document = {"read": ["**"], "exec": ["./untrusted-tool"]}
    return s.expect((document, [s.tool], 0), ({"read": ["**"], "exec": ["./input.json"]}, [s.tool], 125))


def interpreter_of_a_stranger(s):
    """The interpreter of a script is run only from a system directory; a pipe as a script does not block the run."""
    shutil.copy("/bin/sh", f"{s.workspace}/shell")
    script = write(f"{s.workspace}/script", f"#!{s.workspace}/shell\nexit 0\n", 0o755)
    os.mkfifo(f"{s.workspace}/pipe")
    for path in (f"{s.workspace}/shell", script, f"{s.workspace}/pipe"):
        s.account.own(path)
    return s.expect(({"read": ["**"], "exec": ["./script", "./pipe"]}, [script], 126),
                    ({"read": ["**"], "exec": ["./script", "./shell", "./pipe"]}, [script], 0))


def secrets_of_the_system(s):
    if s.account.name != "root":
        return []
    read = ["sh", "-c", "read x </etc/shadow"]
    return s.expect(({"read": ["**"], "exec": ["sh"]}, read, None), ({"read": ["**", "/etc/**"], "exec": ["sh"]}, read, 0))


def example_of_capabilities(s):
    document = {"capabilities": {"workspace": ["read_text"], "process": ["exec"]}, "workspace_roots": ["."],
                "sandbox_profile": "os_hardened"}
    ended = s.under(document, ["./untrusted-tool", "input.json"], backend="namespaces")
    works = ended.status == 0 and ended.out.strip() in ("got input", b"got input")
    problems = [] if works else [f"{ended.status}: {ended.out!r} {ended.err}"]
    ended = s.under(document, ["sh", "-c", "echo x >made"], backend="namespaces")
    return problems + (["the workspace is written"] if ended.status == 0 else [])


def level_of_the_network(s):
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = ["python3", "-c", f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5)"]
        roots = {"workspace_roots": ["."]}
        return s.expect(({**roots, "side_effect_level": "network"}, connect, 0),
                        ({**roots, "side_effect_level": "process_exec"}, connect, None))


def fields_of_tools(s):
    empty = {"tools": [], "recursion_limit": None, "tool_arg_constraints": [], "tool_annotations": {}}
    problems = s.expect(({"workspace_roots": ["."], **empty}, ["true"], 0))
    document = {"workspace_roots": ["."], **empty, "tools": ["read_file"]}
    refused = s.under(document, ["true"])
    if refused.status != 125 or "tools limits the program" not in str(refused.err):
        problems.append(f"a list of tools: {refused.status}: {refused.err}")
    if s.under(document, ["true"], "--tool-fields", "skip").status != 0:
        problems.append("--tool-fields skip does not skip")
    return problems


ROWS = {
    "permission policy: any program": any_program,
    "permission policy: programs by name": named_program,
    "permission policy: a script by its path": script_by_path,
    "permission policy: an interpreter that the system does not have": interpreter_of_a_stranger,
    "permission policy: secrets of the system": secrets_of_the_system,
    "capability policy: an untrusted tool in a readable workspace": example_of_capabilities,
    "capability policy: the level of the network": level_of_the_network,
    "capability policy: fields about tools": fields_of_tools,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Documents), "without cordon"))
