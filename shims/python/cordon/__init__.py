# SPDX-License-Identifier: BSL-1.0
"""Runs programs that you do not trust in the sandbox of the operating system.

    import cordon

    policy = cordon.Policy.load("job.policy")
    report = cordon.run(["make", "-j4"], policy=policy, timeout=60)
    print(report.outcome, report.status, [gap.id for gap in report.gaps])

The module calls libcordon.so.0, the C interface of cordon. It may change until cordon 1.0.
"""
from ._library import Error, version
from ._policy import Explanation, Policy, Within
from ._report import Denial, Gap, Report
from ._run import run

__version__ = version()
__all__ = ["Denial", "Error", "Explanation", "Gap", "Policy", "Report", "Within", "run"]
