#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks which way includes point.

layers.py [ROOT]        exit 1 and one line for each wrong include
layers.py --self-test   plants wrong includes in a copy of the tree and demands that each is found
"""
import pathlib
import re
import shutil
import sys
import tempfile

# Lowest first. A file may include files of lower layers. An entry that ends in "/" is a family: its files may include
# each other too, in any order without a cycle. Paths are relative to include/cordon; "*" is one name. If several
# entries name a file, one without "*" wins, then the longest one.
LAYERS = [
    ["detail/"],
    ["policy/rights.hpp", "policy/diagnostic.hpp", "policy/storage.hpp", "policy/limits.hpp", "policy/profile.hpp", "policy/axis.hpp",
     "query/process_feature.hpp", "gap/file_type.hpp", "version.hpp", "platform.hpp", "policy/preset_id.hpp"],
    ["policy/path.hpp", "policy/default_devices.hpp", "policy/glob.hpp", "policy/step_function.hpp", "policy/limit_text.hpp", "policy/preset.hpp"],
    ["host/", "policy/credential_paths.hpp", "policy/step_function_builder.hpp", "policy/name.hpp", "policy/path_tree.hpp"],
    ["gap/gap_type.hpp", "policy/owned_text.hpp", "host/host.hpp", "policy/socket.hpp", "policy/abilities.hpp", "policy/capabilities.hpp", "policy/environment.hpp"],
    ["policy/policy.hpp", "policy/clause.hpp"],
    ["notation/", "policy/dsl.hpp", "policy/within.hpp", "policy/widen.hpp", "policy/narrow.hpp"],
    ["notation/literals.hpp"],
    ["guard/"],
    ["query/query.hpp", "guard/guard.hpp", "guard/nested_sandbox.hpp"],
    ["guard/preflight.hpp"],
    ["gap/plan.hpp", "gap/run_gap_types.hpp"],
    ["query/query_plan.hpp"],
    ["backend/mounts/", "backend/seccomp/", "backend/floor.hpp"],
    ["backend/seccomp.hpp"],
    ["backend/*/"],
    ["backend/*.hpp"],
    ["backend/linux.hpp"],
    ["backend/backends.hpp"],
    ["gap/gap_text.hpp"],
    ["query/explain.hpp"],
    ["../cordon.hpp"],
    ["policy/heap.hpp", "host/index/"],
    ["policy/stack.hpp", "host/index.hpp"],
    ["verify/"],
    ["format/"],
    ["run/"],
    ["linux/"],
    ["../../shims/common/"],
    ["../../shims/bsd/", "../../shims/posix/"],
    ["../../shims/linux/child/"],
    ["../../shims/linux/files/"],
    ["../../shims/linux/isolation/"],
    ["../../shims/linux/probe/"],
    ["../../shims/linux/prepare/"],
    ["../../shims/linux/calls/"],
    ["../../shims/linux/publish/"],
    ["../../shims/linux/supervise/"],
    ["../../shims/windows/"],
    ["../../shims/windows/launch/"],
    ["../../shims/windows/access/"],
    ["../../shims/windows/probe/"],
    ["../../shims/windows/supervise/"],
    ["../cordon.h"],  # of C alone
    ["../../shims/*/"],
]
CORE = LAYERS.index(["policy/heap.hpp", "host/index/"])  # layers below this one: no Boost, no OS header, only light standard headers

LIGHT = set("array bit climits compare concepts cstddef cstdint cstdio cstdlib initializer_list limits span string_view "
            "type_traits utility version".split())
GENERATED = {"commit.hpp", "reaper_image.hpp", "init_wrapped_image.hpp"}  # by the build, and included only by its owner
# Third-party headers of the upper layers; everything else that has a ".h" or a folder is an OS header.
PARTIES = ("boost/", "toml++/", "yaml-cpp/", "idn2.h")

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
# A name of a detail namespace, and the folders that own it; cordon::detail belongs to the algebra.
DETAIL = re.compile(r"\b(\w+)::detail::(\w+)")
OTHERS = {"cordon", "beast", "std", "boost"}
INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include|include_next|import)\b[ \t]*(.*)$", re.M)


def includes(text):
    """The operands of the include lines, comments dropped: '<array>' or '"policy/path.hpp"'."""
    kept = COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else " ", text)
    return [m[1].strip() for m in INCLUDE.finditer(kept)]


def layer_of(name):
    """(layer, family) of a file named relative to include/cordon, or None for a file that no entry names."""
    found = []
    for number, entries in enumerate(LAYERS):
        for entry in entries:
            pattern = re.escape(entry).replace(r"\*", "[^/]+")
            match = re.match(pattern if entry.endswith("/") else pattern + "$", name)
            if match:
                found.append(("*" in entry, -len(entry), number, match[0]))
    return min(found)[2:] if found else None


def is_dead(entry, files):
    """Does no file have this entry?"""
    pattern = re.escape(entry).replace(r"\*", "[^/]+")
    return not any(re.match(pattern if entry.endswith("/") else pattern + "$", name) for name in files)


def sources(root):
    """Every header, and the shims' sources, by name relative to include/cordon."""
    base = root / "include" / "cordon"
    files = {}
    for path in sorted((root / "include").rglob("*")):
        if path.is_file() and path.name not in ("README.md", "CMakeLists.txt"):
            inside = path.relative_to(root / "include")
            files[str(inside.relative_to("cordon")) if inside.parts[0] == "cordon" else f"../{inside}"] = path
    for path in sorted((root / "shims").rglob("*.[hc]pp")):
        files[f"../../{path.relative_to(root)}"] = path
    return base, files


def system_fault(name, layer):
    """Why a file of this layer may not include <name>, or None."""
    if layer > LAYERS.index(["../../shims/common/"]):
        return None
    if layer < CORE:
        if name.startswith("boost/"):
            return "Boost in a core header"
        if "/" in name or "." in name:
            return "an OS header or a library's in a core header"
        return None if name in LIGHT else "not one of the light standard headers (LIGHT in layers.py)"
    if "/" not in name and "." not in name:
        return None
    if name.startswith(PARTIES):
        return "a library's header below format" if layer < LAYERS.index(["format/"]) else None
    return "an OS header outside shims"


def borrowed(name, text):
    """Names that a file takes from the details of another folder."""
    return sorted({match[0] for match in DETAIL.finditer(text)
                   if match[1] not in OTHERS and match[1] not in name.replace(".hpp", "").split("/")})


def circle(graph):
    """One circle of includes as a list of names, or None."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for following in graph.get(node, []):
            ring = visit(following)
            if ring:
                return ring
        path.pop()
        done.add(node)
        return None

    for node in graph:
        ring = visit(node)
        if ring:
            return ring
    return None


def faults(root):
    base, files = sources(root)
    by_path = {path.resolve(): name for name, path in files.items()}
    graph, wrong = {}, [f"{entry}: no file has this entry of LAYERS; take it out" for entries in LAYERS for entry in entries
                        if is_dead(entry, files)]
    for name, path in files.items():
        own = layer_of(name)
        shown = path.relative_to(root)
        if own is None:
            wrong.append(f"{shown}: no layer; add it to LAYERS in test/tools/layers.py")
            continue
        text = path.read_text(encoding="utf-8")
        wrong += [f"{shown}: {word} is a detail of another folder; move it out of detail if two folders use it"
                  for word in borrowed(name, text)]
        for operand in includes(text):
            target = operand[1:-1]
            candidates = [root / "include" / target, root / "shims" / target]
            if operand.startswith('"'):
                candidates.insert(0, path.parent / target)
            elif not operand.startswith("<"):
                wrong.append(f"{shown}: include through a macro: {operand}")
                continue
            inside = next((by_path[c.resolve()] for c in candidates if c.resolve() in by_path), None)
            if target in GENERATED:
                continue
            if inside is None and operand.startswith('"'):
                wrong.append(f"{shown}: {operand} is not in the tree")
            elif inside is None:
                fault = system_fault(target, own[0])
                if fault:
                    wrong.append(f"{shown}: {operand}: {fault}")
            else:
                graph.setdefault(name, []).append(inside)
                other = layer_of(inside)
                if other and not (other[0] < own[0] or other == own):
                    wrong.append(f"{shown}: {operand} points upwards or sideways ({name} may not include {inside})")
    ring = circle(graph)
    if ring:
        wrong.append("a circle: " + " -> ".join(ring))
    return wrong, len(files)


# The changes of the self-test: file, line added at its end (none: the file is removed), expected message.
PLANTS = [
    ("include/cordon/policy/rights.hpp", '#include "cordon/policy/policy.hpp"', "points upwards"),
    ("include/cordon/policy/rights.hpp", '  #  include <cordon/policy/policy.hpp> // why', "points upwards"),
    ("include/cordon/policy/path.hpp", '#include "cordon/policy/glob.hpp"', "points upwards or sideways"),
    ("include/cordon/policy/policy.hpp", "#include <boost/json.hpp>", "Boost in a core header"),
    ("include/cordon/policy/policy.hpp", "#include <string>", "light standard headers"),
    ("include/cordon/policy/policy.hpp", "#include <unistd.h>", "an OS header"),
    ("include/cordon/policy/policy.hpp", "#include <sys/types.h>", "an OS header"),
    ("include/cordon/policy/policy.hpp", "#define ANY <vector>\n#include ANY", "through a macro"),
    ("include/cordon/policy/policy.hpp", '#include "absent.hpp"', "not in the tree"),
    ("include/cordon/policy/heap.hpp", "#include <boost/json.hpp>", "below format"),
    ("include/cordon/policy/heap.hpp", "#include <unistd.h>", "an OS header"),
    ("include/cordon/query/explain.hpp", '#include "../format/planted.hpp"', "points upwards"),
    ("include/cordon/run/planted.hpp", "#include <fcntl.h>", "an OS header outside shims"),
    ("shims/common/planted.hpp", "#include <fcntl.h>", "an OS header outside shims"),
    ("shims/common/planted.hpp", '#include "../linux/planted.hpp"', "points upwards"),
    ("include/cordon/run/planted.hpp", '#include "linux/planted.hpp"', "points upwards"),
    ("shims/linux/child/planted.hpp", "#include <cordon.h>", "points upwards"),
    ("shims/cli/documents.hpp", '#include "../c/planted.hpp"', "points upwards or sideways"),
    ("include/cordon/detail/planted.hpp", '#include "again.hpp"', "a circle"),
    ("shims/linux/child/planted.hpp", '#include "../supervise/planted.hpp"', "points upwards"),
    ("include/cordon/run/planted.hpp", "using x = format::detail::y;", "a detail of another folder"),
    ("include/cordon/unheard_of.hpp", "", "no layer"),
    ("include/cordon/backend/floor.hpp", None, "take it out"),
]
# Added in every copy beside the line, so that the self-test does not depend on the state of the tree.
GROUND = {
    **{f"include/cordon/{stem}.hpp": "" for stem in
       "policy/rights policy/path policy/glob policy/policy query/explain policy/heap".split()},
    "include/cordon/format/planted.hpp": "",
    "include/cordon/run/planted.hpp": '#include <boost/json.hpp>\n#include <string>\n#include "../policy/policy.hpp"\n',
    "shims/common/planted.hpp": "",
    "shims/linux/planted.hpp": '#include <unistd.h>\n#include "cordon/policy/policy.hpp"\n',
    "include/cordon/detail/planted.hpp": "// #include <string>\n/*\n#include <vector>\n*/\n",
    "shims/linux/child/planted.hpp": "",
    "shims/c/planted.hpp": "",
    "shims/linux/supervise/planted.hpp": '#include "../child/planted.hpp"\n',
    "include/cordon/detail/again.hpp": '#include "planted.hpp"\n',
}


def self_test(root):
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number, (file, line, words) in enumerate([(None, "", "")] + PLANTS):
            copy = pathlib.Path(scratch) / str(number)
            for folder in ("include", "shims"):
                if (root / folder).is_dir():
                    shutil.copytree(root / folder, copy / folder)
            for ground, text in GROUND.items():
                (copy / ground).parent.mkdir(parents=True, exist_ok=True)
                if not (copy / ground).exists():
                    (copy / ground).write_text(text, encoding="utf-8")
            before = faults(copy)[0] if file else faults(root)[0]
            if file and line is None:
                (copy / file).unlink()
            elif file:
                with open(copy / file, "a", encoding="utf-8") as planted:
                    planted.write(f"\n{line}\n")
            fresh = [fault for fault in faults(copy)[0] if fault not in before]
            found = any(words in fault for fault in fresh) if file else not fresh
            if not found:
                failed += 1
                print(f"not found: {line!r} in {file} ({words})", *fresh, sep="\n  ")
    print(f"{len(PLANTS) + 1 - failed} passed, {failed} failed, 0 skipped")
    return failed


def main(arguments):
    root = pathlib.Path(__file__).resolve().parents[2]
    if arguments == ["--self-test"]:
        return 1 if self_test(root) else 0
    if arguments:
        root = pathlib.Path(arguments[0]).resolve()
    wrong, count = faults(root)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    bad = len({line.split(":")[0] for line in wrong})
    if not count:
        print("no header found")
        return 1
    print(f"{max(count - bad, 0)} passed, {bad} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
