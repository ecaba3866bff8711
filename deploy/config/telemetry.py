"""Settings of metrics and traces."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from deploy.environment import env


def read_metrics_port(var: Path) -> tuple[str, int, str]:
    """Return token, port and address of a worker's metrics endpoint. Port 0 means no endpoint.

    Raises ImproperlyConfigured for a port without a token.
    """
    # Call this before `prometheus_client` is imported, which reads PROMETHEUS_MULTIPROC_DIR then.
    token, port = env.str("FTK_METRICS_TOKEN", default=""), env.int("FTK_METRICS_PORT", default=0)
    if port and not token:
        raise ImproperlyConfigured("FTK_METRICS_PORT is set without FTK_METRICS_TOKEN: set what it may be read with")
    if port:
        folder = var / "metrics" / str(port)
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    else:  # the variable may be inherited from a parent process with a port
        os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
    return token, port, env.str("FTK_METRICS_ADDRESS", default="127.0.0.1")


def traces_url() -> str:
    """Return the URL of the OpenTelemetry collector, or an empty string.

    Raises ImproperlyConfigured if it is not a URL.
    """
    url: str = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
    if url and not url.startswith(("http://", "https://")):
        raise ImproperlyConfigured(
            f"OTEL_EXPORTER_OTLP_ENDPOINT must be like http://127.0.0.1:4318 (OTLP over HTTP), not {url!r}"
        )
    return url


def share_counters(var: Path, port: int) -> None:
    """Make the web processes that listen on one port share their Prometheus counters.

    Call this before `prometheus_client` is imported.
    """
    folder = _counter_folder(var, port)
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def delete_counters(var: Path, port: int) -> None:
    """Delete the metrics counters that earlier web processes of this port left."""
    # Call this before new web processes start: old counters would be added to theirs.
    shutil.rmtree(_counter_folder(var, port), ignore_errors=True)


def _counter_folder(var: Path, port: int) -> Path:
    return var / "metrics" / f"web-{port}"
