"""Picture of a table in terms that any client can draw: zones that hold pieces.

A piece moves when its key appears in another zone. A hidden piece is keyed by its place (``"hand-2-0"``), a known piece
by its identity (``"card-17"``). Otherwise the keys would reveal which hidden card moved where.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Layout = Literal["row", "stack", "fan", "grid"]
PieceKind = Literal["card", "tile", "die", "token", "text"]


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One object on the table."""

    key: str
    """Key, unique within the scene."""
    kind: PieceKind
    """Category of the object, for the skin."""
    face: str = ""
    """Identity shown on its front, e.g. ``diplomacy-3-B``; empty if it lies face down."""
    label: str = ""
    """Identity as text for people: ``Diplomacy 3 (B)``."""
    tags: tuple[str, ...] = ()
    """Properties for the skin, e.g. ``office:diplomacy``."""


class Zone(msgspec.Struct, frozen=True, kw_only=True):
    """One area of the table."""

    key: str
    """Key, unique within the scene."""
    label: str
    """Name for people."""
    seat: int | None = None
    """Owner; None for a common zone."""
    layout: Layout = "row"
    """Arrangement of its pieces."""
    pieces: tuple[Piece, ...] = ()
    """Pieces from first to last, or from bottom to top."""
    note: str = ""
    """Short remark below the zone, e.g. ``bid 4``."""


class Meter(msgspec.Struct, frozen=True):
    """One figure per seat, worth a line in a chart."""

    key: str
    label: str
    values: tuple[int, ...]
    """Value of each seat."""


class Scene(msgspec.Struct, frozen=True):
    """Complete picture of one view."""

    zones: tuple[Zone, ...]
    meters: tuple[Meter, ...] = ()
    to_act: tuple[int, ...] = ()
    """Seats that must choose now."""
