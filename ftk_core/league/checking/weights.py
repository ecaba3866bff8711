"""Check of a round's certificate: its numbers are recounted, its lower bound is proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

from ftk_core.league.checking.past import Pair, Past, Seating, odd, seats
from ftk_core.league.facts import RoundPaired
from ftk_core.league.plans import Weighed


def flaws_of_a_certificate(past: Past, drawn: RoundPaired, said: Weighed) -> Iterator[str]:
    """Yield false numbers in a certificate, and repeats that could have been avoided."""
    yield from _flaws_of_numbers(past, drawn, said)
    yield from _flaws_of_repeats(past, drawn, said)


def _flaws_of_numbers(past: Past, drawn: RoundPaired, said: Weighed) -> Iterator[str]:
    authors, tables = past.authors, [table.seating for table in drawn.tables]
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    counted = {
        "repeats": sum(past.met[frozenset(pair)] > 0 for pair in pairs),
        "siblings": sum(authors.get(one, "") == authors.get(other, "") != "" for one, other in pairs),
        "floaters": sum(past.points[e] < max(past.points[o] for o in table) for table in tables for e in table),
        "seats": max(_unevenness(past, table, entry) for table in tables for entry in table),
        "rested": max((past.rested[entry] for entry in odd(drawn)), default=0),
    }
    if said.seats_least is not None:
        counted["seats_least"] = max(_least_unevenness(past, table) for table in tables)
    for name, number in counted.items():
        if getattr(said, name) != number:
            yield f"its certificate says {name} {getattr(said, name)}, counted are {number}"


def _unevenness(past: Past, table: Seating, entry: int) -> int:
    after = Counter({seat: past.sat[entry, seat] for seat in range(len(table))})
    after.update(seat for game in range(past.stage.games) for one, seat in seats(table, game) if one == entry)
    return max(after.values()) - min(after[seat] for seat in range(len(table)))


def _least_unevenness(past: Past, table: Seating) -> int:
    """Return the minimum, over all seatings of a table, of the largest unevenness of an entry.

    The method is Kuhn's augmenting paths: for each limit, from the lowest, try to give everybody a seat within it.
    """
    size = len(table)
    sits = {
        (entry, seat): _unevenness(past, (*[0] * seat, entry, *[0] * (size - seat - 1)), entry)
        for entry in table
        for seat in range(size)
    }
    return next(limit for limit in sorted(set(sits.values())) if _all_sit(table, sits, limit))


def _all_sit(table: Seating, sits: Mapping[tuple[int, int], int], limit: int) -> bool:
    holders: dict[int, int] = {}

    def finds_seat(entry: int, asked: set[int]) -> bool:
        for seat in range(len(table)):
            if sits[entry, seat] <= limit and seat not in asked:
                asked.add(seat)
                if seat not in holders or finds_seat(holders[seat], asked):
                    holders[seat] = entry
                    return True
        return False

    return all(finds_seat(entry, set()) for entry in table)


def _flaws_of_repeats(past: Past, drawn: RoundPaired, said: Weighed) -> Iterator[str]:
    forbidden, tables = past.barred, [table.seating for table in drawn.tables]
    proved = fewest_repeats(past.met, tables, forbidden, said.witness if said.known == "matching" else None)
    if said.fewest != proved:
        yield f"its certificate says that {said.fewest} repeats are the fewest, by {said.known} they are {proved}"
    elif drawn.round in past.by_hand:
        return  # the organiser who changed the round is responsible for its repeats
    elif max(map(len, tables)) == 2 and said.repeats != proved and not forbidden:
        yield f"{said.repeats} pairs meet again, where {proved} must"
    elif spared := sparing_exchange(past.met, tables, forbidden):
        yield f"with entries {spared[0]} and {spared[1]} exchanged fewer would meet again"


def fewest_repeats(
    met: Mapping[Pair, int], tables: Sequence[Seating], forbidden: AbstractSet[Pair], witness: Seating | None
) -> int:
    """Return a lower bound on the repeats of tables with these sizes, by the witness or else by counting."""
    seated = [entry for table in tables for entry in table]
    gone = set(witness or ())
    known: dict[int, set[int]] = {entry: set() for entry in seated}
    for pair in (*(pair for pair, times in met.items() if times), *forbidden):
        if pair <= known.keys() and len(pair) == 2:
            for entry in pair:
                known[entry] |= pair - {entry}
    if witness is not None:
        return max(0, _odd_parts(set(seated) - gone, known) - len(gone & set(seated))) // 2 if tables else 0
    new = {entry: len(seated) - 1 - len(those) for entry, those in known.items()}
    wanted = [len(table) - 1 for table in tables for _ in table]
    short = sum(max(0, min(wanted) - count) for count in new.values())
    return max(0, (sum(wanted) - sum(new.values())) // 2, (short + 1) // 2)


def _odd_parts(left: set[int], known: Mapping[int, set[int]]) -> int:
    """Count the connected components of odd size in the graph of entries left over, joined if they have not met."""
    odd = 0
    while left:
        part, todo = 0, [left.pop()]
        while todo:
            part += 1
            reached = left - known[todo.pop()]
            left -= reached
            todo.extend(reached)
        odd += part % 2
    return odd


def sparing_exchange(
    met: Mapping[Pair, int], tables: Sequence[Seating], forbidden: AbstractSet[Pair]
) -> tuple[int, int] | None:
    """Return two entries of different tables whose swap would reduce the repeated encounters, or None.

    At tables of three and more an exchange can trade one repeat for another: there the squares of the meetings count.
    """
    most = 1 if max(map(len, tables)) == 2 else 7

    def burden(entry: int, table: Seating, but: int) -> int:
        others = [frozenset((entry, other)) for other in table if other not in (entry, but)]
        return sum(min(met.get(pair, 0), most) ** 2 + 10_000 * (pair in forbidden) for pair in others)

    own = {entry: burden(entry, table, entry) for table in tables for entry in table}
    for here, there in combinations(tables, 2):
        for one in here:
            for other in there:
                # only an entry with repeats can be relieved
                now = own[one] + own[other]
                if now and burden(one, there, other) + burden(other, here, one) < now:
                    return one, other
    return None
