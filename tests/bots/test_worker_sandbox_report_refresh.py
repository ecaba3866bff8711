"""Reports of workers: a running worker counts however long it runs, and an ended worker stops counting."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.utils import timezone

from bots import services, worker_sandbox_report_queries, worker_sandbox_report_refresh
from bots.jobs.fair_job_scheduling import SERVED_KINDS_VARIABLE
from bots.models.worker_reports_and_usage import WorkerSandboxReport
from deploy.celery import require_sandbox
from foundation import celery_worker_draining
from tests.support.prepared_leagues import build_environment
from tests.support.processes import read_database_url
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
WORKER = """
import django
django.setup()
from bots import worker_sandbox_report_refresh
from deploy.celery import app
worker_sandbox_report_refresh.REFRESH_SECONDS = 0.2
app.worker_main(["worker", "--loglevel=WARNING", "-P", "solo", "-n", "matches@here", "-Q", "league",
                 "--without-mingle", "--without-gossip", "--without-heartbeat"])
"""


def create_old_report(worker: str) -> WorkerSandboxReport:
    """Store and return the report of a worker that started 25 hours ago."""
    languages = {
        "python": "Python 3",
        worker_sandbox_report_queries.ENGINE: "0123",
        worker_sandbox_report_queries.LIBRARIES: "numpy 2",
    }
    report = WorkerSandboxReport.objects.create(worker=worker, tier="bwrap", held=True, languages=languages)
    make_old(worker)
    return report


def make_old(worker: str) -> None:
    WorkerSandboxReport.objects.filter(worker=worker).update(tried_at=timezone.now() - timedelta(hours=25))


def is_present(worker: str) -> bool:
    return WorkerSandboxReport.objects.filter(
        worker=worker, tried_at__gt=timezone.now() - timedelta(minutes=5)
    ).exists()


def test_a_worker_that_runs_for_more_than_a_day_still_counts_as_a_running_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_sandbox_report_refresh, "REFRESH_SECONDS", 0.05)
    running = create_old_report("running")
    create_old_report("ended")
    assert worker_sandbox_report_queries.count_engine_workers() == (0, 0)
    stop = worker_sandbox_report_refresh.start_report_refresh(running)
    try:
        wait_for(lambda: worker_sandbox_report_queries.count_engine_workers() == (1, 1), "the running worker counts")
    finally:
        stop.set()
    assert worker_sandbox_report_queries.list_libraries() == ("numpy 2",)
    assert [row.workers for row in worker_sandbox_report_queries.list_languages() if row.name == "python"] == [1]
    assert worker_sandbox_report_queries.count_workers() == 1
    assert not is_present("ended")


def test_a_worker_that_is_shutting_down_stops_refreshing_its_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_sandbox_report_refresh, "REFRESH_SECONDS", 0.0)
    leaving = create_old_report("leaving")
    celery_worker_draining.request_finish()
    try:
        worker_sandbox_report_refresh._refresh_until(leaving, threading.Event())
    finally:
        celery_worker_draining.cancel_draining()
    assert not is_present("leaving")


def refuse_to_save(_report: WorkerSandboxReport) -> None:
    raise OperationalError("the database is away")


def test_a_worker_started_without_a_database_stores_its_report_once_the_database_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_sandbox_report_refresh, "REFRESH_SECONDS", 0.05)
    report = WorkerSandboxReport(worker="early", tier="bwrap", held=True, languages={"python": "Python 3"})
    with monkeypatch.context() as patched:
        patched.setattr(WorkerSandboxReport, "save", refuse_to_save)
        worker_sandbox_report_refresh.store_report(report)
    stop = worker_sandbox_report_refresh.start_report_refresh(report)
    try:
        wait_for(lambda: is_present("early"), "the report is stored")
    finally:
        stop.set()


def test_a_worker_whose_sandbox_fails_exits_even_if_it_cannot_store_its_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed = WorkerSandboxReport(worker="early", tier="bwrap", held=False, reason="no namespaces")
    monkeypatch.setenv(SERVED_KINDS_VARIABLE, "")  # the worker sets this variable for its own process
    monkeypatch.setattr(services, "probe_worker_sandbox", lambda _worker: failed)
    monkeypatch.setattr(WorkerSandboxReport, "save", refuse_to_save)
    worker = SimpleNamespace(app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=["league"]))))
    with pytest.raises(SystemExit, match="78"):
        require_sandbox("early", worker)


@pytest.mark.slow
def test_a_started_celery_worker_refreshes_its_report_while_it_is_idle(tmp_path: Path) -> None:
    env = build_environment(tmp_path, CELERY_BROKER_URL="") | {"DATABASE_URL": read_database_url()}
    with (tmp_path / "worker.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-c", WORKER], env=env, stdout=log, stderr=log)
    try:
        for _ in range(2):
            wait_for(lambda: is_present("matches@here") or process.poll() is not None, "the worker reports", 120)
            assert process.poll() is None, (tmp_path / "worker.log").read_text()
            make_old("matches@here")
        wait_for(lambda: is_present("matches@here"), "the worker reports again")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
