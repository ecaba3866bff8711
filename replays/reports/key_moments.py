"""Examples of each kind of key moment that a game's rules define."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import structlog

from ftk_core.entries import Happened, Opened, is_happened, read, stream_of
from ftk_core.facts import PUBLIC, tell
from ftk_core.fold import fact_in
from ftk_core.game import Mark
from ftk_core.games import game, game_of
from ftk_core.reel import is_shown
from replays.blocks.unread import BlockUnread
from replays.models import Match
from replays.store import pages_of

log = structlog.get_logger(__name__)
MATCHES = 4
"""Maximum number of matches searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMoment:
    """A frame to jump to."""

    kind: str
    """Kind of the fact in readable form: ``Favor taken``."""
    mark: Mark
    match: str
    at: int
    say: str


def find_key_moments(name: str, closed: Iterable[str]) -> list[KeyMoment]:
    """Return an example of each kind of moment from released matches; a query for each match not cached."""
    marks = game(name).marks
    found: dict[str, KeyMoment] = {}
    wanted = list(closed)[:MATCHES]
    released = set(Match.objects.filter(pk__in=wanted, released=True).values_list("pk", flat=True))
    for match in (one for one in wanted if one in released):
        if len(found) == len(marks):
            break
        try:
            found = {moment.kind: moment for moment in find_first(match)} | found
        except BlockUnread as error:  # the next match serves as well
            log.warning("key_moments_without", match=match, reason=str(error))
    order = [_words(kind) for kind in marks]
    shown = [moment for moment in found.values() if moment.kind in order]  # earlier rules may mark others
    return sorted(shown, key=lambda moment: order.index(moment.kind))


@lru_cache(maxsize=200)
def find_first(match: str) -> Sequence[KeyMoment]:
    """Return the first moment of each kind in a closed match, whose log is final."""
    lines = filter(is_shown, (line for page in pages_of(stream_of(match)) for line in page.lines))
    opened, found = read(next(lines)), dict[str, KeyMoment]()
    assert isinstance(opened, Opened)
    rules = game_of(opened)
    for at, line in enumerate(lines, 1):
        if not is_happened(line):
            continue
        entry = read(line)
        assert isinstance(entry, Happened)
        kind = _kind(entry)
        if kind in rules.marks and kind not in found:
            said = rules.say(tell(fact_in(rules, entry), PUBLIC), opened.players, "en")
            found[kind] = KeyMoment(kind=_words(kind), mark=rules.marks[kind], match=match, at=at, say=said)
    return tuple(found.values())


def _kind(entry: Happened) -> str:
    """Return the kind of a fact, its first field, without decoding the rest."""
    return bytes(entry.fact).split(b'"', 4)[3].decode()


def _words(kind: str) -> str:
    return kind.replace("_", " ").capitalize()
