"""Accusations, endings and winners."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.facts import Fact
from ftk_core.game import put
from ftk_core.games.kings_court.box import APPRENTICE, GUARD, PEASANT, PRINCESS, THIEF, URCHIN, USURPER
from ftk_core.games.kings_court.facts import (
    Accused,
    CourtClosed,
    Ending,
    Exiled,
    FakeShown,
    GiftGiven,
    Halted,
    PocketsEmptied,
    PrincessCourted,
    StoodBy,
)
from ftk_core.games.kings_court.state import Accusation, Table, guard_in_play, role_of, stolen, subjects
from ftk_core.games.kings_court.talk import open_floor


def accused(table: Table, fact: Accused) -> Table:
    """Accuse a subject; with a Guard in play, everybody else is asked whether to cry HAULT (K27)."""
    window = tuple(seat for seat in subjects(table) if seat != fact.seat) if guard_in_play(table) else ()
    accusations = (*table.accusations, Accusation(fact.seat, len(table.said)))
    return replace(table, accused=fact.seat, accusations=accusations, window=window, shout=None)


def stood_by(table: Table, fact: StoodBy) -> Table:
    """Record that a seat does not cry HAULT."""
    return replace(table, window=tuple(seat for seat in table.window if seat != fact.seat))


def halted(table: Table, fact: Halted) -> Table:
    """Record the Guard's cry. It takes effect once all seats have answered."""
    table = replace(table, window=tuple(seat for seat in table.window if seat != fact.seat))
    return replace(table, shout=fact.seat)


def resolve(table: Table) -> list[Fact]:
    """Return the facts that follow from an accusation, up to the next choice or the end (RULES.md, the accusation)."""
    seat = table.accused
    assert seat is not None
    role, take = role_of(table, seat), table.takes[seat]
    assert take is not None
    if table.shout is not None:
        return _stopped(table, seat, role)
    if role == PRINCESS:
        return _princess(table)
    if role == USURPER:
        return [closed(table, "usurper", (seat,))]
    if take.fake and not table.fake_shown[seat]:
        return [FakeShown(seat)]
    if role == THIEF:
        return [PocketsEmptied(seat, take, exiled=True)]
    mistake: Fact = GiftGiven(seat) if table.gifts else Exiled(0)
    return [PocketsEmptied(seat, take, exiled=False), mistake]


def _stopped(table: Table, seat: int, role: str) -> list[Fact]:
    """Return the facts that follow from a HAULT: the Guard wins alone, or both are exiled (K14, K15)."""
    guard, take = table.shout, table.takes[seat]
    assert guard is not None
    assert take is not None
    if role == USURPER:
        return [closed(table, "guard", (guard,))]
    return [Exiled(guard), PocketsEmptied(seat, take, exiled=True)]


def _princess(table: Table) -> list[Fact]:
    """Return the Princess's victory, or her choice (K23)."""
    richest, seat = wealthiest(table), table.accused
    assert seat is not None
    if len(richest) > 1:
        return [PrincessCourted(seat, richest)]
    return [closed(table, "princess", (seat, *richest))]


def princess_courted(table: Table, fact: PrincessCourted) -> Table:
    """Let the Princess choose."""
    return replace(table, tied=fact.between)


def wealthiest(table: Table) -> tuple[int, ...]:
    """Return the seats with most diamonds: the King by recovered ones, Thieves in play by those they took."""
    wealth = {0: table.recovered}
    for seat in subjects(table):
        take = table.takes[seat]
        if take and take.diamonds:
            wealth[seat] = take.diamonds
    most = max(wealth.values())
    return tuple(seat for seat, diamonds in sorted(wealth.items()) if diamonds == most)


def fake_shown(table: Table, fact: FakeShown) -> Table:
    """Keep the accused in the game; the King can accuse them again (K12)."""
    return open_floor(replace(table, fake_shown=put(table.fake_shown, fact.seat, value=True), accused=None))


def pockets_emptied(table: Table, fact: PocketsEmptied) -> Table:
    """Reveal what a seat took; its diamonds go to the King."""
    table = replace(table, revealed=put(table.revealed, fact.seat, value=True), accused=None, shout=None)
    table = replace(table, recovered=table.recovered + fact.take.diamonds)
    if fact.exiled:
        table = replace(table, exiled=put(table.exiled, fact.seat, value=True))
    return open_floor(table)


def gift_given(table: Table, _fact: GiftGiven) -> Table:
    """Pay a gift for a mistake."""
    return replace(table, gifts=table.gifts - 1)


def exiled(table: Table, fact: Exiled) -> Table:
    """Exile a seat."""
    return replace(
        table, exiled=put(table.exiled, fact.seat, value=True), revealed=put(table.revealed, fact.seat, value=True)
    )


def court_closed(table: Table, fact: CourtClosed) -> Table:
    """End the game."""
    return replace(table, ending=fact.ending, winners=fact.winners, floor=(), accused=None, window=(), tied=())


def ended(table: Table) -> CourtClosed | None:
    """Return the end if the King is exiled or has everything back (K7, K8)."""
    if table.exiled[0]:
        return closed(table, "exile", _exile_winners(table))
    if table.arrivals[0] is not None and table.recovered == stolen(table):
        return closed(table, "king", _king_winners(table))
    return None


def _king_winners(table: Table) -> tuple[int, ...]:
    """Return the King, the Loyal Peasants, and a Guard who never cried HAULT (K17, K18)."""
    return tuple(
        seat
        for seat in range(table.seats)
        if seat == 0 or role_of(table, seat) == PEASANT or (role_of(table, seat) == GUARD and not table.exiled[seat])
    )


def _exile_winners(table: Table) -> tuple[int, ...]:
    """Return the richest Thieves in play and every Street Urchin (K18, K24)."""
    thieves = {seat: table.takes[seat] for seat in subjects(table) if role_of(table, seat) == THIEF}
    if not thieves:
        return ()
    most = max(take.diamonds for take in thieves.values() if take)
    rich = [seat for seat, take in thieves.items() if take and take.diamonds == most]
    urchins = [seat for seat in range(1, table.seats) if role_of(table, seat) == URCHIN]
    return tuple(sorted(rich + urchins))


def closed(table: Table, ending: Ending, winners: tuple[int, ...]) -> CourtClosed:
    """Return the end; an Apprentice wins if the right neighbour wins (K21, K22)."""
    won = set(winners)
    while more := {
        seat
        for seat in range(1, table.seats)
        if role_of(table, seat) == APPRENTICE and seat - 1 in won and seat not in won
    }:
        won |= more
    return CourtClosed(
        ending=ending,
        winners=tuple(sorted(won)),
        hidden=table.hidden or 0,
        dismissed=table.dismissed,
        takes=table.takes,
    )
