"""From a log to pictures: one fold per match and pair of eyes in a process, shared by all who watch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from ftk_core.entries import Closed, Entry, Happened, Opened, Voided, read
from ftk_core.facts import Viewer, encode, tell
from ftk_core.games import game
from ftk_core.match import fact_in
from ftk_core.scene import Meter, Scene, Zone

Mark = Literal["turn", "phase", "key"]


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a viewer draws for one entry: what was said, and the zones that changed."""

    at: int
    """The entry's number."""
    kind: str
    """The kind of fact, or ``opened``, ``closed``, ``voided``."""
    say: str
    """The entry as a sentence."""
    mark: Mark | None = None
    """Where a viewer can jump to."""
    seats_to_act: tuple[int, ...] = ()
    zones: tuple[Zone, ...] = ()
    """New or changed ones; all of them in a full frame."""
    gone: tuple[str, ...] = ()
    """Zones that are no more."""
    meters: tuple[Meter, ...] = ()
    """Changed ones."""


class Reel:
    """All frames of one match for one pair of eyes, growing as the log grows."""

    def __init__(self, viewer: Viewer, language: str = "en") -> None:
        self.viewer, self.language = viewer, language
        self.length = 0
        """How many entries have been folded."""
        self.head = b""
        self.ended = False
        self._frames: list[bytes] = []
        self._at: list[int] = []
        self._whole: list[tuple[dict[str, Zone], dict[str, Meter], Frame]] = []
        self._game: Any = None
        self._state: Any = None
        self._names: tuple[str, ...] = ()

    def extend(self, lines: Iterable[bytes]) -> None:
        """Fold more of the log."""
        for line in lines:
            self.length += 1
            entry = read(line)
            frame = self._develop(entry)
            if frame is not None:
                self._keep(*frame)

    def _develop(self, entry: Entry) -> tuple[int, str, str, Mark | None] | None:
        """Return (at, kind, sentence, mark) of an entry that makes a picture."""
        match entry:
            case Opened():
                self._game, self._names = game(entry.game), entry.players
                self._state = self._game.setup(len(entry.players))
                return entry.seq, "opened", f"{self._game.title}: {', '.join(entry.players)}", "phase"
            case Happened():
                fact = fact_in(self._game, entry)
                self._state = self._game.apply(self._state, fact)
                kind = str(type(fact).__struct_config__.tag)
                told = tell(fact, self.viewer)
                return (
                    entry.seq,
                    kind,
                    self._game.say(told, self._names, self.language),
                    self._game.marks.get(kind),
                )
            case Closed():
                self.ended = True
                ranking = sorted(zip(entry.places, self._names, entry.scores, strict=True))
                sentence = ", ".join(f"{place}. {name} ({score})" for place, name, score in ranking)
                return entry.seq, "closed", sentence, "phase"
            case Voided():
                self.ended = True
                return entry.seq, "voided", f"Void: {entry.reason}", "phase"
            case _:
                return None

    def _keep(self, at: int, kind: str, say: str, mark: Mark | None) -> None:
        scene: Scene = self._game.scene(self._game.view(self._state, self.viewer))
        zones, meters, before = ({}, {}, None) if not self._whole else self._whole[-1]
        # an unchanged zone stays the same object, so that a long match is small in memory
        new_zones = {z.key: zones[z.key] if zones.get(z.key) == z else z for z in scene.zones}
        new_meters = {m.key: meters[m.key] if meters.get(m.key) == m else m for m in scene.meters}
        if mark is None and before is not None and before.seats_to_act != scene.to_act:
            mark = "turn"
        frame = Frame(
            at,
            kind,
            say,
            mark,
            scene.to_act,
            tuple(zone for key, zone in new_zones.items() if zones.get(key) is not zone),
            tuple(key for key in zones if key not in new_zones),
            tuple(meter for key, meter in new_meters.items() if meters.get(key) is not meter),
        )
        self._whole.append((new_zones, new_meters, frame))
        self._frames.append(encode(frame))
        self._at.append(at)

    def frames(self, after: int, until: int | None = None) -> Iterator[bytes]:
        """Yield the encoded frames of the entries after `after` and before `until`, the first one whole."""
        start = next((index for index, at in enumerate(self._at) if at > after), len(self._at))
        for index in range(start, len(self._at)):
            if until is not None and self._at[index] >= until:
                return
            yield self._full(index) if index == start else self._frames[index]

    def _full(self, index: int) -> bytes:
        zones, meters, frame = self._whole[index]
        whole = msgspec.structs.replace(frame, zones=tuple(zones.values()), meters=tuple(meters.values()), gone=())
        return encode(whole)

    def following(self, after: int) -> list[bytes]:
        """Return the encoded frames after `after` for somebody who already has the one before."""
        start = next((index for index, at in enumerate(self._at) if at > after), len(self._at))
        return self._frames[start:]

    @property
    def last_at(self) -> int:
        """The number of the newest entry with a frame, -1 while there is none."""
        return self._at[-1] if self._at else -1

    def story(self) -> list[tuple[int, str]]:
        """Return (entry, sentence) of every frame."""
        return [(frame.at, frame.say) for _, _, frame in self._whole]
