"""Termination of unfinished matches on request of other apps, for example when a bot is banned."""

from __future__ import annotations

from collections.abc import Collection

from django.db import OperationalError

from ftk_core.hash_chained_log import LogWriteConflictError
from replays.models import Match, MatchSeat
from replays.playing.match_leases import MatchLeaseLost, release, take_over
from replays.playing.match_runner import holder_name
from replays.playing.match_voiding_after_failures import (
    complete_log,
    list_seats_to_answer,
    void_match,
    void_without_log,
)


def list_running(bot_ids: Collection[int]) -> list[tuple[str, int]]:
    """Return (match id, seat) for each unfinished match in which any of the bots plays."""
    # If several of the bots play in a match, its pair has the lowest of their seats.
    going = (Match.Status.WAITING, Match.Status.PLAYING, Match.Status.ADJOURNED)
    rows = MatchSeat.objects.filter(version__bot__in=bot_ids, match__status__in=going).order_by("match", "-seat")
    return list(dict(rows.values_list("match", "seat")).items())


def end_match(match_id: str, reason: str, seat: int | None = None) -> bool:
    """End a match without a result, even while it is played.

    Return False if the match has ended, or if its last choice is in its log.
    """
    # The log gets the reason, and the seat at fault if its answer was due. The worker that plays the match loses its
    # lease and stops. A complete log is left to a worker, which stores its result.
    lease = take_over(match_id, holder_name())
    if lease is None:
        return False
    match = Match.objects.get(pk=match_id)
    try:
        if complete_log(match, lease.stream):
            release(lease)
            return False
        # A log that blames a seat whose answer was not due would not pass verification.
        void_match(match, lease, reason, seat if seat in list_seats_to_answer(lease.stream) else None)
    except (LogWriteConflictError, MatchLeaseLost, OperationalError):  # no fault of the match
        raise
    except Exception as error:  # noqa: BLE001 - the match must end, for example if its game was removed
        void_without_log(match, lease, reason, error)
    return True
