"""Terms of a league as its organiser sets them, and their validation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext
from msgspec.structs import replace

from bots.outside import UPLOADED
from ftk_core.entries import Clock
from ftk_core.facts import encode
from ftk_core.fold import check_options, read_options, shortest_table
from ftk_core.game import Worth
from ftk_core.games import UnknownGame, game
from ftk_core.kit.languages import LANGUAGES
from ftk_core.league.deals import is_shared
from ftk_core.league.facts import LEAGUE_RULES, LeagueOpened
from ftk_core.league.formats import formats
from ftk_core.league.plans import Deals, Granted, Release, RestValue, Ruling, Scored, Seeding, Stage, Who
from ftk_core.league.state import NotNow
from ftk_core.league.tiebreaks import TIEBREAKS, usual
from tournaments.allowed import check_numbers, check_words
from tournaments.bounds import ANNOUNCED, GAMES, LONGEST_NAME, LONGEST_SLUG, RATINGS, ROUNDS, SLUG
from tournaments.closing import check_closing
from tournaments.kinds import check_kinds, season_of
from tournaments.seeding import check_sizes, seeded

PACE_MS, MOVE_MS, BANK_MS = range(60_000 + 1), range(1, 60_000 + 1), range(3_600_000 + 1)
OPTIONS_CHARACTERS, STAGES = 2000, range(1, 10 + 1)
PER_AUTHOR = 3
"""Default limit of bots per author: copies of a bot move the ratings of all others."""
ALIKE = [  # names that the terms share with the fact
    *("late", "granted", "per_author", "who", "rated_from", "rated_to", "languages", "kinds", "mixed"),
    *("tries", "ruling", "held", "release", "by"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms of a league."""

    slug: str
    name: str
    game: str
    seats: int
    rounds: int
    games: int = 1
    format: str = "swiss"
    clock: Clock = field(default_factory=Clock)
    worth: Worth | None = None
    """Points for a match; None is the game's default."""
    options: str = ""
    """The game's options as JSON, e.g. ``{"fake": true}``; empty for the default rules."""
    pace_ms: int = 0
    """Minimum time between two choices, for spectators; 0 is as fast as the bots are."""
    season: str | None = None
    """Label of its season; None is the default (`tournaments.kinds`)."""
    entries_until: datetime | None = None
    """Time of its automatic start; None if its organiser starts it."""
    stages: tuple[Stage, ...] = ()
    """Its stages, whose `least` is ignored; without any, one stage from the fields above."""
    deals: Deals = "same"
    scored: Scored = "matches"
    tiebreaks: tuple[str, ...] = ()
    rest: RestValue = "win"
    seeding: Seeding = "entry"
    """Seeding of its first stage; see `tournaments.seeding`."""
    late: int = 0
    """Last round that can still be entered; 0 for none."""
    granted: Granted = "none"
    """Points of late entries for the rounds that they missed."""
    per_author: int = PER_AUTHOR
    """Maximum number of bots per author; 0 is unlimited."""
    who: Who = "anybody"
    """Authors whose bots may enter."""
    rated_from: int = 0
    """Minimum court rating of a bot; 0 is none, and admits bots without a rating."""
    rated_to: int = 0
    """Maximum court rating of a bot; 0 is none."""
    tries: int = 2
    """Number of repetitions of a void match before `ruling` applies; with 0 its organiser decides."""
    ruling: Ruling = "share"
    held: bool = False
    """If True, each drafted round waits until its organiser begins it."""
    release: Release = "at_once"
    """Time at which everybody may see the inside of its matches."""
    languages: tuple[str, ...] = ()
    """Programming languages of bots that may enter; empty for all."""
    kinds: tuple[str, ...] = ()  # see `tournaments.kinds`
    mixed: bool = False
    by: str = ""
    """Person who announces it."""


def check(terms: Terms, now: datetime) -> None:
    """Raise NotNow for the first invalid term; all callers use this check."""
    _check_names(terms)
    try:
        game(terms.game)
    except UnknownGame as error:
        raise NotNow(str(error)) from None
    check_numbers(
        (gettext("a move has ms"), terms.clock.move_ms, MOVE_MS),
        (gettext("a bank has ms"), terms.clock.bank_ms, BANK_MS),
        (gettext("a pace has ms between choices"), terms.pace_ms, PACE_MS),
        (gettext("late entries come up to a round"), terms.late, range(ROUNDS[-1] + 1)),
        (gettext("an author enters bots"), terms.per_author, range(1001)),
        (gettext("the least rating to enter with is"), terms.rated_from, RATINGS),
        (
            gettext("the greatest rating to enter with is"),
            terms.rated_to,
            RATINGS[terms.rated_from if terms.rated_to else 0 :],
        ),
        (gettext("a void match is tried again"), terms.tries, range(101)),
        (gettext("a league has stages"), len(_stages(terms)), STAGES),
    )
    check_words(Terms, terms, ("ruling", "granted", "who", "release"))
    if unknown := [word for word in terms.languages if word not in LANGUAGES]:
        raise NotNow(
            gettext("no bot is written in %(unknown)r; there are %(languages)s")
            % {"unknown": unknown[0], "languages": ", ".join(LANGUAGES)}
        )
    for stage in _stages(terms):
        _check_stage(terms, stage)
    check_closing(terms.entries_until, now)


def opening(terms: Terms, now: datetime, secret_seal: str, luck: str) -> LeagueOpened:
    """Return the fact that announces a league; raises NotNow for invalid terms."""
    check(terms, now)
    stages = tuple(
        # tie-breaks are written out, so that no league changes with the defaults
        replace(stage, least=_least(terms, stage.seats), tiebreaks=stage.tiebreaks or usual(stage.seats))
        for stage in seeded(_stages(terms))
    )
    check_sizes(stages)
    first = stages[0]
    return LeagueOpened(
        slug=terms.slug,
        name=terms.name,
        game=terms.game,
        format=first.format,
        seats=first.seats,
        least=first.least,
        rounds=sum(stage.rounds for stage in stages),
        games=first.games,
        move_ms=terms.clock.move_ms,
        bank_ms=terms.clock.bank_ms,
        secret_seal=secret_seal,
        worth=first.worth,
        options=_options_of(terms, first.seats),
        pace_ms=terms.pace_ms,
        season=season_of(terms.season, terms.kinds, now.year, mixed=terms.mixed),
        entries_until=int(terms.entries_until.timestamp()) if terms.entries_until else 0,
        stages=stages,
        luck=luck,
        **{name: getattr(terms, name) for name in ALIKE},
        at=int(now.timestamp()),
        rules=LEAGUE_RULES,
    )


def _stages(terms: Terms) -> tuple[Stage, ...]:
    """Return the stages of a league; the terms of the league describe a single one."""
    alone = Stage(
        format=terms.format,
        seats=terms.seats,
        least=terms.seats,
        rounds=terms.rounds,
        games=terms.games,
        deals=terms.deals,
        scored=terms.scored,
        worth=terms.worth or game(terms.game).worth,
        rest=terms.rest,
        seeding=terms.seeding,
        tiebreaks=terms.tiebreaks,
    )
    return terms.stages or (alone,)


def _check_stage(terms: Terms, stage: Stage) -> None:
    """Raise NotNow for an invalid stage."""
    if stage.format not in formats():
        raise NotNow(
            gettext("there is no format %(format)r; there are %(formats)s")
            % {"format": stage.format, "formats": ", ".join(formats())}
        )
    shape = formats()[stage.format]
    least, groups = int(shape.counted), 100 if shape.grouped else 1
    check_numbers(
        (gettext("a league has rounds"), stage.rounds, range(least, ANNOUNCED[-1] + 1)),
        (gettext("a table plays matches (games)"), stage.games, GAMES),
        (gettext("a stage of %(format)s has groups") % {"format": stage.format}, stage.groups, range(1, groups + 1)),
        (gettext("to a stage qualify entries"), stage.qualify, range(10_001)),
    )
    check_words(Stage, stage, ("deals", "scored", "worth", "rest", "absence", "carry", "seeding"))
    if stage.scored == "blocks" and stage.deals == "fresh":
        raise NotNow(gettext("only matches of a table that share their deal are a block; score them as matches"))
    if is_shared(stage) and set(terms.kinds) - {UPLOADED}:
        raise NotNow(
            gettext("Remote bots and people remember a deal: choose fresh deals, or one match for each table (games).")
        )
    if unknown := [slug for slug in stage.tiebreaks if slug not in TIEBREAKS]:
        raise NotNow(
            gettext("there is no tie-break %(unknown)r; there are %(tiebreaks)s")
            % {"unknown": unknown[0], "tiebreaks": ", ".join(TIEBREAKS)}
        )
    _options_of(terms, stage.seats)


def _check_names(terms: Terms) -> None:
    if not re.fullmatch(SLUG, terms.slug) or terms.slug.endswith("\n") or terms.slug == "new":
        raise NotNow(
            gettext(
                "%(slug)r cannot stand in an address: a slug has 1 to %(most)s of unaccented"
                " letters, digits, - and _, and is not new"
            )
            % {"slug": terms.slug[: LONGEST_SLUG + 1], "most": LONGEST_SLUG}
        )
    if not terms.name.strip() or len(terms.name) > LONGEST_NAME or not terms.name.isprintable():
        raise NotNow(
            gettext("%(name)r is no name: it has 1 to %(most)s printable characters")
            % {"name": terms.name[: LONGEST_NAME + 1], "most": LONGEST_NAME}
        )
    check_kinds(terms.kinds, terms.season, mixed=terms.mixed)


def _options_of(terms: Terms, seats: int) -> str:
    """Return the options in canonical form, empty for the defaults; raises NotNow for invalid ones."""
    rules = game(terms.game)
    if len(terms.options) > OPTIONS_CHARACTERS:
        raise NotNow(
            gettext("options have at most %(most)s characters, not %(count)s")
            % {"most": OPTIONS_CHARACTERS, "count": len(terms.options)}
        )
    try:
        options = read_options(rules, terms.options or "{}")
        check_options(rules, seats, options)
    except (ValueError, RecursionError) as error:
        raise NotNow(str(error)) from error
    return "" if options == rules.options() else encode(options).decode()


def _least(terms: Terms, seats: int) -> int:
    """Return the shortest table below the full one that the game can be played at with these options."""
    rules = game(terms.game)
    return shortest_table(rules, seats, read_options(rules, terms.options or "{}"))
