"""Fields to pair: what simulated leagues look like after some rounds, from a seed."""

from __future__ import annotations

from random import Random

from ftk_core.league.pairing.drawing import pair
from ftk_core.league.pairing.field import Candidate, Field
from ftk_core.rng import Chance, seed_of

WIN = 840
"""The points of a win, so that shares at tables of up to eight are whole."""


class League:
    """A league as pairing sees it."""

    def __init__(self, entries: int, size: int, label: str) -> None:
        self.size, self.draw = size, Random(label)
        self.strength = {entry: self.draw.gauss(0, 1) for entry in range(1, entries + 1)}
        self.points = dict.fromkeys(self.strength, 0)
        self.met: dict[int, dict[int, int]] = {entry: {} for entry in self.strength}
        self.seats: dict[int, dict[int, int]] = {entry: {} for entry in self.strength}

    def field(self) -> Field:
        candidates = tuple(
            Candidate(entry=entry, points=self.points[entry], met=self.met[entry], seats=self.seats[entry])
            for entry in self.strength
        )
        return Field(candidates=candidates, full=self.size, least=2, win=WIN)

    def play(self, table: tuple[int, ...]) -> None:
        """Let a table meet; the stronger are likelier in front."""
        order = sorted(table, key=lambda entry: -(self.strength[entry] + self.draw.gauss(0, 1)))
        for place, entry in enumerate(order):
            self.points[entry] += WIN * (len(table) - 1 - place) // (len(table) - 1)
        for seat, entry in enumerate(table):
            self.seats[entry][seat] = self.seats[entry].get(seat, 0) + 1
            for other in table:
                if other != entry:
                    self.met[entry][other] = self.met[entry].get(other, 0) + 1


def carelessly_paired(entries: int, size: int, rounds: int, seed: int) -> Field:
    """Return a field whose rounds were cut from the standings with some noise, without a look at who had met."""
    league = League(entries, size, f"{entries}/{size}/{rounds}/{seed}")
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
    return league.field()


def well_paired(entries: int, size: int, rounds: int, seed: int = 1) -> Field:
    """Return a field whose rounds were paired as leagues are."""
    league = League(entries, size, f"{entries}/{size}/{seed}")
    for number in range(1, rounds + 1):
        for table in pair(league.field(), Chance(seed_of("bench", seed)).at("pairing", number)).tables:
            league.play(table)
    return league.field()
