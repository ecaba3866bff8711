"""Reel of a match: the pictures of its log for one viewer, computed once per process and shared by all spectators."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Any, Literal

import msgspec

from ftk_core.entries import Closed, Entry, Happened, Opened, Voided, is_chose, read
from ftk_core.facts import Fact, Viewer, encode, tell
from ftk_core.fold import bare_table, fact_in
from ftk_core.game import Mark
from ftk_core.games import game_of
from ftk_core.scene import Meter, Scene, Zone
from ftk_core.words import ENTRIES, listed, relabeller


def is_shown(line: bytes) -> bool:
    """Return whether an entry has a frame. All but choices have: the facts after a choice show its effect."""
    return not is_chose(line)


class Watch(msgspec.Struct, forbid_unknown_fields=True, tag="watch", tag_field="type"):
    """Request of a subscriber to watch a match."""

    eyes: str = "public"
    after: int = -1
    until: int | None = None
    language: Literal["en", "zh-Hant"] = "en"


class Frame(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Update for a spectator: the sentence of one entry and the zones that changed."""

    at: int
    """Frame number, from 0. Frames have numbers of their own because entry numbers would reveal who had a choice."""
    kind: str
    """Kind of the fact, or ``opened``, ``closed``, ``voided``."""
    say: str
    """Sentence that describes the entry."""
    mark: Mark | None = None
    """Set if a spectator can jump to this frame."""
    seats_to_act: tuple[int, ...] = ()
    zones: tuple[Zone, ...] = ()
    """New and changed zones; all zones in a full frame."""
    gone: tuple[str, ...] = ()
    """Keys of removed zones."""
    meters: tuple[Meter, ...] = ()
    """Changed meters."""


class Shot(msgspec.Struct, kw_only=True):
    """Entry with a frame, not yet drawn."""

    kind: str
    fact: Fact | None
    """Fact as the viewer may know it."""
    say: str
    """Sentence of an entry that is not a fact."""
    mark: Mark | None
    state: Any
    """State of the game after the entry."""
    to_act: tuple[int, ...]


class Picture(msgspec.Struct, frozen=True):
    """Drawn scene. Parts that did not change are the same objects as in the previous scene."""

    zones: dict[str, Zone]
    meters: dict[str, Meter]


NOTHING = Picture({}, {})


class Reel:
    """All frames of one match for one viewer. It grows with the log.

    Entries are folded immediately, which is fast. A scene is drawn on first use and stored.
    """

    def __init__(self, viewer: Viewer, language: str = "en") -> None:
        self.viewer, self.language = viewer, language
        self.folding = Lock()
        """Lock held while the reel is extended."""
        self.entries = 0
        """Number of folded entries."""
        self.head = b""
        self.ended = False
        self._shots: list[Shot] = []
        self._pictures: dict[int, Picture] = {-1: NOTHING}
        self._frames: dict[int, bytes] = {}
        self._game: Any = None
        self._state: Any = None
        self._names: tuple[str, ...] = ()
        self._relabel = relabeller({})

    def extend(self, lines: Iterable[bytes]) -> None:
        """Fold further lines of the log."""
        for line in lines:
            self.entries += 1
            if is_shown(line):
                self._fold(read(line))

    def _fold(self, entry: Entry) -> None:
        match entry:
            case Opened():
                self._game, self._names = game_of(entry), entry.players
                self._relabel = relabeller(self._game.labels.get(self.language, {}))
                self._state = bare_table(self._game, entry)
                players = listed(entry.players, self.language)
                self._tell("opened", title=self._game.title, players=players)
            case Happened():
                fact = fact_in(self._game, entry)
                self._state = self._game.apply(self._state, fact)
                kind = str(type(fact).__struct_config__.tag)
                self._keep(kind, tell(fact, self.viewer), "", self._game.marks.get(kind))
            case Closed():
                self.ended = True
                ranking = sorted(zip(entry.places, self._names, entry.scores, strict=True))
                ranked = ENTRIES[self.language]["ranked"]
                places = (ranked.format(place=place, name=name, score=score) for place, name, score in ranking)
                self._tell("closed", ranking=listed(places, self.language))
            case Voided():
                self.ended = True
                self._tell("voided", reason=entry.reason)

    def _tell(self, kind: str, **fields: str) -> None:
        """Add an entry that is not a fact of the game."""
        self._keep(kind, None, ENTRIES[self.language][kind].format(**fields), "phase")

    def _keep(self, kind: str, fact: Fact | None, say: str, mark: Mark | None) -> None:
        to_act = self._game.turn(self._state)
        names_turns = "turn" in self._game.marks.values()
        if mark is None and not names_turns and self._shots and self._shots[-1].to_act != to_act:
            mark = "turn"  # the game marks no turns: mark a change of the seats that are to act
        self._shots.append(Shot(kind=kind, fact=fact, say=say, mark=mark, state=self._state, to_act=to_act))

    def _sentence(self, shot: Shot) -> str:
        said: str = self._game.say(shot.fact, self._names, self.language) if shot.fact is not None else shot.say
        return said

    def _scene(self, index: int) -> Scene:
        scene: Scene = self._relabel(self._game.scene(self._game.view(self._shots[index].state, self.viewer)))
        return scene

    def _picture(self, index: int) -> Picture:
        if index not in self._pictures:
            before = self._pictures.get(index - 1, NOTHING)
            scene = self._scene(index)
            zones = {z.key: before.zones[z.key] if before.zones.get(z.key) == z else z for z in scene.zones}
            meters = {m.key: before.meters[m.key] if before.meters.get(m.key) == m else m for m in scene.meters}
            self._pictures[index] = Picture(zones, meters)
        return self._pictures[index]

    def _frame(self, index: int, *, whole: bool) -> bytes:
        """Return an encoded frame: everything, or the changes since the previous frame."""
        shot = self._shots[index]
        before = NOTHING if whole else self._picture(index - 1)
        now = self._picture(index)
        frame = Frame(
            at=index,
            kind=shot.kind,
            say=self._sentence(shot),
            mark=shot.mark,
            seats_to_act=shot.to_act,
            zones=tuple(zone for key, zone in now.zones.items() if before.zones.get(key) != zone),
            gone=tuple(key for key in before.zones if key not in now.zones),
            meters=tuple(meter for key, meter in now.meters.items() if before.meters.get(key) != meter),
        )
        return encode(frame)

    def span(self, after: int, until: int | None = None) -> range:
        """Return the numbers of the frames after `after` and before `until`."""
        stop = self.length if until is None else max(0, min(until, self.length))
        return range(min(max(0, after + 1), stop), stop)

    def frames(self, span: range, *, whole: bool) -> list[bytes]:
        """Return encoded frames. With `whole` the first holds every zone, else only changes like the others."""
        drawn = []
        for index in span:
            if whole and index == span.start:
                drawn.append(self._frame(index, whole=True))
                continue
            if index not in self._frames:
                self._frames[index] = self._frame(index, whole=False)
            drawn.append(self._frames[index])
        return drawn

    @property
    def length(self) -> int:
        """Number of frames."""
        return len(self._shots)

    @property
    def last(self) -> Scene:
        """Latest scene."""
        return self._scene(self.length - 1)

    def points(self, back: int = 0) -> tuple[int, ...]:
        """Return the points of each seat `back` frames before the latest; empty if the game does not show them."""
        meters = self._picture(max(-1, self.length - 1 - back)).meters
        return meters["points"].values if "points" in meters else ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players by seat."""
        return self._names

    def moment(self, at: int) -> tuple[str, Scene]:
        """Return the sentence and the full scene of a frame; raise IndexError if it does not exist."""
        if not 0 <= at < self.length:
            there = f"frames 0 to {self.length - 1}" if self.length else "no frame yet"
            raise IndexError(f"this match has {there}, and so none of the number {at}")
        return self._sentence(self._shots[at]), self._scene(at)

    def story(self) -> list[tuple[int, str]]:
        """Return (number, sentence) for each frame."""
        return list(enumerate(map(self._sentence, self._shots)))


def message(eyes: str, reel: Reel, span: range, *, whole: bool = False) -> str:
    """Encode a message with frames: the viewer, the number of frames, and whether more can follow."""
    return _message(eyes, reel, reel.frames(span, whole=whole), b"")


def glimpse(eyes: str, reel: Reel, at: int) -> str:
    """Encode one full frame out of order, for a subscriber that receives the earlier ones later."""
    (frame,) = reel.frames(range(at, at + 1), whole=True)
    return _message(eyes, reel, [], b'"glimpse":' + frame + b",")


def _message(eyes: str, reel: Reel, frames: list[bytes], more: bytes) -> str:
    tail = msgspec.json.encode({"eyes": eyes, "length": reel.length, "open": not reel.ended})[1:]
    return (b'{"type":"frames","frames":[' + b",".join(frames) + b"]," + more + tail).decode()
