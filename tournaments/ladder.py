"""The ladder of a game: a stream of rated matches, and the ratings that are its fold."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from django.db import transaction

from bots.models import Bot
from ftk_core.facts import Fact, encode
from ftk_core.log import lines_of
from replays.store import StreamLog
from tournaments.elo import START, deltas
from tournaments.models import Rating


class Change(msgspec.Struct, frozen=True):
    """What one match did to one rating."""

    name: str
    """The rated one: a bot's slug."""
    before: int
    """In thousandths of a point."""
    delta: int
    """In thousandths of a point; the deltas of a match add up to zero."""


class MatchRated(Fact, frozen=True):
    """A match was applied to the ladder."""

    match: str
    places: tuple[int, ...]
    changes: tuple[Change, ...]
    """By seat."""


_decoder = msgspec.json.Decoder(MatchRated)


def stream_of(game: str) -> str:
    """Return the name of a game's ladder stream."""
    return f"ladder/{game}"


def rate(game: str, played: Sequence[tuple[str, tuple[str, ...], tuple[int, ...]]]) -> None:
    """Apply matches (id, bot slugs by seat, places by seat) in the given order; call it in a transaction.

    A bot that sits in several seats of a match is rated once for each of them.
    """
    stream = StreamLog.alone(stream_of(game))
    ratings = {row.bot.slug: row for row in Rating.objects.filter(game=game).select_related("bot")}
    lines = []
    for match, slugs, places in played:
        fact = _rated(match, slugs, places, {slug: row.value for slug, row in ratings.items()})
        lines.append(encode(fact) + b"\n")
        _project(game, fact, ratings)
    if lines:
        stream.append(lines, stream.length)


def _rated(match: str, slugs: Sequence[str], places: tuple[int, ...], values: dict[str, int]) -> MatchRated:
    before = [values.get(slug, START) for slug in slugs]
    moved = deltas(before, places)
    changes = tuple(Change(slug, value, delta) for slug, value, delta in zip(slugs, before, moved, strict=True))
    return MatchRated(match, places, changes)


def _project(game: str, fact: MatchRated, ratings: dict[str, Rating]) -> None:
    for change, place in zip(fact.changes, fact.places, strict=True):
        row = ratings.get(change.name)
        if row is None:
            row = Rating(bot=Bot.objects.get(slug=change.name), game=game, value=START)
            ratings[change.name] = row
        row.value += change.delta
        row.games += 1
        row.wins += place == 1
        row.last_delta = change.delta
    for row in {id(ratings[change.name]): ratings[change.name] for change in fact.changes}.values():
        row.save()


@transaction.atomic
def rebuild(game: str) -> int:
    """Make a game's ratings again from its stream; returns how many matches it holds."""
    stream = StreamLog.alone(stream_of(game))
    Rating.objects.filter(game=game).delete()
    ratings: dict[str, Rating] = {}
    count = 0
    for line in lines_of(stream):
        _project(game, _decoder.decode(line), ratings)
        count += 1
    return count
