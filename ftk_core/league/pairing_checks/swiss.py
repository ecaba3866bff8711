"""Check of a Swiss round: every bot plays or has a bye, and the byes are fair."""

from __future__ import annotations

from collections.abc import Iterator

from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing_checks.format_independent_round_checks import (
    flaws_of_meetings,
    flaws_of_order,
    flaws_of_presence,
    flaws_of_sizes,
)
from ftk_core.league.pairing_checks.league_history import LeagueHistory, odd_entries
from ftk_core.league.pairing_checks.pairing_quality_certificate_check import flaws_of_a_certificate


def flaws_of_a_swiss_round(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    """Yield a sentence for each flaw of a Swiss round and of its published counts."""
    flaws = [*flaws_of_order(past, drawn), *flaws_of_presence(past, drawn), *flaws_of_sizes(past, drawn)]
    flaws += _flaws_of_rests(past, drawn) if not flaws else []
    yield from flaws
    if any("drawn" in flaw or "may sit" in flaw for flaw in flaws):
        return  # the certificate of impossible tables means nothing
    yield from flaws_of_meetings(past, drawn)
    if drawn.weighed is not None:
        yield from flaws_of_a_certificate(past, drawn, drawn.weighed)
    elif past.opened.luck:
        yield "it has no certificate"


def _flaws_of_rests(past: LeagueHistory, drawn: RoundPaired) -> Iterator[str]:
    sizes, full, least = [len(table.seating) for table in drawn.tables], past.stage.seats, past.stage.least
    rests, entries = odd_entries(drawn), sum(sizes) + len(odd_entries(drawn))
    needed = next(
        (n for n in range(entries) if any(t * least <= entries - n <= t * full for t in range(1, entries))), 0
    )
    if len(rests) != needed:
        yield f"{len(rests)} entries have a bye, where {needed} must"
    elif drawn.round not in past.by_hand:
        yield from _flaws_of_turns(past, drawn, rests)


def _flaws_of_turns(past: LeagueHistory, drawn: RoundPaired, rests: tuple[int, ...]) -> Iterator[str]:
    others = past.playing - set(rests)
    for entry in rests:
        rested_less = [one for one in others if past.rested[one] < past.rested[entry]]
        if sooner := [one for one in rested_less if not _is_kept_from_seat(past, drawn, entry, one)]:
            yield f"entry {entry} has another bye, where entry {min(sooner)} has had fewer"
        alike = [one for one in others if past.rested[one] == past.rested[entry]]
        lower = [one for one in alike if past.points[one] < past.points[entry]]
        if lower and not past.barred:
            yield f"entry {entry} has a bye, where entry {min(lower)} stands lower and has had as many"


def _is_kept_from_seat(past: LeagueHistory, drawn: RoundPaired, entry: int, seated: int) -> bool:
    """Return True if the bot `entry` would meet a forbidden opponent if it took the seat of the bot `seated`."""
    # Since version 2 of the league rules, such a bot may have a bye before its turn. Tests call this check for all
    # versions; `ftk verify` draws the rounds of versions after 0 again instead.
    if past.opened.rules < 2:
        return False
    table = next(table.seating for table in drawn.tables if seated in table.seating)
    return any(frozenset((entry, other)) in past.barred for other in table if other != seated)
