# SPDX-License-Identifier: BSL-1.0
"""A pool of forked processes; its locks are semaphores in /dev/shm."""
import multiprocessing


def square(number):
    return number * number


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print("pool", sum(pool.map(square, range(5))))
