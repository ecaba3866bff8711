"""What a watcher is told of a match, and how two who were told the same are known to have been."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from ftk_core.reel import Reel, message

PUBLIC, LANGUAGE = -1, "en"


class Seen(msgspec.Struct, frozen=True):
    """As much of a frame as does not depend on when its watcher came."""

    at: int
    kind: str
    say: str
    mark: str | None = None
    seats_to_act: tuple[int, ...] = ()


class Message(msgspec.Struct, frozen=True):
    """What the server sends."""

    type: str
    frames: tuple[Seen, ...] = ()
    length: int = 0
    open: bool = True


_messages = msgspec.json.Decoder(Message)


def heard(text: str | bytes) -> Message:
    """Read a message."""
    return _messages.decode(text)


class Story:
    """The frames of one match in the order in which they came, as a digest."""

    def __init__(self) -> None:
        self.next = 0
        """The number of the frame that is to come."""
        self.missed = 0
        self.over = False
        self._digest = sha256()

    def hear(self, told: Message) -> None:
        """Take in a message; what was told before is passed over, and what is left out is counted."""
        for frame in told.frames:
            if frame.at < self.next:
                continue
            self.missed += frame.at - self.next
            self.next = frame.at + 1
            self._digest.update(msgspec.json.encode(frame))
        self.over = not told.open and self.next >= told.length

    @property
    def digest(self) -> str:
        """What is the same for two who were told the same."""
        return f"{self.next}:{self._digest.hexdigest()}"


def story_of(lines: Iterable[bytes]) -> str:
    """Return the digest of all frames of a log, for the public."""
    reel, story = Reel(PUBLIC, LANGUAGE), Story()
    reel.extend(lines)
    story.hear(heard(message("public", reel, reel.span(-1), whole=True)))
    return story.digest
