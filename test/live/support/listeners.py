# SPDX-License-Identifier: BSL-1.0
"""Listeners outside: a connection to one of them has left the confinement."""
import os
import pty
import socket

KINDS = {"datagram": socket.SOCK_DGRAM, "packets": socket.SOCK_SEQPACKET}


class Listeners:
    """Sockets that count what arrives."""

    def __init__(self, paths, abstract):
        self.places = {}
        self.open_streams = []
        self.heard = {}
        self._add("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self._add("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        try:
            self._add("tcp6", socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0))
        except OSError:
            pass
        self._add("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract)
        self.paths = paths

    def _add(self, name, family, kind, address):
        place = socket.socket(family, kind)
        place.bind(address)
        place.setblocking(False)
        if kind != socket.SOCK_DGRAM:
            place.listen(16)
        self.places[name] = place
        self.heard.setdefault(name, 0)

    def port(self, name):
        return self.places[name].getsockname()[1] if name in self.places else 0

    def renew_paths(self, account):
        """Sockets with a path live in trees that are made anew."""
        for name, path in self.paths.items():
            if name in self.places:
                self.places.pop(name).close()
            kind = KINDS.get(name.split()[0], socket.SOCK_STREAM)
            self._add(name, socket.AF_UNIX, kind, path)
            os.chmod(path, 0o777)
            account.own(path)

    def connected(self):
        """A socket whose other end is heard here."""
        near = socket.create_connection(("127.0.0.1", self.port("tcp")))
        self.places["tcp"].setblocking(True)
        far, _ = self.places["tcp"].accept()
        self.places["tcp"].setblocking(False)
        far.setblocking(False)
        self.open_streams.append(far)
        return near

    def observe(self):
        for name, place in self.places.items():
            try:
                while True:
                    if place.type == socket.SOCK_DGRAM:
                        place.recv(64)
                    else:
                        place.accept()[0].close()
                    self.heard[name] += 1
            except OSError:
                pass
        still_open = []
        for stream in self.open_streams:
            try:
                if stream.recv(64):
                    self.heard["leaked socket"] = self.heard.get("leaked socket", 0) + 1
                    still_open.append(stream)
                else:
                    stream.close()
            except OSError:
                still_open.append(stream)
        self.open_streams = still_open
        return {f"socket {name}": count for name, count in self.heard.items()}

    def close(self):
        for place in list(self.places.values()) + self.open_streams:
            place.close()


class Terminal:
    """A terminal outside the confinement; the test reads what is written to it."""

    def __init__(self, account):
        self.leader, follower = pty.openpty()
        self.path = os.ttyname(follower)
        account.own(self.path)
        self.follower = follower
        self.heard = 0
        os.set_blocking(self.leader, False)

    def observe(self):
        try:
            self.heard += len(os.read(self.leader, 4096))
        except OSError:
            pass
        return {"the other terminal": self.heard}

    def close(self):
        os.close(self.leader)
        os.close(self.follower)
