# SPDX-License-Identifier: BSL-1.0
"""The work of each tool: name, program that must be installed, files, script (for sh -e)."""

C = "#include <stdio.h>\nint main(void) { return puts(\"built\") < 0; }\n"
CXX = "#include <iostream>\n#include <thread>\nint main() { std::thread([] { std::cout << \"built\\n\"; }).join(); }\n"

SHELL = """
echo a | tr a b
(cd / && pwd)
for i in 1 2 3; do echo $i; done & wait
trap 'echo trapped' USR1
kill -USR1 $$
"""

BASH = r"""
bash -e <<'END'
a=(1 2 3); echo ${a[@]} $((6*7))
diff <(echo x) <(echo x)
read -r l <<< here; echo $l
ulimit -n > /dev/null
coproc cat; echo co >&${COPROC[1]}; exec {COPROC[1]}>&-; cat <&${COPROC[0]}
sleep 0.01 & wait $!
times > /dev/null
END
"""

COREUTILS = """
cp -a f g; mv g h; ln h i; ln -s h j; readlink -f j > /dev/null
touch -d @1 h; stat -c %Y h; chmod 600 h; install -m 755 f l
sort f; head -1 f; tail -1 f; wc -l f; shuf -n 1 -e q; split -n 2 f
mkdir -p a/b; rmdir a/b; rm -r a; mkfifo p; mktemp -p . > /dev/null
dd if=f of=k bs=1 2> /dev/null; cmp f k; truncate -s 5 k; sync k
df . > /dev/null; du . > /dev/null; id > /dev/null; nproc > /dev/null; uname > /dev/null
timeout 5 echo t; nice -n 1 echo n; env -i /bin/echo e; stdbuf -o0 echo s; ionice -c 3 echo i
find . -name f; grep -r a f | xargs echo; sed -i s/a/c/ f; cat f; awk '{print NR}' f
date -d @0 -u; tee m < f; sleep 0.01
"""

GIT = """
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_DATE='1000000000 +0000' GIT_COMMITTER_DATE='1000000000 +0000'
git init -q -b main r
cd r
git config user.email a@b; git config user.name a
echo x > f; git add f; git commit -qm one
git checkout -qb side; echo y >> f; git commit -qam two
git checkout -q main; git merge -q side; git log --oneline; git gc -q; git fsck
cd ..
git clone -q r c; git -C c grep -n y; git -C c diff HEAD~1; git -C r archive HEAD | tar t
"""

PYTHON = """import asyncio, concurrent.futures, ctypes, hashlib, multiprocessing, os, shutil, sqlite3, subprocess
import tempfile, threading, zipfile
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
        open(d + "/f", "w").write("x"); os.chmod(d + "/f", 0o600); os.utime(d + "/f", (1e9, 1e9))
        shutil.copytree(d, "copy"); os.rename("copy", "moved"); shutil.make_archive("zip", "zip", "moved")
    c = sqlite3.connect("db"); c.execute("create table t(a)"); c.execute("insert into t values (1)"); c.commit()
    print(c.execute("select * from t").fetchall(), zipfile.ZipFile("zip.zip").namelist())
    print(hashlib.sha256(b"").hexdigest())
"""

NODE = """const fs = require('fs'), { Worker } = require('worker_threads'), cp = require('child_process');
const zlib = require('zlib'), crypto = require('crypto');
fs.writeFileSync('f', 'x'); const w = fs.watch('.'); w.close();
console.log(cp.execSync('echo sync').toString(), zlib.gunzipSync(zlib.gzipSync('zip')).toString());
console.log(crypto.createHash('sha256').update('x').digest('hex'));
const worker = new Worker("require('worker_threads').parentPort.postMessage(6 * 7)", { eval: true });
worker.on('message', m => {
  console.log(m);
  const f = cp.fork('./forked.js');
  f.on('message', m => { console.log('from fork', m); f.disconnect(); });
  f.send('ping');
});
process.on('exit', () => console.log(fs.readFileSync('f', 'utf8')));
"""
FORKED = "process.on('message', m => process.send(m + ' pong'));\n"

JAVA = """import java.nio.file.*; import java.util.*; import java.util.concurrent.*;
public class Main { public static void main(String[] a) throws Exception {
  var pool = Executors.newFixedThreadPool(4); var sum = 0;
  var parts = new ArrayList<Future<Integer>>();
  for (int i = 0; i < 8; i++) { final int n = i; parts.add(pool.submit(() -> n * n)); }
  for (var p : parts) sum += p.get();
  pool.shutdown(); Files.writeString(Path.of("out"), "" + sum); System.out.println(Files.readString(Path.of("out")));
  System.out.println(new String(new ProcessBuilder("echo", "child").start().getInputStream().readAllBytes())); } }
"""

RUST = """fn main() {
    println!("{}", std::thread::spawn(|| 6 * 7).join().unwrap());
    let o = std::process::Command::new("echo").arg("child").output().unwrap();
    print!("{}", String::from_utf8_lossy(&o.stdout));
}
#[test]
fn adds() { assert_eq!(1 + 1, 2); }
"""
CARGO = '[package]\nname = "work"\nversion = "0.1.0"\nedition = "2021"\n'

MAKE = "all: one two\n\tcat one two\none two:\n\tsleep 0.05; echo $@ > $@\n"

CMAKE = """cmake_minimum_required(VERSION 3.10)
project(work CXX)
find_package(Threads REQUIRED)
add_executable(work m.cpp)
target_link_libraries(work Threads::Threads)
"""

PERL = """use File::Temp; use Time::HiRes qw(usleep);
my $p = fork; if (!$p) { exit 3 } waitpid $p, 0; print $? >> 8, "\\n";
my $f = File::Temp->new(DIR => "."); print $f "x"; usleep 1; print `echo q`;
$SIG{ALRM} = sub { print "alarm\\n" }; alarm 1; sleep 2;
"""

TAR = """
tar czf a.tgz d; tar tzf a.tgz; mkdir o; tar xzf a.tgz -C o; cat o/d/f
tar cJf a.txz d; tar xJf a.txz -C o; tar --xattrs -cf - d | tar -xf - -C o
gzip -k d/f; zcat d/f.gz; xz -k d/e/g; xzcat d/e/g.xz
"""

NPM = '{"name": "work", "version": "1.0.0", "scripts": {"hi": "node -e \\"console.log(1 + 1)\\""}}\n'
GO = 'package main\nimport "fmt"\nfunc main() { c := make(chan int); go func() { c <- 42 }(); fmt.Println(<-c) }\n'
RUBY = "puts Thread.new { 42 }.value\nputs `echo r`\nputs Process.wait2(fork { exit 2 })[1].exitstatus\n"

WORK = [
    ("sh", "sh", {}, SHELL),
    ("ls", "ls", {"f": "x"}, "ls -l / > /dev/null\nls f\nls -i f > /dev/null\nls --color=always f\n"),
    ("cat", "cat", {"f": "text\n"}, "cat f f | cat - f\ncat < f > g\ncat g\n"),
    ("bash", "bash", {}, BASH),
    ("coreutils", "cp", {"f": "b\na\n"}, COREUTILS),
    ("git", "git", {}, GIT),
    ("python3", "python3", {"m.py": PYTHON},
     "python3 m.py\npython3 -m venv --without-pip v\nv/bin/python -c 'print(1)'\n"),
    ("node", "node", {"m.js": NODE, "forked.js": FORKED}, "node m.js\n"),
    ("gcc", "gcc", {"m.c": C}, "gcc -O2 -g -pipe -o m m.c\n./m\ngcc -c m.c\nar rcs m.a m.o\nnm m.o\nstrip m\n./m\n"),
    ("g++", "g++", {"m.cpp": CXX}, "g++ -O1 -flto -pthread -o m m.cpp\n./m\n"),
    ("make", "make", {"Makefile": MAKE}, "make -s -j2\n"),
    ("cmake", "cmake", {"CMakeLists.txt": CMAKE, "m.cpp": CXX},
     "cmake -S . -B b > /dev/null\ncmake --build b -j2 > /dev/null\nb/work\n"),
    ("cargo", "cargo", {"Cargo.toml": CARGO, "src/main.rs": RUST},
     "cargo build -q --offline\ncargo run -q --offline\ncargo test -q --offline | grep -o 'test result: ok'\n"),
    ("java", "java", {"Main.java": JAVA}, "java Main.java\n"),
    ("perl", "perl", {"m.pl": PERL}, "perl m.pl\n"),
    ("tar", "tar", {"d/f": "text", "d/e/g": "more"}, TAR),
    ("npm", "npm", {"package.json": NPM}, "npm run -s hi\nnpm pack -s --offline\nnpm ls -s --offline | tail -1\n"),
    ("go", "go", {"m.go": GO}, "GOCACHE=$PWD/c go run m.go\n"),
    ("rustc", "rustc", {"m.rs": RUST}, "rustc -O m.rs\n./m\n"),
    ("meson", "meson", {"meson.build": "project('w', 'c')\nexecutable('w', 'm.c')\n", "m.c": C},
     "meson setup b > /dev/null\nninja -C b > /dev/null\nb/w\n"),
    ("clang", "clang", {"m.c": C}, "clang -o m m.c\n./m\n"),
    ("ruby", "ruby", {"m.rb": RUBY}, "ruby m.rb\n"),
    ("sqlite3", "sqlite3", {}, "sqlite3 d 'pragma journal_mode=wal; create table t(a); select count(*) from t;'\n"),
    ("rsync", "rsync", {"d/f": "x"}, "rsync -a d/ e\ncat e/f\n"),
    ("curl", "curl", {"f": "x"}, "curl -s file://$PWD/f\n"),
    ("openssl", "openssl", {}, "openssl genpkey -algorithm ed25519 -out k\nopenssl pkey -in k -check -noout\n"),
    ("vim", "vim", {"f": "a\n"}, "vim -es -u NONE -c 's/a/b/' -c wq f\ncat f\n"),
]
