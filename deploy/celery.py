"""The workers' application."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

from celery import Celery
from celery.signals import setup_logging, worker_process_init

PR_SET_PDEATHSIG = 1

app = Celery("ftk")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_django_logging(**_: Any) -> None:
    """Leave logging as the settings made it."""


@worker_process_init.connect
def die_with_worker(**_: Any) -> None:
    """Make a pool process end with its worker, whose kill -9 would leave it playing on."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
