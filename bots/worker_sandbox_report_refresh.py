"""Thread that shows that a worker still runs, by updating the time in its report."""
# The sandbox self-test is not repeated. A report counts for an hour after each update.

from __future__ import annotations

import threading
from typing import Final

import structlog
from django.db import DatabaseError, connections
from django.utils import timezone

from bots.models.worker_reports_and_usage import WorkerSandboxReport
from foundation.celery_worker_draining import is_accepting_work

REFRESH_SECONDS: Final = 600.0
"""Seconds between two refreshes.

It is well below `worker_sandbox_report_queries.REPORT_LIFETIME`, so that some refreshes may fail.
"""
log = structlog.get_logger(__name__)


def start_report_refresh(worker: str) -> threading.Event:
    """Start a thread that updates the time in a worker's report. Return the event that stops it."""
    # The report stays in the database after the worker's end, because the worker may return: a match that needs one of
    # its languages waits longer than for a language that no worker ever reported.
    stop = threading.Event()
    threading.Thread(target=_refresh_until, args=(worker, stop), name="worker report", daemon=True).start()
    return stop


def _refresh_until(worker: str, stop: threading.Event) -> None:
    while not stop.wait(REFRESH_SECONDS) and is_accepting_work():
        try:
            WorkerSandboxReport.objects.filter(worker=worker).update(tried_at=timezone.now())
        except DatabaseError as error:  # the database may be back at the next refresh
            log.warning("worker_report_not_refreshed", worker=worker, reason=str(error).strip())
        finally:
            connections.close_all()
