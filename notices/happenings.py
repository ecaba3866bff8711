"""Public events for webhooks and notices: the facts of a league, and trial results.

A league's stream is public except for the inside of its matches, of which only the results are public.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_noop

from ftk_core.league.acts import BotDisqualified, BotReturned, BotWithdrew
from ftk_core.league.facts import (
    BotEntered,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundPaired,
)
from replays.access import disclose

KINDS = {
    "trial.decided": gettext_noop("a version's trial has a verdict"),
    "league.opened": gettext_noop("a league is open for entries"),
    "entry.came": gettext_noop("a bot entered a league"),
    "entry.left": gettext_noop("a bot left a league"),
    "league.begun": gettext_noop("a league began"),
    "round.begun": gettext_noop("a round began"),
    "match.closed": gettext_noop("a match of a league has a result"),
    "bot.crashed": gettext_noop("a bot gave no valid answer in a match"),
    "bot.benched": gettext_noop("a version that crashes is not called to its continuous ladder any more"),
    "round.ended": gettext_noop("a round ended"),
    "league.ended": gettext_noop("a league ended"),
}
"""All kinds of events, each completing a sentence that begins with "tell me when"."""
CRASHED = "bot.crashed"
TEST = "webhook.test"
"""Kind of a test message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """An event, as it is sent to webhooks and people."""

    kind: str
    at: datetime
    told: Mapping[str, Any]
    league: int | None = None
    """Primary key of the event's league."""
    entries: Sequence[int] = ()
    """Entries of the league that the event concerns; empty if it concerns all."""
    within: str = ""
    """The match whose inside the event reveals; the event is withheld until that match is released."""


@dataclass(frozen=True, slots=True)
class NamedLeague:
    """A league with its primary key and its public names."""

    pk: int
    slug: str
    name: str
    game: str


def happenings_of(
    facts: Sequence[LeagueFact],
    where: NamedLeague,
    names: Mapping[int, str],
    released: Collection[str],
    now: datetime,
) -> Iterator[Happening]:
    """Yield the events of a league's facts; facts without a time happened now.

    `names` are the names of its entries, `released` the matches whose inside is public.
    """
    for fact in facts:
        at = datetime.fromtimestamp(stamp, UTC) if (stamp := getattr(fact, "at", 0)) else now
        for kind, told, entries in _told(fact, names, released):
            league = {"league": where.slug, "name": where.name, "game": where.game}
            within = told["match"] if kind == CRASHED else ""
            yield Happening(kind=kind, at=at, told=league | told, league=where.pk, entries=entries, within=within)


Told = tuple[str, dict[str, Any], Sequence[int]]


def _told(fact: LeagueFact, names: Mapping[int, str], released: Collection[str]) -> Iterator[Told]:
    match fact:
        case ResultRecorded():
            yield from _result(fact, names, released=fact.match in released)
        case BotEntered():
            yield "entry.came", {"entry": fact.entry, "bot": fact.name, "author": fact.author}, [fact.entry]
        case BotReturned():
            yield "entry.came", {"entry": fact.entry, "bot": names.get(fact.entry, "")}, [fact.entry]
        case BotWithdrew() | BotDisqualified():
            yield "entry.left", {"entry": fact.entry, "bot": names.get(fact.entry, "")}, [fact.entry]
        case _:
            yield from _told_of_all(fact)


def _told_of_all(fact: LeagueFact) -> Iterator[Told]:
    match fact:
        case LeagueOpened():
            more = {"season": fact.season, "rounds": fact.rounds, "entries_until": fact.entries_until or None}
            yield "league.opened", more, ()
        case RoundPaired():
            if fact.round == 1:
                yield "league.begun", {}, ()
            yield "round.begun", {"round": fact.round, "tables": len(fact.tables)}, ()
        case RoundClosed():
            yield "round.ended", {"round": fact.round}, ()
        case LeagueClosed():
            yield "league.ended", {}, ()
        case _:
            return


def _result(fact: ResultRecorded, names: Mapping[int, str], *, released: bool) -> Iterator[Told]:
    place = {"round": fact.round, "table": fact.table, "match": fact.match}
    excuses = fact.excuses or (0,) * len(fact.seating)
    seats = [
        {"entry": entry, "bot": names.get(entry, ""), "place": at, "score": score}
        | {"excuses": disclose(missed, released=released)}
        for entry, at, score, missed in zip(fact.seating, fact.places, fact.scores, excuses, strict=True)
    ]
    yield "match.closed", place | {"seats": seats, "ruled": fact.ruled}, fact.seating
    for entry, missed in zip(fact.seating, excuses, strict=True):
        if missed:
            yield CRASHED, place | {"entry": entry, "bot": names.get(entry, ""), "excuses": missed}, [entry]
