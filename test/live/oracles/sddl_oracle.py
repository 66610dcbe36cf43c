#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Judges AppContainer plans by their text alone: reads the access control lists back from SDDL, passes their entries
on to children as NTFS does, evaluates them as the security reference monitor does, and compares with the verdicts of
cordon's own interpreter.

usage: sddl_oracle.py --acl PROGRAM [--policies COUNT] [--wine SOURCE] [FILE...]

Sources: [MS-DTYP] 2.5.1 (SDDL), 2.5.3.2 (access check), 2.5.3.4 (inheritance).
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.results import Results

SECONDS = 300

READ, WRITE, APPEND, EXECUTE, DELETE_CHILD = 0x1, 0x2, 0x4, 0x20, 0x40
WRITE_ATTRIBUTES, DELETE = 0x100, 0x10000
TWO_LETTERS = {
    'FA': 0x1F01FF, 'FR': 0x120089, 'FW': 0x120116, 'FX': 0x1200A0, 'SD': 0x10000, 'RC': 0x20000, 'WD': 0x40000,
    'WO': 0x80000,
}
# Directories whose lists every container passes, and that take nothing from the drive's own list.
OPEN_TO_ALL = ('C:\\Windows', 'C:\\Program Files', 'C:\\Program Files (x86)')


class Fault(Exception):
    pass


class Entry:
    """One access control entry."""

    def __init__(self, kind, flags, mask, sid):
        self.kind, self.flags, self.mask, self.sid = kind, frozenset(flags), mask, sid

    def passed_to(self, directory):
        """What a child inherits from it, or None."""
        flags = set(self.flags)
        if directory:
            if 'CI' in flags:
                flags.discard('IO')
            elif 'OI' in flags and 'NP' not in flags:
                flags.add('IO')
            else:
                return None
            if 'NP' in flags:
                flags -= {'CI', 'OI', 'IO', 'NP'}
        else:
            if 'OI' not in flags:
                return None
            flags -= {'CI', 'OI', 'IO', 'NP'}
        return Entry(self.kind, flags | {'ID'}, self.mask, self.sid)


def mask_of(text):
    if re.fullmatch(r'0x[0-9a-fA-F]+', text):
        return int(text, 16)
    if len(text) % 2:
        raise Fault(f'rights {text!r}')
    mask = 0
    for i in range(0, len(text), 2):
        mask |= TWO_LETTERS[text[i:i + 2]]
    return mask


def read_dacl(text):
    """(protected, entries) of `D:[P](...)...`."""
    match = re.fullmatch(r'D:(P?)((?:\([^()]*\))*)', text)
    if not match:
        raise Fault(f'no DACL: {text!r}')
    entries = []
    for body in re.findall(r'\(([^()]*)\)', match.group(2)):
        fields = body.split(';')
        if len(fields) != 6 or fields[0] not in 'AD' or fields[3] or fields[4]:
            raise Fault(f'entry {body!r}')
        flags = [fields[1][i:i + 2] for i in range(0, len(fields[1]), 2)]
        if set(flags) - {'OI', 'CI', 'IO', 'NP', 'ID'} or len(flags) != len(set(flags)):
            raise Fault(f'flags of {body!r}')
        if not re.fullmatch(r'S-1(-\d+)+', fields[5]):
            raise Fault(f'SID of {body!r}')
        entries.append(Entry(fields[0], flags, mask_of(fields[2]), fields[5]))
    # Windows keeps what the writer orders, but evaluates front to back: a canonical list has what denies first.
    kinds = [e.kind for e in entries]
    if kinds != sorted(kinds, reverse=True):
        raise Fault(f'order of {text!r}')
    return bool(match.group(1)), entries


class Lists:
    """The lists of a plan, by upper-cased path; `C:\\` is an empty path."""

    def __init__(self, text):
        self.lists, self.present, self.sid, self.dacls = {}, set(), None, []
        for line in text.splitlines():
            if line.startswith('container '):
                self.sid = line.split(' ')[1]
            if not line.startswith('acl '):
                continue
            match = re.fullmatch(r'acl (present )?"([A-Z*]):\\([^"]*)" directory (\S+) file (\S+)', line)
            if not match:
                raise Fault(f'line {line!r}')
            name = re.sub(r'<U\+([0-9a-f]{4})>', lambda m: chr(int(m.group(1), 16)), match.group(3))
            path = tuple(name.upper().split('\\')) if name else ()
            if match.group(2) != '*':
                path = (match.group(2) + ':',) + path
            if path in self.lists:
                raise Fault(f'twice: {line!r}')
            self.lists[path] = read_dacl(match.group(4)), read_dacl(match.group(5))
            self.dacls += [match.group(4), match.group(5)]
            if match.group(1):
                self.present.add(path)

    def at(self, path, directory, without=None):
        """The entries of the object, explicit ones first; `without` is a path whose lists are gone with what bore them."""
        entries = []
        for n in range(len(path) + 1):
            here, is_directory = path[:n], directory or n < len(path)
            inherited = [e for e in (x.passed_to(is_directory) for x in entries) if e]
            gone = without is not None and here[:len(without)] == without
            protected, explicit = (False, []) if gone or here not in self.lists else self.lists[here][not is_directory]
            entries = explicit + ([] if protected else inherited)
        return entries

    def grants(self, path, directory, wanted, without=None):
        """The access check: front to back, until everything is granted or something denied."""
        left = wanted
        for e in self.at(path, directory, without):
            if 'IO' in e.flags or e.sid != self.sid:
                continue
            if e.kind == 'D' and e.mask & left:
                return False
            if e.kind == 'A':
                left &= ~e.mask
        return left == 0

    def removable(self, path, without=None):
        own = any(self.grants(path, kind, DELETE, without) for kind in (True, False))
        return len(path) > 1 and (own or self.grants(path[:-1], True, DELETE_CHILD, without))

    def addable(self, path, without=None):
        return len(path) > 1 and self.grants(path[:-1], True, WRITE | APPEND, without)

    def answers(self, right, path, without):
        grants = lambda directory, wanted: self.grants(path, directory, wanted, without)
        if right == 'read':
            return grants(False, READ)
        if right == 'list':
            return grants(True, READ)
        if right == 'run':
            return grants(False, EXECUTE)
        if right == 'write':
            return grants(False, WRITE | APPEND)
        if right == 'connect':
            return grants(False, WRITE)
        if right == 'attributes':
            return grants(True, WRITE_ATTRIBUTES) or grants(False, WRITE_ATTRIBUTES)
        if right == 'remove':
            return self.removable(path, without)
        if right == 'create':
            taken = without is None and path in self.present and not grants(True, WRITE | APPEND)
            return self.addable(path, without) and not taken
        raise Fault(f'right {right!r}')

    def permits(self, right, path):
        """Directly, or after a directory on the way (or the object itself) was moved away and made anew."""
        for top in OPEN_TO_ALL:
            root = tuple(top.upper().split('\\'))
            if path[:len(root)] == root:
                return right in ('read', 'list', 'run')
        if self.answers(right, path, None):
            return True
        return any(self.removable(path[:n]) and self.addable(path[:n]) and self.answers(right, path, path[:n])
                   for n in range(2, len(path) + 1))


def judge(output):
    """(verdicts compared, how many of them allow, SDDL texts); raises Fault on a difference."""
    text, _, verdicts = output.partition('verdicts ')
    drive, _, verdicts = verdicts.partition('\n')
    lists = Lists(text)
    count = allowed = 0
    for line in verdicts.splitlines():
        said, right, place = line.split(' ', 2)
        parts = [p for p in place.upper().split('/') if p]
        path = tuple(parts) if drive == '*' else (drive + ':',) + tuple(parts)
        if lists.permits(right, path) != (said == '1'):
            raise Fault(f'{right} {place}: cordon says {said}')
        count += 1
        allowed += said == '1'
    return count, allowed, lists.dacls


def self_test():
    """Checks the oracle against examples of Microsoft's documentation."""
    sid = 'S-1-15-2-1'

    def lists(*lines):
        return Lists(f'container {sid}\n' + '\n'.join(lines))

    def grants(what, path, directory, wanted):
        return what.grants(tuple(path.upper().split('\\')), directory, wanted)

    files_only = lists(f'acl "C:\\a" directory D:(A;OIIO;0x1;;;{sid}) file D:')
    assert not grants(files_only, 'C:\\a', True, 1)
    assert grants(files_only, 'C:\\a\\f', False, 1)
    assert not grants(files_only, 'C:\\a\\d', True, 1)
    assert grants(files_only, 'C:\\a\\d\\f', False, 1)
    once = lists(f'acl "C:\\a" directory D:(A;OICINP;0x1;;;{sid}) file D:')
    assert grants(once, 'C:\\a\\f', False, 1) and not grants(once, 'C:\\a\\d\\f', False, 1)
    nested = lists(f'acl "C:\\a" directory D:(D;OICI;0x1;;;{sid})(A;OICI;0x3;;;{sid}) file D:',
                   f'acl "C:\\a\\b" directory D:(A;OICI;0x1;;;{sid}) file D:',
                   'acl "C:\\a\\c" directory D:P file D:P')
    assert not grants(nested, 'C:\\a\\f', False, 1) and grants(nested, 'C:\\a\\f', False, 2)
    assert grants(nested, 'C:\\a\\b\\f', False, 1)  # explicit before inherited
    assert not grants(nested, 'C:\\a\\c\\f', False, 2)
    other = lists('acl "C:\\a" directory D:(A;OICI;0x1;;;S-1-1-0) file D:')
    assert not grants(other, 'C:\\a\\f', False, 1)
    for bad in ('D:(A;OICI;0x1;;;)', 'D:(A;OI;0x1;;S-1-1-0)', 'P', 'D:(A;XX;0x1;;;S-1-1-0)', 'D:P(A;;GARBAGE;;;S-1-1-0)',
                'D:(A;;0x1;;;S-1-1-0)(D;;0x1;;;S-1-1-0)'):
        try:
            read_dacl(bad)
        except (Fault, KeyError):
            continue
        raise AssertionError(bad)


def under_wine(source, texts, results):
    """Windows' own parser, as wine has it, on every text."""
    name = 'each text parses under wine'
    compiler, wine = shutil.which('x86_64-w64-mingw32-g++-posix'), shutil.which('wine')
    if not compiler or not wine:
        results.skipped(name, 'mingw and wine')
        return
    with tempfile.TemporaryDirectory(prefix='cordon-wine-') as folder:
        program = os.path.join(folder, 'parse.exe')
        subprocess.run([compiler, '-std=c++20', '-static', source, '-o', program, '-ladvapi32'], check=True)
        where = dict(os.environ, WINEPREFIX=os.path.join(folder, 'prefix'), WINEDEBUG='-all')
        done = subprocess.run([wine, program], input='\n'.join(sorted(texts)) + '\n', capture_output=True, text=True,
                              env=where, timeout=SECONDS, check=False)
        said = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr
        results.check(name, [] if done.returncode == 0 else [said])


def judge_all(runs, results):
    """Verdicts, those that allow, and the texts, of plans that all agree; None where one does not."""
    verdicts = allowed = 0
    texts = set()
    for command in runs:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            if done.returncode != 0:
                raise Fault(done.stderr)
            count, yes, dacls = judge(done.stdout)
        except Fault as fault:
            results.failed(' '.join(command[1:]), str(fault))
            return None
        verdicts += count
        allowed += yes
        texts.update(dacls)
    return verdicts, allowed, texts


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--acl', required=True, help='the program that prints plans')
    options.add_argument('--policies', type=int, default=300)
    options.add_argument('--wine', help='the source of a Windows program that parses each SDDL text')
    options.add_argument('files', nargs='*')
    o = options.parse_args()
    self_test()
    results = Results()
    found = judge_all([[o.acl, f, 'C'] for f in o.files] + [[o.acl, '--random', str(n)] for n in range(o.policies)], results)
    if found:
        verdicts, allowed, texts = found
        results.passed('access control lists', f'{verdicts} verdicts agree')
        print(f'{verdicts} verdicts agree ({allowed} allow), {len(texts)} different SDDL texts')
        enough = o.policies < 100 or (verdicts > 10000 and verdicts / 20 < allowed < verdicts)
        results.check('enough was judged', [] if enough else ['too few verdicts, or too few that allow'])
        if o.wine:
            under_wine(o.wine, texts, results)
    return results.end()


if __name__ == '__main__':
    sys.exit(main())
