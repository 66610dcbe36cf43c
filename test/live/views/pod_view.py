#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the view of a Pod with its backend's claims. Podman plays each policy's Pod over a tree of real files: every
right is tried for real at every path.

What podman 4.3 makes of a Pod is not all that a kubelet makes of it; so these are not seen here:
- a List is no kind that it knows: it is given the items, one document each;
- a NetworkPolicy is passed over (alone it is refused): the network is none, by its command line;
- recursiveReadOnly (so mounts inside mounts stay writable), seccompProfile, activeDeadlineSeconds and an emptyDir's
  medium and size are passed over;
- a hostPath of type CharDevice becomes a device of the container, made where a file is to be hidden, which stays: the
  type is taken away, and the same /dev/null is bound as a kubelet binds it;
- nothing in a ConfigMap is put into a directory: the volume is made here as a kubelet makes it, with its links;
- stdin is not used: the image contains the queries, and the test sets command and image."""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable
from support.container import MORE, Box, make_root
from support.container_acts import forgery, guards, inside, refusal
from support.scratch import Scratch, write
from support.view_cases import CASES, Tree, policy_of
from support.view_suite import main
from podman import Podman

FED = ["/bin/sh", "-c", 'exec "$@" </given', "sh"]
# A mount at / is refused for a Pod, and so is a name that is no UTF-8 where it restricts.
REFUSED = ("everything but", "all read", "refused")


def points(top, items):
    """A volume of a ConfigMap: its files lie in a directory that can be exchanged, and links lead there."""
    made = tempfile.mkdtemp(prefix="points-", dir=top)
    os.chmod(made, 0o755)
    os.symlink("..2026", os.path.join(made, "..data"))
    for item in items:
        write(os.path.join(made, "..2026", item["path"]), "")
        first = item["path"].split("/")[0]
        if not os.path.lexists(os.path.join(made, first)):
            os.symlink(f"..data/{first}", os.path.join(made, first))
    os.chmod(os.path.join(made, "..2026"), 0o755)
    return {"path": made, "type": "Directory"}


class Pods(Box):
    form = "kubernetes"

    def __init__(self, scratch, account, broken):
        super().__init__(scratch, account, broken)
        self.podman = Podman(scratch.top)

    def play(self, config, command, given):
        pod, = (item for item in config["items"] if item["kind"] == "Pod")
        box, = pod["spec"]["containers"]
        root = tempfile.mkdtemp(prefix="image-", dir=self.scratch.top)
        os.rmdir(root)
        make_root(root)
        write(os.path.join(root, "given"), given)
        try:
            self.podman.keep_image(box["image"], root)
        finally:
            shutil.rmtree(root, ignore_errors=True)
        # What begins with a newline it reads, writes again, and then cannot read.
        box["command"] = FED + [word.lstrip("\n") for word in command]
        for volume in pod["spec"]["volumes"]:
            if volume.get("hostPath", {}).get("type") == "CharDevice":
                del volume["hostPath"]["type"]
            if "configMap" in volume:
                volume["hostPath"] = points(self.scratch.top, volume.pop("configMap")["items"])
        if self.broken:
            box["securityContext"] = {}
            box.pop("resources", None)
            # Never the machine's / or /dev, where a runtime makes its own nodes.
            places = ["/usr", "/etc", self.scratch.top]
            pod["spec"]["volumes"] = [{"name": f"v{i}", "hostPath": {"path": p}} for i, p in enumerate(places)]
            box["volumeMounts"] = [{"name": f"v{i}", "mountPath": p} for i, p in enumerate(places)]
        documents = "\n---\n".join(json.dumps(item) for item in config["items"] if item["kind"] != "ConfigMap")
        return self.podman.play(documents, f"{pod['metadata']['name']}-{box['name']}")


def view_case(suite, number, name, grants, results):
    top = os.fsencode(os.path.join(suite.scratch.top, f"case{number}"))
    policy = write(os.path.join(suite.scratch.top, f"policy{number}"), policy_of(top, grants))
    label = name.replace(" ..text", "")
    if label in REFUSED:
        try:
            suite.told(policy, suite.form)
            results.failed(label + ", refused", "it compiles")
        except RuntimeError as error:
            results.check(label + ", refused", [] if "bad_path" in str(error) else [str(error)])
        return
    for looks in (True, False) if "..text" in name else (True,):
        tree = Tree(top, grants, suite.account)
        try:
            results.check(label + ("" if looks else ", as text"), suite.problems(policy, tree, looks))
            if name == "missing":
                refusal(suite, policy, tree, results)
        finally:
            tree.close()


def memory(suite, top, results):
    """The limits that a Pod can express are in force: read from inside."""
    script = ("import os\n"
              "for place in ('/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'):\n"
              "  if os.path.exists(place): print(open(place).read())\n")
    policy = write(os.path.join(top, "memory.policy"), policy_of(os.fsencode(top), []) + b"limit memory 67108864\n")
    ended = inside(suite, policy, script)
    told = ended.stdout.decode().strip()
    results.check("memory", [] if told == "67108864" else [f"{told} {ended.stderr.decode()[-300:]}"])


def run(options, results):
    account = Account(options.user)
    if account.name != "root":
        raise Unavailable("podman without root needs subordinate users")
    tempfile.tempdir = "/var/tmp"  # /tmp is the pod's own inside
    scratch = Scratch(account, options.view)
    suite = None
    try:
        suite = Pods(scratch, account, options.broken)
        suite.begin("podman cannot play a Pod here")
        suite.run_cases({**CASES, **MORE}, view_case, options.only, results)
        forgery(suite, scratch.top, results)
        guards(suite, scratch.top, results, (), ("/dev/new", "unshare", "socket"))
        memory(suite, scratch.top, results)
        suite.sum(options.only, results)
    finally:
        if suite:
            suite.podman.close()
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, run, "in a Pod that hides nothing", ("refused", "enough", "as text")))
