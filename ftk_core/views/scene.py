"""Types of a scene: the picture of a game table as data that any client can draw. Zones (areas) hold pieces.

A piece moves when its key appears in another zone. A hidden piece has a key made from its place (``"hand-2-0"``), a
known piece a key made from its identity (``"card-17"``). Otherwise keys would reveal which hidden card moved where.

In labels and notes ``@2`` stands for the name of the player in seat 2.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Layout = Literal["row", "stack", "fan", "grid", "bubble", "lines", "list", "ring"]
"""Arrangement of the pieces in a zone.

A ``bubble`` shows its first piece, and the others on demand. ``lines`` are sentences about the whole table, and a
``list`` has one text per line. The pieces of a ``ring`` are the steps of an object that goes round: the seats are drawn
around the table, with an arrow for each piece, which has tags such as ``from:1`` and ``to:2``.
"""
PieceKind = Literal["card", "tile", "die", "token", "text"]


class ScenePiece(msgspec.Struct, frozen=True, kw_only=True):
    """One object on the table."""

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


class SeatMeter(msgspec.Struct, frozen=True):
    """Named number that each seat has, such as points. Clients can chart it over the match."""

    key: str
    label: str
    values: tuple[int, ...]
    """Value of each seat."""


class TableScene(msgspec.Struct, frozen=True):
    """Complete picture of the table, as one viewer may see it."""

    zones: tuple[SceneZone, ...]
    meters: tuple[SeatMeter, ...] = ()
    to_act: tuple[int, ...] = ()
    """Seats that must choose now."""
