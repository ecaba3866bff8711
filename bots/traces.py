"""Traces of uploads: each spans the upload, the trial and the first matches, until the first rating."""

from __future__ import annotations

from collections.abc import Iterable

from bots.models import BotVersion
from bots.trace_models import VersionTrace
from foundation import tracing


def begin(version: BotVersion, context: str) -> None:
    """Store the trace context of an upload; an empty one means that tracing is off."""
    if context:
        VersionTrace.objects.create(version=version, context=context)


def contexts_of(version_ids: Iterable[int]) -> dict[int, str]:
    """Return the trace contexts of versions without a rating, the newest first; empty if tracing is off."""
    if not tracing.on():
        return {}
    return dict(VersionTrace.objects.filter(pk__in=list(version_ids)).order_by("-pk").values_list("pk", "context"))


def end(version_ids: Iterable[int]) -> None:
    """End the traces of these uploads."""
    if tracing.on():
        VersionTrace.objects.filter(pk__in=list(version_ids)).delete()
