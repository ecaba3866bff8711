"""How a ladder came about: its stream, folded once a process into what the pages show of it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import RLock

import msgspec

from ftk_core.log import Page
from replays.queries import read_pages
from tournaments.elo import MILLION, expected
from tournaments.ladder import MatchRated

KEPT = 200
"""How many of a bot's last matches are kept, and of the ladder's."""
_decoder = msgspec.json.Decoder(MatchRated)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What one match did to one bot's rating."""

    match: str
    before: int
    """In thousandths of a point."""
    after: int
    place: int
    seats: int


class Win(msgspec.Struct, frozen=True):
    """Who won a match, and how likely that was."""

    match: str
    name: str
    share: float
    """The share of its opponents that the winner was expected to leave behind."""


class RatingHistory(msgspec.Struct):
    """One bot's past on a ladder."""

    steps: deque[Step]


class LadderHistory:
    """A ladder's stream, as far as it has been read."""

    def __init__(self) -> None:
        self.last, self.head = -1, b""
        """The last entry read, and the hash of everything up to it."""
        self.pasts: dict[str, RatingHistory] = defaultdict(lambda: RatingHistory(deque(maxlen=KEPT)))
        self.met: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
        """By bot and opponent: half points won, and matches."""
        self.wins: deque[Win] = deque(maxlen=KEPT)

    def follow(self, pages: Sequence[Page]) -> bool:
        """Read on; False if these pages do not go on from what was read before."""
        known = self.last < 0
        for page in pages:
            if page.last == self.last:
                known = page.head == self.head
            elif known and page.first == self.last + 1:
                for line in page.body.splitlines():
                    self._count(_decoder.decode(line))
                self.last, self.head = page.last, page.head
        return known

    def _count(self, fact: MatchRated) -> None:
        for seat, change in enumerate(fact.changes):
            others = [other for number, other in enumerate(fact.changes) if number != seat]
            shares = [expected(round((change.before - other.before) / 1000)) / MILLION for other in others]
            past, place = self.pasts[change.name], fact.places[seat]
            after = change.before + change.delta
            past.steps.append(
                Step(match=fact.match, before=change.before, after=after, place=place, seats=len(fact.places))
            )
            if place == 1 and fact.places.count(1) == 1:
                self.wins.append(Win(fact.match, change.name, sum(shares) / len(shares)))
            for other_seat, other in enumerate(fact.changes):
                if other.name != change.name:
                    theirs = fact.places[other_seat]
                    won, of = self.met[change.name, other.name]
                    self.met[change.name, other.name] = (won + 2 * (place < theirs) + (place == theirs), of + 1)


_histories: dict[str, LadderHistory] = {}
"""By the ladder's stream."""
_lock = RLock()


@contextmanager
def read_histories(streams: Sequence[str]) -> Iterator[dict[str, LadderHistory]]:
    """Give the histories of these ladders, up to date, while nobody else reads or changes them: one query, rarely two.

    A ladder on which nothing is rated has an empty history, which is not kept: anybody can ask for any season.
    """
    with _lock:
        found = {stream: _histories.get(stream) or LadderHistory() for stream in streams}
        if lost := _follow(found):  # another database, or ladders that were begun again
            anew = {stream: LadderHistory() for stream in lost}
            _follow(anew)
            found |= anew
        _histories.update({stream: history for stream, history in found.items() if history.last >= 0})
        yield found


def _follow(found: dict[str, LadderHistory]) -> list[str]:
    """Read on in all histories; returns the ladders whose pages do not go on from what was read before."""
    pages = read_pages({stream: history.last for stream, history in found.items()})
    return [stream for stream, history in found.items() if not history.follow(pages[stream])]
