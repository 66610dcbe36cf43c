#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Real tools under the filters: each does the same work unconfined, under the baseline and under strict, and must end
and print alike. A tool that is not installed is skipped by name.

tools_run.py CONFINED [NAME...]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

C = "#include <stdio.h>\nint main(void) { return puts(\"built\") < 0; }\n"
CXX = "#include <iostream>\n#include <thread>\nint main() { std::thread([] { std::cout << \"built\\n\"; }).join(); }\n"
JAVA = """import java.nio.file.*; import java.util.*; import java.util.concurrent.*;
public class Main { public static void main(String[] a) throws Exception {
  var pool = Executors.newFixedThreadPool(4); var sum = 0;
  var parts = new ArrayList<Future<Integer>>();
  for (int i = 0; i < 8; i++) { final int n = i; parts.add(pool.submit(() -> n * n)); }
  for (var p : parts) sum += p.get();
  pool.shutdown(); Files.writeString(Path.of("out"), "" + sum); System.out.println(Files.readString(Path.of("out")));
  System.out.println(new String(new ProcessBuilder("echo", "child").start().getInputStream().readAllBytes())); } }
"""
PYTHON = """import asyncio, concurrent.futures, ctypes, hashlib, multiprocessing, os, shutil, sqlite3, subprocess, tempfile
import threading, zipfile
def square(n): return n * n
if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool: print(pool.map(square, range(5)))
    with concurrent.futures.ProcessPoolExecutor(2) as pool: print(list(pool.map(square, range(3))))
    print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout)
    t = threading.Thread(target=print, args=("thread",)); t.start(); t.join()
    async def later():
        p = await asyncio.create_subprocess_exec("echo", "async", stdout=asyncio.subprocess.PIPE)
        return (await p.communicate())[0]
    print(asyncio.run(later()))
    with tempfile.TemporaryDirectory(dir=".") as d:
        open(d + "/f", "w").write("x"); os.chmod(d + "/f", 0o600); os.utime(d + "/f", (1, 1))
        shutil.copytree(d, "copy"); os.rename("copy", "moved"); shutil.make_archive("zip", "zip", "moved")
    c = sqlite3.connect("db"); c.execute("create table t(a)"); c.execute("insert into t values (1)"); c.commit()
    print(c.execute("select * from t").fetchall(), zipfile.ZipFile("zip.zip").namelist(), hashlib.sha256(b"").hexdigest())
"""
NODE = """const fs = require('fs'), { Worker } = require('worker_threads'), cp = require('child_process');
const zlib = require('zlib'), crypto = require('crypto');
fs.writeFileSync('f', 'x'); const w = fs.watch('.'); w.close();
console.log(cp.execSync('echo sync').toString(), zlib.gunzipSync(zlib.gzipSync('zip')).toString());
console.log(crypto.createHash('sha256').update('x').digest('hex'));
new Worker("require('worker_threads').parentPort.postMessage(6 * 7)", { eval: true }).on('message', m => console.log(m));
const f = cp.fork('./forked.js'); f.on('message', m => { console.log('from fork', m); f.disconnect(); }); f.send('ping');
fs.promises.readFile('f', 'utf8').then(t => setTimeout(() => console.log(t), 300));
"""
FORKED = "process.on('message', m => process.send(m + ' pong'));\n"
RUST = 'fn main() { let t = std::thread::spawn(|| 6 * 7); println!("{}", t.join().unwrap()); ' \
       'let o = std::process::Command::new("echo").arg("child").output().unwrap(); ' \
       'print!("{}", String::from_utf8_lossy(&o.stdout)); }\n#[test]\nfn adds() { assert_eq!(1 + 1, 2); }\n'
CARGO = '[package]\nname = "work"\nversion = "0.1.0"\nedition = "2021"\n'
MAKE = "all: one two\n\tcat one two\none two:\n\tsleep 0.05; echo $@ > $@\n"
CMAKE = "cmake_minimum_required(VERSION 3.10)\nproject(work CXX)\nfind_package(Threads REQUIRED)\n" \
        "add_executable(work m.cpp)\ntarget_link_libraries(work Threads::Threads)\n"
NPM = '{"name": "work", "version": "1.0.0", "scripts": {"hi": "node -e \\"console.log(1 + 1)\\""}}\n'
GIT = """export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_DATE=@1+0000 GIT_COMMITTER_DATE=@1+0000
git init -q -b main r && cd r && git config user.email a@b && git config user.name a && echo x > f && git add f &&
git commit -qm one && git checkout -qb side && echo y >> f && git commit -qam two && git checkout -q main &&
git merge -q side && git log --oneline && git stash list && git gc -q && git fsck && cd .. && git clone -q r c &&
git -C c grep -n y && git -C c diff HEAD~1 && git -C r archive HEAD | tar t"""

# name, files, script for sh
WORK = [
    ("sh", {}, "echo a | tr a b; (cd / && pwd); for i in 1 2 3; do echo $i; done & wait; trap 'echo t' USR1; kill -USR1 $$"),
    ("ls", {"f": "x"}, "ls -l / > /dev/null && ls f && ls -i f > /dev/null && ls --color=always f"),
    ("cat", {"f": "text\n"}, "cat f f | cat - f && cat < f > g && cat g"),
    ("bash", {}, "bash -c 'a=(1 2 3); echo ${a[@]} $((6*7)); diff <(echo x) <(echo x); read -r l <<< hi; echo $l; ulimit -n >/dev/null;"
                 " coproc cat; echo co >&${COPROC[1]}; exec {COPROC[1]}>&-; cat <&${COPROC[0]}; sleep 0.01 & wait $!; times > /dev/null'"),
    ("coreutils", {"f": "b\na\n"},
     "cp -a f g && mv g h && ln h i && ln -s h j && readlink -f j > /dev/null && touch -d @1 h && stat -c %Y h && chmod 600 h && "
     "sort f && head -1 f && tail -1 f && wc -l f && mkdir -p a/b && rmdir a/b && rm -r a && dd if=f of=k bs=1 2>/dev/null && "
     "cmp f k && split -n 2 f && truncate -s 5 k && sync k && df . > /dev/null && du . > /dev/null && id > /dev/null && "
     "timeout 5 echo t && nice -n 1 echo n && env -i /bin/echo e && mkfifo p && nproc > /dev/null && uname > /dev/null && "
     "install -m 755 f l && mktemp -p . > /dev/null && shuf -n 1 -e q && find . -name f && grep -r a f | xargs echo && sed -i s/a/c/ f && "
     "cat f && awk '{print NR}' f && date -d @0 -u && tee m < f && sleep 0.01 && stdbuf -o0 echo s && ionice -c 3 echo i"),
    ("git", {}, GIT),
    ("python3", {"m.py": PYTHON}, "python3 m.py && python3 -m venv --without-pip v && v/bin/python -c 'print(1)'"),
    ("node", {"m.js": NODE, "forked.js": FORKED}, "node m.js"),
    ("gcc", {"m.c": C}, "gcc -O2 -g -pipe -o m m.c && ./m && gcc -c m.c && ar rcs libm.a m.o && nm m.o | grep main && strip m && ./m"),
    ("g++", {"m.cpp": CXX}, "g++ -O1 -flto -pthread -o m m.cpp && ./m"),
    ("make", {"Makefile": MAKE}, "make -s -j2"),
    ("cmake", {"CMakeLists.txt": CMAKE, "m.cpp": CXX}, "cmake -S . -B b > /dev/null && cmake --build b -j2 > /dev/null && b/work"),
    ("cargo", {"Cargo.toml": CARGO, "src/main.rs": RUST},
     "cargo build -q --offline && cargo run -q --offline && cargo test -q --offline | grep 'test result: ok' | cut -c1-25"),
    ("java", {"Main.java": JAVA}, "java Main.java"),
    ("perl", {}, "perl -MFile::Temp -MTime::HiRes=usleep -e 'my $p = fork; if (!$p) { exit 3 } waitpid $p, 0; print $? >> 8, \"\\n\"; "
                 "my $f = File::Temp->new(DIR => \".\"); print $f \"x\"; usleep 1; print `echo q`; $SIG{ALRM} = sub { print \"alarm\\n\" }; alarm 1; sleep 2'"),
    ("tar", {"d/f": "text", "d/e/g": "more"},
     "tar czf a.tgz d && tar tzf a.tgz && mkdir o && tar xzf a.tgz -C o && cat o/d/f && tar cJf a.txz d && tar xJf a.txz -C o && "
     "tar --xattrs -cf - d | tar -xf - -C o && gzip -k d/f && zcat d/f.gz && xz -k d/e/g && xzcat d/e/g.xz"),
    ("npm", {"package.json": NPM}, "npm run -s hi && npm pack -s --offline && npm ls -s --offline | tail -1"),
    ("go", {"m.go": 'package main\nimport "fmt"\nfunc main() { c := make(chan int); go func() { c <- 42 }(); fmt.Println(<-c) }\n'},
     "GOCACHE=$PWD/c go run m.go"),
    ("rustc", {"m.rs": RUST}, "rustc -O m.rs && ./m"),
    ("meson", {"meson.build": "project('w', 'c')\nexecutable('w', 'm.c')\n", "m.c": C}, "meson setup b > /dev/null && ninja -C b > /dev/null && b/w"),
    ("clang", {"m.c": C}, "clang -o m m.c && ./m"),
    ("ruby", {}, "ruby -e 'puts Thread.new { 42 }.value; puts `echo r`; puts Process.wait2(fork { exit 2 })[1].exitstatus'"),
    ("php", {}, "php -r 'echo shell_exec(\"echo p\"); file_put_contents(\"f\", 1); echo file_get_contents(\"f\");'"),
    ("sqlite3", {}, "sqlite3 d 'pragma journal_mode=wal; create table t(a); insert into t values(1); select * from t;'"),
    ("rsync", {"d/f": "x"}, "rsync -a d/ e && cat e/f"),
    ("curl", {"f": "x"}, "curl -s file://$PWD/f"),
    ("openssl", {}, "openssl genpkey -algorithm ed25519 -out k && openssl pkey -in k -check -noout"),
    ("gdb", {}, "gdb --version | head -1"),
    ("vim", {"f": "a\n"}, "vim -es -u NONE -c 's/a/b/' -c wq f; cat f"),
]
NEEDS = {"coreutils": "cp"}


def do(prefix, files, script):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        environment = {**os.environ, "LC_ALL": "C", "npm_config_update_notifier": "false"}
        done = subprocess.run([*prefix, "sh", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=240, check=False)
        return done.returncode, done.stdout.replace(os.fsencode(scratch), b"."), done.stderr


def main(arguments):
    confined, only = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    passed = failed = skipped = 0
    for name, files, script in WORK:
        if only and name not in only:
            continue
        if not shutil.which(NEEDS.get(name, name)):
            print(f"skipped: {name} is not installed")
            skipped += 1
            continue
        free = do([], files, script)
        if free[0] != 0:
            print(f"failed: {name} does not do its work unconfined", free[2].decode(errors="replace"))
            failed += 1
            continue
        for mode in (["baseline"], ["strict"], ["strict", "network"]):
            bound = do([confined, *mode, "--"], files, script)
            if bound[:2] == free[:2]:
                passed += 1
                continue
            failed += 1
            print(f"failed: {name} under {' '.join(mode)}: status {bound[0]}, {bound[1]!r} instead of {free[1]!r}")
            print(bound[2].decode(errors="replace"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
