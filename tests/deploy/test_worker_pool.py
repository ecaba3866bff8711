"""Pool of worker processes: it runs the next job after any of its processes was killed at any moment."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from celery.concurrency.prefork import TaskPool

import deploy.celery  # noqa: F401 - installs the pool under test
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

SECONDS = 20
"""Maximum wait for a job, or for the successor of a killed process."""
_pools: list[Any] = []
"""The pool under test. Its processes are forks, so jobs find it here."""


@pytest.fixture
def pool() -> Iterator[Any]:
    running = TaskPool.BlockingPool(processes=1)
    yield running
    running.terminate()
    running.join()


def child_of(pool: Any) -> int:
    pid: int = pool._pool[0].pid
    return pid


def kill_child(pool: Any) -> None:
    """Kill the pool's process, and wait until another one has taken its place."""
    pid = child_of(pool)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: pool._pool and child_of(pool) != pid, "another process", SECONDS)


def test_a_worker_pool_runs_jobs_after_its_idle_process_was_killed(pool: Any) -> None:
    for _ in range(3):
        assert pool.apply_async(os.getpid).get(timeout=SECONDS) == child_of(pool)
        kill_child(pool)
    assert pool.apply_async(os.getpid).get(timeout=SECONDS) == child_of(pool)


def die_with_the_result_lock() -> None:
    """Be killed while holding the lock of the result pipe, as a process may that writes a result."""
    _pools[0]._outqueue._wlock.acquire()
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_pool_runs_jobs_after_a_process_was_killed_while_it_held_the_result_lock(pool: Any) -> None:
    _pools[:] = [pool]
    kill_child(pool)  # only a process that is forked now finds the pool there
    pid = child_of(pool)
    killed = pool.apply_async(die_with_the_result_lock)
    wait_for(lambda: pool._pool and child_of(pool) != pid, "another process", SECONDS)
    killed.discard()  # otherwise the pool waits more than five seconds for this result when it stops
    assert pool.apply_async(os.getpid).get(timeout=SECONDS) == child_of(pool)
