#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Files that an untrusted project contains or an earlier run has left, and the access that they must not give: files of
git that name other directories, links at granted paths, hard links to a hidden file, and links at the report's path."""
import os
import pathlib
import stat
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.command import main, run_rows
from support.scratch import Scratch, write

SCRIPT = "echo more >> {}"


class Project(Scratch):
    """A workspace with a project, and a neighbour of the same owner that no run may access."""

    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        for name in ("project", "neighbour"):
            setattr(self, name, os.path.join(self.workspace, name))
        self.secret = os.path.join(self.neighbour, "file")
        self.sh("mkdir project neighbour && echo precious > neighbour/file", self.workspace)

    def sh(self, script, directory=None):
        """Acts of the project's owner."""
        ended = self.run(["sh", "-ec", script], directory=directory or self.project)
        if ended.status != 0:
            raise RuntimeError(f"{script}: {ended.err}")

    def confined(self, script, *options, directory=None):
        """A program of the project, or the same without cordon."""
        cordon = [] if self.broken else [self.cordon, "run", "--quiet", *options, "--"]
        return self.run(cordon + ["sh", "-c", script], 10, directory=directory or self.project)

    def policy(self, text):
        path = write(os.path.join(self.project, "policy"), "level process_exec\nrun /usr\nrun /lib64\nrun /bin\n" + text)
        self.account.own(path)
        return path

    def untouched(self):
        with open(self.secret, encoding="utf-8") as file:
            text = file.read()
        return [] if text == "precious\n" else [f"the neighbour's file is {text!r}"]

    def refused(self, ended, *words):
        """Refused for that reason, with nothing done."""
        problems = self.untouched()
        if ended.status != 125:
            problems.append(f"status {ended.status}: {ended.err!r}")
        return problems + [f"{word!r} is not in {ended.err!r}" for word in words if word not in ended.err]


def crafted_repository(p):
    p.sh("mkdir -p .real/x && echo 'ref: x' > .real/x/HEAD && echo 'gitdir: .real/x' > .git && "
         "echo ../../.git > .real/x/gitdir && echo ../../.. > .real/x/commondir")
    p.confined(SCRIPT.format("../neighbour/file"))
    return p.untouched()


def repository_that_waits(p):
    problems = []
    for made in ("mkfifo .git", "ln -s /dev/zero .git", "ln -s /proc/kmsg .git"):
        p.sh(made)
        ended = p.confined("echo ready")
        if ended.status == 99 or "ready" not in ended.out or p.broken:
            problems.append(f"{made}: status {ended.status}, {ended.err!r}")
        p.sh("rm -f .git")
    return problems


def real_worktree(p):
    p.sh("git init -q main && git -C main -c user.name=n -c user.email=e commit -q --allow-empty -m one && "
         "git -C main worktree add -q ../tree")
    ended = p.confined("git -c user.name=n -c user.email=e commit -q --allow-empty -m two && git log --oneline",
                       directory=os.path.join(p.project, "tree"))
    return [] if ended.out.count("\n") == 2 and not p.broken else [f"status {ended.status}: {ended.err!r}"]


def link_of_a_grant(p):
    p.sh("ln -s ../neighbour out")
    policy = p.policy("read .\nwrite out\n")
    return p.refused(p.confined(SCRIPT.format("out/file"), "--policy", policy), "leads out of", p.neighbour)


def link_of_a_grant_alone(p):
    p.sh("mkdir in && ln -s ../neighbour out")
    policy = p.policy("write in\nwrite out\n")
    return p.refused(p.confined(SCRIPT.format("../out/file"), "--policy", policy, directory=os.path.join(p.project, "in")),
                     "leads out of", p.neighbour)


def granted_by_way_of_a_link(p):
    """A granted path exists under the name by which it was granted."""
    p.sh("mkdir -p ../sdk-1.2/bin work && printf '#!/bin/sh\\necho ran\\n' > ../sdk-1.2/bin/tool && chmod +x ../sdk-1.2/bin/tool && "
         f"ln -s sdk-1.2 ../sdk && ln -s {p.project} {p.home}/by")
    tool, problems = f"{p.workspace}/sdk/bin/tool", []
    policy = p.policy(f"read /etc\nwrite {p.project}\nrun {p.workspace}/sdk\n")
    for backend in ("namespaces", "landlock", "bubblewrap"):
        for options in (("--run", f"{p.workspace}/sdk"), ("--policy", policy)):
            if p.confined(f"exec {tool}", "--backend", backend, *options).out != "ran\n" or p.broken:
                problems.append(f"{backend}, {options}: {tool} does not run")
        ended = p.confined(f"echo there > {p.home}/by/new && cat new", "--backend", backend, "--workspace", f"{p.home}/by")
        if ended.out != "there\n":
            problems.append(f"{backend}: no workspace by its link: {ended.err!r}")
    return problems


def link_of_an_earlier_run(p):
    p.confined("ln -s ../neighbour data")
    return p.refused(p.confined(SCRIPT.format("data/file"), "--read", "data"), p.neighbour)


def link_of_a_reduction(p):
    p.sh("mkdir -p .git hooks && ln -s ../hooks .git/hooks")
    ended = p.confined("rm .git/hooks && mkdir .git/hooks", "--hide", ".git/hooks")
    return p.refused(ended, "that the program may replace", f"{p.project}/hooks itself") + (
        [] if os.path.islink(f"{p.project}/.git/hooks") else ["the link is gone"])


def hidden_by_way_of_a_link(p):
    p.sh("ln -s project ../by && mkdir -p fixed .ssh && echo hidden | tee secret .ssh/id fixed/file > /dev/null && "
         "ln -s ../project/fixed ../neighbour/way")
    by = f"{p.workspace}/by"
    first, second = p.policy(f"write {p.project}\n"), f"{p.project}/other"
    p.account.own(write(second, f"level process_exec\nwrite /\nhide {by}/secret\n"))
    whole = f"{p.project}/whole"
    p.account.own(write(whole, f"level process_exec\nrun /usr\nrun /bin\nrun /lib64\nwrite {p.project}\nhide {by}/secret\n"))
    # What the first says of a place within is bounded by the second as well.
    deep, around = f"{p.project}/deep", f"{p.project}/around"
    p.sh("mkdir -p inner/place && echo hidden > inner/place/file")
    p.account.own(write(deep, "level process_exec\nrun /usr\nrun /bin\nrun /lib64\n"
                        f"write {p.project}\nread {p.project}/inner/place\n"))
    p.account.own(write(around, f"level process_exec\nwrite /\nhide {by}/inner\n"))
    problems = []
    if "hidden" in p.confined("cat inner/place/file", "--policy", deep, "--policy", around).out:
        problems.append("a place within a hidden one is read")
    for options in (("--hide", f"{by}/secret"), ("--policy", first, "--policy", second), ("--policy", whole),
                    ("--policy", first, "--hide", f"{by}/secret")):
        for backend in ("namespaces", "landlock"):
            if "hidden" in p.confined("cat secret", "--backend", backend, *options).out:
                problems.append(f"{backend}, {options}: read")
    # The credentials of a home, which is granted by another name.
    for home, granted in ((by, p.project), (p.project, by)):
        words = [] if p.broken else [p.cordon, "run", "--quiet", "--workspace", f"{p.project}/fixed", "--read", granted, "--"]
        if "hidden" in p.run([*words, "cat", f"{p.project}/.ssh/id"], directory=f"{p.project}/fixed", HOME=home).out:
            problems.append(f"home {home}, {granted} granted: read")
    p.confined("echo more > fixed/file", "--read", p.neighbour, "--read", f"{p.neighbour}/way")
    with open(f"{p.project}/fixed/file", encoding="utf-8") as file:
        return problems if file.read() == "hidden\n" else problems + ["what may be read by a link alone is written"]


def hidden_and_absent(p):
    """Nothing can be created at the path or is left there, also with two runs at once."""
    problems = []
    make = "mkdir -p .git/hooks && touch .git/hooks/x && echo made; echo x > .env && echo made"
    for backend in ("namespaces", "bubblewrap"):
        hide = ("--backend", backend, "--hide", ".git/hooks", "--hide", ".env")
        if "made" in p.confined(make, *hide).out or p.broken:
            problems.append(f"{backend}: made")
        if os.listdir(p.project):
            problems.append(f"{backend}: left behind: {os.listdir(p.project)}")
        cordon = [p.cordon, "run", "--quiet", *hide, "--", "sh", "-c"]
        first = p.start(cordon + ["touch ready; sleep 0.3"], p.project)
        while first.poll() is None and not os.path.exists(f"{p.project}/ready"):
            time.sleep(0.01)
        second = p.run(cordon + [f"sleep 1; {make}"], directory=p.project)
        p.finish(first)
        if "made" in second.out:
            problems.append(f"{backend}: made once the first had ended")
        if {".git", ".env"} & set(os.listdir(p.project)):
            problems.append(f"{backend}: left behind by the second of two: {os.listdir(p.project)}")
        p.sh("rm -f ready")
        killed = p.start(cordon + ["touch ready; sleep 20"], p.project)
        while killed.poll() is None and not os.path.exists(f"{p.project}/ready"):
            time.sleep(0.01)
        killed.kill()  # setpriv has become cordon
        killed.wait()
        time.sleep(0.2)
        ended = p.confined("true", "--backend", backend)
        if ended.status != 0 or {".git", ".env"} & set(os.listdir(p.project)):
            problems.append(f"{backend}: left behind by a killed run: {os.listdir(p.project)} {ended.err!r}")
        p.sh("rm -rf ready .git .env")
    return problems


def second_name(p):
    p.sh("echo hidden > one && ln one two")
    p.sh("mkdir sec && echo hidden > sec/key && ln sec/key three")
    for words in (["--hide", "sec"], ["--read", "sec"]):
        told = [] if p.broken else [p.run([p.cordon, "run", *words, "--", "true"], directory=p.project).err]
        if p.broken or f"files.second_name:{p.project}/sec/key" not in told[0]:
            return [f"{words}: the second name of a file below is not reported: {told}"]
        hardened = p.confined("cat three", *words, "--profile", "os_hardened")
        if hardened.status != 125:
            return [f"{words}: os_hardened starts with it"]
    p.sh("chmod 311 sec")  # searched and not listed
    told = "" if p.broken else p.run([p.cordon, "run", "--hide", "sec", "--", "true"], directory=p.project).err
    p.sh("chmod 755 sec")
    if f"files.second_name:{p.project}/sec" not in told:
        return [f"a directory that cannot be listed is not reported: {told!r}"]
    ended = p.confined("cat one; cat two", "--backend", "landlock", "--hide", "one")
    return ["the hidden file is read"] if "hidden" in ended.out else []


def report_in_the_way(p):
    p.sh("mkdir out && echo '{}' > ../neighbour/report.json")
    p.confined("mv out was && ln -s ../neighbour out; exit 3", "--report", "out/report.json")
    with open(f"{p.neighbour}/report.json", encoding="utf-8") as file:
        problems = [] if file.read() == "{}\n" else ["a file outside is overwritten"]
    if not os.path.isfile(f"{p.project}/was/report.json"):
        problems.append("no report where the directory is now")
    ended = p.confined("mv was there && mkdir was && echo '{}' > was/report.json; exit 3", "--report", "was/report.json")
    if ended.status != 125 or "was replaced" not in ended.err:
        problems.append(f"a directory in the place of the report's: status {ended.status}, {ended.err!r}")
    return problems


def named_by_a_link(p):
    """`--cwd` and `--workspace` by a link that an earlier run has made, in whatever was a project then."""
    p.confined("ln -s ../neighbour data")
    problems = []
    for directory, link in ((p.project, "data"), (p.workspace, "project/data")):
        for option in ("--cwd", "--workspace"):
            problems += p.refused(p.confined(SCRIPT.format(p.secret), option, link, directory=directory),
                                  f"{option} {link}: {p.project}/data is a link", f"{p.neighbour} itself")
    p.sh("git init -q .")
    problems += p.refused(p.confined(SCRIPT.format("file"), "--cwd", "project/data", directory=p.workspace), "is a link")
    policy = p.policy(f"write {p.project}\nread {p.neighbour}\n")
    return problems + p.refused(p.confined("cat file", "--policy", policy, "--cwd", "data"), "is a link")


def named_by_a_link_of_a_home(p):
    """No run can have made it, unless its policy opens the home."""
    p.sh(f"ln -s {p.project} {p.home}/by")
    by, problems = f"{p.home}/by", []
    for words in (["--workspace", by], ["--cwd", by], ["--workspace", by, "--cwd", f"{by}/."]):
        if p.confined("echo there > new && cat new", *words).out != "there\n" or p.broken:
            problems.append(f"{words}: refused")
    for words in (["--workspace", by], ["--cwd", by]):
        problems += p.refused(p.confined(SCRIPT.format(p.secret), *words, "--write", p.home), f"{by} is a link",
                              "that the program may replace", f"{p.project} itself")
    return problems


def named_by_a_link_of_root(p):
    """In a directory that only root writes: root itself may write there, but for the system's own."""
    os.symlink(p.project, f"{p.top}/by")
    problems = []
    for option in ("--workspace", "--cwd"):
        ended = p.confined(SCRIPT.format("new"), option, f"{p.top}/by")
        if p.account.uid == os.geteuid():
            problems += p.refused(ended, f"{p.top}/by is a link", f"{p.project} itself")
        elif ended.status != 0 or p.broken:
            problems.append(f"{option}: status {ended.status}: {ended.err!r}")
    if p.confined("echo here", "--cwd", "/var/run").out == "here\n" or p.broken:
        problems.append("a program runs where nothing is granted")
    ended = p.confined("pwd", "--cwd", "/var/run", "--read", "/run")
    return problems if ended.out == "/run\n" or not os.path.islink("/var/run") else problems + [f"/var/run: {ended.err!r}"]


def trusted_files(p):
    """Files that the caller trusts after the run are reported if the program may change them; os_hardened refuses."""
    hardened = ["--profile", "os_hardened"]
    policy = p.policy("write .\n")
    outside = write(os.path.join(p.top, "outside", "policy"), "level process_exec\nrun /usr\nrun /lib64\nrun /bin\n"
                                                              f"write {p.project}\n")
    problems = []
    for words in (["--report", "r.json"], ["--record", "r.json"], ["--policy", policy]):
        place = policy if words[0] == "--policy" else f"{p.project}/r.json"
        told = p.run([p.cordon, "run", *words, "--", "true"], directory=p.project) if not p.broken else p.confined("true")
        if told.status != 0 or f"policy.writable:{place}" not in told.err:
            problems.append(f"{words}: not told: {told.err!r}")
        ended = p.confined("touch started", *hardened, *words)
        problems += p.refused(ended, f"--accept-gap policy.writable:{place}")
        accepted = p.confined("true", *hardened, "--accept-gap", f"policy.writable:{place}", *words)
        if accepted.status != 0:
            problems.append(f"{words}: refused though accepted: {accepted.err!r}")
    ended = p.confined("true", *hardened, "--policy", outside, "--report", "../outside.json")
    if ended.status != 0:
        problems.append(f"a policy outside is refused: {ended.err!r}")
    # A link and a directory on the way, and another name.
    p.sh("ln -s ../neighbour way && mkdir plain && echo '{}' > ../neighbour/r.json && echo x > ../neighbour/one && "
         "ln ../neighbour/one ../neighbour/two")
    for words, told in ((["--report", "way/r.json"], f"name {p.neighbour} itself"),
                        (["--report", "plain/../../neighbour/new.json"], f"policy.writable:{p.neighbour}/new.json"),
                        (["--report", "../neighbour/two"], f"policy.writable:{p.neighbour}/two")):
        problems += p.refused(p.confined("touch started", *hardened, *words), told)
    return problems


def report_nowhere(p):
    problems = []
    for place in ("absent/report.json", "folder"):
        p.sh("mkdir -p folder")
        ended = p.confined("touch started", "--report", place)
        problems += p.refused(ended, f"{place}: the report cannot be written")
        if os.path.exists(f"{p.project}/started"):
            problems.append(f"{place}: started")
    ended = p.confined("touch written", "--report", "/dev/null")
    if ended.status != 0 or not os.path.exists(f"{p.project}/written") or p.broken:
        problems.append(f"/dev/null: status {ended.status}: {ended.err!r}")
    if not stat.S_ISCHR(os.stat("/dev/null").st_mode):
        problems.append("/dev/null is gone")
    return problems


def report_that_fails_late(p):
    ended = p.confined("rm report.json && mkdir report.json && exit 3", "--report", "report.json")
    problems = [] if ended.status == 3 else [f"status {ended.status}"]
    if "cordon: report.json: the report cannot be written" not in ended.err:
        problems.append(f"not told: {ended.err!r}")
    return problems


def report_of_few_readers(p):
    p.sh("touch report.json && chmod 600 report.json")
    p.confined("chmod 666 report.json", "--report", "report.json")
    st = os.stat(f"{p.project}/report.json")
    return [] if st.st_size and stat.S_IMODE(st.st_mode) == 0o600 else [f"mode {oct(st.st_mode)}, {st.st_size} bytes"]


def link_of_another_project(p):
    """Grants by a link that a run in another project has made, by its own name and by another one."""
    p.sh("mkdir ../other ../other/build && git -C ../other init -q && ln -s other ../alias")
    p.confined("rmdir build && ln -s ../neighbour build", directory=os.path.join(p.workspace, "other"))
    problems = []
    for named in ("../other/build", "../alias/build"):
        policy = p.policy(f"write .\nwrite {named}\n")
        for options in (("--policy", policy), ("--write", named)):
            problems += p.refused(p.confined(SCRIPT.format(p.secret), *options), "leads out of")
    return problems


ROWS = {
    "a grant by a link of another project": link_of_another_project,
    "a repository that the project has made": crafted_repository,
    "a .git that waits or never ends": repository_that_waits,
    "git works in a real worktree": real_worktree,
    "a grant by a link that leads out": link_of_a_grant,
    "a grant by a link that leads out of the policy file's directory": link_of_a_grant_alone,
    "a grant through a link": granted_by_way_of_a_link,
    "a grant by a link that an earlier run has made": link_of_an_earlier_run,
    "a hidden path by a link that the program may replace": link_of_a_reduction,
    "a hidden path through a link": hidden_by_way_of_a_link,
    "a hidden path that does not exist": hidden_and_absent,
    "a second name of a hidden file": second_name,
    "a report whose directory becomes a link": report_in_the_way,
    "a directory named by a link": named_by_a_link,
    "a directory named by a link of a home": named_by_a_link_of_a_home,
    "a directory named by a link of root": named_by_a_link_of_root,
    "files that the caller trusts after the run": trusted_files,
    "a report that cannot be written": report_nowhere,
    "a report that cannot be written any more": report_that_fails_late,
    "a report that few may read": report_of_few_readers,
}


if __name__ == "__main__":
    sys.exit(main(__doc__, "results", run_rows(ROWS, Project), "without cordon"))
