"""Termination of matches that wait or are played, by other parts of the arena."""

from __future__ import annotations

from collections.abc import Collection

from replays.models import Match, MatchSeat
from replays.playing.giving_up import is_through, void_match
from replays.playing.leases import release, take_over
from replays.playing.runner import holder_name


def list_going(bot_ids: Collection[int]) -> list[tuple[str, int]]:
    """Return the unfinished matches in which one of these bots sits, each with the first such seat."""
    going = (Match.Status.WAITING, Match.Status.PLAYING, Match.Status.ADJOURNED)
    rows = MatchSeat.objects.filter(version__bot__in=bot_ids, match__status__in=going).order_by("match", "-seat")
    return list(dict(rows.values_list("match", "seat")).items())


def end_match(match_id: str, reason: str, seat: int | None = None) -> bool:
    """Void a match, even while a worker plays it, with the reason and the seat to blame; return False if it has ended.

    Its worker notices the lost lease and stops. A match whose log is complete is left for a worker to close.
    """
    lease = take_over(match_id, holder_name())
    if lease is None:
        return False
    match = Match.objects.get(pk=match_id)
    if is_through(lease.stream):
        release(lease)
        return False
    void_match(match, lease, reason, seat)
    return True
