"""OpenTelemetry traces of uploads, from the upload to the bot version's first rating."""

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
    """Return the `traceparent` texts of bot versions without a rating, by version id, newest first."""
    # Empty if tracing is off.
    if not tracing.is_tracing_on():
        return {}
    return dict(
        BotVersionTraceContext.objects.filter(pk__in=list(version_ids)).order_by("-pk").values_list("pk", "context")
    )


def end_traces(version_ids: Iterable[int]) -> None:
    """Delete the stored trace contexts of uploaded versions, so that their traces get no more spans."""
    if tracing.is_tracing_on():
        BotVersionTraceContext.objects.filter(pk__in=list(version_ids)).delete()
