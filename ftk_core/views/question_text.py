"""Plain text of a player's choice, for a language model or a person at a terminal.

>>> from ftk_core.views.scene import SeatCounter, ScenePiece, SceneZone
>>> hand = SceneZone(key="hand", label="Hand", seat=0, pieces=(ScenePiece(key="c", kind="card", label="Diplomacy 3"),))
>>> menu = [{"kind": "pass"}, {"kind": "place_card", "card": "diplomacy-3", "row": 2}]
>>> gold = SeatCounter("gold", "Gold", (3, 4))
>>> print(describe_question(["The cards are dealt."], [hand], [gold], menu, ("ada", "ben"), 0))
You are ada, in seat 0.
<BLANKLINE>
The story so far:
- The cards are dealt.
<BLANKLINE>
The table:
- Hand (yours): Diplomacy 3
- Gold: 3 (yours), ben 4
<BLANKLINE>
The menu:
0. pass
1. place card: card diplomacy-3, row 2
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ftk_core.views.scene import ScenePiece, SceneZone, SeatCounter

FACE_DOWN_TEXT = "face down"
STORY_TITLE, TABLE_TITLE = "The story so far:", "The table:"


def describe_question(
    story: Iterable[str],
    zones: Iterable[SceneZone],
    meters: Iterable[SeatCounter],
    menu: Iterable[Mapping[str, Any]],
    names: Sequence[str],
    seat: int,
) -> str:
    """Describe a player's choice: the story so far, the visible table, and the numbered menu."""

    def whose(one: int | None) -> str:
        return "" if one is None else " (yours)" if one == seat else f" ({names[one]})"

    table = [f"- {zone.label}{whose(zone.seat)}: {_pieces(zone)}" for zone in zones]
    for meter in meters:
        values = [f"{value} (yours)" if at == seat else f"{names[at]} {value}" for at, value in enumerate(meter.values)]
        table.append(f"- {meter.label}: {', '.join(values)}")
    parts = {
        STORY_TITLE: [f"- {sentence}" for sentence in story],
        TABLE_TITLE: table,
        "The menu:": [f"{number}. {describe_item(item)}" for number, item in enumerate(menu)],
    }
    paragraphs = [f"{title}\n" + "\n".join(lines) for title, lines in parts.items()]
    return "\n\n".join([f"You are {names[seat]}, in seat {seat}.", *paragraphs])


def omit_read_sentences(text: str, told: int) -> tuple[str, int]:
    r"""Omit the first `told` sentences of the story, which the reader already knows.

    `text` comes from `describe_question`. Return the shorter text, and the number of sentences in the whole story.

    >>> text = describe_question(["Ada rolls 3.", "Ada holds."], [], [], [{"kind": "roll"}], ("ada", "ben"), 1)
    >>> shorter, sentences = omit_read_sentences(text, 1)
    >>> print(shorter.partition("\n\nThe table:")[0], sentences)
    You are ben, in seat 1.
    <BLANKLINE>
    The story so far:
    (1 sentence that you have read)
    - Ada holds. 2
    """
    head, title, rest = text.partition(f"{STORY_TITLE}\n")
    story, table, after = rest.partition(f"\n\n{TABLE_TITLE}")
    sentences = story.split("\n") if story else []
    if told <= 0 or not table:
        return text, len(sentences)
    omitted = "1 sentence" if told == 1 else f"{told} sentences"
    shorter = "\n".join([f"({omitted} that you have read)", *sentences[told:]])
    return f"{head}{title}{shorter}{table}{after}", len(sentences)


def describe_item(item: Mapping[str, Any]) -> str:
    """Describe a menu item by the kind and the fields of its action.

    >>> describe_item({"kind": "bid", "amount": 3})
    'bid: amount 3'
    """
    more = ", ".join(f"{key.replace('_', ' ')} {_value(value)}" for key, value in item.items() if key != "kind")
    kind = str(item.get("kind", "")).replace("_", " ")
    return f"{kind}: {more}" if more else kind


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pieces(zone: SceneZone) -> str:
    """List the pieces in a zone as text. Adjacent equal pieces become one item with their count: ``2 x Gold``."""
    counted: list[tuple[str, int]] = []
    for word in map(_piece, zone.pieces):
        if counted and counted[-1][0] == word:
            counted[-1] = (word, counted[-1][1] + 1)
        else:
            counted.append((word, 1))
    lying = ", ".join(f"{count} x {word}" if count > 1 else word for word, count in counted) or "nothing"
    return f"{lying}; {zone.note}" if zone.note else lying


def _piece(piece: ScenePiece) -> str:
    return piece.label or piece.face or FACE_DOWN_TEXT
