# SPDX-License-Identifier: BSL-1.0
"""Podman with a store of its own, and nothing of it left on the machine afterwards."""
import glob
import os
import resource
import shutil
import subprocess

from support.account import Unavailable
from support.scratch import write

# Where podman 4.3 and runc write whatever store is configured: those that were not there are gone afterwards.
CACHE = ("/var/lib/containers", "/var/lib/containers/cache", "/var/lib/containers/cache/blob-info-cache-v1.boltdb",
         "/run/runc")
PARENT = "libpod_parent"  # of the control groups of every pod


def ours(limit, most):
    """The hard limit of this process, if it is lower: podman requests 1048576 files, which needs CAP_SYS_RESOURCE."""
    hard = resource.getrlimit(limit)[1]
    return most if hard == resource.RLIM_INFINITY else min(hard, most)


def without(path):
    try:
        os.rmdir(path) if os.path.isdir(path) else os.unlink(path)
    except OSError:
        pass  # somebody else's by now


class Podman:
    def __init__(self, top):
        for tool in ("podman", "conmon", "runc", "catatonit"):
            if shutil.which(tool) is None:
                raise Unavailable(f"{tool} is not installed")
        self.top = os.path.join(top, "podman")
        files, tasks = ours(resource.RLIMIT_NOFILE, 1024), ours(resource.RLIMIT_NPROC, 4096)
        # Locks in a file and a network folder: else /dev/shm/libpod_lock and /etc/cni/net.d/cni.lock stay behind.
        conf = ("[containers]\n"
                f'default_ulimits = ["nofile={files}:{files}", "nproc={tasks}:{tasks}"]\nlog_driver = "k8s-file"\n'
                '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\nlock_type = "file"\nruntime = "runc"\n'
                'infra_image = "localhost/pause"\n'
                f'[network]\nnetwork_config_dir = "{self.top}/net"\n')
        self.conf = write(os.path.join(self.top, "containers.conf"), conf)
        self.new = [place for place in CACHE if not os.path.lexists(place)]
        self.groups = set(self.parents())
        self.pods = []
        try:
            pause = os.path.join(self.top, "pause")
            os.mkdir(pause)
            shutil.copy(shutil.which("catatonit"), os.path.join(pause, "catatonit"))
            self.keep_image("pause", pause, "--change", 'ENTRYPOINT ["/catatonit", "-P"]')
        except BaseException:
            self.close()
            raise

    @staticmethod
    def parents():
        return [group for depth in ("", "*/") for group in glob.glob(f"/sys/fs/cgroup/{depth}{PARENT}")]

    def call(self, *words, given=b""):
        store = [f"--{name}={self.top}/{name}" for name in ("root", "runroot", "tmpdir")]
        return subprocess.run(["podman", *store, "--storage-driver=vfs", *words], input=given, capture_output=True,
                              cwd="/", timeout=120, check=False,
                              env={"PATH": os.environ.get("PATH", ""), "HOME": self.top, "LC_ALL": "C.UTF-8",
                                   "CONTAINERS_CONF": self.conf})

    def told(self, *words, given=b""):
        ended = self.call(*words, given=given)
        if ended.returncode != 0:
            raise Unavailable(f"podman {words[0]}: {ended.stderr.decode(errors='replace').strip()[-300:]}")
        return ended.stdout.decode()

    def keep_image(self, name, root, *words):
        packed = subprocess.run(["tar", "-C", root, "-c", "."], capture_output=True, check=True).stdout
        self.told("import", "--quiet", *words, "-", "localhost/" + name, given=packed)

    def play(self, documents, container):
        """What the one container said, and its status; or podman's, where nothing starts."""
        file = write(os.path.join(self.top, "pod.yaml"), documents)
        try:
            made = self.call("play", "kube", "--network=none", "--no-hosts", "--start=false", file)
            return made if made.returncode != 0 else self.call("start", "--attach", container)
        finally:
            self.pods += self.told("pod", "rm", "--all", "--force", "--time=0").split()
            self.told("volume", "prune", "--force")  # an emptyDir is a named volume, and the next pod would have it

    def close(self):
        self.call("pod", "rm", "--all", "--force", "--time=0")
        for parent in self.parents():
            for pod in self.pods if parent in self.groups else [""]:
                for group, _, _ in os.walk(os.path.join(parent, pod), topdown=False):
                    without(group)
        for place in reversed(self.new):
            without(place)
