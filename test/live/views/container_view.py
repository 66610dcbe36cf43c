#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the view of a container with its backend's claims. For each policy every form is checked against its schema,
and runc runs the OCI configuration over a tree of real files: every right is tried for real at every path."""
import itertools
import json
import os
import pathlib
import shutil
import sys
import tempfile
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable
from support.container import MORE, Box, make_root
from support.container_acts import forgery, guards, limits, refusal, strict, submounts
from support.scratch import Scratch, write
from support.view_cases import CASES, Tree, policy_of
from support.view_suite import main

try:
    import jsonschema
    import oci_schema
except ImportError:
    jsonschema = None

PUBLIC = "/usr/share/gocode/src/github.com/opencontainers/runtime-spec/schema"  # golang-github-opencontainers-specs-dev

class Runc(Box):
    number = itertools.count()

    def play(self, config, command, given):
        bundle = tempfile.mkdtemp(prefix="bundle-", dir=self.scratch.top)
        root = os.path.join(bundle, "rootfs")
        make_root(root)
        os.chmod(root, 0o111)
        config["process"]["args"] = command
        if self.broken:
            # With a /dev that is no bind runc would make nodes and links in it: in the machine's.
            config["mounts"] = [{"destination": place, "type": "bind", "source": place, "options": ["rbind", "rw"]}
                                for place in ("/", "/dev")]
            config["root"]["readonly"] = False
            del config["linux"]["seccomp"]
            config["linux"]["maskedPaths"], config["linux"]["readonlyPaths"] = [], []
            config["linux"]["namespaces"] = [{"type": "mount"}, {"type": "uts"}]
        write(os.path.join(bundle, "config.json"), json.dumps(config))
        try:
            return super().run(["runc", "--root", os.path.join(self.scratch.top, "state"), "run", "--bundle", bundle,
                                f"cordon-{os.getpid()}-{next(self.number)}"], given)
        finally:
            shutil.rmtree(bundle, ignore_errors=True)

    def schema_problems(self, policy, forms):
        wrong = []
        for form in forms:
            for text in (form, form + "-text"):
                config = json.loads(self.told(policy, text))
                wrong += [f"{text}: {problem}" for problem in oci_schema.problems(form, config)]
                if form == "oci":
                    wrong += [f"{text}, the public schema: {problem}" for problem in public_problems(config)]
        return wrong


def public_problems(config):
    """By the specification's own schema, where Debian's package of it is installed."""
    file = os.path.join(PUBLIC, "config-schema.json")
    if not os.path.exists(file):
        return []
    with open(file, encoding="utf-8") as text:
        schema = json.load(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its successor is not in Debian 12
        resolver = jsonschema.RefResolver(f"file://{PUBLIC}/config-schema.json", schema)
    return [e.message[:200] for e in jsonschema.Draft4Validator(schema, resolver=resolver).iter_errors(config)]


def view_case(suite, number, name, grants, results):
    top = os.fsencode(os.path.join(suite.scratch.top, f"case{number}"))
    text = policy_of(top, grants)
    if "network" in name:
        text = text.replace(b"network none", b"network any")
    policy = write(os.path.join(suite.scratch.top, f"policy{number}"), text)
    label = name.replace(" ..text", "")
    if name == "refused":
        for form in oci_schema.FORMS if jsonschema else ("oci",):
            try:
                suite.told(policy, form)
                results.failed(f"{form} refused", "it compiles")
            except RuntimeError as error:
                results.check(f"{form} refused", [] if "bad_path" in str(error) else [str(error)])
        return
    for looks in (True, False) if "..text" in name else (True,):
        tree = Tree(top, grants, suite.account)
        try:
            results.check(label + ("" if looks else ", as text"), suite.problems(policy, tree, looks))
            if name == "missing":
                refusal(suite, policy, tree, results)
            if jsonschema and looks and not any(verb in ("everything", "all read") for verb, _ in grants) \
                    and not any(":" in place for _, place in grants):
                results.check(label + ", schemas", suite.schema_problems(policy, list(oci_schema.FORMS)))
        finally:
            tree.close()


def run(options, results):
    if shutil.which("runc") is None:
        raise Unavailable("runc is not installed")
    account = Account(options.user)
    if account.name != "root":
        raise Unavailable("runc without root needs a user namespace, which this configuration does not ask for")
    tempfile.tempdir = "/var/tmp"  # /tmp is the run's own inside
    scratch = Scratch(account, options.view)
    try:
        suite = Runc(scratch, account, options.broken)
        suite.begin("runc cannot start a container here")
        suite.run_cases({**CASES, **MORE}, view_case, options.only, results)
        forgery(suite, scratch.top, results)
        submounts(suite, scratch.top, results)
        guards(suite, scratch.top, results)
        strict(suite, scratch.top, results)
        limits(suite, scratch.top, results)
        if jsonschema is None:
            results.skipped("schemas", "python3-jsonschema is not installed")
        suite.sum(options.only, results)
    finally:
        scratch.close()


if __name__ == "__main__":
    sys.exit(main(__doc__, run, "in a container that hides nothing",
                  ("schemas", "refused", "enough", "limits", "as text")))
