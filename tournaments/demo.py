"""Demo league between built-in bots."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.utils import timezone

from bots import queries as bot_queries
from bots import services as bot_services
from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.kit.house import house_bots
from people.acts_of_staff import at_the_shell
from people.house import house
from tournaments import continuous, queries, services
from tournaments.bout_terms import usual
from tournaments.continuous_queries import is_set
from tournaments.models import League
from tournaments.terms import Terms, check

PAUSE_SECONDS = 0.25
PATIENCE_SECONDS = 900
"""Time without the league's end after which the demo is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """A league of the demo."""

    game: str
    seats: int = 4
    rounds: int = 5
    games: int = 1
    """Matches of each table, with rotating seats: at Kings Court everybody is King once."""
    entries: int = 12
    pace_ms: int = 0
    first: int = 0
    """Index of the first built-in bot among the entries."""
    kind: str = "night"
    season: str | None = None
    """None is the current year."""


NIGHTS = (
    Night(game="kings_court", seats=8, rounds=1, games=8, entries=8),
    Night(game="to_court_the_king", rounds=3, entries=8),
    Night(game="for_the_king"),
)
"""In the order in which they are played."""
SHOWS = (
    Night(game="for_the_king", rounds=1, entries=4, pace_ms=250, kind="show"),
    Night(game="kings_court", seats=8, rounds=1, entries=8, pace_ms=500, kind="show"),
    Night(game="to_court_the_king", rounds=1, entries=4, pace_ms=400, kind="show"),
)
"""Single matches at spectators' pace, one after the other."""


def nights(name: str | None, rounds: int | None, season: str | None) -> list[Night]:
    """Return the leagues to play: all, or those of one game; raises NotNow before anything is played."""
    chosen = [night for night in NIGHTS if name in (None, night.game)] or [Night(game=name or "")]
    if rounds is not None:
        chosen = [replace(night, rounds=rounds) for night in chosen]
    chosen = [replace(night, season=season) for night in chosen]
    for night in chosen:
        check(_terms(night, "demo", night.kind), timezone.now())
    return chosen


def show(number: int, season: str | None) -> Night:
    """Return a match for spectators: the games in turn, with other bots each time."""
    night = SHOWS[number % len(SHOWS)]
    return replace(night, first=number // len(SHOWS), season=season)


def begin_ladders(names: Iterable[str], rate: int) -> None:
    """Start the continuous ladders of these games at a rate, except those with settings."""
    staff = at_the_shell("demo", "newcomers are rated while the demo goes on")
    for name in names:
        if not is_set(name):
            continuous.set_ladder(staff, name, usual(name, rate), int(timezone.now().timestamp()))


class Stuck(RuntimeError):
    """Raised when nothing has happened for too long; the message says where to look."""


def house_entries(night: Night) -> list[tuple[str, str]]:
    """Return (slug, built-in bot) of every entry; bots enter several times if necessary.

    A slug belongs to one game, so outside the main game it begins with the game's initials.
    """
    house = list(house_bots(night.game))
    names = [house[(night.first + number) % len(house)] for number in range(night.entries)]
    initials = "".join(word[0] for word in night.game.split("_"))
    prefix = "" if night.game == NIGHTS[-1].game else f"{initials}-"
    again = [names[:number].count(name) + 1 for number, name in enumerate(names)]
    return [(f"{prefix}{name}" + (f"-{n}" if n > 1 else ""), name) for name, n in zip(names, again, strict=True)]


def enter_house(league_id: int, versions: list[int]) -> None:
    """Enter the versions that passed their trials, in upload order."""
    for version in bot_queries.list_active(versions):
        services.enter_bot(league_id, version)


def upload_house(night: Night) -> list[int]:
    """Upload the built-in bots and wait for their trials; return the ids of the versions; raises Stuck."""
    versions = []
    for slug, name in house_entries(night):
        path = house_bots(night.game)[name]
        body = path.read_bytes()
        versions.append(bot_services.take_in(house(), night.game, slug, path.name, body, of_the_house=True).pk)
    _wait_for_trials(versions)
    return versions


def _wait_for_trials(versions: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while bot_queries.are_on_trial(versions):
        if time.monotonic() > deadline:
            raise Stuck("the trial matches do not end; see the worker's log")
        time.sleep(PAUSE_SECONDS)


def open_demo(night: Night) -> League:
    """Open the league, enter the built-in bots and pair the first round."""
    versions = upload_house(night)
    number = League.objects.filter(game=night.game, slug__contains=f"-{night.kind}-").count() + 1
    slug = f"{night.game.replace('_', '-')}-{night.kind}-{number}-{secrets.token_hex(2)}"
    league = services.open_league(_terms(night, slug, f"{game(night.game).title}, {night.kind} {number}"))
    enter_house(league.pk, versions)
    services.start(league.pk)
    return league


def _terms(night: Night, slug: str, name: str) -> Terms:
    return Terms(
        slug=slug,
        name=name,
        game=night.game,
        seats=night.seats,
        rounds=night.rounds,
        games=night.games,
        per_author=0,  # all bots are the arena's own
        deals="fresh",  # matches that share a deal cannot be watched live
        clock=Clock(1000, 5000),
        pace_ms=night.pace_ms,
        season=night.season,
    )


def follow(slug: str) -> Iterator[tuple[int, int]]:
    """Yield (ended matches, all matches) until the league is closed; raises Stuck."""
    last, moved = -1, time.monotonic()
    while True:
        status, done, total = queries.read_progress(slug)
        yield done, total
        if status == League.Status.CLOSED:
            return
        if done != last:
            last, moved = done, time.monotonic()
        if time.monotonic() - moved > PATIENCE_SECONDS:
            raise Stuck(f"no match of {slug} has ended for {PATIENCE_SECONDS} s; see the worker's log")
        time.sleep(PAUSE_SECONDS)
