"""OpenTelemetry traces of uploads, up to their first rating, and of matches, exported by OTLP.

Off unless OTEL_EXPORTER_OTLP_ENDPOINT names a collector. When off, no thread and no SQL statement is made, and nothing
is imported here (redis-py does look for the SDK). The parent of a span is stored with the object itself, in the
database, as `traceparent` (W3C Trace Context), because a task message may be lost. Spans name games, bots, matches and
outcomes: no person, no seed, no token, nothing that happens within a match. An unreachable collector is logged and
delays nobody.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

import structlog
from django.conf import settings

if TYPE_CHECKING:
    from opentelemetry import trace
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider

Said = str | int | float | bool
TELL_MS, WAIT_SECONDS = 1000, 2.0
"""Interval of the export in milliseconds, and its timeout in seconds."""


class Span:
    """A running span; does nothing where traces are off."""

    def __init__(self, inner: trace.Span | None = None) -> None:
        self._inner = inner
        self.context = _written(inner) if inner else ""
        """The `traceparent` for child spans; empty where traces are off."""

    def say(self, **said: Said) -> None:
        """Add attributes that are known now."""
        if self._inner:
            self._inner.set_attributes({f"ftk.{word}": value for word, value in said.items()})


def on() -> bool:
    """Return True if traces are exported."""
    return bool(settings.TRACES_URL)


@contextmanager
def span(
    name: str, within: str | None = None, *, links: Iterable[str] = (), since: datetime | None = None, **said: Said
) -> Iterator[Span]:
    """Yield a span that ends with the block. For an exception it records the type alone.

    The parent is `within`, a `traceparent`. An empty one starts a new trace; None means the current span. `links` are
    `traceparent`s of further spans that it belongs to; `since` is its real start.
    """
    if not on():
        yield Span()
        return
    from opentelemetry.trace import Link, StatusCode, get_current_span

    with (
        _provider()
        .get_tracer("ftk")
        .start_as_current_span(
            name,
            context=None if within is None else _read(within),
            links=[Link(get_current_span(_read(link)).get_span_context()) for link in links],
            start_time=int(since.timestamp() * 1e9) if since else None,
            attributes={f"ftk.{word}": value for word, value in said.items()},
            record_exception=False,
            set_status_on_exception=False,
        ) as inner,
        structlog.contextvars.bound_contextvars(trace=f"{inner.get_span_context().trace_id:032x}"),
    ):
        try:
            yield Span(inner)
        except Exception as error:
            inner.set_status(StatusCode.ERROR, type(error).__name__)
            raise


def mark(name: str, within: Iterable[str], since: datetime, **said: Said) -> None:
    """Record a span from `since` until now under each of these parents."""
    for context in within:
        with span(name, context, links=(), since=since, **said):
            pass


def flush() -> None:
    """Export the finished spans. Call it where a process ends without running Python's exit handlers."""
    if _provider.cache_info().currsize:
        _provider().force_flush()


@cache
def _provider() -> TracerProvider:
    """Return the tracer provider of this process, created on first use because threads do not survive a fork."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = os.environ.get("OTEL_SERVICE_NAME", "ftk")
    instance = f"{socket.gethostname()}:{os.getpid()}"
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.instance.id": instance}))
    exporter = OTLPSpanExporter(endpoint=f"{settings.TRACES_URL.rstrip('/')}/v1/traces", timeout=WAIT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=TELL_MS))
    return provider


def _written(inner: trace.Span) -> str:
    from opentelemetry.trace import set_span_in_context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier, set_span_in_context(inner))
    return carrier["traceparent"]


def _read(context: str) -> Context:
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": context}, Context())
