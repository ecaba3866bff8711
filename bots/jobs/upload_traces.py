"""OpenTelemetry traces of uploads. Each covers the upload, the trial match and all matches until the first rating."""

from __future__ import annotations

from collections.abc import Iterable

from bots.models import BotVersion
from bots.models.bot_version_trace_contexts import BotVersionTraceContext
from foundation import tracing


def begin_trace(version: BotVersion, context: str) -> None:
    """Store the trace context of an uploaded version; do nothing if `context` is empty (tracing is off)."""
    if context:
        BotVersionTraceContext.objects.create(version=version, context=context)


def list_contexts(version_ids: Iterable[int]) -> dict[int, str]:
    """Return the trace contexts of the given versions: a dict from a version's primary key to a `traceparent` text.

    The dict has the newest version first. Versions that already have a rating are left out, because their traces have
    ended. The dict is empty if tracing is off.
    """
    if not tracing.is_tracing_on():
        return {}
    return dict(
        BotVersionTraceContext.objects.filter(pk__in=list(version_ids)).order_by("-pk").values_list("pk", "context")
    )


def end_traces(version_ids: Iterable[int]) -> None:
    """End the traces of uploaded versions by deleting their trace contexts."""
    if tracing.is_tracing_on():
        BotVersionTraceContext.objects.filter(pk__in=list(version_ids)).delete()
