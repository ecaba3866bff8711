"""Swiss pairing for tables of any size.

In this order of weight: nobody meets again while that can be avoided, byes and short tables go round,
tables are of one score group. Two-seat tables are an exact maximum-weight matching; larger ones start
from the standings and are improved by exchanging entries until no exchange helps, from several
starting orders. All luck is drawn from the league's published seal, so that anybody can repeat it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import rustworkx as rx

from ftk_core.league.facts import RoundPaired, TablePlan
from ftk_core.league.standings import standings
from ftk_core.league.state import LeagueState
from ftk_core.rng import Chance, Draw
from tournaments.formats.history import History, history_of

AGAIN, SHORT = 1_000_000_000, 1_000_000
"""Weights: meeting again, sitting short again. Score differences (squared, in 24ths) stay below both."""
STARTS = 12
"""Starting orders tried for tables of three and more."""
NEIGHBOURS = 6
"""Entries are exchanged between tables at most so far apart in the standings."""
FIRST_SEAT = 1_000
"""What sitting first weighs against any other seat: it begins, or is the King."""


def pair(league: LeagueState) -> RoundPaired:
    """Return the next round's tables and byes; raises ValueError when too few entries are left for one table."""
    number = len(league.rounds) + 1
    draw = Chance(bytes.fromhex(league.header.secret_seal)).at("pairing", number)
    history = history_of(league)
    order, points = _order(league, draw)
    byes, sizes = _sizes(len(order), league.header.seats, league.header.least)
    resting = _resting(order, byes, history)
    playing = [entry for entry in order if entry not in resting]
    groups = _Grouping(playing, sizes, points, history, draw).best()
    tables = [
        TablePlan(table + 1, _seating(group, league.header.games, history, draw)) for table, group in enumerate(groups)
    ]
    return RoundPaired(number, tuple(tables), tuple(resting))


def _order(league: LeagueState, draw: Draw) -> tuple[list[int], dict[int, int]]:
    """Return the entries still playing by points, equal ones in drawn order, and their points in 24ths."""
    rows = {row.entry: row for row in standings(league)}
    active = [entrant.entry for entrant in league.entrants if not entrant.withdrawn]
    points = {entry: int(rows[entry].points * 24) for entry in active}
    return sorted(draw.shuffled(active), key=lambda entry: -points[entry]), points


def _sizes(entries: int, full: int, least: int) -> tuple[int, list[int]]:
    """Return the number of byes, as few as can be, and the table sizes, as equal as can be."""
    for byes in range(entries):
        playing = entries - byes
        tables = -(-playing // full)
        if playing // tables >= least:
            larger = playing % tables
            return byes, [playing // tables + 1] * larger + [playing // tables] * (tables - larger)
    raise ValueError(f"{entries} entries do not fill a table of {least}")


def _resting(order: Sequence[int], byes: int, history: History) -> list[int]:
    """Return who rests: whoever has rested least, among them the lowest in the order."""
    ranked = sorted(range(len(order)), key=lambda index: (history.byes[order[index]], -index))
    return [order[index] for index in ranked[:byes]]


class _Grouping:
    """The search for the cheapest way to sit down."""

    def __init__(
        self,
        playing: Sequence[int],
        sizes: Sequence[int],
        points: dict[int, int],
        history: History,
        draw: Draw,
    ) -> None:
        self._playing, self._sizes, self._points = list(playing), list(sizes), points
        self._history, self._draw = history, draw
        self._full = max(sizes, default=0)

    def best(self) -> list[list[int]]:
        """Return the groups, the leaders' first."""
        groups = self._matched() if self._full == 2 else self._searched()
        return sorted(groups, key=lambda group: -sum(self._points[entry] for entry in group) / len(group))

    def _pair_cost(self, one: int, other: int) -> int:
        met = self._history.met(one, other)
        return AGAIN * met * met + (self._points[one] - self._points[other]) ** 2

    def _cost(self, group: Sequence[int]) -> int:
        cost = sum(self._pair_cost(one, other) for one, other in combinations(group, 2))
        if len(group) < self._full:
            cost += SHORT * sum(1 + 2 * self._history.short[entry] for entry in group)
        return cost

    def _matched(self) -> list[list[int]]:
        graph: rx.PyGraph[int, int] = rx.PyGraph()
        graph.add_nodes_from(self._playing)
        costs = {
            (a, b): self._pair_cost(self._playing[a], self._playing[b])
            for a, b in combinations(range(len(self._playing)), 2)
        }
        top = max(costs.values(), default=0) + 1
        graph.add_edges_from([(a, b, top - cost) for (a, b), cost in costs.items()])
        matching = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
        # which end of a pair comes first is chance, and not the league's
        return [[self._playing[a], self._playing[b]] for a, b in sorted((min(ends), max(ends)) for ends in matching)]

    def _searched(self) -> list[list[int]]:
        starts = [self._playing] + [list(self._draw.shuffled(self._playing)) for _ in range(STARTS - 1)]
        tries = [self._improved(self._cut(start)) for start in starts]
        return min(tries, key=lambda groups: sum(map(self._cost, groups)))

    def _cut(self, order: Sequence[int]) -> list[list[int]]:
        groups, start = [], 0
        for size in self._sizes:
            groups.append(list(order[start : start + size]))
            start += size
        return groups

    def _improved(self, groups: list[list[int]]) -> list[list[int]]:
        costs = [self._cost(group) for group in groups]
        better = True
        while better:
            better = False
            for a, b in combinations(range(len(groups)), 2):
                if b - a <= NEIGHBOURS and self._exchange(groups, costs, a, b):
                    better = True
        return groups

    def _exchange(self, groups: list[list[int]], costs: list[int], a: int, b: int) -> bool:
        """Exchange two entries between two tables if that lowers the cost."""
        for i in range(len(groups[a])):
            for j in range(len(groups[b])):
                one, other = groups[a].copy(), groups[b].copy()
                one[i], other[j] = other[j], one[i]
                new_a, new_b = self._cost(one), self._cost(other)
                if new_a + new_b < costs[a] + costs[b]:
                    groups[a], groups[b], costs[a], costs[b] = one, other, new_a, new_b
                    return True
        return False


def _seating(group: Sequence[int], games: int, history: History, draw: Draw) -> tuple[int, ...]:
    """Return the seating in which everybody sits where they have sat least; who begins has begun least.

    Each further match of the table turns the seats by one. The minimum is exact: a matching of entries and seats.
    """
    order, seats = draw.shuffled(group), range(len(group))

    def cost(entry: int, seat: int) -> int:
        """Return what another turn of the table's matches adds to the squares of how often an entry sat where."""
        taken = [(seat - game) % len(group) for game in range(games)]
        return sum((1 + 2 * history.seats[entry, one]) * (FIRST_SEAT if one == 0 else 1) for one in taken)

    top = 1 + max(cost(entry, seat) for entry in order for seat in seats)
    graph: rx.PyGraph[int, int] = rx.PyGraph()
    graph.add_nodes_from([*order, *seats])
    ends = [(index, len(order) + seat) for index in seats for seat in seats]
    graph.add_edges_from([(index, end, top - cost(order[index], end - len(order))) for index, end in ends])
    matching = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    found = {max(pair) - len(order): order[min(pair)] for pair in matching}
    return tuple(found[seat] for seat in seats)
