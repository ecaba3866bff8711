"""Examples of key moments: events that a game marks as worth watching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import structlog

from ftk_core.facts import PUBLIC, redact
from ftk_core.game import Mark
from ftk_core.games import game, game_of
from ftk_core.log_entries import GameFactRecorded, MatchOpened, is_fact_line, read, stream_of
from ftk_core.match_replay_frames import is_shown
from ftk_core.match_state_from_log import fact_in
from replays.archive.archive_errors import ArchiveUnavailable
from replays.event_stream_storage import pages_of
from replays.models import Match

log = structlog.get_logger(__name__)
MAX_MATCHES = 4
"""Maximum number of matches that are searched for examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMoment:
    """An event that the game marks as worth watching, with the frame that shows it."""

    kind: str
    """Kind of the event in readable form, such as ``Favor taken``."""
    mark: Mark
    match: str
    at: int
    """Number of the frame."""
    say: str
    """English sentence that describes the event as everybody may see it."""


def find_key_moments(name: str, closed: Iterable[str]) -> list[KeyMoment]:
    """Return one example of each kind of event that a game marks as worth watching.

    Only the first `MAX_MATCHES` matches are searched.
    """
    # Matches that are not public are left out. Each match that is not cached costs a query.
    marks = game(name).marks
    found: dict[str, KeyMoment] = {}
    wanted = list(closed)[:MAX_MATCHES]
    released = set(Match.objects.filter(pk__in=wanted, released=True).values_list("pk", flat=True))
    for match in (one for one in wanted if one in released):
        if len(found) == len(marks):
            break
        try:
            found = {moment.kind: moment for moment in find_first_moments(match)} | found
        except ArchiveUnavailable as error:  # try the next match
            log.warning("key_moments_without", match=match, reason=str(error))
    order = [_kind_title(kind) for kind in marks]
    shown = [moment for moment in found.values() if moment.kind in order]  # earlier rules may mark other kinds
    return sorted(shown, key=lambda moment: order.index(moment.kind))


@lru_cache(maxsize=200)
def find_first_moments(match: str) -> Sequence[KeyMoment]:
    """Return the first event of each kind that is worth watching in an ended match.

    Raises ArchiveUnavailable if the log cannot be read.
    """
    # Cached, because the log of an ended match never changes.
    lines = filter(is_shown, (line for page in pages_of(stream_of(match)) for line in page.lines))
    opened, found = read(next(lines)), dict[str, KeyMoment]()
    assert isinstance(opened, MatchOpened)
    rules = game_of(opened)
    for at, line in enumerate(lines, 1):
        if not is_fact_line(line):
            continue
        entry = read(line)
        assert isinstance(entry, GameFactRecorded)
        kind = _moment_kind(entry)
        if kind in rules.marks and kind not in found:
            said = rules.say(redact(fact_in(rules, entry), PUBLIC), opened.players, "en")
            found[kind] = KeyMoment(kind=_kind_title(kind), mark=rules.marks[kind], match=match, at=at, say=said)
    return tuple(found.values())


def _moment_kind(entry: GameFactRecorded) -> str:
    # The kind is the first field of the event's JSON, so the rest need not be parsed.
    return bytes(entry.fact).split(b'"', 4)[3].decode()


def _kind_title(kind: str) -> str:
    return kind.replace("_", " ").capitalize()
