#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Presets for services of the caller: a client finds and reaches the service that is named, and no other one. Its risk
is reported."""
import json
import os
import pathlib
import socket
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

VIEWS = ("namespaces", "bubblewrap")
CONNECT = ("import os, socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1])\n"
           "sys.stdout.write(s.recv(99).decode())\n")


class Stage(Scratch):
    def __init__(self, account, options):
        tempfile.tempdir = "/var/tmp"  # /tmp is private in a view
        super().__init__(account, options.cordon)
        self.broken = options.broken
        self.servers = []

    def listen(self, place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        server = socket.socket(socket.AF_UNIX)
        server.bind(place)
        os.chmod(place, 0o666)
        server.listen(16)
        self.servers.append(server)
        threading.Thread(target=self._serve, args=(server, place), daemon=True).start()
        return place

    @staticmethod
    def _serve(server, place):
        while True:
            try:
                client = server.accept()[0]
            except OSError:
                return
            client.sendall(f"served {os.path.basename(place)}\n".encode())
            client.close()

    def close(self):
        for server in self.servers:
            server.shutdown(socket.SHUT_RDWR)
            server.close()
        super().close()

    def confined(self, command, *options, **variables):
        cordon = [] if self.broken else [self.cordon, "run", *options, "--"]
        return self.run([*cordon, *command], **variables)


def services(s):
    """The socket of each service, and the variables that lead there."""
    place = s.outside
    return {
        "ssh_agent": (f"{place}/agent", {"SSH_AUTH_SOCK": f"{place}/agent"}),
        "gpg_agent": (f"{place}/gnupg/S.gpg-agent", {"XDG_RUNTIME_DIR": place}),
        "wayland": (f"{place}/wayland-1", {"XDG_RUNTIME_DIR": place, "WAYLAND_DISPLAY": "wayland-1"}),
        "pulse": (f"{place}/pulse/native", {"PULSE_SERVER": f"unix:{place}/pulse/native"}),
        "dbus_session": (f"{place}/bus", {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={place}/bus,guid=1"}),
        "docker": (f"{place}/docker.sock", {"DOCKER_HOST": f"unix://{place}/docker.sock"}),
    }


def each(s):
    """With its preset a service can be reached, and with the preset of another one it cannot."""
    problems = []
    all_services = services(s)
    for which, (place, variables) in all_services.items():
        s.listen(place)
        other = next(name for name in all_services if name != which)
        for backend in VIEWS:
            command = ["python3", "-c", CONNECT, place]
            named = s.confined(command, "--backend", backend, "--preset", which, **variables)
            if named.out != f"served {os.path.basename(place)}\n":
                problems.append(f"{backend}, {which}: {named.out}{named.err}")
            for options in ([], ["--preset", other]):
                closed = s.confined(command, "--backend", backend, *options, **variables)
                if "served" in closed.out:
                    problems.append(f"{backend}, {which} with {options}: {closed.out}")
    return problems


def variables_pass(s):
    """The variables by which clients find the service pass, and without the preset they do not."""
    problems = []
    for which, (place, variables) in services(s).items():
        s.listen(place)
        names = [n for n in variables if n != "XDG_RUNTIME_DIR"]
        for name in names:
            script = ["sh", "-c", f'echo "${name}"']
            with_preset, without = (s.confined(script, *o, **variables).out.strip() for o in (["--preset", which], []))
            if (with_preset, without) != (variables[name], ""):
                problems.append(f"{which}: {name} is {with_preset!r}, and {without!r} without the preset")
    return problems


def documents(s):
    """By a document in JSON and in the policy language, beside the presets that it has."""
    place, variables = services(s)["ssh_agent"]
    s.listen(place)
    problems = []
    texts = {"json": json.dumps({"cordon": 1, "presets": ["ssh_agent"], "files": [{"path": s.workspace, "rights": "write"}],
                                 "sockets": {"own": True}, "environment": {"pass": ["PATH"]}}),
             "policy": "level process_exec\npreset system_runtime\npreset ssh_agent\nsockets own\nnetwork none\npass PATH\n" + f"read {s.workspace}\n"}
    for form, text in texts.items():
        for named in (True, False):
            file = write(f"{s.outside}/{form}", text if named else text.replace('"ssh_agent"', '').replace("preset ssh_agent\n", ""))
            ended = s.confined(["python3", "-c", CONNECT, place], "--policy", file, "--cwd", s.workspace, **variables)
            if (ended.out == "served agent\n") != named:
                problems.append(f"{form}, named: {named}: {ended.out}{ended.err}")
    return problems


def reported(s):
    """A service is a gap that is not enforced, with its risk; one that is not there is a gap too; os_hardened demands
    that it is accepted."""
    if s.broken:
        return ["nothing is reported"]
    place, variables = services(s)["docker"]
    s.listen(place)
    problems = []
    for options, status, words in (
            (["--preset", "docker"], 0, "service.granted:docker"),
            (["--preset", "docker", "--profile", "os_hardened"], 125, "--accept-gap service.granted:docker"),
            (["--preset", "ssh_agent"], 0, "service.missing:ssh_agent")):
        ended = s.confined(["true"], *options, "--report", f"{s.home}/report", **variables)
        if ended.status != status or words not in ended.err:
            problems.append(f"{options}: {ended.status} {ended.err}")
    gaps = {g["id"] for g in json.loads(pathlib.Path(f"{s.home}/report").read_text(encoding="utf-8"))["gaps"]}
    if "service.missing:ssh_agent" not in gaps:
        problems.append(f"a missing service: {gaps}")
    file = write(f"{s.outside}/docker.policy", "preset docker\n")
    for command in (["check", file], ["explain", file, "--path", place, "--right", "connect"]):
        ended = s.run([s.cordon, *command], **variables)
        if "service.granted:docker" not in ended.err or "become root" not in ended.err:
            problems.append(f"{command}: {ended.err}")
    return problems


def real_agent(s):
    """ssh-add reaches a real agent."""
    place = f"{s.outside}/real"
    agent = s.start(["ssh-agent", "-D", "-a", place])
    try:
        for _ in range(200):
            if os.path.exists(place):
                break
            threading.Event().wait(0.02)
        ended = s.confined(["ssh-add", "-l"], "--preset", "ssh_agent", SSH_AUTH_SOCK=place)
        alone = s.confined(["ssh-add", "-l"], SSH_AUTH_SOCK=place)
    finally:
        agent.terminate()
        s.finish(agent)
    good = "no identities" in ended.out + ended.err and "no identities" not in alone.out + alone.err
    return [] if good else [f"{ended.out}{ended.err}; without the preset: {alone.out}{alone.err}"]


ROWS = {
    "each service": each,
    "variables": variables_pass,
    "documents": documents,
    "what is reported": reported,
    "a real agent": real_agent,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Stage), "without cordon"))
