"""Random leagues, paired as they are paired: of 6 to 200 bots at tables of 2 to 12, with all that happens in them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import msgspec

from ftk_core.league.acts import BotWithdrew, MeetingForbidden
from ftk_core.league.deals import turned
from ftk_core.league.facts import BotEntered, LeagueFact, LeagueOpened, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.folding import apply
from ftk_core.league.formats.field import field_of
from ftk_core.league.pairing.drawing import pair
from ftk_core.league.pairing.field import Field, NoTables
from ftk_core.league.plans import TablePlan
from ftk_core.league.progress import progress_of
from ftk_core.league.state import LeagueState
from ftk_core.rng import Chance, seal_of, seed_of
from tests.support.results import result_of

BUDGET = 2_000_000
"""A little work is enough for tables that are lawful."""


@dataclass
class Event:
    """A league and its facts."""

    facts: list[LeagueFact]
    league: LeagueState

    def happens(self, fact: LeagueFact) -> None:
        self.facts.append(fact)
        self.league = apply(self.league, fact)

    def next_field(self) -> Field:
        return msgspec.structs.replace(field_of(progress_of(self.league)), budget=BUDGET)


def opened(draw: Random, number: int) -> LeagueOpened:
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


def event(number: int) -> Event:
    """Return the event of that number, with as many rounds as could be paired."""
    draw = Random(number)
    header = opened(draw, number)
    made = Event([header], apply(LeagueState(), header))
    entries = max(header.least, int(6 * (200 / 6) ** draw.random()))
    authors = max(2, entries // 3) if draw.random() < 0.5 else 0
    for _ in range(entries):
        enter(made, f"author {draw.randrange(authors)}" if authors else "")
    everybody = range(1, entries + 1)
    if draw.random() < 0.5 and entries > 2 * header.seats:
        for _ in range(draw.randint(1, 4)):
            one, other = draw.sample(everybody, 2)
            made.happens(MeetingForbidden(one=one, other=other))
    for _ in range(draw.randint(2, 3 if entries > 80 else 9 if entries < 20 else 6)):
        if not another_round(made, draw):
            break
        happenings(made, draw)
    return made


def enter(made: Event, author: str = "") -> None:
    entry, round_ = len(made.league.entrants) + 1, len(made.league.rounds) + 1
    made.happens(BotEntered(entry=entry, version=100 + entry, name=f"bot{entry}", author=author, round=round_))


def happenings(made: Event, draw: Random) -> None:
    """Let somebody withdraw or come late now and then."""
    playing = [entrant.entry for entrant in made.league.entrants if not entrant.withdrawn]
    if draw.random() < 0.3:
        made.happens(BotWithdrew(entry=draw.choice(playing), reason="asked to"))
    if draw.random() < 0.3:
        enter(made)


def another_round(made: Event, draw: Random) -> bool:
    number = len(made.league.rounds) + 1
    lot = Chance(bytes.fromhex(made.league.header.secret_seal)).at("pairing", number)
    try:
        drawn = pair(made.next_field(), lot)
    except NoTables:
        return False
    tables = tuple(TablePlan(table, seating) for table, seating in enumerate(drawn.tables, 1))
    made.happens(RoundPaired(round=number, tables=tables, byes=drawn.rests, weighed=drawn.weighed))
    for table in tables:
        for game in range(made.league.header.games):
            made.happens(result(draw, number, table, game))
    made.happens(RoundClosed(number))
    return True


def result(draw: Random, round_: int, table: TablePlan, game: int) -> ResultRecorded:
    """Return a result in which the earlier entries are the better, with ties now and then."""
    return result_of(round_, table, game, {entry: round(draw.gauss(-entry / 10, 2)) for entry in turned(table, game)})
