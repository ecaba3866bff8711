"""The traces of uploads: each goes from its arrival over its trial and its first matches to its first rating."""

from __future__ import annotations

from collections.abc import Iterable

from bots.models import BotVersion
from bots.trace_models import VersionTrace
from foundation import tracing


def begin(version: BotVersion, context: str) -> None:
    """Keep where the trace of an upload is; nothing where traces are off."""
    if context:
        VersionTrace.objects.create(version=version, context=context)


def contexts_of(version_ids: Iterable[int]) -> dict[int, str]:
    """Return where the traces are of those that are not rated yet, the newest first; none where traces are off."""
    if not tracing.on():
        return {}
    return dict(VersionTrace.objects.filter(pk__in=list(version_ids)).order_by("-pk").values_list("pk", "context"))


def end(version_ids: Iterable[int]) -> None:
    """Let what comes from here on be no part of the traces of these uploads."""
    if tracing.on():
        VersionTrace.objects.filter(pk__in=list(version_ids)).delete()
