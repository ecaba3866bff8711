"""Demo leagues and single demo matches between built-in bots. `manage.py demo` plays them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.utils import timezone

from bots import services as bot_services
from bots.versions.queries import are_on_trial, list_active
from ftk_core.games import game
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.log_entries import TimeControl
from people.built_in_bot_owner import get_built_in_owner
from people.staff_audit_trail import make_shell_actor
from tournaments.continuous_ladder import services as continuous_services
from tournaments.continuous_ladder.continuous_ladder_settings import make_default_ladder_settings
from tournaments.continuous_ladder.queries import has_settings
from tournaments.leagues import queries, services
from tournaments.leagues.league_settings import LeagueSettings, check_terms
from tournaments.models import League

PAUSE_SECONDS = 0.25
"""Time between two polls of the database."""
PATIENCE_SECONDS = 900
"""The demo gives up if no league match ends for this time, or if all trial matches together take longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLeague:
    """Plan of a demo league of built-in bots."""

    game: str
    seats: int = 4
    rounds: int = 5
    games: int = 1
    """Matches per table; the seats rotate, so that at Kings Court each bot is King once."""
    entries: int = 12
    pace_ms: int = 0
    """Minimum milliseconds between two choices in a match, for spectators; 0 for no minimum."""
    first: int = 0
    """Index of the bot that enters first, in the list of the game's built-in bots."""
    kind: str = "night"
    """Word in the league's slug and name: ``night`` for a whole league, ``show`` for a single match."""
    season: str | None = None
    """Season in which the league is rated; None for the current year."""


DEMO_LEAGUES = (
    DemoLeague(game="kings_court", seats=8, rounds=1, games=8, entries=8),
    DemoLeague(game="to_court_the_king", rounds=3, entries=8),
    DemoLeague(game="for_the_king"),
)
"""Demo leagues in the order in which they are played."""
DEMO_SHOWS = (
    DemoLeague(game="for_the_king", rounds=1, entries=4, pace_ms=250, kind="show"),
    DemoLeague(game="kings_court", seats=8, rounds=1, entries=8, pace_ms=500, kind="show"),
    DemoLeague(game="to_court_the_king", rounds=1, entries=4, pace_ms=400, kind="show"),
)
"""Single matches, slow enough to watch, which are played one after the other."""


def plan_leagues(name: str | None, rounds: int | None, season: str | None) -> list[DemoLeague]:
    """Return the plans of all demo leagues, or only of those for the game `name`.

    `rounds` replaces the planned number of rounds, unless it is None. `season` is the season in which the leagues are
    rated; None stands for the current year. Raises CommandRejected for invalid values.
    """
    leagues = [demo_league for demo_league in DEMO_LEAGUES if name in (None, demo_league.game)] or [
        DemoLeague(game=name or "")
    ]
    if rounds is not None:
        leagues = [replace(demo_league, rounds=rounds) for demo_league in leagues]
    leagues = [replace(demo_league, season=season) for demo_league in leagues]
    for demo_league in leagues:
        check_terms(_make_terms(demo_league, "demo", demo_league.kind), timezone.now())
    return leagues


def plan_show(number: int, season: str | None) -> DemoLeague:
    """Return the plan of demo match `number`: a league that consists of this match."""
    # The games take turns. At each turn of a game, its list of bots begins with the next built-in bot.
    demo_league = DEMO_SHOWS[number % len(DEMO_SHOWS)]
    return replace(demo_league, first=number // len(DEMO_SHOWS), season=season)


def begin_ladders(names: Iterable[str], rate: int) -> None:
    """Start the continuous ladders of these games with `rate` matches an hour.

    Ladders that already have stored settings keep them.
    """
    staff = make_shell_actor("demo", "newcomers are rated while the demo goes on")
    for name in names:
        if not has_settings(name):
            continuous_services.set_ladder(
                staff, name, make_default_ladder_settings(name, rate), int(timezone.now().timestamp())
            )


class DemoStalledError(RuntimeError):
    """Raised if the demo makes no progress for too long."""


def list_built_in_entries(demo_league: DemoLeague) -> list[tuple[str, str]]:
    """Return (slug, name of the built-in bot) for each bot that enters a demo league."""
    # Slugs begin with the initials of the game and may end in a number, so that they differ between games and within
    # one.
    built_in = list(list_built_in_bots(demo_league.game))
    names = [built_in[(demo_league.first + number) % len(built_in)] for number in range(demo_league.entries)]
    initials = "".join(word[0] for word in demo_league.game.split("_"))
    prefix = "" if demo_league.game == DEMO_LEAGUES[-1].game else f"{initials}-"
    occurrences = [names[:number].count(name) + 1 for number, name in enumerate(names)]
    return [(f"{prefix}{name}" + (f"-{n}" if n > 1 else ""), name) for name, n in zip(names, occurrences, strict=True)]


def enter_built_in_bots(league_id: int, versions: list[int]) -> None:
    """Enter bot versions in a league in the given order; skip versions that failed their trial matches."""
    for version in list_active(versions):
        services.enter_bot(league_id, version)


def upload_built_in_bots(demo_league: DemoLeague) -> list[int]:
    """Upload the built-in bots and wait for their trial matches; return the ids of the versions.

    Raises DemoStalledError if the trial matches do not end within `PATIENCE_SECONDS`.
    """
    versions = []
    for slug, name in list_built_in_entries(demo_league):
        path = list_built_in_bots(demo_league.game)[name]
        body = path.read_bytes()
        versions.append(
            bot_services.accept_upload(get_built_in_owner(), demo_league.game, slug, path.name, body, built_in=True).pk
        )
    _wait_for_trials(versions)
    return versions


def _wait_for_trials(versions: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while are_on_trial(versions):
        if time.monotonic() > deadline:
            raise DemoStalledError("the trial matches do not end; see the worker's log")
        time.sleep(PAUSE_SECONDS)


def open_demo(demo_league: DemoLeague) -> League:
    """Open a demo league, enter the built-in bots, and pair the first round.

    Raises DemoStalledError if the trial matches of the bots do not end.
    """
    versions = upload_built_in_bots(demo_league)
    number = League.objects.filter(game=demo_league.game, slug__contains=f"-{demo_league.kind}-").count() + 1
    slug = f"{demo_league.game.replace('_', '-')}-{demo_league.kind}-{number}-{secrets.token_hex(2)}"
    league = services.open_league(
        _make_terms(demo_league, slug, f"{game(demo_league.game).title}, {demo_league.kind} {number}")
    )
    enter_built_in_bots(league.pk, versions)
    services.start(league.pk)
    return league


def _make_terms(demo_league: DemoLeague, slug: str, name: str) -> LeagueSettings:
    return LeagueSettings(
        slug=slug,
        name=name,
        game=demo_league.game,
        seats=demo_league.seats,
        rounds=demo_league.rounds,
        games=demo_league.games,
        per_author=0,  # no limit, because all bots belong to the built-in author
        deals="fresh",  # matches that share a deal cannot be watched live
        clock=TimeControl(1000, 5000),
        pace_ms=demo_league.pace_ms,
        season=demo_league.season,
    )


def follow_progress(slug: str) -> Iterator[tuple[int, int]]:
    """Yield (finished matches, expected matches) of a league until it is closed.

    Raises DemoStalledError if no match ends within `PATIENCE_SECONDS`.
    """
    last_ended, last_change = -1, time.monotonic()
    while True:
        status, ended, total = queries.read_progress(slug)
        yield ended, total
        if status == League.Status.CLOSED:
            return
        if ended != last_ended:
            last_ended, last_change = ended, time.monotonic()
        if time.monotonic() - last_change > PATIENCE_SECONDS:
            raise DemoStalledError(f"no match of {slug} has ended for {PATIENCE_SECONDS} s; see the worker's log")
        time.sleep(PAUSE_SECONDS)
