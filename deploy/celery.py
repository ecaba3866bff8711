"""The workers' application."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

from celery import Celery
from celery.signals import celeryd_after_setup, setup_logging, worker_process_init

from deploy.messaging import transports
from deploy.messaging.broker import REVIEWS, WITH_BOTS

PR_SET_PDEATHSIG = 1
EX_CONFIG = 78
BEHIND = 5
"""How nice a worker without league matches is to those with: a third of their time where there is too little."""
BEHIND_ALL = 15
"""How nice a worker with nothing but reviews is: it has the time that nobody else wants."""

transports.install()
app = Celery("ftk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Leave logging as the settings made it."""


@celeryd_after_setup.connect
def give_way(instance: Any, **_: Any) -> None:
    """Let a worker that has nothing but reviews to do give way to all others."""
    if set(instance.app.amqp.queues.consume_from) == {REVIEWS}:
        os.nice(BEHIND_ALL)


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
        os.nice(BEHIND)
    report = try_cage(sender)
    if not report.held:
        sys.stderr.write(f"no bot is started here: the cage {report.tier} does not hold: {report.reason}\n")
        sys.exit(EX_CONFIG)


@worker_process_init.connect
def die_with_worker(**_: Any) -> None:
    """Make a pool process end with its worker, whose kill -9 would leave it playing on."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
