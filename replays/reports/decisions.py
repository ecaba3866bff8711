"""Report on one decision of a match: the question, the answer, and its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext

from bots.teams import is_author
from ftk_core.entries import Chose, Opened, read
from ftk_core.facts import OMNISCIENT, Viewer, encode
from ftk_core.fold import states
from ftk_core.games import game_of
from ftk_core.log import lines_of
from ftk_core.reel import is_shown
from replays.access import admitted
from replays.models import MatchSeat
from replays.records import read_record
from replays.store import StreamLog


class NoDecision(LookupError):
    """Raised when the seat has not chosen anything yet at that frame."""


class Own(msgspec.Struct, frozen=True):
    """Details of a decision for the bot's author only."""

    fault: str
    """Fault of the answer; empty without one."""
    notes: list[str]
    stderr: str
    """First part, of the whole match."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A choice with its question."""

    at: int
    """First frame of its consequences."""
    seat: int
    bot: str
    question: int
    """Number of the question as the bot received it; each seat has its own count."""
    view: msgspec.Raw
    """The seat's view."""
    menu: list[msgspec.Raw]
    chosen: int
    """Index into the menu."""
    excuse: str | None
    """Reason why menu[0] was chosen for it, if so."""
    charged_us: int
    idle_us: int | None
    wall_us: int | None
    queued_us: int | None
    bank_ms: int
    own: Own | None
    """For the bot's author only."""


def read_decision(match_id: str, eyes: str, at: int, user_id: int | None) -> Decision:
    """Return the last choice shown by frame `at` or before: of the viewer's seat, or of any for the omniscient.

    Raises Match.DoesNotExist, UnknownEyes, EyesClosed, or NoDecision (always for the public viewer).
    """
    match, viewer = admitted(match_id, eyes, user_id)
    rows = list(match.seats.select_related("version__bot").order_by("seat"))
    lines = _until(at, lines_of(StreamLog(match.stream_id)))
    number, chose = _last_of(viewer, [line for line in lines if not is_shown(line)])
    row = rows[chose.seat]
    own = _own(row, number) if is_author(user_id, row.version.bot.slug) else None
    return _laid_open(row, number, chose, lines, own)


def _until(at: int, lines: Iterable[bytes]) -> list[bytes]:
    """Return the entries up to that of frame `at`."""
    found: list[bytes] = []
    for line in lines:
        found.append(line)
        at -= is_shown(line)
        if at < 0:
            break
    return found


def _last_of(viewer: Viewer, choices: Iterable[bytes]) -> tuple[int, Chose]:
    """Return (number of the question, choice)."""
    asked: Counter[int] = Counter()
    last: Chose | None = None
    for line in choices:
        entry = read(line)
        assert isinstance(entry, Chose)
        asked[entry.seat] += 1
        if viewer in (entry.seat, OMNISCIENT):
            last = entry
    if last is None:
        raise NoDecision(gettext("these eyes have seen no choice by then"))
    return asked[last.seat], last


def _laid_open(row: MatchSeat, number: int, chose: Chose, lines: Sequence[bytes], own: Own | None) -> Decision:
    opened = read(lines[0])
    assert isinstance(opened, Opened)
    rules = game_of(opened)
    state: Any = None
    for _, state in states(rules, lines[: chose.seq]):  # noqa: B007 - the last one is wanted
        pass
    menu = [encode(action) for action in rules.legal(state, chose.seat)]
    return Decision(
        at=sum(map(is_shown, lines[: chose.seq])),
        seat=chose.seat,
        bot=row.version.label,
        question=number,
        view=msgspec.Raw(encode(rules.view(state, chose.seat))),
        menu=[msgspec.Raw(item) for item in menu],
        chosen=menu.index(bytes(chose.action)),
        excuse=chose.excuse,
        charged_us=chose.charged_us,
        idle_us=_known(chose.idle_us),
        wall_us=_known(chose.wall_us),
        queued_us=_known(chose.queued_us),
        bank_ms=chose.bank_ms,
        own=own,
    )


def _known(value: int | msgspec.UnsetType) -> int | None:
    return None if isinstance(value, msgspec.UnsetType) else value


def _own(row: MatchSeat, number: int) -> Own:
    start = f"question {number}: "
    record = read_record(row)
    faults = [text.removeprefix(start) for text in record.faults if text.startswith(start)]
    notes = [text.removeprefix(start) for text in record.notes if text.startswith(start)]
    return Own(faults[0] if faults else "", notes, record.stderr)
