"""Terms (settings) of a league as its organiser chooses them, and their validation."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext
from msgspec.structs import replace

from bots.remote_bots import UPLOADED
from foundation import time_control_fields
from ftk_core.facts import encode
from ftk_core.game import Worth
from ftk_core.games import UnknownGameError, game
from ftk_core.i18n import join_spaces
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.league.event_fields import Deals, Granted, Release, RestValue, Ruling, Scored, Seeding, StageSettings, Who
from ftk_core.league.formats import find_format, list_formats
from ftk_core.league.league_correction_command_handlers import format_description
from ftk_core.league.league_facts import LEAGUE_RULES, LeagueOpened
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.match_seating_and_random_seeds import is_deal_shared
from ftk_core.league.scoring.tiebreaks import default_tiebreaks, list_tiebreaks
from ftk_core.log_entries import TimeControl
from ftk_core.match_state_from_log import check_options, read_options, smallest_table_size
from tournaments import league_limits
from tournaments.league_player_kinds import check_kinds, choose_season
from tournaments.leagues.entry_deadline import check_entry_deadline
from tournaments.leagues.entry_questions import parse_questions
from tournaments.leagues.league_settings_validation import check_choices, check_ladder_room, check_numbers
from tournaments.leagues.stage_seeding import check_sizes, set_first_seeding

PACE_MS = range(60_000 + 1)
MAX_OPTIONS_CHARACTERS, STAGE_COUNTS = 2000, range(1, 10 + 1)
DEFAULT_BOTS_PER_AUTHOR = 3
"""Default maximum number of bots per author. It is low because copies of a bot move the ratings of all other bots."""
FIELDS_SHARED_WITH_FACT = [  # fields with the same name in LeagueSettings and in LeagueOpened
    *("late", "granted", "per_author", "who", "rated_from", "rated_to", "languages", "kinds", "mixed"),
    *("tries", "ruling", "held", "release", "by", "description", "questions"),
]
FIELDS_SHARED_WITH_STAGE = ("format", "seats", "rounds", "games", "deals", "scored", "rest", "seeding", "tiebreaks")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSettings:
    """Terms (settings) of a league as its organiser chooses them."""

    slug: str
    name: str
    game: str
    seats: int
    rounds: int
    games: int = 1  # matches per table
    format: str = "swiss"
    clock: TimeControl = field(default_factory=TimeControl)
    worth: Worth | None = None
    """Points for a match: by places, by wins, or shared among the winners; None for the game's default."""
    options: str = ""
    """The game's options as JSON, e.g. ``{"fake": true}``; empty for the default rules."""
    pace_ms: int = 0  # minimum milliseconds between two choices in a match, for spectators; 0 for no minimum
    season: str | None = None
    """Label of the season in which the league is rated; None for the default: the year, or ``outside``."""
    entries_until: datetime | None = None
    """Entry deadline, at which the league begins; None if an organiser begins it."""
    stages: tuple[StageSettings, ...] = ()
    """Stages; if empty, the other fields describe the only one. `least` (smallest table) is computed from the game."""
    deals: Deals = "same"  # of the matches at one table
    scored: Scored = "matches"
    tiebreaks: tuple[str, ...] = ()
    rest: RestValue = "win"  # points for a bye
    seeding: Seeding = "entry"
    """Order of seeds in the first stage. Most formats replace ``entry`` (order of entry) by ``lot`` (random)."""
    late: int = 0
    """Last round that late entries can join; 0 for no late entries."""
    granted: Granted = "none"
    """Points that late entries get for the rounds before their entry."""
    per_author: int = DEFAULT_BOTS_PER_AUTHOR
    """Maximum number of bots per author; 0 is unlimited."""
    who: Who = "anybody"
    """Authors whose bots may enter: all authors, or only invited ones."""
    rated_from: int = 0
    """Minimum all-time court rating of bots that enter; 0 for no minimum, which also admits bots without a rating."""
    rated_to: int = 0
    """Maximum court rating of bots that enter; 0 for no maximum."""
    tries: int = 2
    """Number of rematches of a void match. If all are void, `ruling` decides. If it is 0, an organiser decides."""
    ruling: Ruling = "share"
    held: bool = False
    """True if each round is only drafted and waits until an organiser begins it."""
    release: Release = "at_once"
    """Time at which the replays of matches become public: at once, after the round, or after the league."""
    languages: tuple[str, ...] = ()
    """Programming languages of bots that may enter; empty for all."""
    kinds: tuple[str, ...] = ()  # see `tournaments.league_player_kinds`
    mixed: bool = False  # True if all kinds of bots are rated on the same ladders
    description: str = ""
    """Text for the league's page, in Markdown."""
    questions: tuple[str, ...] = ()  # at entry; see `tournaments.leagues.entry_questions`
    by: str = ""
    """Username of the person who announces the league."""


def check_terms(terms: LeagueSettings, now: datetime) -> None:
    """Raise CommandRejected for the first invalid term. Pages, API and shell commands all call this function."""
    _check_names(terms)
    try:
        game(terms.game)
    except UnknownGameError as error:
        raise CommandRejected(str(error)) from None
    if problem := time_control_fields.find_problem(terms.clock, time_control_fields.LEAGUE_MS):
        raise CommandRejected(problem)
    check_numbers(
        (gettext("Milliseconds between choices"), terms.pace_ms, PACE_MS),
        (gettext("The last round for late entries"), terms.late, range(league_limits.LEAGUE_ROUNDS[-1] + 1)),
        (gettext("Bots of an author"), terms.per_author, range(1001)),
        (gettext("The minimum rating of entries"), terms.rated_from, league_limits.RATING_RANGE),
        (
            gettext("The maximum rating of entries"),
            terms.rated_to,
            league_limits.RATING_RANGE[terms.rated_from if terms.rated_to else 0 :],
        ),
        (gettext("Repeats of a void match"), terms.tries, range(101)),
        (gettext("The number of stages"), len(_list_stages(terms)), STAGE_COUNTS),
    )
    check_choices(LeagueSettings, terms, ("ruling", "granted", "who", "release"))
    if unknown := [language for language in terms.languages if language not in LANGUAGES]:
        values = {"unknown": unknown[0], "languages": ", ".join(LANGUAGES)}
        raise CommandRejected(gettext("%(unknown)r is not a language of bots; choose among %(languages)s.") % values)
    for stage in _list_stages(terms):
        _check_stage(terms, stage)
    check_ladder_room(sum(stage.rounds for stage in _list_stages(terms)), _list_stages(terms))
    check_entry_deadline(terms.entries_until, now)
    format_description(terms.description)
    parse_questions(terms.questions)


def make_opening_fact(terms: LeagueSettings, now: datetime, secret_seal: str, luck: str) -> LeagueOpened:
    """Return the first event of a league with these settings. Raises CommandRejected if they are invalid."""
    # `luck` is a public hash that fixes all random draws in advance.
    check_terms(terms, now)
    terms = dataclasses.replace(terms, description=format_description(terms.description))
    stages = tuple(
        # the stream states the tie-breaks explicitly, so that new defaults do not change old leagues
        replace(
            stage,
            least=_find_smallest_table(terms, stage.seats),
            tiebreaks=stage.tiebreaks or default_tiebreaks(stage.seats),
        )
        for stage in set_first_seeding(_list_stages(terms))
    )
    check_sizes(stages)
    first = stages[0]
    return LeagueOpened(
        slug=terms.slug,
        name=join_spaces(terms.name),
        game=terms.game,
        format=first.format,
        seats=first.seats,
        least=first.least,
        rounds=sum(stage.rounds for stage in stages),
        games=first.games,
        **terms.clock.parts,
        secret_seal=secret_seal,
        worth=first.worth,
        options=_normalise_options(terms, first.seats),
        pace_ms=terms.pace_ms,
        season=choose_season(terms.season, terms.kinds, now.year, mixed=terms.mixed),
        entries_until=int(terms.entries_until.timestamp()) if terms.entries_until else 0,
        stages=stages,
        luck=luck,
        **{name: getattr(terms, name) for name in FIELDS_SHARED_WITH_FACT},
        at=int(now.timestamp()),
        rules=LEAGUE_RULES,
    )


def _list_stages(terms: LeagueSettings) -> tuple[StageSettings, ...]:
    """Return the stages of a league. If the settings list no stages, they describe a single stage."""
    settings = {name: getattr(terms, name) for name in FIELDS_SHARED_WITH_STAGE}
    only_stage = StageSettings(least=terms.seats, worth=terms.worth or game(terms.game).worth, **settings)
    return terms.stages or (only_stage,)


def _check_stage(terms: LeagueSettings, stage: StageSettings) -> None:
    """Raise CommandRejected for the first invalid setting of a stage."""
    if stage.format not in list_formats():
        raise CommandRejected(
            gettext("%(format)r is not a format; choose among %(formats)s.")
            % {"format": stage.format, "formats": ", ".join(list_formats())}
        )
    format_class = find_format(stage.format)
    least, groups = int(format_class.counted), 100 if format_class.groups_title else 1
    check_numbers(
        (gettext("The number of rounds"), stage.rounds, range(least, league_limits.STAGE_ROUNDS[-1] + 1)),
        (gettext("Matches of a table (games)"), stage.games, league_limits.TABLE_GAMES),
        (gettext("Groups of the format %(format)s") % {"format": stage.format}, stage.groups, range(1, groups + 1)),
        (gettext("Entries that qualify for a stage"), stage.qualify, range(10_001)),
    )
    check_choices(StageSettings, stage, ("deals", "scored", "worth", "rest", "absence", "carry", "seeding"))
    if stage.scored == "blocks" and stage.deals == "fresh":
        raise CommandRejected(gettext("Only matches that share their deal can be blocks: score them as matches."))
    if is_deal_shared(stage) and set(terms.kinds) - {UPLOADED}:
        raise CommandRejected(
            gettext("Remote bots and people remember a deal: choose fresh deals, or one match for each table (games).")
        )
    if unknown := [slug for slug in stage.tiebreaks if slug not in list_tiebreaks()]:
        raise CommandRejected(
            gettext("%(unknown)r is not a tie-break; choose among %(tiebreaks)s.")
            % {"unknown": unknown[0], "tiebreaks": ", ".join(list_tiebreaks())}
        )
    _normalise_options(terms, stage.seats)


def _check_names(terms: LeagueSettings) -> None:
    if not re.fullmatch(league_limits.SLUG_PATTERN, terms.slug) or terms.slug.endswith("\n") or terms.slug == "new":
        raise CommandRejected(
            gettext(
                "%(slug)r is not a valid slug: use 1 to %(most)s unaccented letters, digits, - and _,"
                " and not the word new."
            )
            % {"slug": terms.slug[: league_limits.MAX_SLUG_CHARACTERS + 1], "most": league_limits.MAX_SLUG_CHARACTERS}
        )
    name, most = join_spaces(terms.name), league_limits.MAX_NAME_CHARACTERS
    if not 0 < len(name) <= most or not name.isprintable():
        message = gettext("%(name)r is not a valid name: use 1 to %(most)s printable characters.")
        raise CommandRejected(message % {"name": name[: most + 1], "most": most})
    check_kinds(terms.kinds, terms.season, mixed=terms.mixed)


def _normalise_options(terms: LeagueSettings, seats: int) -> str:
    """Return the game options as canonical JSON; empty for the defaults. Raises CommandRejected for invalid options."""
    rules = game(terms.game)
    if len(terms.options) > MAX_OPTIONS_CHARACTERS:
        limits = {"most": MAX_OPTIONS_CHARACTERS, "count": len(terms.options)}
        raise CommandRejected(gettext("The options must have at most %(most)s characters (got %(count)s).") % limits)
    try:
        options = read_options(rules, terms.options or "{}")
        check_options(rules, seats, options)
    except (ValueError, RecursionError) as error:
        raise CommandRejected(str(error)) from error
    return "" if options == rules.options() else encode(options).decode()


def _find_smallest_table(terms: LeagueSettings, seats: int) -> int:
    """Return the smallest `n` for which the game can be played with every number of seats from `n` to `seats`."""
    rules = game(terms.game)
    return smallest_table_size(rules, seats, read_options(rules, terms.options or "{}"))
