# SPDX-License-Identifier: BSL-1.0
"""Many runs of one process, one after the other and at once."""
import concurrent.futures
import os
import resource

from support import InScratch


class ManyRunsTest(InScratch):
    def check(self, number):
        report = self.shell(f"echo {number}; exit {number % 100}", capture_output=True)
        self.assertEqual((report.outcome, report.status, report.stdout), ("exited", number % 100, b"%d\n" % number))

    def test_a_thousand_runs_leave_no_descriptor_and_no_memory(self):
        for number in range(100):
            self.check(number)
        files, memory = len(os.listdir("/proc/self/fd")), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for number in range(1000):
            self.check(number)
        self.assertEqual(len(os.listdir("/proc/self/fd")), files)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory, 8192)  # KiB: a leak of 8 KiB a run

    def test_sixteen_threads_at_a_time(self):
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            for done in [pool.submit(self.check, number) for number in range(320)]:
                done.result()
