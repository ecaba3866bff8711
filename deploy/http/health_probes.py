"""Health probes for load balancers and container platforms: `/healthz` and `/readyz`."""

from __future__ import annotations

import logging
import time
from functools import cache
from http import HTTPStatus

from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

LIVENESS_PATH = "/healthz"
READINESS_PATH = "/readyz"
CACHE_SECONDS = 1.0
"""Seconds for which a process reuses the result of its database check, because no rate limit applies to probes."""
logger = logging.getLogger(__name__)


class HealthProbeMiddleware(MiddlewareMixin):
    """Middleware that answers health probes. It must come first, because later middleware would refuse them."""

    # Probes come without TLS and host name. Later middleware also needs the database, to count requests.

    _unready_reason = ""
    _checked_at = float("-inf")

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Answer a probe; return None for all other requests."""
        if request.method not in {"GET", "HEAD"} or request.path not in {LIVENESS_PATH, READINESS_PATH}:
            return None
        reason = self._read_unready_reason() if request.path == READINESS_PATH else ""
        status = HTTPStatus.SERVICE_UNAVAILABLE if reason else HTTPStatus.OK
        headers = {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"}
        return HttpResponse(f"{reason or 'ok'}\n", status=status, headers=headers)

    def _read_unready_reason(self) -> str:
        if time.monotonic() - self._checked_at >= CACHE_SECONDS:
            self._unready_reason = find_unready_reason()
            self._checked_at = time.monotonic()
        return self._unready_reason


def find_unready_reason() -> str:
    """Return the reason why this process cannot serve pages, or an empty string."""
    # Unknown migrations are no reason: the previous release also works on the newer schema.
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except Error:
        logger.warning("database_does_not_answer", exc_info=True)
        return "The database does not answer."
    missing = sorted(f"{app}.{name}" for app, name in _list_known_migrations() - applied.keys())
    return f"Migrations are missing ({', '.join(missing)}): run `manage.py migrate`." if missing else ""


@cache
def _list_known_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)
