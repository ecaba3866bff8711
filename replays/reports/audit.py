"""Audit stored matches: read each, rerun it on any number of processes, and keep what was found."""

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
"""How many matches are read ahead for each process."""


def select_ended(since: datetime | None = None) -> QuerySet[Match]:
    """Return the matches that have ended, at that time or later, oldest first."""
    matches = Match.objects.filter(status__in=(Match.Status.CLOSED, Match.Status.VOID))
    if since is not None:
        matches = matches.filter(closed_at__gte=since)
    return matches.order_by("closed_at", "pk").prefetch_related("seats")


def select_not_audited(matches: QuerySet[Match], *, differing: bool = False) -> QuerySet[Match]:
    """Leave out what these rules have audited; keep what was found to differ if `differing`."""
    done = Q(pk__in=())
    for name in shelf():
        done |= Q(game=name, audited__build=build_of(name), **({"audited__found": ""} if differing else {}))
    return matches.exclude(done)


def audit_matches(matches: Iterable[Match], jobs: int = 1) -> Iterator[Finding]:
    """Yield what is found of each match, in their order, once it is kept.

    Raises StoreUnreachable or StoreRefused where the archive is away, of which nothing is kept.
    """
    for match, finding in _findings(matches, jobs):
        row = MatchAudit(match=match, build=build_of(match.game), found="\n".join(finding.differences))
        fields = ("build", "at", "found")
        MatchAudit.objects.bulk_create([row], update_conflicts=True, unique_fields=("match",), update_fields=fields)
        yield finding


def audit_for(seconds: float) -> int:
    """Audit what these rules have not audited yet for a while; returns how many matches are left."""
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
    # the processes know the games and nothing of Django: what they need is read here and sent to them
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
    """Return what the audit says; one that fails is a finding too, or it would begin with this match again for ever."""
    try:
        return finding()
    except BrokenProcessPool:
        raise
    except Exception as error:
        log.exception("audit_failed", match=match.pk)
        return Finding(match.pk, (f"match {match.pk}, the audit failed ({type(error).__name__})",))


def _gathered(match: Match) -> Evidence | Finding:
    """Return what is stored of a match, or what is wrong with its block; a store that is away says nothing of it."""
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
