"""Celery application of the workers."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

from celery import Celery
from celery.beat import EmbeddedService
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
from deploy.messaging.broker import REVIEWS, WITH_BOTS
from deploy.process_limits import give_way as give_way_to_others
from deploy.process_limits import run_when_idle
from deploy.supervisor.roles import BEAT_SCHEDULE
from foundation import draining, tracing, watchdog
from ftk_core.kit.lifeline import die_with

KEPT_TASKS = 500
"""Number of tasks after which a process closes its database connection; connecting costs more than most tasks."""
SHIFT = "bots.work"
"""Task that plays, runs a trial or reviews for up to ten seconds; all others are short and keep their connection."""
EX_CONFIG = 78
BEHIND = 5
"""Niceness of a worker without league matches: a third of the time of the others when the processors are busy."""
BEHIND_ALL = 19
"""Niceness of a worker with reviews only: it uses idle time."""

transports.install()
app = Celery("ftk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def set_kept_tasks() -> None:
    """Let each process keep its database connection, unless a pool does."""
    pooled = "pool" in settings.DATABASES["default"]["OPTIONS"]
    app.conf["CELERY_DB_REUSE_MAX"] = None if pooled else KEPT_TASKS


set_kept_tasks()


@task_postrun.connect
def close_connection(task: Any, **_: Any) -> None:
    """Close the database connection after a shift: it occupies a server process, and the next shift may be far off."""
    if task.name == SHIFT:
        _close_connections()


def _close_connections() -> None:
    from django.db import connections  # once Django is set up

    connections.close_all()


@task_prerun.connect
def try_connection(**_: Any) -> None:
    """Check a kept connection before its next use: the server may have restarted."""
    from django.db import connections  # once Django is set up

    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.is_usable():
            connection.close()


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Keep the logging of the settings."""


@celeryd_after_setup.connect
def watch_consumer(instance: Any, **_: Any) -> None:
    """Let the kernel end this worker if it stops checking its queues; its loops and reconnections touch the duty."""
    watchdog.begin()
    duty = watchdog.REVIEW if set(instance.app.amqp.queues.consume_from) == {REVIEWS} else watchdog.CONSUMER
    state.maybe_shutdown = consumer.maybe_shutdown = watchdog.touching(duty, state.maybe_shutdown)


@task_prerun.connect
def leave_loop(**_: Any) -> None:
    """Release the duty of a loop that runs its task itself; with a pool of threads or processes the loop goes on.

    The pool handles SIGALRM in its processes, but no Python handles it in a process that hangs.
    """
    if threading.current_thread() is threading.main_thread():
        watchdog.release(watchdog.CONSUMER)
        watchdog.release(watchdog.REVIEW)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@celeryd_after_setup.connect
def give_way(instance: Any, **_: Any) -> None:
    """Lower the priority of a worker that has reviews only."""
    if set(instance.app.amqp.queues.consume_from) == {REVIEWS}:
        give_way_to_others(BEHIND_ALL)
        run_when_idle()


@celeryd_after_setup.connect
def refuse_without_a_cage(sender: str, instance: Any, **_: Any) -> None:
    """End a worker that starts bots if no sandbox holds, before it takes a message; its log gives the reason."""
    from bots.services import try_cage  # after Django is set up
    from bots.turns import SERVED

    serves = [name for name in WITH_BOTS if name in instance.app.amqp.queues.consume_from]
    if not serves:
        return
    also = [REVIEWS] if REVIEWS in instance.app.amqp.queues.consume_from else []
    os.environ[SERVED] = " ".join(serves + also)
    if "league" not in serves:
        give_way_to_others(BEHIND)
    report = try_cage(sender)
    _close_connections()  # the worker itself uses no database: its processes or threads do
    if not report.held:
        sys.stderr.write(f"no bot is started here: the cage {report.tier} does not hold: {report.reason}\n")
        sys.exit(EX_CONFIG)


@worker_ready.connect
def start_clock(**_: Any) -> None:
    """Run the beat scheduler in this worker if BEAT_SCHEDULE names its schedule file."""
    if schedule := os.environ.get(BEAT_SCHEDULE):
        EmbeddedService(app, thread=True, schedule_filename=schedule).start()


@worker_shutting_down.connect
def drain(sig: str, **_: Any) -> None:
    """Give up running matches and reviews after their current page, for others to resume at once; SIGINT finishes them.

    SIGINT is for an earlier build, whose matches perhaps nobody else can resume.
    """
    if sig == "SIGINT":
        draining.ask_to_finish()
    else:
        draining.ask_to_leave()
    transports.STOPPED.ask()


@worker_shutdown.connect
def leave(sender: Any, **_: Any) -> None:
    """Exit at once when all work is handed back: Python's own exit would take two seconds."""
    tracing.flush()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(sender.exitcode or 0)


@celeryd_after_setup.connect
def tell_what_is_counted(**_: Any) -> None:
    """Serve the metrics of its processes if the settings name a port; end a worker with a message if it is taken."""
    from deploy import scraping  # after Django is set up

    if not settings.METRICS_PORT:
        return
    try:
        scraping.serve(settings.METRICS_ADDRESS, settings.METRICS_PORT)
    except OSError as error:
        where = f"{settings.METRICS_ADDRESS}:{settings.METRICS_PORT}"
        sys.stderr.write(f"{where}, which FTK_METRICS_ADDRESS and FTK_METRICS_PORT name, is not to be had: {error}\n")
        sys.exit(EX_CONFIG)


@worker_process_shutdown.connect
def tell_spans(**_: Any) -> None:
    """Export the remaining spans of a pool process."""
    tracing.flush()


@worker_process_init.connect
def die_with_worker(**_: Any) -> None:
    """Let a pool process die with its worker, whose kill -9 would leave it playing; give it a watchdog of its own."""
    watchdog.begin()
    try:
        die_with(os.getppid())
    except ProcessLookupError:
        os.kill(os.getpid(), signal.SIGKILL)
