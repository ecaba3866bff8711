"""WebSocket messages that a subscriber of a match receives."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from ftk_core.match_replay_frames import MatchFrames, encode_frames

PUBLIC, LANGUAGE = -1, "en"


class ReceivedFrame(msgspec.Struct, frozen=True, kw_only=True):
    """Frame (display of one log entry), reduced to the fields that are the same for all subscribers."""

    at: int
    kind: str
    say: str
    mark: str | None = None
    seats_to_act: tuple[int, ...] = ()


class ServerMessage(msgspec.Struct, frozen=True):
    """A WebSocket message from the server about a match."""

    type: str
    frames: tuple[ReceivedFrame, ...] = ()
    length: int = 0
    open: bool = True


_messages = msgspec.json.Decoder(ServerMessage)


def parse_message(text: str | bytes) -> ServerMessage:
    """Parse a WebSocket message from the server."""
    return _messages.decode(text)


class MatchFramesDigest:
    """Running SHA-256 digest of the frames of one match, as received by one subscriber."""

    def __init__(self) -> None:
        self.next = 0
        """Number of the next expected frame, counted from 0."""
        self.missed = 0
        self.over = False
        self._digest = sha256()

    def hear(self, told: ServerMessage) -> None:
        """Add a message's frames to the digest. Ignore repeated frames, and count skipped frames as missed."""
        for frame in told.frames:
            if frame.at < self.next:
                continue
            self.missed += frame.at - self.next
            self.next = frame.at + 1
            self._digest.update(msgspec.json.encode(frame))
        self.over = not told.open and self.next >= told.length

    @property
    def digest(self) -> str:
        """Number and SHA-256 digest of the frames so far, as ``<number>:<digest>``. Missed frames are counted, too."""
        return f"{self.next}:{self._digest.hexdigest()}"


def digest_of_log(lines: Iterable[bytes]) -> str:
    """Return the digest of all frames that the public sees of a match, given its log."""
    reel, story = MatchFrames(PUBLIC, LANGUAGE), MatchFramesDigest()
    reel.extend(lines)
    story.hear(parse_message(encode_frames("public", reel, reel.span(-1), whole=True)))
    return story.digest
