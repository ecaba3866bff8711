"""Imports in the supervisor before it forks, so that child processes share their memory."""

from __future__ import annotations

import gc
import os
from importlib import import_module

from django.conf import settings

from deploy.celery import app, configure_connection_reuse
from deploy.config.database import set_pool
from deploy.config.webhooks import read_site
from foundation import celery_worker_draining

ROLE_MODULES = (
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.concurrency.solo",
    "celery.concurrency.thread",
    "deploy.asgi",
    "deploy.http.http_protocol",
    "deploy.http.websocket_protocol",
    "uvicorn.main",
)


def load_modules() -> None:
    """Import the modules of all child processes, and exclude their objects from garbage collection."""
    # The collector would otherwise write to these objects, and forked children could not share their memory.
    for name in ROLE_MODULES:
        import_module(name)
    app.loader.import_default_modules()
    gc.collect()
    gc.freeze()


def prepare_role() -> None:
    """Adapt the settings of a forked child process to its own environment variables."""
    # It inherits the settings that its parent read. A worker shares its shutdown flag with the pool processes that it
    # forks.
    celery_worker_draining.share_state_with_forks()
    settings.BOT_CAGE = os.environ.get("BOT_CAGE", settings.BOT_CAGE)
    settings.METRICS_PORT = int(os.environ.get("FTK_METRICS_PORT", "0"))
    settings.SITE = read_site()
    set_pool(settings.DATABASES["default"], int(os.environ.get("DATABASE_POOL", "0")))
    configure_connection_reuse()
