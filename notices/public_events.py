"""Public events for webhooks and notices, derived from the event logs of leagues."""
# An event that reveals more than a match's result becomes public only when the match's moves do.

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_noop

from ftk_core.league.intervention_facts import (
    AnnouncementMade,
    BotDisqualified,
    BotWithdrew,
    LeagueCancelled,
    WithdrawnBotReturned,
)
from ftk_core.league.league_facts import (
    BotEntered,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundPaired,
)
from replays.match_access import hide_unless_released

KINDS = {
    "trial.decided": gettext_noop("a version's trial has a verdict"),
    "league.opened": gettext_noop("a league is open for entries"),
    "entry.came": gettext_noop("a bot entered a league"),
    "entry.left": gettext_noop("a bot left a league"),
    "league.begun": gettext_noop("a league began"),
    "announcement.made": gettext_noop("an organiser announced a message in a league"),
    "round.begun": gettext_noop("a round was paired, and its matches can be played"),
    "match.closed": gettext_noop("a match of a league has a result"),
    "bot.crashed": gettext_noop("a bot gave no valid answer in a match"),
    "bot.benched": gettext_noop("a version was benched on its continuous ladder because it crashes"),
    "round.ended": gettext_noop("a round ended"),
    "league.cancelled": gettext_noop("a league was cancelled before its first round"),
    "league.ended": gettext_noop("a league ended"),
}
"""Descriptions of all kinds of public events, by name."""
CRASH_KIND = "bot.crashed"
TEST_KIND = "webhook.test"
"""Kind of the message that tests a webhook."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicNotificationEvent:
    """An event that is sent to webhooks, and to people as a notice."""

    kind: str
    at: datetime
    told: Mapping[str, Any]
    """Data of the event: the value of ``data`` in the webhook's JSON payload."""
    league: int | None = None
    """Primary key of the league in which the event happened; None for an event outside leagues."""
    entries: Sequence[int] = ()
    """Numbers of the league's entries (bots in the league) that the event concerns; empty if it concerns all."""
    within: str = ""
    """Id of the match about which the event reveals more than the result; empty if the event is public at once.

    The event is withheld until the match is released.
    """


@dataclass(frozen=True, slots=True)
class LeagueIdentity:
    """Primary key, slug, name and game of a league."""

    pk: int
    slug: str
    name: str
    game: str


def list_events(
    facts: Sequence[LeagueFact],
    league_names: LeagueIdentity,
    entry_names: Mapping[int, str],
    released_matches: Collection[str],
    now: datetime,
) -> Iterator[PublicNotificationEvent]:
    """Convert entries of a league's event log into public events.

    `released_matches` are the matches whose moves are public. Entries without a time get the time `now`.
    """
    for fact in facts:
        at = datetime.fromtimestamp(stamp, UTC) if (stamp := getattr(fact, "at", 0)) else now
        for kind, data, entries in _convert_fact(fact, entry_names, released_matches):
            league = {"league": league_names.slug, "name": league_names.name, "game": league_names.game}
            within = data["match"] if kind == CRASH_KIND else ""
            yield PublicNotificationEvent(
                kind=kind, at=at, told=league | data, league=league_names.pk, entries=entries, within=within
            )


EventParts = tuple[str, dict[str, Any], Sequence[int]]


def _convert_fact(
    fact: LeagueFact, entry_names: Mapping[int, str], released_matches: Collection[str]
) -> Iterator[EventParts]:
    match fact:
        case ResultRecorded():
            yield from _convert_result(fact, entry_names, released=fact.match in released_matches)
        case BotEntered():
            yield "entry.came", {"entry": fact.entry, "bot": fact.name, "author": fact.author}, [fact.entry]
        case WithdrawnBotReturned():
            yield "entry.came", {"entry": fact.entry, "bot": entry_names.get(fact.entry, "")}, [fact.entry]
        case BotWithdrew() | BotDisqualified():
            yield "entry.left", {"entry": fact.entry, "bot": entry_names.get(fact.entry, "")}, [fact.entry]
        case _:
            yield from _convert_league_fact(fact)


def _convert_league_fact(fact: LeagueFact) -> Iterator[EventParts]:
    match fact:
        case LeagueOpened():
            data = {"season": fact.season, "rounds": fact.rounds, "entries_until": fact.entries_until or None}
            yield "league.opened", data, ()
        case RoundPaired():
            if fact.round == 1:
                yield "league.begun", {}, ()
            yield "round.begun", {"round": fact.round, "tables": len(fact.tables)}, ()
        case RoundClosed():
            yield "round.ended", {"round": fact.round}, ()
        case AnnouncementMade():
            yield "announcement.made", {"text": fact.text, "by": fact.by}, ()
        case LeagueCancelled():
            yield "league.cancelled", {"why": fact.why}, ()
        case LeagueClosed():
            yield "league.ended", {}, ()
        case _:
            return


def _convert_result(fact: ResultRecorded, entry_names: Mapping[int, str], *, released: bool) -> Iterator[EventParts]:
    place = {"round": fact.round, "table": fact.table, "match": fact.match}
    excuses = fact.excuses or (0,) * len(fact.seating)
    seats = [
        {"entry": entry, "bot": entry_names.get(entry, ""), "place": at, "score": score}
        | {"excuses": hide_unless_released(failures, released=released)}
        for entry, at, score, failures in zip(fact.seating, fact.places, fact.scores, excuses, strict=True)
    ]
    yield "match.closed", place | {"seats": seats, "ruled": fact.ruled}, fact.seating
    for entry, failures in zip(fact.seating, excuses, strict=True):
        if failures:
            yield CRASH_KIND, place | {"entry": entry, "bot": entry_names.get(entry, ""), "excuses": failures}, [entry]
