"""Frames of a match's replay: one picture of the game table after each event."""
# A server process draws each frame once and sends it to all spectators.

from __future__ import annotations

from collections.abc import Iterable
from gettext import gettext as _
from threading import Lock
from typing import Any

import msgspec
from msgspec.structs import replace

from ftk_core.facts import Fact, Viewer, encode, redact
from ftk_core.games import game_of
from ftk_core.log_entries import (
    Entry,
    GameFactRecorded,
    MatchAbandoned,
    MatchFinished,
    MatchOpened,
    is_choice_line,
    read,
)
from ftk_core.match_state_from_log import fact_in, state_before_deal
from ftk_core.views.fact_sentences import ENTRIES, join_list, label_translator
from ftk_core.views.replay_frame_messages import Mark, SeatResult, SpectatorFrame
from ftk_core.views.scene import EMPTY_SCENE, SceneIndex, SeatCounter, TableScene, index_scene

MAX_PLACED_SEATS = 8
"""At tables with more seats than this, the last frame of a match has no meter with the final places."""


def is_shown(line: bytes) -> bool:
    """Return whether a log line has a replay frame."""
    # A choice has none: the frames of the events that follow show its effect.
    return not is_choice_line(line)


class UnrenderedFrame(msgspec.Struct, kw_only=True):
    """Data from which a frame is drawn later, when a spectator first requests it."""

    kind: str
    fact: Fact | None
    """Fact of the entry, without the fields that the viewer may not know; None if the entry is not a fact."""
    say: str
    """Sentence for an entry that is not a fact; empty for a fact."""
    mark: Mark | None
    state: Any
    """State of the game after the entry."""
    to_act: tuple[int, ...]
    result: tuple[SeatResult, ...] = ()
    """Result of each seat, if the entry is the end of the match."""


class MatchFrames:
    """All replay frames of a match for one viewer, in one language."""

    # A new log entry is applied to the game state at once; its picture is drawn on first use, which is slower.

    def __init__(self, viewer: Viewer, language: str = "en") -> None:
        self.viewer, self.language = viewer, language
        self.extend_lock = Lock()
        """Lock that callers hold while they extend the reel."""
        self.entries = 0
        """Number of log entries that are already part of the reel."""
        self.head = b""
        self.ended = False
        self._shots: list[UnrenderedFrame] = []
        self._pictures: dict[int, SceneIndex] = {-1: EMPTY_SCENE}
        self._frames: dict[int, bytes] = {}
        self._game: Any = None
        self._state: Any = None
        self._names: tuple[str, ...] = ()
        self._relabel = label_translator({}, language)

    def extend(self, lines: Iterable[bytes]) -> None:
        """Add further log lines: apply them to the game state and add their frames."""
        for line in lines:
            if is_shown(line):
                self._apply_entry(read(line))
            self.entries += 1  # last, so that an entry that cannot be applied fails again

    def _apply_entry(self, entry: Entry) -> None:
        match entry:
            case MatchOpened():
                self._game, self._names = game_of(entry), entry.players
                self._relabel = label_translator(self._game.labels(self.language), self.language, self._names)
                self._state = state_before_deal(self._game, entry)
                players = join_list(entry.players, self.language)
                self._add_entry_frame("opened", title=self._game.title, players=players)
            case GameFactRecorded():
                fact = fact_in(self._game, entry)
                self._state = self._game.apply(self._state, fact)
                kind = str(type(fact).__struct_config__.tag)
                self._add_frame(kind, redact(fact, self.viewer), "", self._game.marks.get(kind))
            case MatchFinished():
                self._finish(entry)
            case MatchAbandoned():
                self._add_entry_frame("voided", reason=entry.reason)
                self.ended = True

    def _add_entry_frame(self, kind: str, *result: SeatResult, **fields: str) -> None:
        """Add the frame of a log entry that is no event of the game."""
        self._add_frame(kind, None, ENTRIES(self.language)[kind].format(**fields), "phase", *result)

    def _finish(self, entry: MatchFinished) -> None:
        """Add the last frame of a finished match. It shows the result of each seat."""
        # Another thread may draw the frame as soon as it is added: the result is part of it, and `ended` follows.
        scores = [self._game.score_text(score, self.language) for score in entry.scores]
        tied: dict[tuple[int, str], list[str]] = {}
        for place, score, name in sorted(zip(entry.places, scores, self._names, strict=True)):
            tied.setdefault((place, score), []).append(name)
        ranked = ENTRIES(self.language)["ranked"]
        places = (
            ranked.format(place=place, name=join_list(names, self.language), score=score)
            for (place, score), names in tied.items()
        )
        result = [SeatResult(*seat) for seat in zip(entry.places, scores, strict=True)]
        self._add_entry_frame("closed", *result, ranking=join_list(places, self.language))
        self.ended = True

    def _add_frame(self, kind: str, fact: Fact | None, say: str, mark: Mark | None, *result: SeatResult) -> None:
        to_act = self._game.turn(self._state)
        names_turns = "turn" in self._game.marks.values()
        if mark is None and not names_turns and self._shots and self._shots[-1].to_act != to_act:
            mark = "turn"  # the game marks no turns: mark a change of the seats that are to act
        self._shots.append(
            UnrenderedFrame(kind=kind, fact=fact, say=say, mark=mark, state=self._state, to_act=to_act, result=result)
        )

    def _sentence(self, shot: UnrenderedFrame) -> str:
        sentence: str = self._game.say(shot.fact, self._names, self.language) if shot.fact is not None else shot.say
        return sentence

    def _heading(self, index: int) -> str:
        shot = self._shots[index]
        if shot.fact is None:
            return ENTRIES(self.language)[f"heading_{shot.kind}"]
        if self._game.heading:
            return str(self._game.heading(shot.fact, self._names, self.language))
        return join_list((self._names[seat] for seat in self._shots[index - 1].to_act), self.language)

    def _scene(self, index: int) -> TableScene:
        shot = self._shots[index]
        scene: TableScene = self._relabel(self._game.scene(self._game.view(shot.state, self.viewer)))
        if not shot.result or len(shot.result) > MAX_PLACED_SEATS:
            return scene
        places = SeatCounter("place", ENTRIES(self.language)["place"], tuple(seat.place for seat in shot.result))
        return replace(scene, meters=(places, *scene.meters))

    def _picture(self, index: int) -> SceneIndex:
        if index not in self._pictures:
            before = self._pictures.get(index - 1, EMPTY_SCENE)
            self._pictures[index] = index_scene(self._scene(index), before)
        return self._pictures[index]

    def _frame(self, index: int, *, whole: bool) -> bytes:
        """Encode a frame: the full picture of the game table, or its changes since the previous frame."""
        shot = self._shots[index]
        before = EMPTY_SCENE if whole else self._picture(index - 1)
        now = self._picture(index)
        frame = SpectatorFrame(
            at=index,
            kind=shot.kind,
            say=self._sentence(shot),
            heading=self._heading(index),
            mark=shot.mark,
            seats_to_act=shot.to_act,
            gone=now.removed_since(before),
            **now.changes_since(before),
            duration=self._game.durations.get(shot.kind, "long" if shot.mark in ("phase", "key") else "normal"),
            sound="end" if shot.result else self._game.sounds.get(shot.kind),
            result=shot.result,
        )
        return encode(frame)

    def span(self, after: int, until: int | None = None) -> range:
        """Return the frame numbers after `after` and before `until`. Without `until`, include the newest frame."""
        stop = self.length if until is None else max(0, min(until, self.length))
        return range(min(max(0, after + 1), stop), stop)

    def frames(self, span: range, *, whole: bool) -> list[bytes]:
        """Return frames as JSON. Each frame holds the changes since the previous frame.

        With `whole`, the first frame holds the full picture instead.
        """
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
    def last(self) -> TableScene:
        """Complete picture of the game table at the latest frame."""
        return self._scene(self.length - 1)

    def points(self, back: int = 0) -> tuple[int, ...]:
        """Return each seat's points `back` frames before the latest frame; empty if the game shows no points."""
        meters = self._picture(max(-1, self.length - 1 - back)).meters
        return meters["points"].values if "points" in meters else ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players by seat."""
        return self._names

    def moment(self, at: int) -> tuple[str, TableScene]:
        """Return a frame's sentence and its full picture. Raises IndexError if the frame does not exist."""
        if not 0 <= at < self.length:
            available_frames = (
                _("frames 0 to {length}").format(length=self.length - 1) if self.length else _("no frame yet")
            )
            raise IndexError(
                _("this match has no frame {at}: it has {available_frames}").format(
                    available_frames=available_frames, at=at
                )
            )
        return self._sentence(self._shots[at]), self._scene(at)

    def story(self) -> list[tuple[int, str]]:
        """Return pairs (frame number, sentence) for all frames, in order."""
        return list(enumerate(map(self._sentence, self._shots)))


def encode_frames(eyes: str, reel: MatchFrames, span: range, *, whole: bool = False) -> str:
    """Return a JSON message with the frames whose numbers are in `span`."""
    return _encode_message(eyes, reel, reel.frames(span, whole=whole), b"")


def encode_single_frame(eyes: str, reel: MatchFrames, at: int) -> str:
    """Return a JSON message with one full frame."""
    # A client that joins late shows it until it has the earlier frames.
    (frame,) = reel.frames(range(at, at + 1), whole=True)
    return _encode_message(eyes, reel, [], b'"glimpse":' + frame + b",")


def _encode_message(eyes: str, reel: MatchFrames, frames: list[bytes], more: bytes) -> str:
    tail = msgspec.json.encode({"eyes": eyes, "length": reel.length, "open": not reel.ended})[1:]
    return (b'{"type":"frames","frames":[' + b",".join(frames) + b"]," + more + tail).decode()
