# SPDX-License-Identifier: BSL-1.0
"""Ordinary Python: children, threads, temporary files, a forked worker, a data base."""
import concurrent.futures
import os
import sqlite3
import subprocess
import tempfile

shell = ["sh", "-c", "cat; echo from the shell"]
out = subprocess.run(shell, input="to the shell\n", capture_output=True, text=True, check=True)
assert out.stdout == "to the shell\nfrom the shell\n", out.stdout

with tempfile.TemporaryDirectory() as directory:
    path = os.path.join(directory, "data")
    with open(path, "w", encoding="utf-8") as file:
        file.write("kept")
    with open(path, encoding="utf-8") as file:
        assert file.read() == "kept"

with concurrent.futures.ThreadPoolExecutor(4) as pool:
    squares = list(pool.map(lambda x: x * x, range(5)))

reader, writer = os.pipe()
child = os.fork()
if child == 0:
    os.write(writer, b"forked")
    os._exit(0)
os.waitpid(child, 0)
assert os.read(reader, 16) == b"forked"

base = sqlite3.connect("base.sqlite")
base.execute("create table t (x integer)")
base.executemany("insert into t values (?)", [(x,) for x in squares])
base.commit()
print("python", base.execute("select sum(x) from t").fetchone()[0])
