"""Thread that stores a worker's sandbox report every few minutes, to show that the worker still runs."""
# The sandbox self-test is not repeated. A report counts for an hour after each update.

from __future__ import annotations

import threading
from typing import Final

import structlog
from django.db import DatabaseError, connections

from bots.models.worker_reports_and_usage import WorkerSandboxReport
from foundation.celery_worker_draining import is_accepting_work

REFRESH_SECONDS: Final = 300.0
"""Seconds between two refreshes.

It is well below `worker_sandbox_report_queries.REPORT_LIFETIME`, so that some refreshes may fail.
"""
log = structlog.get_logger(__name__)


def store_report(report: WorkerSandboxReport) -> None:
    """Store a worker's report with the current time. A database error is only logged; the next refresh tries again."""
    try:
        report.save()
    except DatabaseError as error:
        log.warning("worker_report_not_stored", worker=report.worker, reason=str(error).strip())
    finally:
        connections.close_all()


def start_report_refresh(report: WorkerSandboxReport) -> threading.Event:
    """Start a thread that regularly stores the report on a worker's sandbox. Return the event that stops it."""
    # The report stays in the database after the worker's end, because the worker may return: a match that needs one of
    # its languages waits longer than for a language that no worker ever reported.
    stop = threading.Event()
    threading.Thread(target=_refresh_until, args=(report, stop), name="worker report", daemon=True).start()
    return stop


def _refresh_until(report: WorkerSandboxReport, stop: threading.Event) -> None:
    while not stop.wait(REFRESH_SECONDS) and is_accepting_work():
        store_report(report)
