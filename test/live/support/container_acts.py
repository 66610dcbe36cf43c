# SPDX-License-Identifier: BSL-1.0
"""Further acts inside a container, besides the rights of its policy."""
import os
import subprocess

from .scratch import write
from .view_cases import policy_of


def refusal(suite, policy, tree, results):
    answers = suite.probe(suite.command(policy, False), tree.questions()[:1])
    fine = isinstance(answers, str)
    results.check("what is missing, as text", [] if fine else [f"it starts: {answers}"])


def inside(suite, policy, script, *words):
    return suite.run(suite.command(policy, True) + ["/usr/bin/python3", "-I", "-c", script, *words])


def forgery(suite, top, results):
    """Moving the directory of a restriction must not free its name; if the path is missing, nothing starts."""
    script = ("import os, sys\n"
              "def tried(act, *words):\n"
              "  try: act(*words)\n"
              "  except OSError: pass\n"
              "for name in ('a', 'a/b'): tried(os.rename, f'{sys.argv[1]}/{name}', f'{sys.argv[1]}/moved')\n"
              "tried(os.makedirs, sys.argv[1] + '/a/b/hooks')\n"
              "tried(lambda: open(sys.argv[1] + '/a/b/hooks/forged', 'w').close())\n")
    for missing in (False, True):
        work = os.path.join(top, "missing" if missing else "there")
        os.makedirs(work if missing else os.path.join(work, "a/b/hooks"))
        policy = write(work + ".policy", policy_of(os.fsencode(work), [("write", "."), ("read", "a/b/hooks")]))
        ended = inside(suite, policy, script, work)
        fine = (ended.returncode != 0) == missing
        problems = [] if fine else [f"status {ended.returncode}: {ended.stderr.decode()}"]
        if os.path.exists(work + "/a/b/hooks/forged"):
            problems.append("a/b/hooks/forged was made")
        results.check(f"a forged name, {os.path.basename(work)}", problems)


def submounts(suite, top, results):
    """A file system mounted inside a read-only grant must not stay writable, nor executable where that is denied."""
    place = os.path.join(top, "disks")
    os.makedirs(place + "/usb")
    script = ("import os, subprocess, sys\n"
              "for mode in ('a', 'r'):\n"
              "  try: open(sys.argv[1] + '/usb/file', mode).close(); print(mode, 'happens')\n"
              "  except OSError as e: print(mode, e.errno)\n"
              "try: subprocess.run([sys.argv[1] + '/usb/file']); print('run happens')\n"
              "except OSError as e: print('run', e.errno)\n")
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place + "/usb"], check=False).returncode != 0:
        return results.skipped("mounts inside mounts", "mount")
    try:
        write(place + "/usb/file", "#!/bin/sh\n", 0o755)
        suite.account.own_tree(place)
        policy = write(place + ".policy", policy_of(os.fsencode(place), [("read", ".")]))
        ended = inside(suite, policy, script, place)
        told = ended.stdout.decode().split("\n")[:3]
        fine = told == ["a 30", "r happens", "run 13"]
        results.check("mounts inside mounts", [] if fine else [f"{told} {ended.stderr}"])
    finally:
        subprocess.run(["umount", place + "/usb"], check=False)


OWN_FILTER = ("clone3 ENOSYS", "ioctl EPERM", "keyctl EPERM", "io_uring_setup EPERM", "pair EPERM", "socket EPERM")


def guards(suite, top, results, wanted=OWN_FILTER, free=()):
    """What a root inside could do to the machine outside: files are only opened, never written. `free`: what is no harm
    there."""
    script = ("import ctypes, errno, os, socket\n"
              "for place in ('/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger'):\n"
              "  try: os.close(os.open(place, os.O_WRONLY))\n"
              "  except OSError as e: print(place, errno.errorcode[e.errno])\n"
              "  else: print(place, 'happens')\n"
              "for place in ('/new', '/dev/new', '/proc/new'):\n"
              "  try: os.close(os.open(place, os.O_WRONLY | os.O_CREAT)); os.unlink(place); print(place, 'happens')\n"
              "  except OSError as e: print(place, errno.errorcode[e.errno])\n"
              "for place in ('/tmp/new', '/dev/shm/new'): open(place, 'w').close()\n"
              "for line in open('/proc/self/status'):\n"
              "  if line[:4] in ('CapB', 'CapE') and int(line.split()[1], 16): print(line.split(), 'happens')\n"
              "  if line.startswith('NoNewPrivs') and line.split()[1] != '1': print('privileges happens')\n"
              "print('processes', [n for n in os.listdir('/proc') if n.isdigit()])\n"
              "libc = ctypes.CDLL(None, use_errno=True)\n"
              "for name, number, words in (('unshare', 272, (0x10000000,)), ('keyctl', 250, (0, 0, 0)),\n"
              "                            ('io_uring_setup', 425, (1, 0)), ('clone3', 435, (0, 0)),\n"
              "                            ('socket', 41, (1, 1, 0)), ('socket', 41, (16, 3, 9)),\n"
              "                            ('ioctl', 16, (0, 0x100005412, 0)), ('pair', 53, (2, 1, 0, 0))):\n"
              "  got = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(w) for w in words])\n"
              "  print(name, 'happens' if got >= 0 else errno.errorcode[ctypes.get_errno()])\n"
              "a, b = socket.socketpair()\n")
    policy = write(os.path.join(top, "guards.policy"), policy_of(os.fsencode(top), []))
    ended = inside(suite, policy, script)
    out = ended.stdout.decode()
    problems = [line for line in out.split("\n") if line.endswith("happens") and not line.startswith(free)]
    if ended.returncode != 0:
        problems.append(ended.stderr.decode())
    problems += [f"not {line}" for line in ("processes ['1']", *wanted) if line not in out]
    for place in ("/tmp/new", "/dev/shm/new"):
        if os.path.exists(place):
            problems.append(f"{place} is the machine's")
            os.unlink(place)
    results.check("the machine outside", problems)


def strict(suite, top, results):
    """A list of permissions under which an interpreter, a shell and its pipes run, and unknown calls do not exist."""
    script = ("import ctypes, errno, subprocess\n"
              "print(subprocess.run('echo a | cat; ls / >/dev/null 2>&1; ls /usr | grep -x bin', shell=True, "
              "stdout=subprocess.PIPE).stdout)\n"
              "libc = ctypes.CDLL(None, use_errno=True)\n"
              "for number, words in ((600, ()), (16, (0, 0x5412, 0)), (16, (0, 0x5401, 0)), (272, (0x10000000,)), "
              "(272, (0x400,)), (41, (1, 1, 0)), (321, (0,))):\n"
              "  got = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(w) for w in words])\n"
              "  print('happens' if got >= 0 else errno.errorcode[ctypes.get_errno()])\n")
    policy = write(os.path.join(top, "strict.policy"), policy_of(os.fsencode(top), []) + b"syscalls strict\n")
    ended = inside(suite, policy, script)
    told = ended.stdout.decode().split()
    wanted = ["b'a\\nbin\\n'", "ENOSYS", "ENOSYS", "EFAULT", "ENOSYS", "happens", "ENOSYS", "EPERM"]
    # The descriptor is not a terminal.
    if len(told) > 3 and told[3] == "ENOTTY":
        told[3] = "EFAULT"
    results.check("strict", [] if told == wanted else [f"{told} {ended.stderr.decode()[-300:]}"])


def limits(suite, top, results):
    """The limits of the policy are in force: read from inside."""
    script = ("import resource\n"
              "print(resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_NOFILE), "
              "resource.getrlimit(resource.RLIMIT_FSIZE))\n")
    text = policy_of(os.fsencode(top), []) + b"limit cpu 7s\nlimit open_files 55\nlimit file_size 4096\n"
    ended = inside(suite, write(os.path.join(top, "limits.policy"), text), script)
    told = ended.stdout.decode().strip()
    results.check("limits", [] if told == "(7, 7) (55, 55) (4096, 4096)" else [f"{told} {ended.stderr.decode()[-300:]}"])
