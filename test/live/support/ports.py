# SPDX-License-Identifier: BSL-1.0
"""Ports of the machine that stay free until a test's program binds them."""
import random
import socket

# Below the range from which the kernel takes the ports of clients (ip_local_port_range, 32768 to 60999).
RANGE = range(20000, 32000)
held = []  # until this process ends


def is_free(port):
    for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(family, kind) as s:
                if family == socket.AF_INET6:
                    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                try:
                    s.bind((host, port))
                except OSError:
                    return False
    return True


def claimed_port():
    """A port that no other test claims: an abstract socket named for the port is the claim. Like a port, its name belongs to
    the network namespace, and the kernel frees it with the process."""
    for port in random.sample(RANGE, len(RANGE)):
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0cordon-test-port-{port}")
        except OSError:
            claim.close()
            continue
        if is_free(port):
            held.append(claim)
            return port
        claim.close()
    raise RuntimeError(f"every port from {RANGE.start} to {RANGE.stop - 1} is in use")
