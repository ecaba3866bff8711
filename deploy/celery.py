"""Celery application, and signal handlers that configure its worker processes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

from celery import Celery
from celery.beat import EmbeddedService
from celery.concurrency.prefork import TaskPool
from celery.signals import (
    celeryd_after_setup,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from celery.worker import state
from celery.worker.consumer import consumer
from django.conf import settings

from deploy.messaging import transports
from deploy.messaging.broker import BOT_QUEUES, REVIEW_QUEUE
from deploy.process_resources import lower_priority as lower_own_priority, raise_open_files, run_when_idle
from deploy.supervisor.process_roles import BEAT_SCHEDULE
from deploy.worker_pool import CrashSafePool
from foundation import celery_worker_draining, stuck_process_watchdog, tracing
from ftk_core.kit.protocol.child_termination import set_parent_death_signal

TASKS_PER_CONNECTION = 500
"""Number of tasks that share a database connection in a worker process: connecting takes longer than most tasks."""
SHIFT_TASK = "bots.work"
"""Name of the only long task. For ten seconds it starts one job after the other: matches, bot trials, match reviews."""
EX_CONFIG = 78
"""Exit code for a configuration error, as in sysexits.h."""
BACKGROUND_NICENESS = 5
"""Niceness of a worker that plays no league matches; on a busy processor it gets a third of the normal time."""
REVIEW_NICENESS = 19
"""Niceness of a worker that computes only match reviews: it uses idle processors."""

transports.install_transports()
# the pool of workers whose broker is PostgreSQL; those of RabbitMQ and Redis give each process pipes of its own
TaskPool.BlockingPool = CrashSafePool
app = Celery("ftk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def configure_connection_reuse() -> None:
    """Let worker processes without a connection pool reuse a database connection for several tasks."""
    pooled = "pool" in settings.DATABASES["default"]["OPTIONS"]
    app.conf["CELERY_DB_REUSE_MAX"] = None if pooled else TASKS_PER_CONNECTION


configure_connection_reuse()


@task_postrun.connect
def close_connection(task: Any, **_: Any) -> None:
    """Close the database connections after the task ``bots.work``."""
    # The next such task may start much later. After other tasks the connections stay open: connecting takes longer
    # than most of these tasks.
    if task.name == SHIFT_TASK:
        _close_connections()


def _close_connections() -> None:
    from django.db import connections  # once Django is set up

    connections.close_all()


@task_prerun.connect
def check_connection(**_: Any) -> None:
    """Close broken database connections before each task."""
    # For example, a restart of the database server breaks them.
    from django.db import connections  # once Django is set up

    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.is_usable():
            connection.close()


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Keep Celery from replacing the logging configuration of the settings."""


@celeryd_after_setup.connect
def watch_consumer(instance: Any, **_: Any) -> None:
    """Start a watchdog that kills this worker if its event loop hangs."""
    stuck_process_watchdog.start_watchdog()
    duty = (
        stuck_process_watchdog.REVIEW_DUTY
        if set(instance.app.amqp.queues.consume_from) == {REVIEW_QUEUE}
        else stuck_process_watchdog.CONSUMER_DUTY
    )
    state.maybe_shutdown = consumer.maybe_shutdown = stuck_process_watchdog.with_deadline(duty, state.maybe_shutdown)


@celeryd_after_setup.connect
def raise_file_limit(**_: Any) -> None:
    """Allow this worker as many open files as the system does: each bot needs eight, and `seats` has many bots."""
    raise_open_files(0)


@task_prerun.connect
def release_loop_deadline(**_: Any) -> None:
    """Suspend the event loop's watchdog before a task that runs in the main thread."""
    # The task blocks the event loop. SIGALRM gets its default action because a Python handler would not run while a
    # task hangs.
    if threading.current_thread() is threading.main_thread():
        stuck_process_watchdog.remove_deadline(stuck_process_watchdog.CONSUMER_DUTY)
        stuck_process_watchdog.remove_deadline(stuck_process_watchdog.REVIEW_DUTY)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@celeryd_after_setup.connect
def lower_review_priority(instance: Any, **_: Any) -> None:
    """Lower the priority of a worker that computes only match reviews."""
    if set(instance.app.amqp.queues.consume_from) == {REVIEW_QUEUE}:
        lower_own_priority(REVIEW_NICENESS)
        run_when_idle()


@celeryd_after_setup.connect
def require_sandbox(sender: str, instance: Any, **_: Any) -> None:
    """Test the sandbox of a worker that starts bots. Exit if the test fails."""
    from bots.jobs.fair_job_scheduling import SERVED_KINDS_VARIABLE
    from bots.services import probe_worker_sandbox  # after Django is set up
    from bots.worker_sandbox_report_refresh import store_report

    serves = [name for name in BOT_QUEUES if name in instance.app.amqp.queues.consume_from]
    if not serves:
        return
    shared_kinds = [REVIEW_QUEUE] if REVIEW_QUEUE in instance.app.amqp.queues.consume_from else []
    os.environ[SERVED_KINDS_VARIABLE] = " ".join(serves + shared_kinds)
    if "league" not in serves:
        lower_own_priority(BACKGROUND_NICENESS)
    report = instance.sandbox_report = probe_worker_sandbox(sender)
    store_report(report)  # it closes the connection: the worker's main process needs none after this
    if not report.held:
        sys.stderr.write(f"no bot is started here: the sandbox {report.tier} failed its self-test: {report.reason}\n")
        sys.exit(EX_CONFIG)


@worker_ready.connect
def start_beat_scheduler(**_: Any) -> None:
    """Run Celery's beat scheduler in this worker if FTK_BEAT_SCHEDULE contains the path of a schedule file."""
    if schedule := os.environ.get(BEAT_SCHEDULE):
        EmbeddedService(app, thread=True, schedule_filename=schedule).start()


@worker_ready.connect
def keep_report_fresh(sender: Any, **_: Any) -> None:
    """Store this worker's sandbox report at regular intervals if the worker starts bots."""
    # A worker without a recent report counts as gone.
    from bots.worker_sandbox_report_refresh import start_report_refresh  # after Django is set up

    if not set(BOT_QUEUES).isdisjoint(sender.app.amqp.queues.consume_from):
        start_report_refresh(sender.controller.sandbox_report)


@worker_shutting_down.connect
def hand_over_work(sig: str, **_: Any) -> None:
    """On SIGTERM, let other workers resume the running matches. On SIGINT, play them to their end before exit."""
    # SIGINT is for deployments: workers of another build may be unable to resume a match.
    if sig == "SIGINT":
        celery_worker_draining.request_finish()
        # Celery has just made a second SIGINT cancel all matches; another deployment may send it before they end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        celery_worker_draining.request_handover()
    transports.STOP_FLAG.set()


@worker_shutdown.connect
def exit_worker(sender: Any, **_: Any) -> None:
    """Exit the worker process at once, because Python's normal exit would take two more seconds."""
    tracing.export_spans()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(sender.exitcode or 0)


@celeryd_after_setup.connect
def serve_metrics(**_: Any) -> None:
    """Serve the worker's metrics if a port is configured. Exit if the port is in use."""
    from deploy import worker_metrics  # after Django is set up

    if not settings.METRICS_PORT:
        return
    try:
        worker_metrics.serve(settings.METRICS_ADDRESS, settings.METRICS_PORT)
    except OSError as error:
        address = f"{settings.METRICS_ADDRESS}:{settings.METRICS_PORT}"
        sys.stderr.write(f"{address}, which FTK_METRICS_ADDRESS and FTK_METRICS_PORT name, is not to be had: {error}\n")
        sys.exit(EX_CONFIG)


@worker_process_shutdown.connect
def export_process_spans(**_: Any) -> None:
    """Export the remaining trace spans of a pool process before it ends."""
    tracing.export_spans()


@worker_process_init.connect
def bind_process_to_worker(**_: Any) -> None:
    """Make a pool process die with its worker, and start the process's own watchdog."""
    stuck_process_watchdog.start_watchdog()
    try:
        set_parent_death_signal(os.getppid())
    except ProcessLookupError:
        os.kill(os.getpid(), signal.SIGKILL)
