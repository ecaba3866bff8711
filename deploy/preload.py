"""Modules of all roles, loaded once by the supervisor and shared with its children."""

from __future__ import annotations

import gc
import os
from importlib import import_module

from django.conf import settings

from deploy.celery import app, set_kept_tasks
from deploy.database import set_pool
from foundation import draining

ROLE_MODULES = (
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.concurrency.solo",
    "celery.concurrency.thread",
    "deploy.asgi",
    "deploy.entrance.door",
    "deploy.entrance.sockets",
    "uvicorn.main",
)


def load_modules() -> None:
    """Import everything the roles need, and freeze it so that the garbage collector does not write to it."""
    for name in ROLE_MODULES:
        import_module(name)
    app.loader.import_default_modules()
    gc.collect()
    gc.freeze()


def prepare_role() -> None:
    """Prepare a forked process for its role: a draining state of its own, and the settings of its environment.

    These settings are the sandbox backend, the metrics port, and the connection pool.
    """
    draining.begin_worker()
    settings.BOT_CAGE = os.environ.get("BOT_CAGE", settings.BOT_CAGE)
    settings.METRICS_PORT = int(os.environ.get("FTK_METRICS_PORT", "0"))
    set_pool(settings.DATABASES["default"], int(os.environ.get("DATABASE_POOL", "0")))
    set_kept_tasks()
