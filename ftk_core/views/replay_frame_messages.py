"""Frames (steps of a match's replay) as JSON messages for spectators."""

from __future__ import annotations

from typing import Literal

import msgspec

from ftk_core.i18n import ENGLISH, find_language
from ftk_core.views.scene import SceneZone, SeatComparison, SeatCounter

Mark = Literal["turn", "phase", "key"]
Duration = Literal["short", "normal", "long"]
"""Time for which a replay shows a frame before the next one. The viewer defines the milliseconds."""

Sound = Literal["card", "dice", "bid", "accusation", "end"]
"""Tone that a replay can play with a frame."""


class SpectatorFramesRequest(msgspec.Struct, forbid_unknown_fields=True, tag="watch", tag_field="type"):
    """WebSocket message that requests the frames (replay steps) after `after` and, if it is set, before `until`."""

    eyes: str = "public"
    after: int = -1
    until: int | None = None
    language: str = ENGLISH

    def __post_init__(self) -> None:
        """Raise ValueError if the language is not installed; msgspec turns this error into a ValidationError."""
        if find_language(self.language) is None:
            raise ValueError(f"{self.language!r} is not a language of this arena")


class SeatResult(msgspec.Struct, frozen=True):
    """Result of one seat, as the last frame of a match shows it."""

    place: int
    score: str
    """Score in words, e.g. ``12 points``."""


class SpectatorFrame(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One step of a replay: a sentence about a log entry, and the changed parts of the table."""

    at: int
    """Frame number, from 0. It is not the entry's number, because gaps would reveal which seats had a choice."""
    kind: str
    """Kind of the fact; for other log entries ``opened``, ``closed`` (regular end) or ``voided`` (abandoned)."""
    say: str
    """Sentence that describes the entry."""
    heading: str = ""
    """Heading for the sentences of this frame and the next ones; empty if the frame belongs to the heading before."""
    mark: Mark | None = None
    """Reason why a spectator can jump to this frame: a new turn, a new phase or a key moment; None for other frames."""
    seats_to_act: tuple[int, ...] = ()
    zones: tuple[SceneZone, ...] = ()
    """Zones that are new or changed; all zones in a full frame."""
    gone: tuple[str, ...] = ()
    """Keys of the zones and contests that were removed."""
    meters: tuple[SeatCounter, ...] = ()
    """Changed meters. A meter holds one number per seat, such as gold."""
    contests: tuple[SeatComparison, ...] = ()
    """New or changed comparisons of the seats, which say who leads and why."""
    duration: Duration = "normal"
    sound: Sound | None = None
    result: tuple[SeatResult, ...] = ()
    """Result of each seat, in the last frame of a finished match; empty in all others."""
