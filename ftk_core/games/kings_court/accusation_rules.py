"""Rules of the King's accusations, the end of the game, and the winners."""
# Each `apply_` function returns the new state after an event of one kind.

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.facts import Fact
from ftk_core.game import replace_at
from ftk_core.games.kings_court.facts import (
    AccusationNotStopped,
    AccusationStopped,
    Ending,
    FakeDiamondShown,
    InvestigationEnded,
    PlayerExiled,
    PocketsEmptied,
    PrincessChoiceDemanded,
    SubjectAccused,
    WrongAccusationCompensated,
)
from ftk_core.games.kings_court.interrogation_rules import allow_statements
from ftk_core.games.kings_court.roles_and_options import APPRENTICE, GUARD, PEASANT, PRINCESS, THIEF, URCHIN, USURPER
from ftk_core.games.kings_court.table_state import (
    AccusationRecord,
    TableState,
    count_stolen,
    is_guard_in_play,
    list_subjects,
    role_of,
)


def apply_accused(table: TableState, fact: SubjectAccused) -> TableState:
    """Record an accusation, and list the players who are asked whether to stop it."""
    # Only the player with the Guard's card can stop it. All others are asked as well, so that the question does not
    # reveal who the Guard is.
    window = tuple(seat for seat in list_subjects(table) if seat != fact.seat) if is_guard_in_play(table) else ()
    accusations = (*table.accusations, AccusationRecord(fact.seat, len(table.said)))
    return replace(table, accused=fact.seat, accusations=accusations, window=window, shout=None)


def apply_stood_by(table: TableState, fact: AccusationNotStopped) -> TableState:
    """Record that a seat lets the accusation go on."""
    return replace(table, window=tuple(seat for seat in table.window if seat != fact.seat))


def apply_halted(table: TableState, fact: AccusationStopped) -> TableState:
    """Record that the player with the Guard's card stopped the accusation."""
    # This takes effect once all players who were asked have answered.
    table = replace(table, window=tuple(seat for seat in table.window if seat != fact.seat))
    return replace(table, shout=fact.seat)


def resolve_accusation(table: TableState) -> list[Fact]:
    """Return the events that an accusation causes."""
    seat = table.accused
    assert seat is not None
    role, take = role_of(table, seat), table.takes[seat]
    assert take is not None
    if table.shout is not None:
        return _resolve_halt(table, seat, role)
    if role == PRINCESS:
        return _resolve_princess(table)
    if role == USURPER:
        return [build_end(table, "usurper", (seat,))]
    if take.fake and not table.fake_shown[seat]:
        return [FakeDiamondShown(seat)]
    if role == THIEF:
        return [PocketsEmptied(seat, take, exiled=True)]
    mistake: Fact = WrongAccusationCompensated(seat) if table.gifts else PlayerExiled(0)
    return [PocketsEmptied(seat, take, exiled=False), mistake]


def _resolve_halt(table: TableState, seat: int, role: str) -> list[Fact]:
    """Return the events after the player with the Guard's card stopped an accusation."""
    # If the accused is a Usurper, the Guard alone wins. Otherwise both are exiled.
    guard, take = table.shout, table.takes[seat]
    assert guard is not None
    assert take is not None
    if role == USURPER:
        return [build_end(table, "guard", (guard,))]
    return [PlayerExiled(guard), PocketsEmptied(seat, take, exiled=True)]


def _resolve_princess(table: TableState) -> list[Fact]:
    """Return the event that follows the accusation of the player with the Princess's card."""
    # The Princess wins with the player who has the most diamonds. If several have, she must first choose one of them.
    richest, seat = find_wealthiest(table), table.accused
    assert seat is not None
    if len(richest) > 1:
        return [PrincessChoiceDemanded(seat, richest)]
    return [build_end(table, "princess", (seat, *richest))]


def apply_princess_courted(table: TableState, fact: PrincessChoiceDemanded) -> TableState:
    """Record that the accused Princess must choose one of the richest seats to win with her."""
    return replace(table, tied=fact.between)


def find_wealthiest(table: TableState) -> tuple[int, ...]:
    """Return the seats with the most diamonds."""
    # The King has the diamonds that accused Thieves gave back.
    wealth = {0: table.recovered}
    for seat in list_subjects(table):
        take = table.takes[seat]
        if take and take.diamonds:
            wealth[seat] = take.diamonds
    most = max(wealth.values())
    return tuple(seat for seat, diamonds in sorted(wealth.items()) if diamonds == most)


def apply_fake_shown(table: TableState, fact: FakeDiamondShown) -> TableState:
    """Record that the accused player showed the fake diamond, and thereby escaped."""
    # Everything else that the player took stays secret, and the King can accuse the player again.
    return allow_statements(
        replace(table, fake_shown=replace_at(table.fake_shown, fact.seat, value=True), accused=None)
    )


def apply_pockets_emptied(table: TableState, fact: PocketsEmptied) -> TableState:
    """Reveal everything that an accused player took, and give the diamonds to the King."""
    table = replace(table, revealed=replace_at(table.revealed, fact.seat, value=True), accused=None, shout=None)
    table = replace(table, recovered=table.recovered + fact.take.diamonds)
    if fact.exiled:
        table = replace(table, exiled=replace_at(table.exiled, fact.seat, value=True))
    return allow_statements(table)


def apply_gift_given(table: TableState, _fact: WrongAccusationCompensated) -> TableState:
    """Record that the King paid one token for a wrong accusation."""
    # Without such a token (Kings Gift), the King is exiled.
    return replace(table, gifts=table.gifts - 1)


def apply_exiled(table: TableState, fact: PlayerExiled) -> TableState:
    """Exile a seat, and reveal everything that it took."""
    return replace(
        table,
        exiled=replace_at(table.exiled, fact.seat, value=True),
        revealed=replace_at(table.revealed, fact.seat, value=True),
    )


def apply_court_closed(table: TableState, fact: InvestigationEnded) -> TableState:
    """End the game and record the winners."""
    return replace(table, ending=fact.ending, winners=fact.winners, floor=(), accused=None, window=(), tied=())


def end_of_investigation(table: TableState) -> InvestigationEnded | None:
    """Return the event that ends the game, or None if the game goes on."""
    # It ends if the King is exiled or has all stolen diamonds back.
    if table.exiled[0]:
        return build_end(table, "exile", _exile_winners(table))
    if table.arrivals[0] is not None and table.recovered == count_stolen(table):
        return build_end(table, "king", _king_winners(table))
    return None


def _king_winners(table: TableState) -> tuple[int, ...]:
    """Return all winners if the King wins."""
    return tuple(
        seat
        for seat in range(table.seats)
        if seat == 0 or role_of(table, seat) == PEASANT or (role_of(table, seat) == GUARD and not table.exiled[seat])
    )


def _exile_winners(table: TableState) -> tuple[int, ...]:
    """Return the winners if the King is exiled."""
    # These are the richest Thieves and all Street Urchins, who took nothing or only the fake diamond.
    thieves = {seat: table.takes[seat] for seat in list_subjects(table) if role_of(table, seat) == THIEF}
    if not thieves:
        return ()
    most = max(take.diamonds for take in thieves.values() if take)
    rich = [seat for seat, take in thieves.items() if take and take.diamonds == most]
    urchins = [seat for seat in range(1, table.seats) if role_of(table, seat) == URCHIN]
    return tuple(sorted(rich + urchins))


def build_end(table: TableState, ending: Ending, winners: tuple[int, ...]) -> InvestigationEnded:
    """Return the event that ends the game.

    An Apprentice joins the winners if the player to the right of the Apprentice wins.
    """
    # That player may be an Apprentice, too.
    won = set(winners)
    while more := {
        seat
        for seat in range(1, table.seats)
        if role_of(table, seat) == APPRENTICE and seat - 1 in won and seat not in won
    }:
        won |= more
    return InvestigationEnded(
        ending=ending,
        winners=tuple(sorted(won)),
        hidden=table.hidden or 0,
        dismissed=table.dismissed,
        takes=table.takes,
    )
