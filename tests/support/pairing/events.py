"""Random leagues with real pairings: 6 to 200 bots at tables of 2 to 12, with late entries and withdrawals."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import msgspec

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.formats.pairing_input_from_stage import pairing_input_of
from ftk_core.league.intervention_facts import BotWithdrew, PairingForbidden
from ftk_core.league.league_facts import BotEntered, LeagueFact, LeagueOpened, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import apply_fact
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError, PairingInput
from ftk_core.league.pairing.round_pairing import draw_round
from ftk_core.league.stage_progress import progress_of
from ftk_core.random_streams import MatchRandomness, seal_of, seed_of
from tests.support.results import build_result

BUDGET = 2_000_000
"""Limit on the work of pairing a round; a low limit is enough, because the tables need only be allowed."""


@dataclass
class SimulatedLeagueEvents:
    """A league and its facts."""

    facts: list[LeagueFact]
    league: LeagueState

    def append(self, fact: LeagueFact) -> None:
        self.facts.append(fact)
        self.league = apply_fact(self.league, fact)

    def next_problem(self) -> PairingInput:
        return msgspec.structs.replace(pairing_input_of(progress_of(self.league)), budget=BUDGET)


def open_event(draw: Random, number: int) -> LeagueOpened:
    seats = draw.choice([2, 2, 2, 3, 4, 4, 5, 6, 8, 10, 12])
    return LeagueOpened(
        slug=f"event-{number}",
        name="Event",
        game="pig",
        format="swiss",
        seats=seats,
        least=draw.choice([2, max(2, seats - 1), seats]),
        rounds=9,
        games=draw.choice([1, 1, 2, 3]),
        move_ms=1000,
        bank_ms=5000,
        secret_seal=seal_of(seed_of("event", number)),
        worth=draw.choice(["places", "wins", "shared"]),
    )


def play_event(number: int) -> SimulatedLeagueEvents:
    """Return the random league of that number, with as many rounds as can be paired."""
    draw = Random(number)
    header = open_event(draw, number)
    made = SimulatedLeagueEvents([header], apply_fact(LeagueState(), header))
    entries = max(header.least, int(6 * (200 / 6) ** draw.random()))
    authors = max(2, entries // 3) if draw.random() < 0.5 else 0
    for _ in range(entries):
        enter_bot(made, f"author {draw.randrange(authors)}" if authors else "")
    everybody = range(1, entries + 1)
    if draw.random() < 0.5 and entries > 2 * header.seats:
        for _ in range(draw.randint(1, 4)):
            one, other = draw.sample(everybody, 2)
            made.append(PairingForbidden(one=one, other=other))
    for _ in range(draw.randint(2, 3 if entries > 80 else 9 if entries < 20 else 6)):
        if not play_another_round(made, draw):
            break
        add_withdrawals_and_late_entries(made, draw)
    return made


def enter_bot(made: SimulatedLeagueEvents, author: str = "") -> None:
    entry, round_ = len(made.league.entrants) + 1, len(made.league.rounds) + 1
    made.append(BotEntered(entry=entry, version=100 + entry, name=f"bot{entry}", author=author, round=round_))


def add_withdrawals_and_late_entries(made: SimulatedLeagueEvents, draw: Random) -> None:
    """Add withdrawals and late entries at random."""
    playing = [entrant.entry for entrant in made.league.entrants if not entrant.withdrawn]
    if draw.random() < 0.3:
        made.append(BotWithdrew(entry=draw.choice(playing), reason="asked to"))
    if draw.random() < 0.3:
        enter_bot(made)


def play_another_round(made: SimulatedLeagueEvents, draw: Random) -> bool:
    number = len(made.league.rounds) + 1
    lot = MatchRandomness(bytes.fromhex(made.league.header.secret_seal)).at("pairing", number)
    try:
        drawn = draw_round(made.next_problem(), lot)
    except ImpossiblePairingError:
        return False
    tables = tuple(TableSeating(table, seating) for table, seating in enumerate(drawn.tables, 1))
    made.append(RoundPaired(round=number, tables=tables, byes=drawn.rests, weighed=drawn.weighed))
    for table in tables:
        for game in range(made.league.header.games):
            made.append(make_result(draw, number, table, game))
    made.append(RoundClosed(number))
    return True


def make_result(draw: Random, round_: int, table: TableSeating, game: int) -> ResultRecorded:
    """Return a result in which earlier entries are better, with some ties."""
    return build_result(
        round_, table, game, {entry: round(draw.gauss(-entry / 10, 2)) for entry in rotate_seating(table.seating, game)}
    )
