#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs a WebAssembly module under node's WASI with the directories of a plan, and compares what it can do with what
cordon's interpreter says.

usage: wasi_view.py --plan PROGRAM [--policies COUNT] [--compiler CLANG]
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.results import Results

HELPERS = pathlib.Path(__file__).resolve().parents[1] / "helpers"
DIRECTORIES = ['', 'a', 'a/b', 'a/b/c', 'a/b c', 'a/"q"\\', 'b', 'b/x', 'b/x/y', 'bc']
RUNNER = r'''
const { WASI } = require("node:wasi");
const fs = require("node:fs");
const { wasm, preopens, words } = JSON.parse(fs.readFileSync(0, "utf8"));
const wasi = new WASI({ version: "preview1", preopens, args: ["probe", ...words], env: {}, returnOnExit: true });
const module_ = new WebAssembly.Module(fs.readFileSync(wasm));
wasi.start(new WebAssembly.Instance(module_, { wasi_snapshot_preview1: wasi.wasiImport }));
'''


class Fault(Exception):
    pass


def make_tree(root):
    """Every directory with a file, an empty directory, and room for a new one."""
    shutil.rmtree(root, ignore_errors=True)
    for d in DIRECTORIES:
        (root / d).mkdir(parents=True)
        (root / d / 'f').write_text('content')
        (root / d / 'e').mkdir()


def asked(root):
    """What can be tried on what is there, the acts that destroy something last."""
    acts = []
    for d in DIRECTORIES:
        here = str(root / d)
        acts += [('list', here), ('attributes', here), ('read', here + '/f'), ('attributes', here + '/f'),
                 ('list', here + '/e'), ('write', here + '/f'), ('create', here + '/new')]
    for d in DIRECTORIES:
        acts += [('remove', str(root / d / 'f')), ('remove', str(root / d / 'e'))]
    return acts


def outside(right, path):
    """The same act without WASI."""
    try:
        if right == 'read':
            return pathlib.Path(path).read_text() != ''
        if right == 'list':
            return os.listdir(path) is not None
        if right == 'write':
            with open(path, 'r+') as f:
                return f.write('w') == 1
        if right == 'create':
            os.mkdir(path)
        elif right == 'remove':
            (os.rmdir if os.path.isdir(path) else os.unlink)(path)
        elif right == 'attributes':
            os.utime(path)
        return True
    except OSError:
        return False


def compile_probe(clang, to):
    """Any clang knows the target; its linker is wasm-ld."""
    done = subprocess.run([clang, '--target=wasm32', '-O1', '-nostdlib', '-ffreestanding', '-Wl,--no-entry',
                           str(HELPERS / 'wasi_probe.c'), '-o', str(to)], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


def run_module(wasm, preopens, acts):
    words = [w for act in acts for w in act]
    done = subprocess.run(['node', '--no-warnings', '--experimental-wasi-unstable-preview1', '-e', RUNNER],
                          input=json.dumps({'wasm': str(wasm), 'preopens': preopens, 'words': words}),
                          capture_output=True, text=True, check=False)
    answers = done.stdout.strip()
    if done.returncode != 0 or len(answers) != len(acts):
        raise Fault(f'node: {done.stdout}{done.stderr}')
    return [c == '1' for c in answers]


def opened(plan):
    """The directories of a plan, siblings looked up in the tree; links are left out."""
    preopens = dict(plan['preopens'])
    for s in plan['siblings']:
        for entry in os.scandir(s['directory']):
            if entry.is_dir(follow_symlinks=False) and entry.path not in plan['except']:
                preopens[entry.path] = entry.path
    return preopens


def is_file_among_siblings(plan, preopens, path):
    """A file beside the path to a restriction: the plan treats it as a directory."""
    covered = any(path.startswith(p.rstrip('/') + '/') for p in preopens)
    return not covered and os.path.dirname(path) in [s['directory'] for s in plan['siblings']]


def compare(o, wasm, root, seed):
    """(answers compared, of these allowed, siblings in the plan)"""
    make_tree(root)
    done = subprocess.run([o.plan, 'node', str(seed)] + [str(root / d) for d in DIRECTORIES], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise Fault(f'plan: {done.stderr}')
    text, _, verdicts = done.stdout.partition('verdicts\n')
    plan = json.loads(text)
    said = {}
    for line in verdicts.splitlines():
        answer, right, place = line.split(' ', 2)
        said[right, place] = answer == '1'
    preopens, acts = opened(plan), asked(root)
    expected = [said[act] and not (act[1].endswith('/f') and
                                   is_file_among_siblings(plan, preopens, act[1])) for act in acts]
    for act, live, want in zip(acts, run_module(wasm, preopens, acts), expected):
        if live != want:
            raise Fault(f'seed {seed}: {act[0]} {act[1]}: node {"allows" if live else "refuses"} it\n{text}')
    return len(acts), sum(expected), len(plan['siblings'])


def escapes(wasm, scratch):
    """Whether node follows a link out of an opened directory, as the gap wasi.escape reports."""
    inside, secret = scratch / 'inside', scratch / 'outside' / 'f'
    inside.mkdir()
    secret.parent.mkdir()
    secret.write_text('secret')
    (inside / 'link').symlink_to('../outside')
    return run_module(wasm, {str(inside): str(inside)}, [('read', str(inside / 'link' / 'f'))])[0]


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--plan', required=True, help='the program that prints plans')
    options.add_argument('--policies', type=int, default=40)
    options.add_argument('--compiler', default='')
    o = options.parse_args()
    results = Results()
    if shutil.which('node') is None:
        results.skipped('directories of a module under node', 'node')
        return results.end()
    with tempfile.TemporaryDirectory(prefix='cordon-wasi-') as scratch:
        base = pathlib.Path(scratch).resolve()
        root, wasm = base / 'tree', base / 'probe.wasm'
        for clang in [o.compiler] if o.compiler else ['clang-19', 'clang-16', 'clang-14', 'clang']:
            if shutil.which(clang) and compile_probe(clang, wasm)[0]:
                break
        else:
            results.skipped('directories of a module under node', 'clang with wasm-ld')
            return results.end()
        try:
            acts = asked(root)
            make_tree(root)
            if not all(outside(*act) for act in acts):
                raise Fault('control: an act fails outside WASI')
            make_tree(root)
            if not all(run_module(wasm, {'/': '/'}, acts)):
                raise Fault('control: an act fails under WASI with everything open')
            make_tree(root)
            if any(run_module(wasm, {}, acts)):
                raise Fault('control: an act succeeds under WASI with nothing open')
            answers = allowed = siblings = 0
            for seed in range(o.policies):
                n, yes, s = compare(o, wasm, root, seed)
                answers, allowed, siblings = answers + n, allowed + yes, siblings + s
            print(f'{o.policies} policies, {answers} acts under node agree ({allowed} allowed), {siblings} siblings')
            if o.policies >= 40 and not (answers / 20 < allowed < answers / 2 and siblings > 10):
                raise Fault('too few acts were compared')
            print('wasi.escape:', 'node follows a link out of its directory' if escapes(wasm, base) else
                  'node stayed inside; the gap may be dropped for this release')
            results.passed('directories of a module under node')
        except Fault as fault:
            results.failed('directories of a module under node', str(fault))
    return results.end()


if __name__ == '__main__':
    sys.exit(main())
