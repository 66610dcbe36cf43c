#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""`cordon schema` and `cordon check` must give the same verdicts, except for errors that the reader alone detects; an
independent validator applies the schema. Reports of real runs must match the schema of reports."""
import argparse
import copy
import json
import os
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    SYSTEM = "/usr/bin/python3"
    if os.path.exists(SYSTEM) and os.path.realpath(SYSTEM) != os.path.realpath(sys.executable):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    jsonschema = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.account import Account, Unavailable, current
from support.results import Results
from support.scratch import Scratch, write
from schema_documents import DOCUMENTS, FULL, READER_ONLY, WORDS, document, grant
from schema_tables import tables

HERE = os.path.dirname(os.path.abspath(__file__))
OTHERS = (None, True, 0, 1, -1, 1.5, "", "x", "any", "none", "read", "1s", [], ["x"], [None], {}, {"x": 1})


def ecma_pattern(validator, pattern, instance, schema):
    """The dollar of ECMA-262 is the end of the text alone; Python's is also before a last line feed."""
    if validator.is_type(instance, "string") and not re.search(re.sub(r"\$$", r"\\Z", pattern), instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


class Judges:
    """The verdicts of the schema and of the reader on one text."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.file = f"{scratch.top}/policy.json"
        self.schema = self.printed("schema")
        self.document = self.validator(self.schema)
        self.report = self.validator(self.printed("schema", "report"))

    def printed(self, *words):
        ended = self.scratch.run([self.scratch.cordon, *words])
        if ended.status != 0:
            raise RuntimeError(f"cordon {' '.join(words)}: status {ended.status}: {ended.err}")
        return json.loads(ended.out)

    @staticmethod
    def validator(schema):
        base = jsonschema.Draft202012Validator
        base.check_schema(schema)
        return jsonschema.validators.extend(base, {"pattern": ecma_pattern})(schema)

    def of_schema(self, text):
        try:
            return self.document.is_valid(json.loads(text))
        except ValueError:
            return False

    def check(self, text):
        write(self.file, text)
        return self.scratch.run([self.scratch.cordon, "check", "--json", self.file], HOME="/home/u")

    def of_reader(self, text):
        ended = self.check(text)
        if ended.status not in (0, 2):
            raise RuntimeError(f"check: status {ended.status}: {ended.err}")
        return ended.status == 0

    def problems(self, text, verdict):
        """verdict: good, bad, or reader where only the reader refuses."""
        text = text if isinstance(text, str) else json.dumps(text)
        found = []
        for who, says, wanted in (("the schema", self.of_schema(text), verdict != "bad"),
                                  ("the reader", self.of_reader(text), verdict == "good")):
            if says != wanted:
                found.append(f"{who} {'accepts' if says else 'refuses'} {text[:300]}")
        return found

    def disagreement(self, value):
        text = json.dumps(value)
        schema, reader = self.of_schema(text), self.of_reader(text)
        return [] if schema == reader else [f"schema {schema}, reader {reader}: {text[:600]}"]


def each_subschema(schema, path=()):
    yield path, schema
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield from each_subschema(value, (*path, key))
    elif isinstance(schema, list):
        for i, value in enumerate(schema):
            yield from each_subschema(value, (*path, str(i)))


def well_formed(judges, results):
    for name, schema in (("document", judges.schema), ("report", judges.report.schema)):
        problems = []
        for path, part in each_subschema(schema):
            if path and path[-1] == "$ref" and part.removeprefix("#/$defs/") not in schema["$defs"]:
                problems.append(f"{part} leads nowhere")
            if path and path[-1] == "pattern" and re.search(r"\(\?|\\[bBdDsSwW]", part):
                problems.append(f"{part} is not of the subset that every validator knows")
            if isinstance(part, dict) and "properties" in part and part.get("additionalProperties") is not False:
                problems.append(f"{'/'.join(path)} lets unknown keys pass")
        if schema["$id"] != f"urn:cordon:schema:{name}:1" or schema["$ref"] != f"#/$defs/{name}":
            problems.append("another $id or $ref")
        results.check(f"schema of a {name}: well formed", problems)


def vectors(judges, results, folder):
    with open(os.path.join(folder, "cordon_documents.json"), encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    names = {case["name"] for case in cases}
    results.check("every excepted case is there", sorted(READER_ONLY["cordon_documents.json"] - names))
    for case in cases:
        hidden = case["name"] in READER_ONLY["cordon_documents.json"]
        verdict = "good" if "error" not in case else "reader" if hidden else "bad"
        problems = []
        for one in case["documents"] if "documents" in case else [case["document"]]:
            problems += judges.problems(one, verdict)
        results.check(f"cordon_documents.json: {case['name']}", problems)


def table(judges, results, name, cases):
    """cases: (label, document, is it good). Those that only the reader refuses are listed by label."""
    seen = set()
    for label, value, good in cases:
        seen.add(label)
        verdict = "good" if good else "reader" if label in READER_ONLY[name] else "bad"
        results.check(f"{name}: {label[:60]!r}", judges.problems(value, verdict))
    results.check(f"{name}: rows, and every excepted one", sorted(READER_ONLY[name] - seen) + [name] * (len(seen) < 10))


def own(judges, results):
    for name, verdict, value in DOCUMENTS:
        results.check(f"own: {name}", judges.problems(value, verdict))
    labels = [name for name, _, _ in DOCUMENTS]
    results.check("own: at least 60, each with a name of its own",
                  [] if len(set(labels)) == len(labels) >= 60 else [f"{len(set(labels))} of {len(labels)}"])


def words(judges, results):
    """Each word of each list is accepted, and similar words are refused."""
    there = {"/".join(path[1:-1]): part for path, part in each_subschema(judges.schema)
             if path[-1:] == ("enum",) and "report" not in path}
    results.check("every list of words is looked at", sorted(set(there) ^ set(WORDS)))
    for where in sorted(set(there) & set(WORDS)):
        for word in there[where]:
            problems = []
            for make in WORDS[where]:
                problems += judges.problems(make(word), "good")
                twisted = [word + "x"] if where == "system_call" else [word + "x", word[:-1], word.capitalize(), ""]
                for bad in twisted:
                    if bad not in there[where]:
                        problems += judges.problems(make(bad), "bad")
            results.check(f"word {where}: {word}", problems)


def known(judges, results):
    """The reader's error lists the same words as the schema."""
    parts = judges.schema["$defs"]
    properties = parts["document"]["properties"]
    asked = [(document("x", 1), properties), (document("files", [{"x": 1}]), parts["grant"]["properties"]),
             (document("network", {"x": 1}), properties["network"]["anyOf"][1]["properties"]),
             (document("sockets", {"x": 1}), properties["sockets"]["anyOf"][1]["properties"]),
             (document("syscalls", {"x": 1}), properties["syscalls"]["anyOf"][1]["properties"])]
    asked += [(document(key, {"x": 1}), properties[key]["properties"]) for key in ("limits", "environment", "guard")]
    asked += [(document(key, "x"), properties[key]["enum"]) for key in ("profile", "level", "fallback")]
    asked += [(document("presets", ["x"]), properties["presets"]["items"]["enum"]),
              (grant(rights=["x"]), parts["rights"]["anyOf"][1]["items"]["enum"]),
              (grant(rights="x"), parts["rights"]["anyOf"][0]["enum"])]
    for value, listed in asked:
        said = re.search(r"known here: (.*)", judges.check(json.dumps(value)).err)
        results.check(f"known to the reader of {json.dumps(value)}",
                      sorted(set(said[1].split()) ^ set(listed)) if said else ["the reader lists nothing"])


def places(value, way=()):
    if way:
        yield way
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(below, (*way, key))


def changed(value, way, change):
    value = copy.deepcopy(value)
    above = value
    for key in way[:-1]:
        above = above[key]
    change(above, way[-1])
    return value


def renamed(above, key):
    above[key + "x"] = above.pop(key)


def mutations(judges, results):
    """Every value of a full document in turn is left out, renamed, and replaced by values of every type."""
    results.check("the full document", judges.problems(FULL, "good")
                  + sorted(set(judges.schema["$defs"]["document"]["properties"]) - set(FULL)))
    for way in places(FULL):
        changes = [lambda above, key: above.pop(key)]
        if isinstance(way[-1], str):
            changes.append(renamed)
        changes += [lambda above, key, other=other: above.__setitem__(key, other) for other in OTHERS]
        problems = []
        for change in changes:
            problems += judges.disagreement(changed(FULL, way, change))
        results.check("changed: " + "/".join(map(str, way)), problems)


def reports(judges, results):
    cordon, workspace = judges.scratch.cordon, judges.scratch.workspace
    refusing = write(f"{judges.scratch.top}/none.json", '{"cordon": 1, "level": "none"}')
    outcomes = set()
    for name, options, command, variables in (
            ("exits", ["--memory", "64MiB", "--processes", "64", "--timeout", "1h"], ["true"], {}),
            ("exits otherwise", ["--allowed-domain", "*.example.com:443"], ["sh", "-c", "exit 3"], {}),
            ("is killed", [], ["sh", "-c", "kill -9 $$"], {}),
            ("runs out of time", ["--timeout", "200ms"], ["sleep", "20"], {}),
            ("does not exist", [], ["/nowhere/at/all"], {}),
            ("is refused", ["--policy", refusing], ["true"], {}),
            ("is not confined", [], ["true"], {"CORDON_SANDBOX": "off"}),
            ("is misled", [], ["true"], {"CORDON_SANDBOX": "maybe"})):
        ended = judges.scratch.run([cordon, "run", "--quiet", "--cwd", workspace, *options, "--report", "-", "--",
                                    *command], **variables)
        try:
            report = json.loads(ended.out)
        except ValueError:
            results.failed(f"report: a program {name}", f"status {ended.status}, no JSON: {ended.out[:200]} {ended.err}")
            continue
        outcomes.add(report.get("outcome"))
        problems = [f"{error.json_path}: {error.message[:200]}" for error in judges.report.iter_errors(report)]
        for way in places(report):
            if len(way) == 1:
                for change in (lambda above, key: above.pop(key), renamed):
                    if judges.report.is_valid(changed(report, way, change)):
                        problems.append(f"{way[0]} may be left out or misspelt")
        for key, wrong in (("outcome", "exit"), ("selected", "yes"), ("profile", "Worktree"), ("number", "1"),
                           ("policy", {}), ("status", 1 << 32), ("argv", []), ("program", "")):
            if judges.report.is_valid({**report, key: wrong}):
                problems.append(f"{key} may be {wrong!r}")
        results.check(f"report: a program {name}", problems)
    results.check("report: kinds of outcomes", [] if len(outcomes) >= 5 else [f"only {sorted(map(str, outcomes))}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cordon", default=os.environ.get("CORDON"), required="CORDON" not in os.environ)
    parser.add_argument("--vectors", default=os.path.join(HERE, "../..", "vectors"))
    parser.add_argument("--user", choices=("root", "nobody"), default=current())
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    results = Results(options.json, options.verbose)
    if jsonschema is None:
        results.skipped("all cases", "python3-jsonschema")
        return results.end()
    try:
        scratch = Scratch(Account(options.user), options.cordon)
    except Unavailable as missing:
        results.skipped(f"all cases as {options.user}", str(missing))
        return results.end()
    try:
        judges = Judges(scratch)
        well_formed(judges, results)
        vectors(judges, results, options.vectors)
        for name, cases in tables(options.vectors):
            table(judges, results, name, cases)
        for part in (own, words, known, mutations, reports):
            part(judges, results)
    except (RuntimeError, ValueError, jsonschema.SchemaError, jsonschema.RefResolutionError) as error:
        results.failed("the schemas can be used", str(error)[:400])
    finally:
        scratch.close()
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
