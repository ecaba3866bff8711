"""States of a league without a database: opened, after some rounds, or with given results."""

from __future__ import annotations

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.formats.pairing_history import PairingHistory, history_of
from ftk_core.league.league_command_handlers import enter, proceed, record
from ftk_core.league.league_facts import LeagueOpened, ResultRecorded, RoundPaired
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import apply_fact, fold_facts
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.stage_progress import progress_of
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from ftk_core.random_streams import seal_of, seed_of

SECRET = seed_of("league")


def build_league_state(
    entries: int, seats: int, *, least: int = 2, games: int = 1, secret: bytes = SECRET
) -> LeagueState:
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
    league = apply_fact(LeagueState(), opened)
    for number in range(entries):
        league = apply_fact(league, enter(league, 100 + number, f"bot{number}"))
    return league


def pair_and_apply(league: LeagueState) -> tuple[LeagueState, RoundPaired]:
    """Pair the next round; return the league after it, and the round."""
    facts = proceed(league, next_link(SECRET, league)).facts
    league = fold_facts(facts, league)
    return league, league.rounds[-1]


def pair(league: LeagueState) -> RoundPaired:
    """Return the next round."""
    return pair_and_apply(league)[1]


def read_history(league: LeagueState) -> PairingHistory:
    """Return the meetings of the league's entries so far."""
    return history_of(progress_of(league))


def play_round(league: LeagueState) -> LeagueState:
    """Return the league after another round in which the earlier entry always wins."""
    league, paired = pair_and_apply(league)
    for table in paired.tables:
        for game in range(league.header.games):
            seating = rotate_seating(table.seating, game)
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
                league = apply_fact(league, fact)
    return league


def play_rounds(league: LeagueState, rounds: int) -> LeagueState:
    """Return the league after this many rounds."""
    for _ in range(rounds):
        league = play_round(league)
    return league


def build_league_with_results(*results: tuple[tuple[int, ...], tuple[int, ...]]) -> LeagueState:
    """Return a league of four with one table a round and these seats and places."""
    league = build_league_state(4, 2)
    for number, (seating, places) in enumerate(results, 1):
        league = apply_fact(league, RoundPaired(round=number, tables=(TableSeating(1, seating),)))
        for fact in record(
            league,
            ResultRecorded(
                round=number, table=1, game=0, match="m", seating=seating, places=places, scores=(0,) * len(seating)
            ),
        ):
            league = apply_fact(league, fact)
    return league
