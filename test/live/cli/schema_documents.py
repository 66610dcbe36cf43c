# SPDX-License-Identifier: BSL-1.0
"""Documents for schema.py, each with the verdict of the schema and of the reader."""


def document(key, value):
    return {"cordon": 1, key: value}


def grant(path="/a", rights="read", **more):
    return document("files", [{"path": path, "rights": rights, **more}])


def allowed(*patterns):
    return document("network", {"allowed_domains": list(patterns)})


def denied(*patterns):
    return document("network", {"allowed_domains": ["*"], "denied_domains": list(patterns)})


def limit(key, value):
    return document("limits", {key: value})


def sockets(key, value):
    return document("sockets", {key: value})


def environment(key, value):
    return document("environment", {key: value})


def programs(value):
    return document("guard", {"executables": value})


# What only the reader can see, exactly: the schema must accept each of these.
READER_ONLY = {
    "cordon_documents.json": {"duplicate key", "the same place twice"},
    "limits.tsv": {"0.3KiB", "9223372036854775808"},
    "host_patterns.tsv": {"10.1.2.3/8", "example.com:443-80", "a\ufffdb.com", "xn--zzzzz99999.com"},
    "paths.tsv": set(),
    "environment.tsv": set(),
}

FULL = {
    "cordon": 1, "profile": "worktree", "level": "process_exec",
    "capabilities": ["workspace.read_text", "process.exec", "mail.send"],
    "workspace": [{"path": "/srv/job", "rights": "write"}],
    "files": [{"path": "/srv/job", "rights": ["read", "list", "run"]}, {"path": "~/x", "rights": "hide"}],
    "presets": ["system_runtime", "credentials"],
    "network": {"allowed_domains": ["*.example.com", "10.0.0.0/8:443"], "denied_domains": ["=evil.example.com"]},
    "sockets": {"own": True, "listen": [8080, "8000-8999"], "loopback": True, "unix": ["/run/x.sock"]},
    "abilities": ["spawn", "clock"],
    "syscalls": {"mode": "strict", "deny": ["memfd_create"]},
    "limits": {"timeout": "30s", "cpu": "1.5h", "memory": "512MiB", "processes": 64, "open_files": "256",
               "file_size": 1048576, "output": "1 MB"},
    "environment": {"pass": ["PATH", "LC_*"], "set": {"A": "1"}, "remove": ["LD_PRELOAD", "SECRET_*"]},
    "guard": {"executables": ["git", "/usr/bin/make"], "interpreters": False},
    "fallback": "enforce",
}

WHOLE = ("capabilities", "workspace", "files", "network", "sockets", "abilities")
WORDS = {
    "document/properties/profile": [lambda w: document("profile", w)],
    "document/properties/level": [lambda w: document("level", w)],
    "document/properties/fallback": [lambda w: document("fallback", w)],
    "document/properties/presets/items": [lambda w: document("presets", [w])],
    "document/properties/abilities/anyOf/1/items": [lambda w: document("abilities", ["clock", w])],
    "document/properties/syscalls/anyOf/0": [lambda w: document("syscalls", w)],
    "document/properties/syscalls/anyOf/1/properties/mode": [lambda w: document("syscalls", {"mode": w})],
    "document/properties/sockets/anyOf/0": [lambda w: document("sockets", w)],
    "any_or_none": [lambda w, key=key: document(key, w) for key in WHOLE if key != "sockets"] + [programs],
    "rights/anyOf/0": [lambda w: grant(rights=w)],
    "rights/anyOf/1/items": [lambda w: grant(rights=[w])],
    "capability/anyOf/0": [lambda w: document("capabilities", [w])],
    "system_call": [lambda w: document("syscalls", {"deny": [w]})],
}

DOCUMENTS = [
    ("nothing but the number", "good", {"cordon": 1}),
    ("another number", "bad", {"cordon": 2}),
    ("the number as text", "bad", {"cordon": "1"}),
    ("the number as true", "bad", {"cordon": True}),
    ("no number", "bad", {"level": "none"}),
    ("a number with a fraction", "reader", '{"cordon": 1.0}'),
    ("a number with an exponent", "reader", '{"cordon": 1, "limits": {"processes": 1e2}}'),
    ("a port with an exponent", "reader", '{"cordon": 1, "sockets": {"listen": [8e1]}}'),
    ("a key twice", "reader", '{"cordon": 1, "level": "none", "level": "network"}'),
    ("a key twice below", "reader", '{"cordon": 1, "limits": {"memory": 1, "memory": 2}}'),
    ("no JSON", "bad", '{"cordon": 1'),
    ("a list at the top", "bad", "[1]"),
    ("a key of an editor", "bad", document("$schema", "urn:cordon:schema:document:1")),
    ("one path twice", "reader", document("files", [{"path": "/a", "rights": "read"},
                                                     {"path": "/b/../a/", "rights": "run"}])),
    ("a pattern for a path", "good", document("files", [{"path": {"glob": "**/.env"}, "rights": "hide"}])),
    ("a pattern in a grant", "good", document("files", [{"glob": "~/*.pem", "rights": "hide"}])),
    ("a pattern and a path", "bad", document("files", [{"glob": "*", "path": "/a", "rights": "read"}])),
    ("a pattern as a path", "bad", document("files", [{"path": "glob:*", "rights": "read"}])),
    ("a pattern that takes back", "bad", document("files", [{"glob": "!a", "rights": "read"}])),
    ("a bracket that stays open", "reader", document("files", [{"glob": "[a", "rights": "read"}])),
    ("a pattern twice", "reader", document("files", [{"glob": "*", "rights": "read"}, {"glob": "*", "rights": "run"}])),
    ("a path on both axes", "good", {**grant(), "workspace": [{"path": "/a", "rights": "write"}]}),
    ("a path that starts with a dot", "good", grant("./a")),
    ("home", "good", grant("~")),
    ("below home", "good", grant("~/.config")),
    ("home of another", "bad", grant("~root/x")),
    ("no place", "bad", grant("")),
    ("a path with NUL", "bad", grant("/a\0b")),
    ("a path with a line feed", "good", grant("/a\nb\n")),
    ("a path that is too long", "reader", grant("/" + "a" * 4095)),
    ("a path that is too long until it is normalized", "good", grant("/x/.." * 1000 + "/a")),
    ("a grant without rights", "bad", document("files", [{"path": "/a"}])),
    ("a grant with a mode", "bad", grant(mode=7)),
    ("an empty list of rights", "bad", grant(rights=[])),
    ("one right twice", "good", grant(rights=["read", "read"])),
    ("a verb in a list of rights", "bad", grant(rights=["hide"])),
    ("a right as a verb", "bad", grant(rights="connect")),
    ("the abilities of a debugger", "good", document("abilities", ["debug", "clock"])),
    ("no presets", "good", document("presets", [])),
    ("presets in a word", "bad", document("presets", "none")),
    ("a capability of the host", "good", document("capabilities", ["mail.send", "a_1.b.c9"])),
    ("a capability in a known group", "bad", document("capabilities", ["workspace.all"])),
    ("a capability in a group that starts alike", "good", document("capabilities", ["workspaces.all"])),
    ("a capability of one word", "bad", document("capabilities", ["mail"])),
    ("a capability that ends in a dot", "bad", document("capabilities", ["mail.send."])),
    ("a capability with a line feed", "bad", document("capabilities", ["mail.send\n"])),
    ("hosts without a list", "bad", document("network", {})),
    ("denied hosts alone", "bad", document("network", {"denied_domains": ["example.com"]})),
    ("no denied host", "good", denied()),
    ("an invalid denied host", "bad", denied("a..b")),
    ("a port of every host", "good", allowed("*:443", "*:1-65535")),
    ("a port that is too high", "bad", allowed("example.com:65536")),
    ("ports that go down", "reader", allowed("*:9-8")),
    ("a label that ends in a hyphen", "bad", allowed("a-.example.com")),
    ("a label of 63", "good", allowed("a" * 63 + ".com")),
    ("a label of 64", "bad", allowed("a" * 64 + ".com")),
    ("a name of 253 and its dot", "good", allowed("*." + ".".join(["a" * 63] * 3 + ["b" * 61]) + ".:80")),
    ("a name of 254", "bad", allowed("=" + ".".join(["a" * 63] * 3 + ["b" * 62]))),
    ("a number at the end of a name", "bad", allowed("example.0x1f")),
    ("a number at the end of a name and a dot", "bad", allowed("a.1.:80")),
    ("an address with a dot", "good", allowed("192.0.2.7.")),
    ("an address with three parts", "bad", allowed("10.0.1")),
    ("an exact address with a short prefix", "bad", allowed("=10.0.0.0/8")),
    ("an exact address with a full prefix", "good", allowed("=[2001:db8::1]/128:443", "=10.0.0.1/32")),
    ("IPv6 of every shape", "good", allowed(
        "[::]", "[::1]", "[1::]", "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]", "[1::3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]",
        "[1:2:3:4:5:6:192.0.2.1]", "[::192.0.2.1]", "[1::5:192.0.2.1]", "[1:2:3:4:5::192.0.2.1]",
        "[::ffff:192.0.2.1]/128")),
    ("IPv6 of nine groups", "bad", allowed("[1:2:3:4:5:6:7:8:9]")),
    ("IPv6 with two gaps", "bad", allowed("[1::2::3]")),
    ("IPv6 with a gap too many", "bad", allowed("[1:2:3:4::5:6:7:8]")),
    ("IPv6 with a gap and an address too many", "bad", allowed("[1:2:3:4:5:6::192.0.2.1]")),
    ("IPv6 with a long group", "bad", allowed("[12345::]")),
    ("IPv6 that ends in a colon", "bad", allowed("[1:2:]")),
    ("IPv6 with a short address", "bad", allowed("[::192.0.2]")),
    ("IPv6 with bits of the host", "reader", allowed("[2001:db8::1]/64")),
    ("a mapped prefix that is short", "reader", allowed("[::ffff:0:0]/64")),
    ("names of many scripts", "good", allowed("*.bücher.example:443", "=例え.jp", "пример.испытание", "ü_.de",
                                              "a\u2260b.com")),
    ("an address in wide digits", "good", allowed("\uff11.2.3.4", "\uff11.0.0.0/8")),
    ("a name with a blank and a letter", "bad", allowed("ü b.com")),
    ("a name that is too long once converted", "reader", allowed("ü" * 63 + ".com")),
    ("a host with a line feed", "bad", allowed("example.com\n")),
    ("no socket", "good", document("sockets", {})),
    ("sockets of the run's own", "good", document("sockets", "own")),
    ("own in a list of sockets", "good", sockets("own", False)),
    ("own as a word in a list", "bad", sockets("own", "yes")),
    ("another word for sockets", "bad", document("sockets", "mine")),
    ("empty lists of sockets", "good", document("sockets", {"listen": [], "unix": []})),
    ("ports in every spelling", "good", sockets("listen", [1, 65535, "1", "65535", "1-65535", "80-80"])),
    ("port 0", "bad", sockets("listen", [0])),
    ("a port with a zero before it", "bad", sockets("listen", ["080"])),
    ("port 65536", "bad", sockets("listen", [65536])),
    ("a pattern of sockets", "good", sockets("unix", [{"glob": "/run/*.sock"}])),
    ("a pattern of sockets with more", "bad", sockets("unix", [{"glob": "/run/*.sock", "path": "/x"}])),
    ("a socket in another's home", "bad", sockets("unix", ["~v/x"])),
    ("loopback in a word", "bad", sockets("loopback", "yes")),
    ("nothing denied", "good", document("syscalls", {"deny": []})),
    ("no such system call", "bad", document("syscalls", {"deny": ["open_door"]})),
    ("no limit", "good", document("limits", {})),
    ("a limit of 0", "bad", limit("memory", 0)),
    ("a limit of 0 in words", "bad", limit("timeout", "00.0 s")),
    ("the largest limit", "good", limit("memory", 9223372036854775807)),
    ("more than the largest limit", "bad", limit("memory", 9223372036854775808)),
    ("more than the largest count in text", "reader", limit("processes", "9223372036854775808")),
    ("a duration without a unit", "bad", limit("cpu", "30")),
    ("a duration in numbers", "bad", limit("cpu", 30)),
    ("a size with one blank behind it", "good", limit("output", "10 ")),
    ("a size with two blanks", "bad", limit("output", "10  kB")),
    ("half a nanosecond", "reader", limit("timeout", "0.5ns")),
    ("a limit with a line feed", "bad", limit("timeout", "30s\n")),
    ("nothing passes", "good", environment("pass", [])),
    ("every name passes", "good", environment("pass", ["*"])),
    ("a star in a name that is set", "bad", environment("set", {"A*": "1"})),
    ("an equals sign in a name that is removed", "bad", environment("remove", ["A=B"])),
    ("a value with NUL", "bad", environment("set", {"A": "\0"})),
    ("a value of numbers", "bad", environment("set", {"A": 1})),
    ("two stars", "bad", environment("pass", ["**"])),
    ("a blank in a name", "good", environment("set", {"a b": "c\nd"})),
    ("programs with a star", "bad", programs(["/usr/bin/*"])),
    ("a program without a name", "bad", programs([""])),
    ("nothing guarded", "good", document("guard", {})),
    ("interpreters in a word", "bad", document("guard", {"interpreters": "no"})),
]
