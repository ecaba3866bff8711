"""Audit of stored matches: read each, rerun it on any number of processes, and store the findings."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from functools import partial
from multiprocessing import get_context

import structlog
from django.db.models import Q, QuerySet

from foundation.draining import is_asked_to_leave
from ftk_core.audit import Evidence, Finding, audit
from ftk_core.games import build_of, shelf
from ftk_core.log import GENESIS
from replays.blocks.unread import BlockUnread, StoreRefused, StoreUnreachable
from replays.models import Match, MatchAudit
from replays.store import pages_of, read_ends

log = structlog.get_logger(__name__)
AHEAD = 4
"""Number of matches read ahead for each process."""


def select_ended(since: datetime | None = None) -> QuerySet[Match]:
    """Return the ended matches, optionally since a time, oldest first."""
    matches = Match.objects.filter(status__in=(Match.Status.CLOSED, Match.Status.VOID))
    if since is not None:
        matches = matches.filter(closed_at__gte=since)
    return matches.order_by("closed_at", "pk").prefetch_related("seats")


def select_not_audited(matches: QuerySet[Match], *, differing: bool = False) -> QuerySet[Match]:
    """Exclude matches audited under these rules; if `differing`, keep those with differences."""
    done = Q(pk__in=())
    for name in shelf():
        done |= Q(game=name, audited__build=build_of(name), **({"audited__found": ""} if differing else {}))
    return matches.exclude(done)


def audit_matches(matches: Iterable[Match], jobs: int = 1) -> Iterator[Finding]:
    """Yield the finding of each match, in order, once it is stored.

    Raises StoreUnreachable or StoreRefused if the archive is away; then nothing is stored.
    """
    for match, finding in _findings(matches, jobs):
        row = MatchAudit(match=match, build=build_of(match.game), found="\n".join(finding.differences))
        fields = ("build", "at", "found")
        MatchAudit.objects.bulk_create([row], update_conflicts=True, unique_fields=("match",), update_fields=fields)
        yield finding


def audit_for(seconds: float) -> int:
    """Audit unaudited matches for a limited time; return the number of matches left."""
    until = time.monotonic() + seconds
    for finding in audit_matches(select_not_audited(select_ended()).iterator(chunk_size=100)):
        for difference in finding.differences:
            log.error("audit_difference", match=finding.match, difference=difference)
        if time.monotonic() > until or is_asked_to_leave():
            break
    return select_not_audited(select_ended()).count()


def _findings(matches: Iterable[Match], jobs: int) -> Iterator[tuple[Match, Finding]]:
    if jobs <= 1:
        for match in matches:
            found = _gathered(match)
            yield match, found if isinstance(found, Finding) else _audited(match, partial(audit, found))
        return
    # the processes know the games but not Django: their input is read here and sent to them
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running: deque[tuple[Match, Finding | Future[Finding]]] = deque()
        for match in matches:
            found = _gathered(match)
            running.append((match, found if isinstance(found, Finding) else pool.submit(audit, found)))
            if len(running) > AHEAD * jobs:
                yield _awaited(*running.popleft())
        for first, future in running:
            yield _awaited(first, future)


def _awaited(match: Match, found: Finding | Future[Finding]) -> tuple[Match, Finding]:
    return match, found if isinstance(found, Finding) else _audited(match, found.result)


def _audited(match: Match, finding: Callable[[], Finding]) -> Finding:
    """Run the audit; a failing one becomes a finding, or the next audit would start with this match forever."""
    try:
        return finding()
    except BrokenProcessPool:
        raise
    except Exception as error:
        log.exception("audit_failed", match=match.pk)
        return Finding(match.pk, (f"match {match.pk}, the audit failed ({type(error).__name__})",))


def _gathered(match: Match) -> Evidence | Finding:
    """Return the stored evidence of a match, or a finding about its block; an unreachable store is raised."""
    try:
        return gather_evidence(match)
    except (StoreRefused, StoreUnreachable):
        raise
    except BlockUnread as error:
        return Finding(match.pk, (f"match {match.pk}, {error}",))


def gather_evidence(match: Match) -> Evidence:
    """Return everything that is stored of a match; raises BlockUnread."""
    length, head = read_ends([match.stream_id]).get(match.stream_id, (0, GENESIS))
    seats = sorted(match.seats.all(), key=lambda seat: seat.seat)
    return Evidence(
        match=match.pk,
        game=match.game,
        void=match.status == Match.Status.VOID,
        pages=tuple(pages_of(match.stream_id)),
        length=length,
        head=head,
        seed=bytes(match.seed).hex(),
        places=tuple(seat.place for seat in seats),
        scores=tuple(seat.score for seat in seats),
        roles=tuple(seat.role for seat in seats),
        options=match.options,
    )
