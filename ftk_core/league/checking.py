"""Whether the rounds of a league were paired lawfully, and whether their certificates say the truth.

It reads the facts and counts everything again in its own way; it knows nothing of how pairing is done, and imports
nothing that does. Lower bounds on repeats are not searched for but proved: by counting, or by a certificate's witness.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import lcm

from ftk_core.league.facts import (
    BotEntered,
    BotWithdrew,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundPaired,
    Weighed,
)

Pair = frozenset[int]
Seating = tuple[int, ...]
LONGEST = 64  # no table is longer, whatever a forged stream says


@dataclass(slots=True, kw_only=True)
class Past:
    """What the facts before a round say, counted."""

    opened: LeagueOpened
    playing: set[int] = field(default_factory=set)
    points: Counter[int] = field(default_factory=Counter)
    met: Counter[Pair] = field(default_factory=Counter)
    sat: Counter[tuple[int, int]] = field(default_factory=Counter)
    rested: Counter[int] = field(default_factory=Counter)
    drawn: list[RoundPaired] = field(default_factory=list)

    @property
    def unit(self) -> int:
        """The points of a win, of which every share of a match is whole."""
        return 2 * lcm(*range(1, min(self.opened.seats, LONGEST) + 1))


def flaws(
    facts: Iterable[LeagueFact], forbidden: Collection[Pair] = (), authors: Mapping[int, str] | None = None
) -> Iterator[str]:
    """Yield a sentence for whatever is wrong with a league's rounds; nothing if they are lawful and truly told."""
    past: Past | None = None
    for fact in facts:
        if isinstance(fact, LeagueOpened):
            past = past or Past(opened=fact)
        elif past is None:
            yield "the stream does not begin with an opened league"
            return
        elif isinstance(fact, RoundPaired):
            for flaw in _flaws_of_a_round(past, fact, frozenset(forbidden), authors or {}):
                yield f"round {fact.round}: {flaw}"
            _sit(past, fact)
        else:
            _count(past, fact)


def _count(past: Past, fact: LeagueFact) -> None:
    match fact:
        case BotEntered():
            past.playing.add(fact.entry)
        case BotWithdrew():
            past.playing.discard(fact.entry)
        case ResultRecorded():
            for entry, worth in zip(fact.seating, _worth(past, fact.places), strict=False):
                past.points[entry] += worth
        case RoundClosed():
            for drawn in past.drawn:
                if drawn.round == fact.round:
                    past.points.update(dict.fromkeys(drawn.byes, past.unit * past.opened.games))
        case _:
            pass


def _worth(past: Past, places: Sequence[int]) -> list[int]:
    """Return by seat what a match is worth."""
    if past.opened.worth == "places":
        behind = [2 * sum(p > place for p in places) + places.count(place) - 1 for place in places]
        return [past.unit * twice // max(1, 2 * (len(places) - 1)) for twice in behind]
    winners = places.count(1) if past.opened.worth == "shared" else 1
    return [past.unit // winners if place == 1 else 0 for place in places]


def _sit(past: Past, drawn: RoundPaired) -> None:
    past.drawn.append(drawn)
    past.rested.update(drawn.byes)
    for table in drawn.tables:
        past.met.update(frozenset(pair) for pair in combinations(table.seating, 2))
        for game in range(past.opened.games):
            past.sat.update(_seats(table.seating, game))


def _seats(seating: Seating, game: int) -> list[tuple[int, int]]:
    """Return (entry, seat) for a match of a table: each further match moves everybody one seat down."""
    return [(entry, (seat - game) % len(seating)) for seat, entry in enumerate(seating)]


def _flaws_of_a_round(
    past: Past, drawn: RoundPaired, forbidden: frozenset[Pair], authors: Mapping[int, str]
) -> Iterator[str]:
    tables = [table.seating for table in drawn.tables]
    found = [*_flaws_of_presence(past, tables, drawn.byes), *_flaws_of_sizes(past, tables, drawn)]
    yield from found
    if found:
        return  # numbers about tables that cannot be would say nothing
    yield from _flaws_of_rests(past, drawn.byes, forbidden)
    for pair in sorted(sorted(pair) for table in tables for pair in combinations(table, 2)):
        if frozenset(pair) in forbidden:
            yield f"entries {pair[0]} and {pair[1]} meet, which is forbidden"
    if drawn.weighed is not None:
        yield from _flaws_of_numbers(past, drawn, drawn.weighed, authors)
        yield from _flaws_of_repeats(past, tables, drawn.weighed, forbidden)


def _flaws_of_presence(past: Past, tables: Sequence[Seating], rests: Seating) -> Iterator[str]:
    times = Counter(entry for table in tables for entry in table) + Counter(rests)
    for entry in sorted(past.playing | set(times)):
        if entry not in past.playing:
            yield f"entry {entry} is drawn, but does not play"
        elif times[entry] != 1:
            yield f"entry {entry} is drawn {times[entry]}x"


def _flaws_of_sizes(past: Past, tables: Sequence[Seating], drawn: RoundPaired) -> Iterator[str]:
    if drawn.round != len(past.drawn) + 1:
        yield f"it comes after {len(past.drawn)} others"
    if [table.number for table in drawn.tables] != list(range(1, len(tables) + 1)):
        yield "its tables are not numbered from 1"
    sizes = sorted(map(len, tables))
    full, least, entries = past.opened.seats, past.opened.least, len(past.playing)
    if not sizes or sizes[0] < least or sizes[-1] > full or sizes[-1] - sizes[0] > 1:
        yield f"its tables are of {sizes}, where {least} to {full} may sit down and lengths differ by 1 at most"
        return
    needed = next(
        (n for n in range(entries) if any(t * least <= entries - n <= t * full for t in range(1, entries))), 0
    )
    if len(drawn.byes) != needed:
        yield f"{len(drawn.byes)} rest, where {needed} must"


def _flaws_of_rests(past: Past, rests: Seating, forbidden: frozenset[Pair]) -> Iterator[str]:
    others = past.playing - set(rests)
    for entry in rests:
        sooner = [one for one in others if past.rested[one] < past.rested[entry]]
        if sooner:
            yield f"entry {entry} rests again, where entry {min(sooner)} has rested less"
        alike = [one for one in others if past.rested[one] == past.rested[entry]]
        lower = [one for one in alike if past.points[one] < past.points[entry]]
        if lower and not forbidden:
            yield f"entry {entry} rests, where entry {min(lower)} stands lower and has rested as often"


def _flaws_of_numbers(past: Past, drawn: RoundPaired, said: Weighed, authors: Mapping[int, str]) -> Iterator[str]:
    tables = [table.seating for table in drawn.tables]
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    counted = {
        "repeats": sum(past.met[frozenset(pair)] > 0 for pair in pairs),
        "siblings": sum(authors.get(one, "") == authors.get(other, "") != "" for one, other in pairs),
        "floaters": sum(past.points[e] < max(past.points[o] for o in table) for table in tables for e in table),
        "seats": max(_unevenness(past, table, entry) for table in tables for entry in table),
        "rested": max((past.rested[entry] for entry in drawn.byes), default=0),
    }
    for name, number in counted.items():
        if getattr(said, name) != number:
            yield f"its certificate says {name} {getattr(said, name)}, counted are {number}"


def _unevenness(past: Past, table: Seating, entry: int) -> int:
    after = Counter({seat: past.sat[entry, seat] for seat in range(len(table))})
    after.update(seat for game in range(past.opened.games) for one, seat in _seats(table, game) if one == entry)
    return max(after.values()) - min(after[seat] for seat in range(len(table)))


def _flaws_of_repeats(
    past: Past, tables: Sequence[Seating], said: Weighed, forbidden: frozenset[Pair]
) -> Iterator[str]:
    proved = fewest_repeats(past.met, tables, forbidden, said.witness if said.known == "matching" else None)
    if said.fewest != proved:
        yield f"its certificate says that {said.fewest} repeats are the fewest, by {said.known} they are {proved}"
    elif max(map(len, tables)) == 2 and said.repeats != proved and not forbidden:
        yield f"{said.repeats} pairs meet again, where {proved} must"
    elif spared := sparing_exchange(past.met, tables, forbidden):
        yield f"with entries {spared[0]} and {spared[1]} exchanged fewer would meet again"


def fewest_repeats(
    met: Mapping[Pair, int], tables: Sequence[Seating], forbidden: frozenset[Pair], witness: Seating | None
) -> int:
    """Return a number of repeats that no tables of these sizes can go below: by the witness, else by counting."""
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
    """Return how many parts of odd size there are among those left, where two hang together if they may meet anew."""
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
    met: Mapping[Pair, int], tables: Sequence[Seating], forbidden: frozenset[Pair]
) -> tuple[int, int] | None:
    """Return two entries of different tables who, exchanged, would lower the repeats, if there are any.

    At tables of three and more, where one may be bought by another, it is the squares of the meetings that count.
    """
    most = 1 if max(map(len, tables)) == 2 else 7

    def burden(entry: int, table: Seating, but: int) -> int:
        others = [frozenset((entry, other)) for other in table if other not in (entry, but)]
        return sum(min(met.get(pair, 0), most) ** 2 + 10_000 * (pair in forbidden) for pair in others)

    own = {entry: burden(entry, table, entry) for table in tables for entry in table}
    for here, there in combinations(tables, 2):
        for one in here:
            for other in there:
                # only whoever is burdened now can be relieved
                now = own[one] + own[other]
                if now and burden(one, there, other) + burden(other, here, one) < now:
                    return one, other
    return None
