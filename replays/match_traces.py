"""OpenTelemetry traces of matches, from the order through the playing on all workers to the recorded result.

The trace of an uploaded bot version lasts until the version is rated for the first time. A match of such a version
belongs to the version's trace. If a match has several such versions, it belongs to the trace of the newest one and is
linked to the other traces. Any other match has its own trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from bots.jobs import upload_traces
from foundation import tracing
from replays.models import Match, MatchSeat
from replays.models.match_trace_contexts import MatchTraceContext


def trace_order(versions_of: Mapping[Match, Iterable[int]]) -> None:
    """Begin the traces of ordered matches.

    `versions_of` is a dict from match to the primary keys of the bot versions that play in it.
    """
    if not tracing.is_tracing_on():
        return
    new = upload_traces.list_contexts({version for versions in versions_of.values() for version in versions})
    rows = []
    for match, versions in versions_of.items():
        seated = set(versions)
        within, *links = [context for version, context in new.items() if version in seated] or [""]
        with tracing.span("match.order", within, links=links, match=match.pk, game=match.game) as here:
            rows.append(MatchTraceContext(match=match, context=here.context))
    MatchTraceContext.objects.bulk_create(rows)


def context_of(match_id: str) -> str:
    """Return the trace context (`traceparent`) of a match; empty if the match has no trace."""
    if not tracing.is_tracing_on():
        return ""
    return MatchTraceContext.objects.filter(pk=match_id).values_list("context", flat=True).first() or ""


def delete_trace(match_id: str) -> None:
    """Delete the stored trace context of a match, so that later spans do not belong to its trace."""
    if tracing.is_tracing_on():
        MatchTraceContext.objects.filter(pk=match_id).delete()


@contextmanager
def trace_rating(match_ids: Iterable[str], **said: tracing.AttributeValue) -> Iterator[None]:
    """Complete the traces of the bot versions that are rated for the first time in the `with` block.

    A version's trace begins with its upload and is complete once the version is rated for the first time. After the
    commit, the span "rating" is recorded as the last span of the trace. Without tracing, do nothing.
    """
    if not tracing.is_tracing_on():
        yield
        return
    since = timezone.now()
    seats = MatchSeat.objects.filter(match__in=list(match_ids)).values_list("version_id", flat=True).distinct()
    first = upload_traces.list_contexts(seats)
    yield
    upload_traces.end_traces(first)
    transaction.on_commit(lambda: tracing.record_span("rating", first.values(), since, **said))
