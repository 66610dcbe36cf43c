# SPDX-License-Identifier: BSL-1.0
"""More work in the form of tools_work.py: the tools that come with those, and families of calls which one libc makes
today and another tomorrow."""

FIND = r"""
mkdir -p d/e; echo b > d/f; echo a > d/e/g; ln -s f d/l
find d -type f -newermt 2000-01-01 -size -1k -printf '%p %s\n' | sort
find d -name g -exec cat {} + ; find d -type l -delete; find d -empty
"""

TEXT = r"""
seq 1 20000 > n; sort -R n > m; sort --parallel=2 -S 1M -n m | cmp - n
grep -c 7 n; grep -nE '^1{3}$' n; grep -rl 19999 .; sed -n '$p;3q' n; sed -i.bak 's/^7$/seven/' n; diff n n.bak || true
awk '{ s += $1 } END { print s; system("echo from awk"); "echo piped" | getline x; print x }' m
xargs -n 500 -P 2 echo < m | wc -w; cut -c1 n | uniq -c | head -2; join n n | tail -1; comm -12 n n | tail -1
paste -sd+ n.bak | tr -d '\n' | md5sum; od -c n | head -1; tac n | head -1; fold -w 3 n | tail -1; split -l 9999 n; ls
"""

PACKERS = """
head -c 300000 /dev/zero > z; for p in gzip bzip2 "xz -T2" "zstd -q -T2"; do $p -k z; done
zcat z.gz | cmp - z; bzcat z.bz2 | cmp - z; xzcat z.xz | cmp - z; zstdcat z.zst | cmp - z; rm z z.gz
unxz z.xz; stat -c %s z
"""

ZIP = "zip -q -r a.zip d\nunzip -l a.zip | tail -1\nunzip -q a.zip -d o\ncat o/d/f\n"

UTIL_LINUX = """
flock l echo locked; setsid -w echo session; setarch -R echo personality; taskset 1 echo pinned; chrt -o 0 echo policy
prlimit --nofile=100 echo limited; fallocate -l 5000 f; stat -c %s f; getopt -o a -- -a; cal 1 2000 | head -1
nohup echo hup 2> /dev/null; hexdump -C f | tail -1; rev l; lscpu > /dev/null; findmnt / > /dev/null; lsblk > /dev/null
ps > /dev/null; free > /dev/null; uptime > /dev/null; pgrep -x nothing-of-this-name || true; kill -l > /dev/null
"""

SCRIPT = "script -qec 'tty > /dev/null && echo on a terminal' /dev/null | tr -d '\\r'\n"

CALLS = """import ctypes, errno, fcntl, mmap, os, resource, select, signal, socket, struct, threading, time
def said(*words): print(*words, flush=True)
f = os.open("f", os.O_RDWR | os.O_CREAT); os.posix_fallocate(f, 0, 8192); os.truncate("f", 4096)
said(os.pwritev(f, [b"ab", b"cd"], 0), os.preadv(f, [bytearray(2), bytearray(3)], 0), os.writev(f, [b"x"]))
os.fsync(f); os.fdatasync(f); os.sync(); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_DONTNEED)
m = mmap.mmap(f, 4096); m[0] = 1; m.flush(); m.madvise(mmap.MADV_WILLNEED); m.resize(8192); m.close()
g = os.open("g", os.O_RDWR | os.O_CREAT); said(os.copy_file_range(f, g, 100)); os.lockf(g, os.F_TLOCK, 1)
said(os.sendfile(os.memfd_create("m"), f, 0, 10))
r, w = os.pipe2(os.O_CLOEXEC); said(os.splice(f, w, 50, offset_src=0)); said(len(os.read(r, 99)))
e = os.eventfd(1); said(os.eventfd_read(e)); p = select.epoll(); p.register(r); said(p.poll(0.01)); os.close(os.dup(r))
said(select.select([r], [], [], 0)[0], select.poll().poll(1)); fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 65536)
os.mkfifo("p"); os.symlink("f", "s"); os.link("f", "h")
os.chmod("f", 0o640); os.chown("f", -1, -1); os.lchown("s", -1, -1)
os.utime("f", ns=(1, 2)); os.utime("s", (1, 2), follow_symlinks=False); said(os.readlink("s"), os.stat("f").st_mtime_ns)
try: os.setxattr("f", "user.a", b"v"); os.getxattr("f", "user.a"); os.listxattr("f"); os.removexattr("f", "user.a")
except OSError as problem: assert problem.errno == errno.EOPNOTSUPP
d = os.open(".", os.O_RDONLY); os.mkdir("n", dir_fd=d); os.rename("h", "k", src_dir_fd=d, dst_dir_fd=d); os.rmdir("n")
said(sorted(os.listdir(d)), os.access("f", os.R_OK, dir_fd=d)); os.fchdir(d); os.umask(0o22); os.statvfs(".")
pid = os.posix_spawn("/bin/true", ["true"], {}); fd = os.pidfd_open(pid)
said(os.waitid(os.P_PIDFD, fd, os.WEXITED).si_status)
pid = os.fork()
if pid == 0: os.setsid(); os.execve(os.open("/bin/true", os.O_RDONLY), ["true"], {})
said(os.wait4(pid, 0)[1], os.getpgid(0) > 0, os.getsid(0) >= 0, len(os.getgroups()) >= 0)
os.getpriority(os.PRIO_PROCESS, 0)
os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0)); os.sched_setaffinity(0, os.sched_getaffinity(0)); os.sched_yield()
os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
said(os.sched_getscheduler(0), os.sched_get_priority_max(1))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); resource.getrusage(resource.RUSAGE_CHILDREN); os.times(); os.uname()
signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01); signal.pause()
signal.setitimer(signal.ITIMER_REAL, 0); said("alarm")
signal.pthread_sigmask(signal.SIG_BLOCK, {10}); os.kill(os.getpid(), 10)
said(signal.sigwait({10}), signal.sigpending())
signal.sigtimedwait({10}, 0.01); signal.pthread_kill(threading.get_ident(), 0); time.sleep(0.001)
for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC): time.clock_gettime(clock); time.clock_getres(clock)
a, b = socket.socketpair(); socket.send_fds(a, [b"x"], [f]); said(socket.recv_fds(b, 1, 1)[0])
a.shutdown(socket.SHUT_WR)
said(b.recv(1), a.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE), os.getrandom(4) != os.urandom(4))
c = ctypes.CDLL(None, use_errno=True)
timer = c.timerfd_create(1, 0); c.timerfd_settime(timer, 0, struct.pack("qqqq", 0, 0, 0, 1), None)
said(len(os.read(timer, 8)), c.signalfd(-1, bytes(128), 0) >= 0, c.sched_getcpu() >= 0)
said(c.mlock(ctypes.create_string_buffer(9), 9)); watch = c.inotify_init1(0)
said(c.inotify_add_watch(watch, b".", 256))
c.fchmodat(-100, b"f", 0o600, 0x100); os.setgid(os.getgid())
"""

LUA = "local p = io.popen('echo piped'); print(p:read('a'), os.rename('f', 'g'), #os.tmpname() > 0)\n"
TCL = "puts [exec echo child]\nafter 10 {set done 1}\nvwait done\nfile mkdir d\nputs [file isdirectory d]\n"
JAR = "javac Main.java\njar cfe m.jar Main *.class\njava -jar m.jar\njava -XX:+UseParallelGC -Xmx64m -jar m.jar\n"
JAVA = 'public class Main { public static void main(String[] a) { System.out.println("jar"); } }\n'
MODULE = """import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
await fs.mkdir('a/b', { recursive: true });
await fs.writeFile('a/b/f', 'x'.repeat(1e5));
await fs.cp('a', 'c', { recursive: true });
await pipeline(createReadStream('c/b/f'), zlib.createGzip(), createWriteStream('f.gz'));
const run = i => new Promise(done => spawn('sh', ['-c', `exit ${i}`]).on('exit', done));
await Promise.all([...Array(8)].map((_, i) => run(i)));
await fs.rm('a', { recursive: true }); console.log((await fs.readdir('.')).join());
"""

MORE = [
    ("find", "find", {}, FIND),
    ("text tools", "awk", {}, TEXT),
    ("packers", "zstd", {}, PACKERS),
    ("zip", "zip", {"d/f": "text"}, ZIP),
    ("util-linux", "prlimit", {}, UTIL_LINUX),
    ("script", "script", {}, SCRIPT),
    ("families of calls", "python3", {"m.py": CALLS}, "python3 m.py\n"),
    ("node modules", "node", {"m.mjs": MODULE}, "node m.mjs\n"),
    ("javac and jar", "javac", {"Main.java": JAVA}, JAR),
    ("ssh-keygen", "ssh-keygen", {}, "ssh-keygen -q -t ed25519 -N '' -f k\nssh-keygen -y -f k | cut -d' ' -f1\n"),
    ("lua", "lua5.4", {"m.lua": LUA, "f": ""}, "lua5.4 m.lua\n"),
    ("tcl", "tclsh", {"m.tcl": TCL}, "tclsh m.tcl\n"),
    ("jq", "jq", {"f": '{"a": [1, 2]}\n'}, "jq -c '.a | add' f\n"),
    ("bc", "bc", {}, "echo '2^100' | bc\n"),
    ("patch", "patch", {"f": "a\n", "p": "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"}, "patch -s f p\ncat f\n"),
    ("file", "file", {"f": "text\n"}, "file f\n"),
    ("pip", "pip", {}, "pip --version | cut -d' ' -f1\n"),
    ("python venv", "python3", {}, "python3 -m venv v\nv/bin/pip --version | cut -d' ' -f1\n"),
]
