#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Ordinary jobs under the built-in policy, in a home that has the settings that they read and tokens that they do not."""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import rows
from support.account import Account
from support.command import end, parser_of, turned
from support.scratch import Scratch, write

BACKENDS = ("namespaces", "landlock")
TOOL = "#!/bin/sh\necho ran\n"
# The settings that jobs of the table read.
SETTINGS = {
    ".gitconfig": "[user]\nname = Developer\nemail = dev@example.com\n[commit]\ngpgsign = false\n",
    ".config/git/config": "[alias]\nxdg = !echo alias\n",
    ".config/git/ignore": "*.ignored\n",
    ".config/pip/pip.conf": "[global]\ntimeout = 33\n",
    ".config/go/env": "GOFLAGS=-trimpath\n",
    ".cargo/config.toml": '[alias]\nof-home = "build --offline"\n',
    ".m2/repository/of/home/1/home-1.pom": "<project><modelVersion>4.0.0</modelVersion><groupId>of</groupId>"
                                           "<artifactId>home</artifactId><version>1</version><packaging>pom</packaging></project>",
}
PROGRAMS = {
    ".local/bin/tool": TOOL,
    ".local/share/pipx/venvs/linked/bin/linked": "#!/bin/sh\necho linked\n",
    ".cargo/bin/cargo-tool": TOOL,
    ".pyenv/shims/tool": '#!/bin/sh\nexec "$HOME/.pyenv/versions/3/bin/tool"\n',
    ".pyenv/versions/3/bin/tool": TOOL,
}
# What `credentials` hides beside them: a job must not need it, nor end because it may not be read.
TOKENS = (".npmrc", ".netrc", ".pypirc", ".yarnrc.yml", ".git-credentials", ".config/git/credentials", ".config/gh/hosts.yml",
          ".cargo/credentials.toml", ".m2/settings.xml", ".gradle/gradle.properties", ".gem/credentials", ".bundle/config",
          ".composer/auth.json", ".ssh/id_ed25519", ".aws/credentials", ".docker/config.json", ".bash_history",
          ".python_history", ".node_repl_history", ".sqlite_history", ".viminfo", ".config/nuget/token")


class Home(Scratch):
    def __init__(self, account, options):
        super().__init__(account, options.cordon)
        self.broken = options.broken
        for path, text in SETTINGS.items():
            write(os.path.join(self.home, path), text)
        site = self.run(["python3", "-m", "site", "--user-site"]).out.strip()
        write(os.path.join(site or self.home, "of_the_user.py"), "answer = 42\n")
        for path, text in PROGRAMS.items():
            write(os.path.join(self.home, path), text, 0o755)
        os.symlink("../share/pipx/venvs/linked/bin/linked", os.path.join(self.home, ".local/bin/linked"))
        for path in TOKENS:
            write(os.path.join(self.home, path), "a token\n", 0o600)
        self.account.own_tree(self.home)

    def problem_of(self, job, backend):
        """What is wrong with a job. As its control, the job must fail if its home or the system is hidden."""
        project = os.path.join(self.workspace, "project")
        os.mkdir(project)
        self.account.own(project)
        closed = ["--preset", "system_runtime", "--preset", "user_temp"] if job.home == "yes" else ["--no-presets"]
        cordon = [self.cordon, "run", "--quiet", "--backend", backend, *(closed if self.broken else []), "--"]
        try:
            ended = self.run([*cordon, "sh", "-ec", job.script], 60, directory=project)
        finally:
            shutil.rmtree(project, ignore_errors=True)
        return [] if ended.status == 0 else [f"status {ended.status}: {(ended.err or ended.out)[-400:]}"]


def run_jobs(options, results):
    home = Home(Account(options.user), options)
    try:
        for job in rows.read("attacks/jobs.tsv"):
            missing = [tool for tool in job.tools.split() if shutil.which(tool, path=home.variables()["PATH"]) is None]
            for backend in BACKENDS if not options.backend else [options.backend]:
                name = f"{options.user}, {backend}: {job.label}"
                if options.only not in name:
                    continue
                if missing:
                    results.skipped(name, f"{missing[0]} is missing")
                elif job.sockets == "yes" and backend == "landlock":
                    results.skipped(name, "a network of the run's own is missing")
                else:
                    results.check(name, home.problem_of(job, backend))
    finally:
        home.close()


if __name__ == "__main__":
    parser = parser_of(__doc__, "jobs")
    parser.add_argument("--cordon", required=True)
    parser.add_argument("--backend", choices=BACKENDS)
    given = parser.parse_args()
    given.broken = False

    def self_test(options):
        options.broken = True
        return turned(options, run_jobs, "the control: ", "where nothing but the project is open")

    sys.exit(end(given, run_jobs, self_test, "jobs"))
