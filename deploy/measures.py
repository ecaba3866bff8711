"""Settings of metrics and traces."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()


def read(var: Path) -> tuple[str, int, str]:
    """Return the token, and the workers' port and address; raises ImproperlyConfigured for a port without a token.

    `/metrics` requires the token as a bearer token; with an empty one nobody can read it. At port 0 no worker serves
    metrics. The address is loopback unless the settings name another. If workers serve metrics, all processes of one
    worker count in one folder in `var`, named by its port. `prometheus_client` looks for that folder when it is
    imported, which is later than this.
    """
    token, port = env.str("FTK_METRICS_TOKEN", default=""), env.int("FTK_METRICS_PORT", default=0)
    if port and not token:
        raise ImproperlyConfigured("FTK_METRICS_PORT is set without FTK_METRICS_TOKEN: set what it may be read with")
    if port:
        folder = var / "metrics" / str(port)
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    else:  # the parent process may have had a port
        os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
    return token, port, env.str("FTK_METRICS_ADDRESS", default="127.0.0.1")


def traces_url() -> str:
    """Return the URL of the OpenTelemetry collector; empty for none.

    Raises ImproperlyConfigured if it is not a URL.
    """
    url: str = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
    if url and not url.startswith(("http://", "https://")):
        raise ImproperlyConfigured(
            f"OTEL_EXPORTER_OTLP_ENDPOINT must be like http://127.0.0.1:4318 (OTLP over HTTP), not {url!r}"
        )
    return url


def count_together(var: Path, port: int) -> None:
    """Share one folder of counters with the other web processes of a port, so that each serves the totals.

    Call it before `prometheus_client` is imported.
    """
    folder = _folder(var, port)
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def forget_counts(var: Path, port: int) -> None:
    """Delete the counters of earlier web processes of a port; call it before the new ones start."""
    shutil.rmtree(_folder(var, port), ignore_errors=True)


def _folder(var: Path, port: int) -> Path:
    return var / "metrics" / f"web-{port}"
