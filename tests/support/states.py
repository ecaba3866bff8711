"""States of a league, without a database: opened, so many rounds later, with these results."""

from __future__ import annotations

from ftk_core.league.commands import enter, proceed, record
from ftk_core.league.deals import turned
from ftk_core.league.facts import LeagueOpened, ResultRecorded, RoundPaired
from ftk_core.league.folding import apply, fold
from ftk_core.league.formats.history import History, history_of
from ftk_core.league.luck import next_link
from ftk_core.league.plans import TablePlan
from ftk_core.league.progress import progress_of
from ftk_core.league.state import LeagueState
from ftk_core.rng import seal_of, seed_of

SECRET = seed_of("league")


def league_of(entries: int, seats: int, *, least: int = 2, games: int = 1, secret: bytes = SECRET) -> LeagueState:
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
        secret_seal=seal_of(secret),
    )
    league = apply(LeagueState(), opened)
    for number in range(entries):
        league = apply(league, enter(league, 100 + number, f"bot{number}"))
    return league


def paired_next(league: LeagueState) -> tuple[LeagueState, RoundPaired]:
    """Return the league after the next round was paired, and that round."""
    facts = proceed(league, next_link(SECRET, league)).facts
    league = fold(facts, league)
    return league, league.rounds[-1]


def pair(league: LeagueState) -> RoundPaired:
    """Return the next round."""
    return paired_next(league)[1]


def past(league: LeagueState) -> History:
    """Return what has happened between its entries."""
    return history_of(progress_of(league))


def played(league: LeagueState) -> LeagueState:
    """Return the league after another round in which the earlier entry always wins."""
    league, paired = paired_next(league)
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
        league = apply(league, RoundPaired(round=number, tables=(TablePlan(1, seating),)))
        for fact in record(
            league,
            ResultRecorded(
                round=number, table=1, game=0, match="m", seating=seating, places=places, scores=(0,) * len(seating)
            ),
        ):
            league = apply(league, fact)
    return league
