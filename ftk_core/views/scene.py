"""Picture of a game table as data that any client can draw. Areas called zones hold pieces.

A piece moves when its key appears in another zone. A known piece has a key of its own (``"card-17"``). A hidden piece
has the key of its place (``"hand-2-0"``), so that nobody can follow it. In texts, ``@2`` stands for the player with
the number 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeVar

import msgspec

Layout = Literal["row", "stack", "fan", "grid", "bubble", "lines", "list", "ring"]
"""Arrangement of the pieces in a zone.

A ``bubble`` shows its first piece, and the others on demand. ``lines`` are sentences about the whole table, and a
``list`` has one text per line. In a ``ring`` each piece is an arrow between two seats, which are drawn in a circle: an
object passes from one seat to the other. Tags of the piece, such as ``from:1`` and ``to:2``, name these seats.
"""
PieceKind = Literal["card", "tile", "die", "token", "text"]


class ScenePiece(msgspec.Struct, frozen=True, kw_only=True):
    """Drawn object on the game table, such as a card or a die."""

    key: str
    """Key, unique within the scene."""
    kind: PieceKind
    """Category of the object, for the client's drawing code."""
    face: str = ""
    """Identity shown on its front, e.g. ``diplomacy-3-B``; empty if it lies face down."""
    label: str = ""
    """Name of the object for people, e.g. ``Diplomacy 3 (B)``."""
    tags: tuple[str, ...] = ()
    """Properties for the client's drawing code, e.g. ``office:diplomacy``."""


class SceneZone(msgspec.Struct, frozen=True, kw_only=True):
    """One area of the table with its pieces."""

    key: str
    """Key, unique within the scene."""
    label: str
    """Name of the zone for people."""
    seat: int | None = None
    """Seat that owns the zone; None for a common zone."""
    layout: Layout = "row"
    """Arrangement of the pieces in the zone."""
    pieces: tuple[ScenePiece, ...] = ()
    """Pieces in the zone, from first to last, or from bottom to top."""
    note: str = ""
    """Short text that is shown below the zone, e.g. ``bid 4``."""


class SeatCounter(msgspec.Struct, frozen=True):
    """Named number that each seat has, such as points. Clients can chart it over the match."""

    key: str
    label: str
    values: tuple[int, ...]
    """Value of each seat."""


class SeatComparisonLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a comparison of players, with a value as text and as a bar.

    The line is about a player, or about something else that `label` names, such as a goal or a kind of card.
    """

    seat: int | None = None
    """Seat that the line is about; None for something else, which `label` names."""
    label: str = ""
    """Subject of a line without a seat, for people."""
    value: str
    """Value for people, e.g. ``7`` or ``7 sixes``."""
    share: int
    """Length of the bar, 0 to 100."""
    note: str = ""
    """Parts or remarks, e.g. ``3 at the start``."""
    leads: bool = False


class SeatComparison(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Comparison of the players, for people who do not know the game. A scene's first comparison says who leads."""

    # Its texts are computed from what the viewer may know, so that they reveal no secret.

    key: str
    """Key, unique among the contests and zones of the scene."""
    title: str
    about: str = ""
    """Stake of the contest, e.g. ``first 3 points, second 1``."""
    verdict: str
    """Sentence that says who leads and why, or why nobody does."""
    entries: tuple[SeatComparisonLine, ...] = ()


class TableScene(msgspec.Struct, frozen=True):
    """Complete picture of the table, as one viewer may see it."""

    zones: tuple[SceneZone, ...]
    meters: tuple[SeatCounter, ...] = ()
    to_act: tuple[int, ...] = ()
    """Seats that must choose now."""
    contests: tuple[SeatComparison, ...] = ()
    """Comparisons of the seats; the first has the key ``lead``. Empty if the game offers none."""


def name_seat(seat: int) -> str:
    """Return the text that stands for a player's name in labels.

    >>> name_seat(2)
    '@2'
    """
    return f"@{seat}"


class SceneIndex(msgspec.Struct, frozen=True):
    """Parts of a table picture by key, to compare two pictures part by part."""

    # `index_scene` reuses the unchanged objects of the previous picture to save memory.

    zones: dict[str, SceneZone]
    meters: dict[str, SeatCounter]
    contests: dict[str, SeatComparison]

    def removed_since(self, before: SceneIndex) -> tuple[str, ...]:
        """Return the keys of zones and of player comparisons that the earlier picture has and this one has not."""
        zones = (key for key in before.zones if key not in self.zones)
        return (*zones, *(key for key in before.contests if key not in self.contests))

    def changes_since(self, before: SceneIndex) -> dict[str, tuple[Any, ...]]:
        """Return the new and changed parts since an earlier picture.

        The dict has the keys ``zones`` (areas), ``meters`` (numbers of each player) and ``contests`` (comparisons of
        players).
        """
        return {
            "zones": _list_changes(self.zones, before.zones),
            "meters": _list_changes(self.meters, before.meters),
            "contests": _list_changes(self.contests, before.contests),
        }


EMPTY_SCENE = SceneIndex({}, {}, {})
Part = TypeVar("Part", SceneZone, SeatCounter, SeatComparison)


def index_scene(scene: TableScene, before: SceneIndex) -> SceneIndex:
    """Return the parts of a table picture by key.

    `before` is the index of the previous picture. Unchanged parts are taken from it, to save memory.
    """
    return SceneIndex(
        _index_parts(scene.zones, before.zones),
        _index_parts(scene.meters, before.meters),
        _index_parts(scene.contests, before.contests),
    )


def _index_parts(parts: Iterable[Part], before: dict[str, Part]) -> dict[str, Part]:
    return {part.key: before[part.key] if before.get(part.key) == part else part for part in parts}


def _list_changes(parts: dict[str, Part], before: dict[str, Part]) -> tuple[Part, ...]:
    return tuple(part for key, part in parts.items() if before.get(key) != part)
