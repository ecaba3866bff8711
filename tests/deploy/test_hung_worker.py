"""A real worker that looks at its queues no more ends by itself, and one that has nothing to do lives on."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.supervisor.processes import own_log, start, stop
from tests.support.prepared import environment
from tests.support.processes import database
from tests.support.waiting import until, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
WATCHDOG_SECONDS = 5
WORKER = """
import sys, threading
from celery.signals import worker_ready
from deploy.celery import app
*_, pool, how = sys.argv

@worker_ready.connect(weak=False)
def hang(**_):
    print("ready", flush=True)
    if how == "hung":
        threading.Thread._bootstrap = lambda thread: None  # as where the new thread finds no memory
        threading.Thread(target=int).start()

app.worker_main(["worker", "--loglevel=WARNING", "-P", pool, "-c", "1", "-Q", "outside",
                 "--without-mingle", "--without-gossip", "--without-heartbeat"])
"""


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """Return a worker whose loop has begun."""
    log = folder / "worker.log"
    env = environment(folder, FTK_WATCHDOG_SECONDS=str(WATCHDOG_SECONDS), CELERY_BROKER_URL="")
    own_log(log).close()
    process = start([sys.executable, "-c", WORKER, *words], log=log, env={**env, "DATABASE_URL": database()})
    wait_for(lambda: "ready" in log.read_text() or process.poll() is not None, "the worker is ready", 120)
    assert process.poll() is None, log.read_text()
    return process


@pytest.mark.parametrize("pool", ["threads", "prefork", "solo"])
def test_a_worker_whose_loop_hangs_is_ended_by_the_kernel(tmp_path: Path, pool: str) -> None:
    process = started(tmp_path, pool, "hung")
    try:
        assert process.wait(WATCHDOG_SECONDS * 6) == -signal.SIGALRM
    finally:
        stop(process, [])


@pytest.mark.parametrize("pool", ["threads", "prefork", "solo"])
def test_a_worker_that_has_nothing_to_do_lives_on(tmp_path: Path, pool: str) -> None:
    process = started(tmp_path, pool, "idle")
    try:
        until(time.monotonic() + WATCHDOG_SECONDS * 3)
        assert process.poll() is None
    finally:
        stop(process, [(signal.SIGTERM, 10)])
