"""Audit of stored matches: rerun each match from its log and store differences."""

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

from foundation.celery_worker_draining import is_handover_requested
from ftk_core.analysis.stored_match_audit import MatchAuditInput, MatchAuditResult, audit
from ftk_core.games import build_of, list_games
from ftk_core.hash_chained_log import GENESIS
from replays.archive.archive_errors import ArchiveStoreRefusedError, ArchiveStoreUnavailable, ArchiveUnavailable
from replays.event_stream_storage import pages_of, read_ends
from replays.models import Match, MatchAudit

log = structlog.get_logger(__name__)
MATCHES_READ_AHEAD = 4
"""Number of matches that are read from the database ahead of each audit process."""
GAME_NOT_INSTALLED = "not installed"
"""Stored as the build of the game if the game comes from a plug-in that is not installed now."""


def select_ended(since: datetime | None = None) -> QuerySet[Match]:
    """Return the ended matches, oldest first; if `since` is given, only those that ended at this time or later."""
    matches = Match.objects.filter(status__in=(Match.Status.CLOSED, Match.Status.VOID))
    if since is not None:
        matches = matches.filter(closed_at__gte=since)
    return matches.order_by("closed_at", "pk").prefetch_related("seats")


def select_not_audited(matches: QuerySet[Match], *, differing: bool = False) -> QuerySet[Match]:
    """Keep the matches that were not audited with the current code of their game.

    If `differing` is True, also keep the matches whose latest audit found a difference.
    """
    done = ~Q(game__in=list_games()) & Q(audited__build=GAME_NOT_INSTALLED)
    for name in list_games():
        done |= Q(game=name, audited__build=build_of(name), **({"audited__found": ""} if differing else {}))
    return matches.exclude(done)


def audit_matches(matches: Iterable[Match], jobs: int = 1) -> Iterator[MatchAuditResult]:
    """Audit matches with `jobs` processes, and yield the stored results in order.

    Raises ArchiveStoreUnavailable or ArchiveStoreRefusedError if the archive cannot be reached.
    """
    for match, finding in _findings(matches, jobs):
        build = build_of(match.game) if match.game in list_games() else GAME_NOT_INSTALLED
        row = MatchAudit(match=match, build=build, found="\n".join(finding.differences))
        fields = ("build", "at", "found")
        MatchAudit.objects.bulk_create([row], update_conflicts=True, unique_fields=("match",), update_fields=fields)
        yield finding


def audit_for(seconds: float) -> int:
    """Audit ended matches for about `seconds` seconds, and return how many matches still need an audit."""
    until = time.monotonic() + seconds
    for finding in audit_matches(select_not_audited(select_ended()).iterator(chunk_size=100)):
        for difference in finding.differences:
            log.error("audit_difference", match=finding.match, difference=difference)
        if time.monotonic() > until or is_handover_requested():
            break
    return select_not_audited(select_ended()).count()


def _findings(matches: Iterable[Match], jobs: int) -> Iterator[tuple[Match, MatchAuditResult]]:
    if jobs <= 1:
        for match in matches:
            found = _read_evidence(match)
            yield match, found if isinstance(found, MatchAuditResult) else _run_audit(match, partial(audit, found))
        return
    # The audit processes do not load Django: this process reads their input and sends it to them.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running: deque[tuple[Match, MatchAuditResult | Future[MatchAuditResult]]] = deque()
        for match in matches:
            found = _read_evidence(match)
            running.append((match, found if isinstance(found, MatchAuditResult) else pool.submit(audit, found)))
            if len(running) > MATCHES_READ_AHEAD * jobs:
                yield _await_finding(*running.popleft())
        for first, future in running:
            yield _await_finding(first, future)


def _await_finding(match: Match, found: MatchAuditResult | Future[MatchAuditResult]) -> tuple[Match, MatchAuditResult]:
    return match, found if isinstance(found, MatchAuditResult) else _run_audit(match, found.result)


def _run_audit(match: Match, finding: Callable[[], MatchAuditResult]) -> MatchAuditResult:
    """Run an audit, and report an exception as a difference."""
    # Audit jobs then skip the match, and `manage.py audit` reruns it. BrokenProcessPool is raised again.
    try:
        return finding()
    except BrokenProcessPool:
        raise
    except Exception as error:
        log.exception("audit_failed", match=match.pk)
        return MatchAuditResult(match.pk, (f"match {match.pk}, the audit failed ({type(error).__name__})",))


def _read_evidence(match: Match) -> MatchAuditInput | MatchAuditResult:
    """Return the data that an audit needs or, if the archived log is damaged, the result of a failed audit."""
    # Errors of an unreachable archive are raised, because the match was not audited then.
    try:
        return gather_evidence(match)
    except (ArchiveStoreRefusedError, ArchiveStoreUnavailable):
        raise
    except ArchiveUnavailable as error:
        return MatchAuditResult(match.pk, (f"match {match.pk}, {error}",))


def gather_evidence(match: Match) -> MatchAuditInput:
    """Return the stored data of a match that an audit compares with a rerun; raises ArchiveUnavailable."""
    length, head = read_ends([match.stream_id]).get(match.stream_id, (0, GENESIS))
    seats = sorted(match.seats.all(), key=lambda seat: seat.seat)
    return MatchAuditInput(
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
