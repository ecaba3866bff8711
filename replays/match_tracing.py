"""OpenTelemetry traces of matches, from the order to the recorded result."""
# The trace of an uploaded version lasts until its first rating and includes its matches. A match of several such
# versions belongs to the trace of the newest and is linked to the others. Other matches have their own trace.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from bots.jobs import upload_tracing
from foundation import tracing
from replays.models import Match, MatchSeat
from replays.models.match_trace_contexts import MatchTraceContext


def trace_order(versions_of: Mapping[Match, Iterable[int]]) -> None:
    """Begin the trace of each ordered match, given the ids of the bot versions that play in the match."""
    if not tracing.is_tracing_on():
        return
    new = upload_tracing.list_contexts({version for versions in versions_of.values() for version in versions})
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
    """Delete a match's stored trace context, so that later spans do not join its trace."""
    if tracing.is_tracing_on():
        MatchTraceContext.objects.filter(pk=match_id).delete()


@contextmanager
def trace_rating(match_ids: Iterable[str], **said: tracing.AttributeValue) -> Iterator[None]:
    """Trace the rating of the given matches during the `with` block.

    After the block, end the traces of the uploaded bot versions that have received their first rating.
    """
    # The last span is recorded after the commit.
    if not tracing.is_tracing_on():
        yield
        return
    since = timezone.now()
    seats = MatchSeat.objects.filter(match__in=list(match_ids)).values_list("version_id", flat=True).distinct()
    first = upload_tracing.list_contexts(seats)
    yield
    upload_tracing.end_traces(first)
    transaction.on_commit(lambda: tracing.record_span("rating", first.values(), since, **said))
