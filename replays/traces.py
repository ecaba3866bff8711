"""Traces of matches, from the order over every worker that played to the recorded result.

A match with a version that was never rated is part of the trace of that version's upload, the newest of several; the
others are linked. Any other match has a trace of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from bots import traces
from foundation import tracing
from replays.models import Match, MatchSeat
from replays.trace_models import MatchTrace


def order(versions_of: Mapping[Match, Iterable[int]]) -> None:
    """Begin the traces of ordered matches, given their versions."""
    if not tracing.on():
        return
    new = traces.contexts_of({version for versions in versions_of.values() for version in versions})
    rows = []
    for match, versions in versions_of.items():
        seated = set(versions)
        within, *links = [context for version, context in new.items() if version in seated] or [""]
        with tracing.span("match.order", within, links=links, match=match.pk, game=match.game) as here:
            rows.append(MatchTrace(match=match, context=here.context))
    MatchTrace.objects.bulk_create(rows)


def context_of(match_id: str) -> str:
    """Return the `traceparent` of a match; empty without one."""
    if not tracing.on():
        return ""
    return MatchTrace.objects.filter(pk=match_id).values_list("context", flat=True).first() or ""


def forget(match_id: str) -> None:
    """Detach later spans from a match's trace."""
    if tracing.on():
        MatchTrace.objects.filter(pk=match_id).delete()


@contextmanager
def rating_of(match_ids: Iterable[str], **said: tracing.Said) -> Iterator[None]:
    """End the traces of the uploads that a block rates for the first time, with a span that ends at its commit."""
    if not tracing.on():
        yield
        return
    since = timezone.now()
    seats = MatchSeat.objects.filter(match__in=list(match_ids)).values_list("version_id", flat=True).distinct()
    first = traces.contexts_of(seats)
    yield
    traces.end(first)
    transaction.on_commit(lambda: tracing.mark("rating", first.values(), since, **said))
