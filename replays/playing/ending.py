"""Matches that are ended from outside while they wait or are played."""

from __future__ import annotations

from collections.abc import Collection

from replays.models import Match, MatchSeat
from replays.playing.giving_up import is_through, void_match
from replays.playing.leases import release, take_over
from replays.playing.runner import holder_name


def list_going(bot_ids: Collection[int]) -> list[tuple[str, int]]:
    """Return the matches that wait or are played in which one of these bots sits, each with the first such seat."""
    going = (Match.Status.WAITING, Match.Status.PLAYING, Match.Status.ADJOURNED)
    rows = MatchSeat.objects.filter(version__bot__in=bot_ids, match__status__in=going).order_by("match", "-seat")
    return list(dict(rows.values_list("match", "seat")).items())


def end_match(match_id: str, reason: str, seat: int | None = None) -> bool:
    """Give a match up, whoever plays it, and say in its log why, and whose seat was to blame; False where it has ended.

    Its worker finds its lease gone and stops. A match whose log has its end already is left for a worker to close.
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
