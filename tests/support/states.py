"""States of a league, without a database: opened, so many rounds later, with these results."""

from __future__ import annotations

from ftk_core.league.deals import turned
from ftk_core.league.facts import LeagueOpened, ResultRecorded, RoundPaired, TablePlan
from ftk_core.league.state import LeagueState, apply, enter, record
from ftk_core.rng import seal_of, seed_of
from tournaments.formats.swiss import pair


def league_of(entries: int, seats: int, *, least: int = 2, games: int = 1, seed: str = "league") -> LeagueState:
    """Return a league with its entries, before its first round."""
    opened = LeagueOpened(
        slug="night",
        name="Night",
        game="pig",
        format="swiss",
        seats=seats,
        least=least,
        rounds=5,
        games=games,
        move_ms=1000,
        bank_ms=5000,
        secret_seal=seal_of(seed_of(seed)),
    )
    league = apply(LeagueState(), opened)
    for number in range(entries):
        for fact in enter(league, 100 + number, f"bot{number}"):
            league = apply(league, fact)
    return league


def played(league: LeagueState) -> LeagueState:
    """Return the league after another round in which the earlier entry always wins."""
    paired = pair(league)
    league = apply(league, paired)
    for table in paired.tables:
        for game in range(league.header.games):
            seating = turned(table, game)
            places = tuple(1 + sum(other < entry for other in seating) for entry in seating)
            result = ResultRecorded(
                round=paired.round,
                table=table.number,
                game=game,
                match="m",
                seating=seating,
                places=places,
                scores=(0,) * len(seating),
            )
            for fact in record(league, result):
                league = apply(league, fact)
    return league


def after(league: LeagueState, rounds: int) -> LeagueState:
    """Return the league so many rounds later."""
    for _ in range(rounds):
        league = played(league)
    return league


def with_results(*results: tuple[tuple[int, ...], tuple[int, ...]]) -> LeagueState:
    """Return a league of four with one table a round: who sat there, and at which places they ended."""
    league = league_of(4, 2)
    for number, (seating, places) in enumerate(results, 1):
        league = apply(league, RoundPaired(number, (TablePlan(1, seating),), ()))
        for fact in record(
            league,
            ResultRecorded(
                round=number, table=1, game=0, match="m", seating=seating, places=places, scores=(0,) * len(seating)
            ),
        ):
            league = apply(league, fact)
    return league
