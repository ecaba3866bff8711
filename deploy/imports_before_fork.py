"""Import of modules in the supervisor before it forks. The forked child processes share the memory of these modules."""

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
    "deploy.http.uvicorn_protocol",
    "deploy.http.websocket_protocol",
    "uvicorn.main",
)


def load_modules() -> None:
    """Import the modules of all kinds of child processes, and freeze the garbage collector (`gc.freeze`).

    The collector would otherwise write to the imported objects, and forked children could not share their memory.
    """
    for name in ROLE_MODULES:
        import_module(name)
    app.loader.import_default_modules()
    gc.collect()
    gc.freeze()


def prepare_role() -> None:
    """Set up a forked child: create its shutdown flag, and adapt the Django settings to its environment.

    A child that is a worker shares the flag with the pool processes that it forks. The environment variables name the
    sandbox backend, the metrics port, the site's address and the size of the connection pool.
    """
    celery_worker_draining.share_state_with_forks()
    settings.BOT_CAGE = os.environ.get("BOT_CAGE", settings.BOT_CAGE)
    settings.METRICS_PORT = int(os.environ.get("FTK_METRICS_PORT", "0"))
    settings.SITE = read_site()
    set_pool(settings.DATABASES["default"], int(os.environ.get("DATABASE_POOL", "0")))
    configure_connection_reuse()
