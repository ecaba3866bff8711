"""From a log to pictures: one fold per match and pair of eyes in a process, shared by all who watch."""

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
    """Tell whether an entry has a frame: all but choices have, as what a choice came to are the facts behind it."""
    return not is_chose(line)


class Watch(msgspec.Struct, forbid_unknown_fields=True, tag="watch", tag_field="type"):
    """What a watcher asks for."""

    eyes: str = "public"
    after: int = -1
    until: int | None = None
    language: Literal["en", "zh-Hant"] = "en"


class Frame(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a viewer draws for one entry: what was said, and the zones that changed."""

    at: int
    """Its number, from 0: frames are counted by themselves, as the entries between them tell who had a choice."""
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


class Shot(msgspec.Struct, kw_only=True):
    """One entry that makes a picture, not yet drawn."""

    kind: str
    fact: Fact | None
    """What happened, as the viewer may know it."""
    say: str
    """The sentence of an entry that is no fact."""
    mark: Mark | None
    state: Any
    """The game's state behind it."""
    to_act: tuple[int, ...]


class Picture(msgspec.Struct, frozen=True):
    """A drawn scene; what has not changed since the one before is the same object."""

    zones: dict[str, Zone]
    meters: dict[str, Meter]


NOTHING = Picture({}, {})


class Reel:
    """All frames of one match for one pair of eyes, growing as the log grows.

    Folding is quick and done at once; a scene is drawn when somebody looks at it, and kept.
    """

    def __init__(self, viewer: Viewer, language: str = "en") -> None:
        self.viewer, self.language = viewer, language
        self.folding = Lock()
        """Held by whoever extends it."""
        self.entries = 0
        """How many entries have been folded."""
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
        """Fold more of the log."""
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
        """Keep an entry that is no fact of the game."""
        self._keep(kind, None, ENTRIES[self.language][kind].format(**fields), "phase")

    def _keep(self, kind: str, fact: Fact | None, say: str, mark: Mark | None) -> None:
        to_act = self._game.turn(self._state)
        names_turns = "turn" in self._game.marks.values()
        if mark is None and not names_turns and self._shots and self._shots[-1].to_act != to_act:
            mark = "turn"  # a game that does not say what a turn is: somebody else is to act
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
        """Return the encoded frame: everything, or what has changed since the one before."""
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
        """Return encoded frames; the first holds every zone if `whole`, else only what has changed as the others do."""
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
        """How many frames there are."""
        return len(self._shots)

    @property
    def last(self) -> Scene:
        """The newest scene."""
        return self._scene(self.length - 1)

    def points(self, back: int = 0) -> tuple[int, ...]:
        """Return the points of each seat `back` frames before the newest; empty where the game shows none by then."""
        meters = self._picture(max(-1, self.length - 1 - back)).meters
        return meters["points"].values if "points" in meters else ()

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        return self._names

    def moment(self, at: int) -> tuple[str, Scene]:
        """Return what one frame says, and the whole scene behind it; raises IndexError for one that is not there."""
        if not 0 <= at < self.length:
            there = f"frames 0 to {self.length - 1}" if self.length else "no frame yet"
            raise IndexError(f"this match has {there}, and so none of the number {at}")
        return self._sentence(self._shots[at]), self._scene(at)

    def story(self) -> list[tuple[int, str]]:
        """Return (number, sentence) of every frame."""
        return list(enumerate(map(self._sentence, self._shots)))


def message(eyes: str, reel: Reel, span: range, *, whole: bool = False) -> str:
    """Return frames as they are sent: whose eyes they are for, how many there are, whether there may be more."""
    return _message(eyes, reel, reel.frames(span, whole=whole), b"")


def glimpse(eyes: str, reel: Reel, at: int) -> str:
    """Return one frame, whole, for somebody who is told of those before it later: it is no part of the story yet."""
    (frame,) = reel.frames(range(at, at + 1), whole=True)
    return _message(eyes, reel, [], b'"glimpse":' + frame + b",")


def _message(eyes: str, reel: Reel, frames: list[bytes], more: bytes) -> str:
    tail = msgspec.json.encode({"eyes": eyes, "length": reel.length, "open": not reel.ended})[1:]
    return (b'{"type":"frames","frames":[' + b",".join(frames) + b"]," + more + tail).decode()
