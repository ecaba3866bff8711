"""The workers' application."""

from __future__ import annotations

import ctypes
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

PR_SET_PDEATHSIG = 1
KEPT_TASKS = 500
"""Tasks for which a process keeps its connection to the database: to connect costs more than most of them do."""
SHIFT = "bots.work"
"""The task that plays, tries or reviews for up to ten seconds; all others are short, and keep their connection."""
EX_CONFIG = 78
BEHIND = 5
"""How nice a worker without league matches is to those with: a third of their time where there is too little."""
BEHIND_ALL = 19
"""How nice a worker with nothing but reviews is: it has the time that nobody else wants."""

transports.install()
app = Celery("ftk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def set_kept_tasks() -> None:
    """Have each process keep its connection to the database, unless a pool keeps those that are closed."""
    pooled = "pool" in settings.DATABASES["default"]["OPTIONS"]
    app.conf["CELERY_DB_REUSE_MAX"] = None if pooled else KEPT_TASKS


set_kept_tasks()


@task_postrun.connect
def close_connection(task: Any, **_: Any) -> None:
    """Close the connection to the database after a shift: it is a process of the server, and the next may be far."""
    if task.name == SHIFT:
        _close_connections()


def _close_connections() -> None:
    from django.db import connections  # once Django is set up

    connections.close_all()


@task_prerun.connect
def try_connection(**_: Any) -> None:
    """Have the connection that was kept tried before it is used: the server may have been away since."""
    from django.db import connections  # once Django is set up

    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.is_usable():
            connection.close()


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Leave logging as the settings made it."""


@celeryd_after_setup.connect
def watch_consumer(instance: Any, **_: Any) -> None:
    """Have the kernel end this worker if it stops looking at its queues; its loops and reconnections check this."""
    watchdog.begin()
    duty = watchdog.REVIEW if set(instance.app.amqp.queues.consume_from) == {REVIEWS} else watchdog.CONSUMER
    state.maybe_shutdown = consumer.maybe_shutdown = watchdog.touching(duty, state.maybe_shutdown)


@task_prerun.connect
def leave_loop(**_: Any) -> None:
    """Expect nothing of a loop that runs its task itself; in a pool's threads and processes it goes on.

    The pool handles SIGALRM in its processes, but no Python handles it in a process that hangs.
    """
    if threading.current_thread() is threading.main_thread():
        watchdog.release(watchdog.CONSUMER)
        watchdog.release(watchdog.REVIEW)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@celeryd_after_setup.connect
def give_way(instance: Any, **_: Any) -> None:
    """Let a worker that has nothing but reviews to do give way to all others."""
    if set(instance.app.amqp.queues.consume_from) == {REVIEWS}:
        give_way_to_others(BEHIND_ALL)
        run_when_idle()


@celeryd_after_setup.connect
def refuse_without_a_cage(sender: str, instance: Any, **_: Any) -> None:
    """End a worker that is to start bots where the cage does not hold, before it takes one; its log says why."""
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
    _close_connections()  # the worker itself asks nothing more: its processes or threads do
    if not report.held:
        sys.stderr.write(f"no bot is started here: the cage {report.tier} does not hold: {report.reason}\n")
        sys.exit(EX_CONFIG)


@worker_ready.connect
def start_clock(**_: Any) -> None:
    """Let this worker be the clock, too, where BEAT_SCHEDULE names the file in which it keeps when things were due."""
    if schedule := os.environ.get(BEAT_SCHEDULE):
        EmbeddedService(app, thread=True, schedule_filename=schedule).start()


@worker_shutting_down.connect
def drain(sig: str, **_: Any) -> None:
    """Have what is played or reckoned here given up behind its page, for others to go on with at once; SIGINT ends it.

    That is for an earlier build: perhaps nobody else could go on with what it began.
    """
    if sig == "SIGINT":
        draining.ask_to_finish()
    else:
        draining.ask_to_leave()
    transports.STOPPED.ask()


@worker_shutdown.connect
def leave(sender: Any, **_: Any) -> None:
    """End at once when all is given up and handed back: Python would take two seconds to forget what it has loaded."""
    tracing.flush()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(sender.exitcode or 0)


@celeryd_after_setup.connect
def tell_what_is_counted(**_: Any) -> None:
    """Serve what its processes count where the settings name a port; end a worker, with a word, if that is taken."""
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
    """Tell what a pool process has not told yet."""
    tracing.flush()


@worker_process_init.connect
def die_with_worker(**_: Any) -> None:
    """Make a pool process end with its worker, whose kill -9 would leave it playing on; watch it by itself."""
    watchdog.begin()
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
