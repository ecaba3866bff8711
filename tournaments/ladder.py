"""Ladders of a game, for all time and each season: counting, corrections, and replays.

A ladder's stream lists the counted matches in the order in which they became known. Its tables hold them in the order
in which they count (`ladder_order`): a match at the end adds rows, an earlier one replays the ladder from its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from django.db import transaction

from foundation.doorbell import ring
from ftk_core.facts import encode
from replays import traces
from replays.failed_work import run_bounded
from replays.queries import list_heads, list_streams
from replays.store import StreamLog
from tournaments.ladder_facts import BoutCounted, LadderFact, MatchCounted, ResultCorrected, ladder_of, stream_of
from tournaments.ladder_order import (
    Counted,
    Moved,
    Stand,
    changes_of,
    corrected,
    counted_of,
    ordered,
    replayed,
    without_past,
)
from tournaments.ladder_past import find_ladders, find_match, is_past, read_facts
from tournaments.ladder_rows import (
    clear,
    read_from,
    read_ratings,
    read_stands,
    store_meetings,
    store_ratings,
    store_seats,
)
from tournaments.models import ALL_TIME, LadderFold, RatedSeat, Rating

Corrections = Mapping[str, Sequence[int] | None]
"""Match -> places by seat, or None to withdraw its result."""


class Shift(NamedTuple):
    """Effect of corrections on one bot's rating, in thousandths of a point."""

    name: str
    before: int
    after: int


class Replay(NamedTuple):
    """Replay of a ladder from some place of its order."""

    moved: list[Moved]
    after: dict[str, Stand]
    """State of every bot in these matches at the end, by name."""


def rate(game: str, season: str, played: Sequence[MatchCounted], *, of_all_time: bool = True) -> None:
    """Count matches on the season's ladder, and on that of all time if asked; call it in a transaction.

    The court ratings follow separately. Raises ValueError for a place in the order that is taken already.
    """
    # the ladder of all time is locked first and guards all ladders of the game, so that deadlocks are impossible
    with traces.rating_of((fact.match for fact in played), game=game, ladder=season):
        for which in dict.fromkeys((ALL_TIME, season) if of_all_time else (season,)):
            _rate(game, which, played)
    transaction.on_commit(lambda: ring("tournaments.refit", game))


def rate_bouts(game: str, label: str, played: Sequence[BoutCounted]) -> None:
    """Count matches outside leagues on a separate ladder; call it in a transaction.

    Raises ValueError for a number that is taken already.
    """
    with traces.rating_of((fact.match for fact in played), game=game, ladder=label):
        _rate(game, label, played)
    transaction.on_commit(lambda: ring("tournaments.refit", game))


def _rate(game: str, season: str, played: Sequence[MatchCounted | BoutCounted]) -> None:
    if not played:
        return
    stream, ladder = alone(game, season)
    came = [counted_of(fact) for fact in played]
    places = [match.at for match in came]
    if len(set(places)) < len(places) or not _taken(stream, ladder, places).isdisjoint(places):
        raise ValueError(f"a match counts already on the ladder of {ladder} at one of these places: {played}")
    _append(stream, ladder, played)
    if min(places) < ladder.pruned_before:
        _fold(stream, ladder)
    else:
        _store(ladder, _replayed_from(ladder, came))
        store_meetings(ladder, came)


def _taken(stream: StreamLog, ladder: LadderFold, places: Sequence[int]) -> set[int]:
    """Return places of the order that are taken, those between the first and the last of these at least."""
    if min(places) < ladder.pruned_before:
        return {match.at for match in ordered(read_facts(stream))}
    there = RatedSeat.objects.filter(ladder=ladder, at__range=(min(places), max(places)))
    return set(there.values_list("at", flat=True))


@transaction.atomic
def correct(match: str, places: Sequence[int] | None, why: str) -> None:
    """Correct the result of a counted match on all its ladders, or, with None, withdraw it.

    Raises LookupError for a match that counts nowhere, and ValueError for places that do not fit its seats.
    """
    ladders = find_ladders(match)
    if not ladders:
        raise LookupError(f"match {match} counts on no ladder")
    for game, season in ladders:
        _correct(game, season, match, places, why)
    transaction.on_commit(lambda: ring("tournaments.refit", ladders[0][0]))


def _correct(game: str, season: str, match: str, places: Sequence[int] | None, why: str) -> None:
    stream, ladder = alone(game, season)
    was = find_match(ladder, match)
    is_now = corrected(was, places)
    _append(stream, ladder, [ResultCorrected(match, is_now.places, why)])
    if is_past(ladder, was.at):
        _fold(stream, ladder)
    else:
        _store(ladder, _replayed_from(ladder, [is_now]))
        store_meetings(ladder, [is_now], [was])


def preview(game: str, season: str, corrections: Corrections) -> list[Shift]:
    """Return the ratings that corrections would change, by name; nothing is written.

    Raises LookupError for a match that does not count there, and ValueError for places that do not fit its seats.
    """
    ladder = LadderFold.objects.filter(game=game, season=season).first() or LadderFold(game=game, season=season)
    otherwise = [corrected(find_match(ladder, match), places) for match, places in corrections.items()]
    if any(is_past(ladder, match.at) for match in otherwise):
        facts = [ResultCorrected(match.match, match.places, "") for match in otherwise]
        _, after = _folded([*read_facts(StreamLog(stream_of(game, season))), *facts])
    else:
        _, after = _replayed_from(ladder, otherwise)
    return [Shift(name, *values) for name, values in changes_of(read_ratings(ladder, after), after).items()]


def catch_up() -> int:
    """Rebuild the tables of ladders that lag behind their streams; return the number of ladders."""
    folded = {(row.game, row.season): bytes(row.head) for row in LadderFold.objects.all()}
    behind = [stream for stream, head in list_heads("ladder/").items() if folded.get(ladder_of(stream)) != head]
    return sum(run_bounded("ladder", stream, partial(_catch_up, stream), otherwise=False) for stream in behind)


@transaction.atomic
def _catch_up(stream: str) -> bool:
    alone(*ladder_of(stream))
    return True


@transaction.atomic
def rebuild(game: str) -> int:
    """Rebuild a game's ratings, for all time and each season; return the number of facts of the all-time ladder."""
    alone = StreamLog.alone(stream_of(game))  # first, as in `rate`: no season can begin afterwards
    Rating.objects.filter(game=game).delete()
    for season in (ALL_TIME, *_seasons(game)):
        _fold(StreamLog.alone(stream_of(game, season)), LadderFold.objects.get_or_create(game=game, season=season)[0])
    return alone.length


def _seasons(game: str) -> list[str]:
    """Return the seasons that have a ladder, sorted by label."""
    beginning = f"{stream_of(game)}/"
    return [name.removeprefix(beginning) for name in list_streams(beginning)]


def alone(game: str, season: str) -> tuple[StreamLog, LadderFold]:
    """Return a ladder with its tables up to date, and keep all others out until the transaction is over."""
    stream = StreamLog.alone(stream_of(game, season))
    ladder, _ = LadderFold.objects.get_or_create(game=game, season=season)
    if bytes(ladder.head) != stream.head and stream.length:
        _fold(stream, ladder)
    return stream, ladder


def _append(stream: StreamLog, ladder: LadderFold, facts: Sequence[LadderFact]) -> None:
    stream.append([encode(fact) + b"\n" for fact in facts], stream.length)
    ladder.head = stream.head
    ladder.save(update_fields=("head",))


def _fold(stream: StreamLog, ladder: LadderFold) -> None:
    """Rebuild a ladder's tables from its stream."""
    clear(ladder)
    replay = _folded(read_facts(stream))
    _store(ladder, replay)
    store_meetings(ladder, [one.match for one in replay.moved])
    ladder.head = stream.head
    ladder.save(update_fields=("head",))


def _folded(facts: Iterable[LadderFact]) -> Replay:
    return _replayed(ordered(facts), {})


def _replayed_from(ladder: LadderFold, came: Sequence[Counted]) -> Replay:
    """Replay a ladder from the first of some new or corrected matches."""
    first = min(match.at for match in came)
    matches = {match.at: match for match in (*read_from(ladder, first), *came)}
    names = {name for match in matches.values() for name in match.names}
    return _replayed([matches[at] for at in sorted(matches)], read_stands(ladder, first, names))


def _replayed(matches: Sequence[Counted], stands: dict[str, Stand]) -> Replay:
    moved = list(replayed(matches, stands))
    for match in matches:
        for name in match.names:
            stands.setdefault(name, Stand())  # all of its matches were withdrawn
    return Replay(moved, stands)


def _store(ladder: LadderFold, replay: Replay) -> None:
    last = {
        name: after.value - before.value
        for one in replay.moved
        for name, before, after in zip(one.match.names, one.before, one.after, strict=True)
    }
    store_seats(ladder, without_past(replay.moved, ladder.pruned_before))
    store_ratings(ladder, replay.after, last)
