# SPDX-License-Identifier: BSL-1.0
"""What several tests of test/live share."""
