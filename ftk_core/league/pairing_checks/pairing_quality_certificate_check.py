"""Check of the published counts that show the quality of a round's pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from itertools import combinations

from ftk_core.league.event_fields import PairingQualityCertificate
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing_checks.league_history import LeagueHistory, Pair, Seating, entry_seats, odd_entries


def flaws_of_a_certificate(
    past: LeagueHistory, drawn: RoundPaired, certificate: PairingQualityCertificate
) -> Iterator[str]:
    """Yield a sentence for each wrong count of a round, and for avoidable repeated meetings."""
    if not drawn.tables or not all(table.seating for table in drawn.tables):
        yield "its certificate counts tables that nobody sits at"
        return
    yield from _flaws_of_numbers(past, drawn, certificate)
    yield from _flaws_of_repeats(past, drawn, certificate)


def _flaws_of_numbers(past: LeagueHistory, drawn: RoundPaired, certificate: PairingQualityCertificate) -> Iterator[str]:
    authors, tables = past.authors, [table.seating for table in drawn.tables]
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    counted = {
        "repeats": sum(past.met[frozenset(pair)] > 0 for pair in pairs),
        "siblings": sum(authors.get(one, "") == authors.get(other, "") != "" for one, other in pairs),
        "floaters": sum(past.points[e] < max(past.points[o] for o in table) for table in tables for e in table),
        "seats": max(_unevenness(past, table, entry) for table in tables for entry in table),
        "rested": max((past.rested[entry] for entry in odd_entries(drawn)), default=0),
    }
    if certificate.seats_least is not None:
        counted["seats_least"] = max(_least_unevenness(past, table) for table in tables)
    for name, number in counted.items():
        if getattr(certificate, name) != number:
            yield f"its certificate says {name} {getattr(certificate, name)}, counted are {number}"


def _unevenness(past: LeagueHistory, table: Seating, entry: int) -> int:
    after = Counter({seat: past.sat[entry, seat] for seat in range(len(table))})
    after.update(seat for game in range(past.stage.games) for one, seat in entry_seats(table, game) if one == entry)
    return max(after.values()) - min(after[seat] for seat in range(len(table)))


def _least_unevenness(past: LeagueHistory, table: Seating) -> int:
    """Return the largest seat gap of a table's bots under the best seating."""
    # Seat gap: uses of the most used seat minus uses of the least used. Limits are tried in ascending order, until
    # every bot has a seat with at most this gap (Kuhn's augmenting paths).
    size = len(table)
    sits = {
        (entry, seat): _unevenness(past, (*[0] * seat, entry, *[0] * (size - seat - 1)), entry)
        for entry in table
        for seat in range(size)
    }
    return next(limit for limit in sorted(set(sits.values())) if _can_seat_all(table, sits, limit))


def _can_seat_all(table: Seating, sits: Mapping[tuple[int, int], int], limit: int) -> bool:
    holders: dict[int, int] = {}

    def finds_seat(entry: int, asked_seats: set[int]) -> bool:
        for seat in range(len(table)):
            if sits[entry, seat] <= limit and seat not in asked_seats:
                asked_seats.add(seat)
                if seat not in holders or finds_seat(holders[seat], asked_seats):
                    holders[seat] = entry
                    return True
        return False

    return all(finds_seat(entry, set()) for entry in table)


def _flaws_of_repeats(past: LeagueHistory, drawn: RoundPaired, certificate: PairingQualityCertificate) -> Iterator[str]:
    # The certificate of a round that an organiser changed was made anew when the round began.
    forbidden = past.forbidden if drawn.round in past.by_hand else past.barred
    tables = [table.seating for table in drawn.tables]
    proved = fewest_repeats(
        past.met, tables, forbidden, certificate.witness if certificate.known == "matching" else None
    )
    if certificate.fewest != proved:
        says = f"its certificate says that {certificate.fewest} repeats are the fewest"
        yield f"{says}, by {certificate.known} they are {proved}"
    elif drawn.round in past.by_hand:
        return  # the organiser who changed the round is responsible for its repeats
    elif max(map(len, tables)) == 2 and certificate.repeats != proved and not forbidden:
        yield f"{certificate.repeats} pairs meet again, where {proved} must"
    elif spared := find_saving_exchange(past.met, tables, forbidden):
        yield f"with entries {spared[0]} and {spared[1]} exchanged fewer would meet again"


def fewest_repeats(
    met: Mapping[Pair, int], tables: Sequence[Seating], forbidden: AbstractSet[Pair], witness: Seating | None
) -> int:
    """Return a lower bound on the number of repeated meetings, for the bots and the table sizes in `tables`.

    `witness` is the published set of bots that proves the bound. If it is None, derive the bound from the number of
    pairs that have not met.
    """
    seated = [entry for table in tables for entry in table]
    gone = set(witness or ())
    known: dict[int, set[int]] = {entry: set() for entry in seated}
    for pair in (*(pair for pair, times in met.items() if times), *forbidden):
        if pair <= known.keys() and len(pair) == 2:
            for entry in pair:
                known[entry] |= pair - {entry}
    if witness is not None:
        return max(0, _count_odd_components(set(seated) - gone, known) - len(gone & set(seated))) // 2 if tables else 0
    new = {entry: len(seated) - 1 - len(met_entries) for entry, met_entries in known.items()}
    opponent_counts = [len(table) - 1 for table in tables for _ in table]
    short = sum(max(0, min(opponent_counts) - count) for count in new.values())
    return max(0, (sum(opponent_counts) - sum(new.values())) // 2, (short + 1) // 2)


def _count_odd_components(left: set[int], known: Mapping[int, set[int]]) -> int:
    """Count the odd components of the graph in which edges join bots that have not met."""
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


def find_saving_exchange(
    met: Mapping[Pair, int], tables: Sequence[Seating], forbidden: AbstractSet[Pair]
) -> tuple[int, int] | None:
    """Return two bots of different tables whose exchange would reduce repeated meetings, or None."""
    # At larger tables, the sum of the squared numbers of earlier meetings must fall. A forbidden meeting weighs more
    # than any repeated one.
    most = 1 if max(map(len, tables)) == 2 else 7

    def burden(entry: int, table: Seating, but: int) -> int:
        others = [frozenset((entry, other)) for other in table if other not in (entry, but)]
        return sum(min(met.get(pair, 0), most) ** 2 + 10_000 * (pair in forbidden) for pair in others)

    own = {entry: burden(entry, table, entry) for table in tables for entry in table}
    for own_table, other_table in combinations(tables, 2):
        for one in own_table:
            for other in other_table:
                # an exchange only helps if one of the two entries repeats a meeting
                now = own[one] + own[other]
                if now and burden(one, other_table, other) + burden(other, own_table, one) < now:
                    return one, other
    return None
