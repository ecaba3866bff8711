"""What an organiser decides about a league, and whether it can be."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import get_args

from ftk_core.entries import Clock
from ftk_core.facts import encode
from ftk_core.fold import check_options, read_options
from ftk_core.game import Worth
from ftk_core.games import UnknownGame, game
from ftk_core.league.facts import LeagueOpened
from ftk_core.league.state import NotNow
from tournaments.bounds import GAMES, LONGEST_NAME, LONGEST_SLUG, ROUNDS, SEASON, SLUG
from tournaments.formats import formats

PACE_MS = range(60_000 + 1)
MOVE_MS = range(1, 60_000 + 1)
BANK_MS = range(3_600_000 + 1)
OPTIONS_CHARACTERS = 2000
FURTHEST = timedelta(days=731)
"""Entries close within two years."""
MINUTES = "%Y-%m-%d %H:%M %Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What an organiser decides."""

    slug: str
    name: str
    game: str
    seats: int
    rounds: int
    games: int = 1
    format: str = "swiss"
    clock: Clock = field(default_factory=Clock)
    worth: Worth | None = None
    """What a match is worth; None is as the game has it."""
    options: str = ""
    """The game's options as JSON, e.g. ``{"fake": true}``; empty as the rule book has it."""
    pace_ms: int = 0
    """The least time between two choices, so that spectators can follow; 0 is as fast as the bots are."""
    season: str | None = None
    """The label of its season; None is the year in which it is opened."""
    entries_until: datetime | None = None
    """When it begins by itself; None is when its organiser begins it."""


def check(terms: Terms, now: datetime) -> None:
    """Raise NotNow with a sentence on the first of the terms that cannot be; every door leads through here."""
    _check_names(terms)
    try:
        worth = game(terms.game).worth if terms.worth is None else terms.worth
    except UnknownGame as error:
        raise NotNow(str(error)) from None
    if worth not in get_args(Worth):
        raise NotNow(f"a match cannot be worth {worth!r}; it is worth one of {', '.join(get_args(Worth))}")
    if terms.format not in formats():
        raise NotNow(f"there is no format {terms.format!r}; there are {', '.join(formats())}")
    for what, number, allowed in (
        ("a league has rounds", terms.rounds, ROUNDS),
        ("a table plays matches (games)", terms.games, GAMES),
        ("a move has ms", terms.clock.move_ms, MOVE_MS),
        ("a bank has ms", terms.clock.bank_ms, BANK_MS),
        ("a pace has ms between choices", terms.pace_ms, PACE_MS),
    ):
        if number not in allowed:
            raise NotNow(f"{what} from {allowed[0]} to {allowed[-1]}, not {number}")
    _options_of(terms)
    _check_closing(terms.entries_until, now)


def opening(terms: Terms, now: datetime, secret_seal: str) -> LeagueOpened:
    """Return the fact that announces a league; raises NotNow for terms that cannot be."""
    check(terms, now)
    return LeagueOpened(
        slug=terms.slug,
        name=terms.name,
        game=terms.game,
        format=terms.format,
        seats=terms.seats,
        least=_least(terms),
        rounds=terms.rounds,
        games=terms.games,
        move_ms=terms.clock.move_ms,
        bank_ms=terms.clock.bank_ms,
        secret_seal=secret_seal,
        worth=terms.worth or game(terms.game).worth,
        options=_options_of(terms),
        pace_ms=terms.pace_ms,
        season=str(now.year) if terms.season is None else terms.season,
        entries_until=int(terms.entries_until.timestamp()) if terms.entries_until else 0,
    )


def _check_names(terms: Terms) -> None:
    if not re.fullmatch(SLUG, terms.slug) or terms.slug.endswith("\n"):
        raise NotNow(
            f"{terms.slug[: LONGEST_SLUG + 1]!r} cannot stand in an address:"
            f" a slug has 1 to {LONGEST_SLUG} of unaccented letters, digits, - and _"
        )
    if not terms.name.strip() or len(terms.name) > LONGEST_NAME or not terms.name.isprintable():
        raise NotNow(f"{terms.name[: LONGEST_NAME + 1]!r} is no name: it has 1 to {LONGEST_NAME} printable characters")
    if terms.season is not None and not re.fullmatch(SEASON, terms.season):
        raise NotNow(
            f"{terms.season[:40]!r} cannot be a season: call it by 1 to 20 of a-z, 0-9 and -, like 2026 or autumn-26"
        )


def _check_closing(until: datetime | None, now: datetime) -> None:
    if until is None:
        return
    if until.tzinfo is None:
        raise NotNow(f"entries cannot close at {until:%Y-%m-%d %H:%M}: say in which time zone, like +00:00")
    if until <= now:
        raise NotNow(f"entries cannot close at {until:{MINUTES}}: that is past, it is {now:{MINUTES}}")
    if until > now + FURTHEST:
        raise NotNow(f"entries cannot close at {until:{MINUTES}}: that is more than two years away")


def _options_of(terms: Terms) -> str:
    """Return the options in one form, empty where they are the usual ones; raises NotNow for impossible ones."""
    rules = game(terms.game)
    if len(terms.options) > OPTIONS_CHARACTERS:
        raise NotNow(f"options have at most {OPTIONS_CHARACTERS} characters, not {len(terms.options)}")
    try:
        options = read_options(rules, terms.options or "{}")
        check_options(rules, terms.seats, options)
    except (ValueError, RecursionError) as error:
        raise NotNow(str(error)) from error
    return "" if options == rules.options() else encode(options).decode()


def _least(terms: Terms) -> int:
    """Return the shortest table below the full one that the game can be played at with these options."""
    rules = game(terms.game)
    options = read_options(rules, terms.options or "{}")
    least = terms.seats
    while least > rules.seats.start:
        try:
            check_options(rules, least - 1, options)
        except ValueError:
            break
        least -= 1
    return least
