"""OpenTelemetry traces of matches, and of bot uploads until the bot's first rating."""
# Tracing is off unless OTEL_EXPORTER_OTLP_ENDPOINT is set. While it is off, this module starts no thread and imports
# nothing from OpenTelemetry. A `traceparent` reaches other processes in the database, because a task message may be
# lost. Spans contain names and outcomes, but no person, seed, token or move.

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

AttributeValue = str | int | float | bool
EXPORT_INTERVAL_MS, EXPORT_TIMEOUT_SECONDS = 1000, 2.0
"""Interval of the export in milliseconds, and its timeout in seconds."""


class TraceSpan:
    """A running OpenTelemetry span; its methods do nothing if tracing is off."""

    def __init__(self, inner: trace.Span | None = None) -> None:
        self._inner = inner
        self.context = _trace_context(inner) if inner else ""
        """The `traceparent` for child spans; empty if tracing is off."""

    def set_attributes(self, **attributes: AttributeValue) -> None:
        """Add attributes to the span, each with the prefix ``ftk.``."""
        if self._inner:
            self._inner.set_attributes({f"ftk.{name}": value for name, value in attributes.items()})


def is_tracing_on() -> bool:
    """Return True if traces are exported."""
    return bool(settings.TRACES_URL)


@contextmanager
def span(
    name: str,
    parent: str | None = None,
    *,
    links: Iterable[str] = (),
    since: datetime | None = None,
    **attributes: AttributeValue,
) -> Iterator[TraceSpan]:
    """Start a span and end it with the `with` block.

    An empty `parent` starts a new trace. None means the current span.
    """
    # `links` are the `traceparent`s of related spans. Of an exception only the type is recorded.
    if not is_tracing_on():
        yield TraceSpan()
        return
    from opentelemetry.trace import Link, StatusCode, get_current_span

    with (
        _provider()
        .get_tracer("ftk")
        .start_as_current_span(
            name,
            context=None if parent is None else _parse_trace_context(parent),
            links=[Link(get_current_span(_parse_trace_context(link)).get_span_context()) for link in links],
            start_time=int(since.timestamp() * 1e9) if since else None,
            attributes={f"ftk.{name}": value for name, value in attributes.items()},
            record_exception=False,
            set_status_on_exception=False,
        ) as otel_span,
        structlog.contextvars.bound_contextvars(trace=f"{otel_span.get_span_context().trace_id:032x}"),
    ):
        try:
            yield TraceSpan(otel_span)
        except Exception as error:
            otel_span.set_status(StatusCode.ERROR, type(error).__name__)
            raise


def record_span(name: str, parents: Iterable[str], since: datetime, **attributes: AttributeValue) -> None:
    """Record a span from the time `since` until now, once under each parent (a `traceparent`)."""
    for context in parents:
        with span(name, context, links=(), since=since, **attributes):
            pass


def export_spans() -> None:
    """Export the finished spans now."""
    # Needed in a process that exits without running Python's exit handlers.
    if _provider.cache_info().currsize:
        _provider().force_flush()


@cache
def _provider() -> TracerProvider:
    """Return the tracer provider of this process."""
    # Created on first use, because its export thread would not survive a fork.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = os.environ.get("OTEL_SERVICE_NAME", "ftk")
    instance = f"{socket.gethostname()}:{os.getpid()}"
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.instance.id": instance}))
    exporter = OTLPSpanExporter(endpoint=f"{settings.TRACES_URL.rstrip('/')}/v1/traces", timeout=EXPORT_TIMEOUT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=EXPORT_INTERVAL_MS))
    return provider


def _trace_context(otel_span: trace.Span) -> str:
    from opentelemetry.trace import set_span_in_context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier, set_span_in_context(otel_span))
    return carrier["traceparent"]


def _parse_trace_context(context: str) -> Context:
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": context}, Context())
