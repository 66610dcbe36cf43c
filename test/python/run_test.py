# SPDX-License-Identifier: BSL-1.0
"""Runs in Python."""
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from unittest import mock

import cordon
from support import InScratch


class RunTest(InScratch):
    def test_input_variables_and_both_streams(self):
        report = self.shell('cat; echo "$WORD"; echo wrong >&2; exit 7', input="one\n", capture_output=True,
                            env={"PATH": "/usr/bin:/bin", "WORD": "from outside"})
        self.assertEqual((report.outcome, report.status, report.why), ("exited", 7, None))
        self.assertEqual((report.stdout, report.stderr), (b"one\nfrom outside\n", b"wrong\n"))
        self.assertEqual(report.json["argv"][0], "sh")
        self.assertIn("status=7", repr(report))

    def test_without_input_stdin_is_empty(self):
        self.assertEqual(self.shell("cat", capture_output=True).stdout, b"")

    def test_output_that_is_not_captured_is_none(self):
        self.assertIsNone(self.shell("true").stdout)

    def test_a_write_outside_the_policy_is_refused(self):
        target = self.outside / "escaped"
        script = f"echo kept > {self.inside}/kept; echo out > {target}"
        report = self.shell(script, capture_output=True)
        self.assertNotEqual(report.status, 0)
        self.assertIn(str(target).encode(), report.stderr)
        self.assertFalse(target.exists())
        self.assertTrue((self.inside / "kept").exists())
        subprocess.run(["sh", "-c", script], check=True)  # the control
        self.assertTrue(target.exists())

    def test_a_secret_of_the_host_cannot_be_read(self):
        secret = self.outside / "secret"
        secret.write_text("secret", encoding="utf-8")
        self.assertEqual(self.shell(f"cat {secret}", capture_output=True).stdout, b"")
        wide = cordon.Policy.parse(f"level process_exec\nrun /usr\nread {self.top}\nwrite {self.inside}\n")
        self.assertEqual(self.shell(f"cat {secret}", policy=wide, capture_output=True).stdout, b"secret")

    def test_a_program_that_the_policy_refuses_is_an_outcome(self):
        report = cordon.run(["/usr/bin/true"], policy=cordon.Policy.parse("level process_exec\nread /etc\n"))
        self.assertEqual((report.outcome, report.status), ("refused", 125))
        self.assertTrue(report.why)

    def test_a_program_that_does_not_exist_is_an_outcome(self):
        report = cordon.run(["no-such-program"], policy=self.policy, cwd=self.inside)
        self.assertEqual((report.outcome, report.status), ("not_found", 127))

    def test_a_published_port_leads_to_a_server_of_the_run(self):
        free = socket.socket()  # bound and not listening: only a socket with SO_REUSEADDR, as a published one, can take its port
        self.addCleanup(free.close)
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        told = []

        def ask(_stream, _line):  # the server says that it listens
            with socket.create_connection(("127.0.0.1", port)) as c:
                told.append(c.recv(100))

        serve = ("import socket\ns = socket.create_server(('127.0.0.1', 80)); print('up', flush=True)\n"
                 "s.accept()[0].sendall(b'served')")
        policy = cordon.Policy.parse(f"level network\nrun /usr\nwrite {self.inside}\nnetwork none\nsockets own\nlisten {port}\n")
        clients = []

        def begin(*piece):  # the run goes on only after this function
            clients.append(threading.Thread(target=ask, args=piece))
            clients[0].start()

        report = cordon.run(["/usr/bin/python3", "-I", "-c", serve], policy=policy, cwd=self.inside, on_output=begin,
                            publish=[f"{port}:80"])
        clients[0].join()
        self.assertEqual((report.status, told), (0, [b"served"]), report.json)
        with self.assertRaisesRegex(cordon.Error, "publishes x"):
            cordon.run(["true"], policy=policy, publish=["x"])

    def test_a_session_keeps_files(self):
        script = 'cat "$TMPDIR/note"; echo kept > "$TMPDIR/note"'
        policy = cordon.Policy.parse('{"cordon": 1, "files": [{"path": "/usr", "rights": "run"}, '
                                     f'{{"path": "{self.inside}", "rights": "write"}}], "presets": ["user_temp"]}}')
        with mock.patch.dict(os.environ, XDG_STATE_HOME=str(self.outside)):
            told = [self.shell(script, policy=policy, capture_output=True, session="one").stdout for _ in range(2)]
        self.assertEqual(told, [b"", b"kept\n"])

    def test_gaps_have_an_id_a_kind_and_a_reason(self):
        gaps = self.shell("true").gaps
        self.assertTrue(gaps)
        self.assertLessEqual({gap.kind for gap in gaps}, {"tightened", "unenforced"})
        self.assertTrue(all("." in gap.id and gap.why for gap in gaps))

    def test_on_output_receives_pieces_as_they_arrive(self):
        pieces = []
        self.shell("echo one; sleep 0.1; echo two >&2", on_output=lambda stream, data: pieces.append((stream, data)))
        self.assertEqual(pieces, [("stdout", b"one\n"), ("stderr", b"two\n")])

    def test_an_exception_of_on_output_ends_the_run(self):
        def broken(_stream, _data):
            raise KeyError("of the test")

        start = time.monotonic()
        with self.assertRaisesRegex(KeyError, "of the test"):
            self.shell("echo one; exec sleep 100", on_output=broken)
        self.assertLess(time.monotonic() - start, 20)

    def test_a_timeout_is_an_outcome(self):
        report = self.shell("exec sleep 100", timeout=0.2)
        self.assertEqual((report.outcome, report.status), ("timed_out", 124))
        self.assertLess(report.json["wall_ns"], 3e9)

    def test_the_policys_own_timeout_holds_if_it_is_shorter(self):
        short = self.policy & cordon.Policy.parse("limit timeout 200ms\n")
        self.assertEqual(self.shell("exec sleep 100", policy=short, timeout=90).outcome, "timed_out")

    def test_a_keyboard_interrupt_ends_the_tree(self):
        marker = self.inside / "alive"
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            self.shell(f"(while :; do date > {marker}; sleep 0.05; done) & wait")
        time.sleep(0.2)
        marker.unlink()
        time.sleep(0.3)
        self.assertFalse(marker.exists())

    def test_arguments_that_c_cannot_express_are_errors(self):
        for words in ({"argv": ["echo", "a\0b"]}, {"cwd": "/tmp\0"}, {"env": {"A": "b\0"}}, {"env": {"A=B": "c"}},
                      {"timeout": 0}, {"timeout": -1}, {"timeout": float("nan")}, {"accepted_gaps": ["a\0"]}):
            with self.subTest(words), self.assertRaises(ValueError):
                cordon.run(**{"argv": ["true"], "policy": self.policy, **words})
        with self.assertRaises(TypeError):
            cordon.run("true", policy=self.policy)

    def test_no_descriptor_remains_open(self):
        self.shell("true")
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            self.shell("true", capture_output=True)
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)


class LibraryTest(InScratch):
    def imported(self, **variables):
        code = "import cordon; print(cordon.__version__)"
        return subprocess.run([sys.executable, "-c", code], env={**os.environ, **variables}, capture_output=True, text=True,
                              check=False)

    def test_a_missing_library_is_an_import_error_with_a_remedy(self):
        done = self.imported(CORDON_LIBRARY="/no/such/libcordon.so.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ImportError: cannot load /no/such/libcordon.so.0", done.stderr)
        self.assertIn("set CORDON_LIBRARY", done.stderr)

    def test_another_library_is_an_import_error(self):
        self.assertIn("ImportError: cannot load libc.so.6", self.imported(CORDON_LIBRARY="libc.so.6").stderr)

    def test_the_library_is_found_beside_the_module(self):
        package = self.top / "cordon"
        package.mkdir()
        for file in os.listdir(os.path.dirname(cordon.__file__)):
            if file.endswith((".py", ".typed")):
                (package / file).symlink_to(os.path.join(os.path.dirname(cordon.__file__), file))
        (package / "libcordon.so.0").symlink_to(os.path.realpath(os.environ["CORDON_LIBRARY"]))
        done = self.imported(CORDON_LIBRARY="", LD_LIBRARY_PATH="", PYTHONPATH=str(self.top))
        self.assertEqual((done.stdout.strip(), done.stderr), (cordon.__version__, ""))
