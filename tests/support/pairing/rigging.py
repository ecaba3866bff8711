"""Manipulations of a paired round by a dishonest organiser; the certificate is true except for the lie itself."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import msgspec

from ftk_core.league.event_fields import PairingQualityCertificate, TableSeating
from ftk_core.league.formats.pairing_input_from_stage import pairing_input_of
from ftk_core.league.intervention_facts import PairingForbidden
from ftk_core.league.league_facts import LeagueFact, RoundPaired
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.pairing.pairing_quality_certificate_computation import compute_round_certificate
from ftk_core.league.stage_progress import progress_of
from tests.support.pairing.events import SimulatedLeagueEvents

Tables = list[list[int]]
Forged = RoundPaired | None
"""The manipulated round, or None if the manipulation is impossible in the round."""


def rigged(made: SimulatedLeagueEvents, draw: Random) -> tuple[str, int, list[LeagueFact]]:
    """Return the name of a manipulation, its round, and the facts after it."""
    places = [at for at, fact in enumerate(made.facts) if isinstance(fact, RoundPaired)]
    while True:
        trick, at = draw.choice(TRICKS), draw.choice(places)
        paired = made.facts[at]
        assert isinstance(paired, RoundPaired)
        forged = trick(ForgedRound(made, at, paired), draw)
        if forged is not None and forged != paired:
            facts = [*made.facts[:at], forged, *made.facts[at + 1 :]]
            return trick.__name__, paired.round, [*facts[:at], *forbidden_by(trick, forged), *facts[at:]]


def forbidden_by(trick: Trick, forged: RoundPaired) -> list[LeagueFact]:
    """Return the fact that forbids a pair before the round, for the trick that lets it meet."""
    pair = forged.tables[0].seating
    return [PairingForbidden(one=pair[0], other=pair[1])] if trick is forbidden_meeting else []


class ForgedRound:
    """A paired round with its tables and byes, which a manipulation changes, and the league before the round."""

    def __init__(self, made: SimulatedLeagueEvents, at: int, paired: RoundPaired) -> None:
        self.made, self.paired = made, paired
        self.league = fold_facts(made.facts[:at])
        self.problem = pairing_input_of(progress_of(self.league))
        self.of = {candidate.entry: candidate for candidate in self.problem.candidates}
        self.tables: Tables = [list(table.seating) for table in paired.tables]
        self.rests = list(paired.byes)

    @property
    def certificate(self) -> PairingQualityCertificate:
        assert self.paired.weighed is not None
        return self.paired.weighed

    def squares(self) -> int:
        """Return the sum over all pairs at tables of the square of their number of meetings."""
        pairs = [pair for table in self.tables for pair in combinations(table, 2)]
        return sum(min(self.of[one].met.get(other, 0), 7) ** 2 for one, other in pairs)

    def repeats(self) -> int:
        pairs = [pair for table in self.tables for pair in combinations(table, 2)]
        return sum(self.of[one].met.get(other, 0) > 0 for one, other in pairs)

    def build_fact(self, **lies: object) -> RoundPaired:
        """Return the round with a certificate that is true except for the lies."""
        known = all(entry in self.of for table in [*self.tables, self.rests] for entry in table)
        seats = [[self.of[entry] for entry in table] for table in self.tables] if known else []
        rests = [self.of[entry] for entry in self.rests] if seats else []
        truth = compute_round_certificate(self.problem, seats, rests) if seats else self.certificate
        tables = tuple(TableSeating(number, tuple(table)) for number, table in enumerate(self.tables, 1))
        weighed = msgspec.structs.replace(truth, **lies)
        return RoundPaired(round=self.paired.round, tables=tables, byes=tuple(self.rests), weighed=weighed)


Trick = Callable[[ForgedRound, Random], Forged]


def seat_of(forged: ForgedRound, draw: Random) -> tuple[list[int], int]:
    table = draw.choice(forged.tables)
    return table, draw.randrange(len(table))


def exchanged(forged: ForgedRound, draw: Random, wanted: Callable[[ForgedRound], bool]) -> bool:
    """Exchange two entries of different tables so that `wanted` is true; return False if no such pair was drawn."""
    if len(forged.tables) < 2:
        return False
    for _ in range(60):
        one, other = draw.sample(forged.tables, 2)
        here, there = draw.randrange(len(one)), draw.randrange(len(other))
        one[here], other[there] = other[there], one[here]
        if wanted(forged):
            return True
        one[here], other[there] = other[there], one[here]
    return False


def same_bot_twice(forged: ForgedRound, draw: Random) -> Forged:
    (table, seat), (other, place) = seat_of(forged, draw), seat_of(forged, draw)
    if table[seat] == other[place]:
        return None
    table[seat] = other[place]
    return forged.build_fact()


def bot_missing(forged: ForgedRound, draw: Random) -> Forged:
    table, seat = seat_of(forged, draw)
    del table[seat]
    return forged.build_fact() if len(table) > 1 else None


def stranger(forged: ForgedRound, draw: Random) -> Forged:
    """Seat an entry that has withdrawn, or does not exist."""
    table, seat = seat_of(forged, draw)
    gone = [entrant.entry for entrant in forged.league.entrants if entrant.withdrawn]
    table[seat] = draw.choice([*gone, len(forged.league.entrants) + 50])
    return forged.build_fact()


def drawn_before_entering(forged: ForgedRound, draw: Random) -> Forged:
    """Seat an entry that enters only later."""
    later, (table, seat) = len(forged.league.entrants) + 1, seat_of(forged, draw)
    table[seat] = later
    return forged.build_fact() if later <= len(forged.made.league.entrants) else None


def rest_while_playing(forged: ForgedRound, draw: Random) -> Forged:
    """Give an entry that plays the points of a bye, too."""
    table, seat = seat_of(forged, draw)
    forged.rests.append(table[seat])
    return forged.build_fact()


def resting_twice(forged: ForgedRound, draw: Random) -> Forged:
    forged.rests += draw.sample(forged.rests, min(1, len(forged.rests)))
    return forged.build_fact()


def left_out_with_a_table(forged: ForgedRound, draw: Random) -> Forged:
    """Remove a whole table, whose entries then have neither a match nor a bye."""
    forged.tables.pop(draw.randrange(len(forged.tables)))
    return forged.build_fact() if forged.tables else None


def double_rest(forged: ForgedRound, draw: Random) -> Forged:
    for at, resting in enumerate(forged.rests):
        for table in forged.tables:
            for seat, entry in enumerate(table):
                if forged.of[entry].rests > forged.of[resting].rests:
                    forged.rests[at], table[seat] = entry, resting
                    return forged.build_fact()
    return None


def rest_given_away(forged: ForgedRound, draw: Random) -> Forged:
    """Give the bye to a higher-placed entry."""
    for at, resting in enumerate(forged.rests):
        for table in forged.tables:
            for seat, entry in enumerate(table):
                if not forged.league.forbidden and forged.of[entry].points > forged.of[resting].points:
                    forged.rests[at], table[seat] = entry, resting
                    return forged.build_fact()
    return None


def more_rest_than_must(forged: ForgedRound, draw: Random) -> Forged:
    if len(forged.tables) < 2:
        return None
    forged.rests += forged.tables.pop()
    return forged.build_fact()


def forbidden_meeting(forged: ForgedRound, draw: Random) -> Forged:
    """Forbid the pair afterwards (`forbidden_by`), so the round itself stays the same."""
    table = forged.tables[0]
    table[:] = [*table[1:], table[0]]
    return forged.build_fact()


def avoidable_repeat(forged: ForgedRound, draw: Random) -> Forged:
    before = forged.repeats() if forged.problem.full == 2 else forged.squares()
    more = exchanged(forged, draw, lambda f: (f.repeats() if f.problem.full == 2 else f.squares()) > before)
    return forged.build_fact() if more else None


def avoidable_repeat_called_unavoidable(forged: ForgedRound, draw: Random) -> Forged:
    before = forged.repeats()
    if not exchanged(forged, draw, lambda f: f.repeats() > before):
        return None
    known = draw.choice(["counting", "matching"])
    entries = sorted(forged.of)
    proof = tuple(sorted(draw.sample(entries, draw.randrange(len(entries) // 2)))) if known == "matching" else ()
    return forged.build_fact(fewest=forged.repeats(), known=known, witness=proof)


def false_bound(forged: ForgedRound, draw: Random) -> Forged:
    return forged.build_fact(fewest=forged.certificate.fewest + draw.randint(1, 3))


def false(name: str) -> Trick:
    """Return the trick that states a wrong number in the certificate."""

    def trick(forged: ForgedRound, draw: Random) -> Forged:
        return forged.build_fact(**{name: getattr(forged.certificate, name) + draw.choice([-1, 1, 2])})

    trick.__name__ = f"false_{name}"
    return trick


def tables_too_unequal(forged: ForgedRound, draw: Random) -> Forged:
    if len(forged.tables) < 2:
        return None
    longest, shortest = max(forged.tables, key=len), min(forged.tables[::-1], key=len)
    shortest.append(longest.pop())
    return forged.build_fact() if longest and abs(len(longest) - len(shortest)) > 1 else None


def round_left_out(forged: ForgedRound, draw: Random) -> Forged:
    return msgspec.structs.replace(forged.build_fact(), round=forged.paired.round + 1)


def tables_misnumbered(forged: ForgedRound, draw: Random) -> Forged:
    tables = [msgspec.structs.replace(table, number=table.number + 1) for table in forged.build_fact().tables]
    return msgspec.structs.replace(forged.build_fact(), tables=tuple(tables))


TRICKS: tuple[Trick, ...] = (
    same_bot_twice,
    bot_missing,
    stranger,
    drawn_before_entering,
    rest_while_playing,
    resting_twice,
    left_out_with_a_table,
    double_rest,
    rest_given_away,
    more_rest_than_must,
    forbidden_meeting,
    avoidable_repeat,
    avoidable_repeat_called_unavoidable,
    false_bound,
    *(false(name) for name in ("repeats", "siblings", "floaters", "seats", "rested")),
    tables_too_unequal,
    round_left_out,
    tables_misnumbered,
)
