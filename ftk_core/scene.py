"""The picture of any table, in terms every viewer can draw: zones holding pieces.

A piece moves when its key turns up in another zone. A hidden piece is keyed by its place
(``"hand-2-0"``), a known one by what it is (``"card-17"``); else the keys would tell which
hidden card moved where.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Layout = Literal["row", "stack", "fan", "grid"]
PieceKind = Literal["card", "tile", "die", "token", "text"]


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that lies on the table."""

    key: str
    """Unique within the scene."""
    kind: PieceKind
    """What sort of thing it is, for the skin."""
    face: str = ""
    """What it shows, e.g. ``diplomacy-3-B``; empty when it lies face down."""
    label: str = ""
    """The same for a reader: ``Diplomacy 3 (B)``."""
    tags: tuple[str, ...] = ()
    """Traits for the skin, e.g. ``office:diplomacy``."""


class Zone(msgspec.Struct, frozen=True, kw_only=True):
    """One place on the table."""

    key: str
    """Unique within the scene."""
    label: str
    """Its name for a reader."""
    seat: int | None = None
    """Whose it is; None when it is common."""
    layout: Layout = "row"
    """How its pieces lie."""
    pieces: tuple[Piece, ...] = ()
    """From first to last, or from bottom to top."""
    note: str = ""
    """A short remark under it, e.g. ``bid 4``."""


class Meter(msgspec.Struct, frozen=True):
    """One figure per seat that is worth a line in a chart."""

    key: str
    label: str
    values: tuple[int, ...]
    """By seat."""


class Scene(msgspec.Struct, frozen=True):
    """The whole picture of one view."""

    zones: tuple[Zone, ...]
    meters: tuple[Meter, ...] = ()
    to_act: tuple[int, ...] = ()
    """The seats that owe a choice."""
