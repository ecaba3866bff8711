"""Simulated leagues after some rounds, generated from a seed, as input for benchmarks of the pairing."""

from __future__ import annotations

from random import Random

from ftk_core.league.pairing.pairing_input_and_output import PairingCandidate, PairingInput
from ftk_core.league.pairing.round_pairing import draw_round
from ftk_core.random_streams import MatchRandomness, seed_of

WIN = 840
"""Points of a win: divisible by 1 to 8, so that equal shares of a win are whole numbers."""


class GeneratedLeague:
    """A simulated league with the data that pairing needs: each bot's points, earlier opponents and earlier seats."""

    def __init__(self, entries: int, size: int, label: str) -> None:
        self.size, self.draw = size, Random(label)
        self.strength = {entry: self.draw.gauss(0, 1) for entry in range(1, entries + 1)}
        self.points = dict.fromkeys(self.strength, 0)
        self.met: dict[int, dict[int, int]] = {entry: {} for entry in self.strength}
        self.seats: dict[int, dict[int, int]] = {entry: {} for entry in self.strength}

    def build_problem(self) -> PairingInput:
        candidates = tuple(
            PairingCandidate(entry=entry, points=self.points[entry], met=self.met[entry], seats=self.seats[entry])
            for entry in self.strength
        )
        return PairingInput(candidates=candidates, full=self.size, least=2, win=WIN)

    def play(self, table: tuple[int, ...]) -> None:
        """Simulate a match and record its result. Stronger bots win more often.

        `table` has the numbers of the bots by seat.
        """
        order = sorted(table, key=lambda entry: -(self.strength[entry] + self.draw.gauss(0, 1)))
        for place, entry in enumerate(order):
            self.points[entry] += WIN * (len(table) - 1 - place) // (len(table) - 1)
        for seat, entry in enumerate(table):
            self.seats[entry][seat] = self.seats[entry].get(seat, 0) + 1
            for other in table:
                if other != entry:
                    self.met[entry][other] = self.met[entry].get(other, 0) + 1


def build_carelessly_paired_field(entries: int, size: int, rounds: int, seed: int) -> PairingInput:
    """Simulate a league whose bots may meet repeatedly. Return the input for the next pairing.

    `entries` is the number of bots, `size` the number of bots in a match.
    """
    league = GeneratedLeague(entries, size, f"{entries}/{size}/{rounds}/{seed}")
    for _ in range(rounds):
        order = list(league.strength)
        league.draw.shuffle(order)
        noise = {entry: league.draw.gauss(0, WIN) for entry in order}
        order.sort(key=lambda entry: -league.points[entry] - noise[entry])
        for start in range(0, entries, size):
            table = order[start : start + size]
            league.draw.shuffle(table)
            if len(table) > 1:
                league.play(tuple(table))
    return league.build_problem()


def build_well_paired_field(entries: int, size: int, rounds: int, seed: int = 1) -> PairingInput:
    """Simulate a league with real pairings. Return the input for the next pairing.

    `entries` is the number of bots, `size` the number of bots in a match.
    """
    league = GeneratedLeague(entries, size, f"{entries}/{size}/{seed}")
    for number in range(1, rounds + 1):
        lot = MatchRandomness(seed_of("bench", seed)).at("pairing", number)
        for table in draw_round(league.build_problem(), lot).tables:
            league.play(table)
    return league.build_problem()
