"""What an organiser decides about a league, and whether it can be."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from ftk_core.entries import Clock
from ftk_core.facts import encode
from ftk_core.game import Worth
from ftk_core.games import game
from ftk_core.league.facts import LeagueOpened
from ftk_core.league.state import NotNow
from ftk_core.match import check_options, read_options
from tournaments.formats import formats

SLOWEST_MS = 60_000
MINUTES = "%Y-%m-%d %H:%M %Z"
SEASON = re.compile(r"[a-z0-9-]{1,20}")


@dataclass(frozen=True, slots=True)
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


def opening(terms: Terms, now: datetime, secret_seal: str) -> LeagueOpened:
    """Return the fact that announces a league; raises NotNow for terms that cannot be."""
    options = _options_of(terms)
    if not 0 <= terms.pace_ms <= SLOWEST_MS:
        raise NotNow(f"a pace is from 0 to {SLOWEST_MS} ms between choices, not {terms.pace_ms}")
    if terms.format not in formats():
        raise NotNow(f"there is no format {terms.format!r}; there are {', '.join(formats())}")
    return LeagueOpened(
        terms.slug,
        terms.name,
        terms.game,
        terms.format,
        terms.seats,
        _least(terms),
        terms.rounds,
        terms.games,
        terms.clock.move_ms,
        terms.clock.bank_ms,
        secret_seal,
        terms.worth or game(terms.game).worth,
        options,
        terms.pace_ms,
        _season_of(terms, now.year),
        _entries_until(terms, now),
    )


def _season_of(terms: Terms, year: int) -> str:
    season = str(year) if terms.season is None else terms.season
    if not SEASON.fullmatch(season):
        raise NotNow(f"{season!r} cannot be a season: call it by 1 to 20 of a-z, 0-9 and -, like 2026 or autumn-26")
    return season


def _entries_until(terms: Terms, now: datetime) -> int:
    if terms.entries_until is None:
        return 0
    if terms.entries_until <= now:
        raise NotNow(f"entries cannot close at {terms.entries_until:{MINUTES}}: that is past, it is {now:{MINUTES}}")
    return int(terms.entries_until.timestamp())


def _options_of(terms: Terms) -> str:
    """Return the options in one form, empty where they are the usual ones; raises NotNow for impossible ones."""
    rules = game(terms.game)
    try:
        options = read_options(rules, terms.options or "{}")
        check_options(rules, terms.seats, options)
    except ValueError as error:
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
