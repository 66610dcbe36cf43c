# SPDX-License-Identifier: BSL-1.0
"""Policies over small trees of files, with grants nested in every way that is difficult for rules."""
import os
import shutil
import socket

from .scratch import write


def word(place):
    """A path as a word of the notation, whatever its bytes."""
    return b'"' + b"".join(b"\\x%02x" % c if c < 32 or c in b'"\\' else bytes([c]) for c in place) + b'"'


# name -> the grants; a place ends with a slash where it is a directory, and "?" before it says that it does not exist.
# "..text" is also tried as the command line that is printed for people, where no file type is looked up.
CASES = {
    "nothing": [],
    "disjoint ..text": [("read", "a/"), ("write", "b/"), ("run", "c/d/")],
    "read-only in writable in read-only ..text":
        [("read", "a/"), ("write", "a/b/"), ("read", "a/b/c/"), ("write", "a/b/c/d/"), ("run", "a/b/c/d/e/f/")],
    "hidden inside granted ..text":
        [("write", "w/"), ("hide", "w/secret/"), ("read", "r/"), ("hide", "r/x/y/"), ("hide", "r/x/z/")],
    "granted inside hidden ..text":
        [("read", "r/"), ("hide", "r/ssh/"), ("read", "r/ssh/known/"), ("write", "r/ssh/deep/er/"),
         ("hide", "r/ssh/known/k/")],
    "protected far below ..text":
        [("write", "w/"), ("read", "w/.git/hooks/"), ("hide", "w/a/b/c/d/e/"), ("read", "w/a/q/")],
    "files":
        [("read", "etc/hosts"), ("write", "w/"), ("read", "w/.git/config"), ("hide", "w/key"), ("write", "log/one"),
         ("hide", "etc/shadow"), ("read", "usr/"), ("hide", "usr/secret"), ("write", "usr/open")],
    "blanks and quotes ..text":
        [("write", "it's here/"), ("read", "it's here/two  words/"), ("hide", "it's here/$(exit 7)`exit 7`/"),
         ("read", "\"quoted\"/"), ("write", "\"quoted\"/back\\slash/"), ("run", "--tmpfs/"), ("read", "*/"),
         ("hide", "*/?[a]/")],
    "other bytes ..text":
        [("write", "\u017elu\u0165ou\u010dk\u00fd k\u016f\u0148/"),
         ("hide", "\u017elu\u0165ou\u010dk\u00fd k\u016f\u0148/\u65e5\u672c/"),
         ("read", "\udcff\udcfe/"), ("hide", "\udcff\udcfe/\udc80/"), ("write", "line\nfeed/"),
         ("read", "line\nfeed/tab\tbell\a/"), ("hide", "line\nfeed/at the end\n\n/"),
         ("hide", "line\nfeed/\u009b2J\u202e/")],
    "exact sets":
        [("allow read", "secret.txt"), ("allow read", "dir/"), ("allow read,write", "data"), ("allow list", "names/"),
         ("allow read,write,attributes", "state"), ("allow run", "tool"), ("allow read,list,write", "half/"),
         ("allow read,list,write,create,remove,attributes", "noexec/"), ("allow read,list,run,connect", "served/"),
         ("allow connect", "one.sock"), ("allow connect", "sockets/"), ("allow create", "spool/")],
    "names that are not siblings ..text":
        [("write", "a/"), ("read", "a/b/"), ("hide", "a/b-/"), ("read", "a/b./"), ("hide", "a/bc/"),
         ("write", "a/b/c/"), ("read", "a-/")],
    "missing":
        [("write", "w/"), ("read", "?w/.git/hooks/"), ("hide", "?w/secret/"), ("write", "v/"), ("read", "?v/only/"),
         ("read", "?gone/"), ("read", "r/"),
         ("hide", "?r/gone/"), ("write", "?r/also/gone/"), ("write", "?r/new dir/"), ("write", "?made/")],
    "everything but ..text": [("everything", ""), ("hide", "x/"), ("read", "y/"), ("write", "y/z/")],
    "all read ..text": [("all read", ""), ("write", "w/"), ("read", "w/r/"), ("hide", "h/")],
    "many": [("read" if i % 3 else "write", f"{'ab'[i % 2]}/n{i}/" + "deep/" * (i % 4)) for i in range(40)],
    "ladder ..text": [(("write", "read", "hide")[i % 3], "s/" * (i + 1)) for i in range(12)],
}


def policy_of(top, grants):
    """The interpreter of the probe is granted too; the grants of the case override it."""
    system = [b"run /usr", b"run /etc"] + [b"run " + os.fsencode(place) for place in ("/lib", "/lib64", "/bin")
                                           if os.path.isdir(place) and not os.path.islink(place)]
    lines = [b"network none"]
    verbs = [verb for verb, _ in grants]
    if "everything" in verbs:
        lines.append(b"allow read,list,run,write,create,remove,attributes,connect /")
    elif "all read" in verbs:
        lines.append(b"run /")
    else:
        lines += system
    for verb, place in grants:
        if place:
            full = os.path.join(top, os.fsencode(place.lstrip("?").rstrip("/")))
            lines.append(verb.encode() + b" " + word(full))
    return b"\n".join(lines) + b"\n"


class Tree:
    """Real files at and around every path of a case, and sockets on which a process outside listens."""

    def __init__(self, top, grants, account):
        self.top, self.directories, self.files, self.sockets, self.absent = top, set(), set(), set(), set()
        self.listening = []
        gone = [os.path.join(top, os.fsencode(place[1:]).rstrip(b"/")) for _, place in grants if place.startswith("?")]
        self._directory(top)
        for _, place in grants:
            full = os.path.join(top, os.fsencode(place.lstrip("?")))
            if place.startswith("?"):
                self.absent.add(full.rstrip(b"/"))
                continue
            self._directory(os.path.dirname(full.rstrip(b"/")))
            if place.endswith("/"):
                self._directory(full.rstrip(b"/"))
            elif place.endswith(".sock"):
                self._socket(full)
            elif place:
                self._file(full)
        for directory in sorted(self.directories):
            self._file(os.path.join(directory, b"file"))
            self._socket(os.path.join(directory, b"sock"))
            self.absent.add(os.path.join(directory, b"new"))
            below = os.path.join(directory, b"sub")
            if below not in self.directories:
                os.mkdir(below)
                self.directories.add(below)
                self._file(os.path.join(below, b"file"))
                self.absent.add(os.path.join(below, b"new"))
        for place in gone:
            self.absent.add(os.path.join(place, b"file"))
        account.own_tree(top)

    def _directory(self, place):
        while place not in self.directories and place.startswith(self.top):
            os.makedirs(place, exist_ok=True)
            self.directories.add(place)
            place = os.path.dirname(place)

    def _file(self, place):
        if place not in self.files:
            write(place, "#!/bin/sh\nexit 0\n", 0o755)
            self.files.add(place)

    def _socket(self, place):
        here = os.open(".", os.O_RDONLY)
        stream = socket.socket(socket.AF_UNIX)
        try:
            os.chdir(os.path.dirname(place))
            stream.bind(os.path.basename(place))
        finally:
            os.fchdir(here)
            os.close(here)
        stream.listen(64)
        self.listening.append(stream)
        self.sockets.add(place)

    def questions(self):
        every = [(right, place) for place in self.directories for right in ("list", "attributes", "remove")]
        every += [(right, place) for place in self.files for right in ("read", "run", "write", "attributes", "remove")]
        every += [("connect", place) for place in self.sockets]
        every += [("create", place) for place in self.absent]
        way = self.top
        while way != b"/":
            way = os.path.dirname(way)
            every.append(("list", way))
        return sorted(every)

    def close(self):
        for stream in self.listening:
            stream.close()
        shutil.rmtree(self.top, ignore_errors=True)
