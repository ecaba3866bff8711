"""A hung worker: a real worker that stops checking its queues ends by itself; an idle one continues."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.supervisor.child_process_start_and_stop import open_log, start, stop
from tests.support.prepared_leagues import build_environment
from tests.support.processes import read_database_url
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
    """Return a worker whose event loop has started."""
    log = folder / "worker.log"
    env = build_environment(folder, FTK_WATCHDOG_SECONDS=str(WATCHDOG_SECONDS), CELERY_BROKER_URL="")
    open_log(log).close()
    process = start([sys.executable, "-c", WORKER, *words], log=log, env={**env, "DATABASE_URL": read_database_url()})
    wait_for(lambda: "ready" in log.read_text() or process.poll() is not None, "the worker is ready", 120)
    assert process.poll() is None, log.read_text()
    return process


@pytest.mark.nightly
@pytest.mark.parametrize("pool", ["threads", "prefork", "solo"])
def test_the_watchdog_kills_a_celery_worker_whose_event_loop_hangs(tmp_path: Path, pool: str) -> None:
    process = started(tmp_path, pool, "hung")
    try:
        assert process.wait(WATCHDOG_SECONDS * 6) == -signal.SIGALRM
    finally:
        stop(process, [])


@pytest.mark.nightly
@pytest.mark.parametrize("pool", ["threads", "prefork", "solo"])
def test_the_watchdog_does_not_kill_an_idle_celery_worker(tmp_path: Path, pool: str) -> None:
    process = started(tmp_path, pool, "idle")
    try:
        until(time.monotonic() + WATCHDOG_SECONDS * 3)
        assert process.poll() is None
    finally:
        stop(process, [(signal.SIGTERM, 10)])
