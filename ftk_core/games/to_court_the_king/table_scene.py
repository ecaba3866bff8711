"""Drawing of the game table of To Court the King."""

from __future__ import annotations

from collections import Counter

from ftk_core.games.to_court_the_king import CATALOGUE
from ftk_core.games.to_court_the_king.characters import CHARACTERS, CHARLATAN, KING, QUEEN, Faces
from ftk_core.games.to_court_the_king.fact_sentences import LABELS, card_name, format_set
from ftk_core.games.to_court_the_king.seat_comparisons.dice_and_character_comparison import (
    DICE_LABELS,
    compare_dice,
    list_goals,
)
from ftk_core.games.to_court_the_king.seat_comparisons.final_round_comparison import RACE_LABELS, compare_final
from ftk_core.games.to_court_the_king.table_state import TableState, dice_of, to_act
from ftk_core.views.scene import ScenePiece, SceneZone, SeatComparison, SeatCounter, TableScene

ROW_OF_CHARACTER = {name: character.row for name, character in CHARACTERS.items()} | {QUEEN: CHARACTERS[KING].row}
"""Row of each character in the display of cards on offer. The Queen comes with the King; Fools have no row."""

SCENE_LABELS = CATALOGUE.labels((*LABELS, *DICE_LABELS, *RACE_LABELS))


def scene(table: TableState) -> TableScene:
    """Return the description of the table (the scene) that clients draw. Nothing in this game is hidden."""
    zones = [
        *_draw_display(table),
        _draw_dice("active", "Active dice", table.active),
        _draw_dice("aside", "Set aside", table.aside),
    ]
    zones += [_draw_seat(table, seat) for seat in range(table.seats)]
    return TableScene(tuple(zones), _draw_meters(table), to_act(table), _list_contests(table))


def _list_contests(table: TableState) -> tuple[SeatComparison, ...]:
    return (*compare_final(table), compare_dice(table), *list_goals(table))


def _draw_display(table: TableState) -> list[SceneZone]:
    """Draw the characters on offer, row by row."""
    # Copies of a character are drawn as one card, with a tag for the number left.
    pieces_by_row: dict[str, list[ScenePiece]] = {}
    for name, left in table.display:
        if left:
            pieces_by_row.setdefault(CHARACTERS[name].row, []).append(
                _draw_card(f"display-{name}", name, (f"left:{left}",))
            )
    return [
        SceneZone(key=f"display-{row}", label=f"Row {row}", pieces=tuple(pieces))
        for row, pieces in pieces_by_row.items()
    ]


def _draw_card(key: str, name: str, tags: tuple[str, ...] = ()) -> ScenePiece:
    row_tags = (f"row:{ROW_OF_CHARACTER[name]}",) if name in ROW_OF_CHARACTER else ()
    return ScenePiece(
        key=key,
        kind="card",
        face=name.lower(),
        label=card_name(name, "en"),
        tags=("character", f"character:{name.lower()}", *row_tags, *tags),
    )


def _draw_dice(key: str, label: str, faces: Faces) -> SceneZone:
    """Draw an area with these dice."""
    # Each die has a key, such as ``active-6-2`` for the second active die that shows a 6.
    counts: Counter[int] = Counter()
    pieces = []
    for face in faces:
        counts[face] += 1
        pieces.append(ScenePiece(key=f"{key}-{face}-{counts[face]}", kind="die", face=str(face), label=f"Die: {face}"))
    return SceneZone(key=key, label=label, pieces=tuple(pieces))


def _draw_seat(table: TableState, seat: int) -> SceneZone:
    cards = [
        _draw_card(f"{name}-{seat}", name, ("used",) if name in table.used and seat in table.order[:1] else ())
        for name in table.cards[seat]
    ]
    cards += [_draw_card(f"{CHARLATAN}-{seat}-{number}", CHARLATAN) for number in range(table.charlatans[seat])]
    king = table.king if table.queen is not None else None  # unclaimed, he stays in the display
    cards += [_draw_card(name, name) for name, holder in ((KING, king), (QUEEN, table.queen)) if holder == seat]
    note = f"{dice_of(table, seat)} dice"
    if table.finals and (final := table.finals[seat]) is not None:
        note = format_set(*final)
    return SceneZone(key=f"court-{seat}", label="Court", seat=seat, layout="fan", pieces=tuple(cards), note=note)


def _draw_meters(table: TableState) -> tuple[SeatCounter, ...]:
    dice = tuple(dice_of(table, seat) for seat in range(table.seats))
    cards = tuple(
        len(characters) + charlatans for characters, charlatans in zip(table.cards, table.charlatans, strict=True)
    )
    return (SeatCounter("dice", "Dice at the start", dice), SeatCounter("characters", "Characters", cards))
