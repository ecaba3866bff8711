"""The modules of all roles, loaded once by the supervisor, whose children share them."""

from __future__ import annotations

import gc
import os
from importlib import import_module

from django.conf import settings
from django.urls import get_resolver

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
    """Import all that the roles need, and put it where the garbage collector does not write to it."""
    for name in ROLE_MODULES:
        import_module(name)
    app.loader.import_default_modules()
    get_resolver().url_patterns  # noqa: B018 - imports all views
    gc.collect()
    gc.freeze()


def prepare_role() -> None:
    """Make a forked process ready for its role: it drains alone, and has the settings of its environment.

    These are how bots are contained, where it is measured, and the pool of connections.
    """
    draining.begin_worker()
    settings.BOT_CAGE = os.environ.get("BOT_CAGE", settings.BOT_CAGE)
    settings.METRICS_PORT = int(os.environ.get("FTK_METRICS_PORT", "0"))
    set_pool(settings.DATABASES["default"], int(os.environ.get("DATABASE_POOL", "0")))
    set_kept_tasks()
