"""The ladders of a game: streams of rated matches, one of all time and one a season, and the ratings that they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from django.db import transaction

from bots.queries import find_bot_id
from foundation.doorbell import ring
from ftk_core.facts import Fact, encode
from ftk_core.log import lines_of
from replays.queries import list_streams
from replays.store import StreamLog
from tournaments.elo import START, deltas
from tournaments.models import ALL_TIME, Rating

Played = tuple[str, tuple[str, ...], tuple[int, ...]]
"""A match to rate: its id, bot slugs by seat, places by seat."""


class Change(msgspec.Struct, frozen=True):
    """What one match did to one rating."""

    name: str
    """The rated one: a bot's slug."""
    before: int
    """In thousandths of a point."""
    delta: int
    """In thousandths of a point; the deltas of a match add up to zero."""


class MatchRated(Fact, frozen=True):
    """A match was applied to a ladder."""

    match: str
    places: tuple[int, ...]
    changes: tuple[Change, ...]
    """By seat."""


_decoder = msgspec.json.Decoder(MatchRated)


def stream_of(game: str, season: str = ALL_TIME) -> str:
    """Return the name of the stream of a game's ladder: that of all time, or that of a season."""
    return f"ladder/{game}/{season}" if season else f"ladder/{game}"


def ladder_of(stream: str) -> tuple[str, str]:
    """Return the game and the season of a ladder's stream.

    >>> ladder_of("ladder/go/2026"), ladder_of("ladder/go")
    (('go', '2026'), ('go', ''))
    """
    game, _, season = stream.removeprefix("ladder/").partition("/")
    return game, season


def rate(game: str, season: str, played: Sequence[Played]) -> None:
    """Apply matches in the given order to the ladder of all time and to the season's; call it in a transaction.

    A bot that sits in several seats of a match is rated once for each of them. The court ratings follow by themselves.
    """
    # the ladder of all time always comes first: who holds it has all ladders of the game, and nobody waits in a circle
    for which in dict.fromkeys((ALL_TIME, season)):
        _rate(game, which, played)
    transaction.on_commit(lambda: ring("tournaments.refit", game))


def _rate(game: str, season: str, played: Sequence[Played]) -> None:
    stream = StreamLog.alone(stream_of(game, season))
    rows = Rating.objects.filter(game=game, season=season).select_related("bot")
    ratings = {row.bot.slug: row for row in rows}
    lines = []
    for match, slugs, places in played:
        fact = _rated(match, slugs, places, ratings)
        lines.append(encode(fact) + b"\n")
        _project(game, season, fact, ratings)
    if lines:
        stream.append(lines, stream.length)
        _store(ratings[slug] for slug in dict.fromkeys(slug for _, slugs, _ in played for slug in slugs))


def _rated(match: str, slugs: Sequence[str], places: tuple[int, ...], ratings: dict[str, Rating]) -> MatchRated:
    before = [ratings[slug].value if slug in ratings else START for slug in slugs]
    moved = deltas(before, places)
    changes = tuple(Change(slug, value, delta) for slug, value, delta in zip(slugs, before, moved, strict=True))
    return MatchRated(match, places, changes)


def _project(game: str, season: str, fact: MatchRated, ratings: dict[str, Rating]) -> None:
    for change, place in zip(fact.changes, fact.places, strict=True):
        row = ratings.get(change.name)
        if row is None:
            row = Rating(bot_id=find_bot_id(change.name), game=game, season=season, value=START)
            ratings[change.name] = row
        row.value += change.delta
        row.matches += 1
        row.wins += place == 1
        row.last_delta = change.delta


def _store(rows: Iterable[Rating]) -> None:
    """Store ratings, new ones and old, in one statement."""
    moved = ("value", "matches", "wins", "last_delta")
    Rating.objects.bulk_create(
        (
            Rating(bot_id=row.bot_id, game=row.game, season=row.season, **{name: getattr(row, name) for name in moved})
            for row in rows
        ),
        update_conflicts=True,
        unique_fields=("bot", "season"),
        update_fields=moved,
    )


@transaction.atomic
def rebuild(game: str) -> int:
    """Make a game's ratings again, of all time and of each season; returns how many matches were rated."""
    alone = StreamLog.alone(stream_of(game))  # first, as in `rate`: from here on no season begins
    Rating.objects.filter(game=game).delete()
    for season in (ALL_TIME, *_seasons(game)):
        _rebuild(game, season)
    return alone.length


def _seasons(game: str) -> list[str]:
    """Return the seasons that have a ladder, in the order of their labels."""
    beginning = f"{stream_of(game)}/"
    return [name.removeprefix(beginning) for name in list_streams(beginning)]


def _rebuild(game: str, season: str) -> None:
    ratings: dict[str, Rating] = {}
    for line in lines_of(StreamLog.alone(stream_of(game, season))):
        _project(game, season, _decoder.decode(line), ratings)
    _store(ratings.values())
