"""Picture of a table: the display, the dice, and every seat's characters."""

from __future__ import annotations

from collections import Counter

from ftk_core.games.to_court_the_king.box import CHARACTERS, CHARLATAN, KING, QUEEN, Faces
from ftk_core.games.to_court_the_king.state import Table, dice_of, to_act
from ftk_core.games.to_court_the_king.words import card_name
from ftk_core.scene import Meter, Piece, Scene, Zone

ROWS = {name: character.row for name, character in CHARACTERS.items()} | {QUEEN: CHARACTERS[KING].row}
"""Row of each character in the display. The Queen comes with the King; no dice buy a Fool or a Charlatan."""


def scene(table: Table) -> Scene:
    """Draw the table; nothing in this game is hidden."""
    zones = [*_display(table), _dice("active", "Active dice", table.active), _dice("aside", "Set aside", table.aside)]
    zones += [_seat(table, seat) for seat in range(table.seats)]
    return Scene(tuple(zones), _meters(table), to_act(table))


def _display(table: Table) -> list[Zone]:
    """Return the display row by row; a pile is one card with its number of copies."""
    rows: dict[str, list[Piece]] = {}
    for name, left in table.display:
        if left:
            rows.setdefault(CHARACTERS[name].row, []).append(_card(f"display-{name}", name, (f"left:{left}",)))
    return [Zone(key=f"display-{row}", label=f"Row {row}", pieces=tuple(pieces)) for row, pieces in rows.items()]


def _card(key: str, name: str, tags: tuple[str, ...] = ()) -> Piece:
    row = (f"row:{ROWS[name]}",) if name in ROWS else ()
    return Piece(
        key=key,
        kind="card",
        face=name.lower(),
        label=card_name(name, "en"),
        tags=("character", f"character:{name.lower()}", *row, *tags),
    )


def _dice(key: str, label: str, faces: Faces) -> Zone:
    """Return dice, keyed by face and number: equal dice are interchangeable."""
    seen: Counter[int] = Counter()
    pieces = []
    for face in faces:
        seen[face] += 1
        pieces.append(Piece(key=f"{key}-{face}-{seen[face]}", kind="die", face=str(face), label=f"Die: {face}"))
    return Zone(key=key, label=label, pieces=tuple(pieces))


def _seat(table: Table, seat: int) -> Zone:
    cards = [
        _card(f"{name}-{seat}", name, ("used",) if name in table.used and seat in table.order[:1] else ())
        for name in table.cards[seat]
    ]
    cards += [_card(f"{CHARLATAN}-{seat}-{number}", CHARLATAN) for number in range(table.charlatans[seat])]
    cards += [_card(name, name) for name, holder in ((KING, table.king), (QUEEN, table.queen)) if holder == seat]
    note = f"{dice_of(table, seat)} dice"
    if table.finals and (final := table.finals[seat]) is not None:
        note = f"{final[0]} dice of {final[1]}"
    return Zone(key=f"court-{seat}", label="Court", seat=seat, layout="fan", pieces=tuple(cards), note=note)


def _meters(table: Table) -> tuple[Meter, ...]:
    dice = tuple(dice_of(table, seat) for seat in range(table.seats))
    cards = tuple(len(held) + charlatans for held, charlatans in zip(table.cards, table.charlatans, strict=True))
    return (Meter("dice", "Dice at the start", dice), Meter("characters", "Characters", cards))
