"""One decision of a match laid open: what the seat was asked, what it answered, and what that cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ftk_core.entries import Chose, Opened, read
from ftk_core.facts import OMNISCIENT, Viewer, encode
from ftk_core.games import game_of
from ftk_core.log import lines_of
from ftk_core.match import states
from replays.access import check_eyes, viewer_of
from replays.gallery import CHOICE
from replays.models import Match, MatchSeat
from replays.store import StreamLog


class NoDecision(LookupError):
    """Raised when the seat has chosen nothing yet at that entry."""


class Own(msgspec.Struct, frozen=True):
    """What only the bot's author may read of a decision."""

    fault: str
    """What was wrong with the answer; empty when nothing was."""
    notes: list[str]
    stderr: str
    """Of the whole match, the first part."""


class Decision(msgspec.Struct, frozen=True):
    """One entry that is a choice, with the question that it answers."""

    entry: int
    seat: int
    bot: str
    question: int
    """The question's number, as the bot was told it."""
    view: msgspec.Raw
    """All that the seat knew."""
    menu: list[msgspec.Raw]
    chosen: int
    """Into the menu."""
    excuse: str | None
    """Why menu[0] was played for it, if it was."""
    charged_us: int
    idle_us: int | None
    wall_us: int | None
    queued_us: int | None
    bank_ms: int
    own: Own | None
    """For the bot's author alone."""


def decision(match_id: str, eyes: str, at: int, user_id: int | None) -> Decision:
    """Return the last choice no later than entry `at`: of the seat with these eyes, or of any for the omniscient.

    Raises Match.DoesNotExist, UnknownEyes, EyesClosed, or NoDecision (which the public eyes always find).
    """
    match = Match.objects.get(pk=match_id)
    rows = list(match.seats.select_related("version__bot").order_by("seat"))
    viewer = viewer_of(eyes, len(rows))
    check_eyes(match, viewer, user_id)
    lines = list(lines_of(StreamLog(match.stream_id)))[: at + 1]
    number, chose = _last_of(viewer, [line for line in lines if line.startswith(CHOICE)])
    row = rows[chose.seat]
    own = _own(row, number) if user_id is not None and row.version.bot.owner_id == user_id else None
    return _laid_open(row, number, chose, lines, own)


def _last_of(viewer: Viewer, choices: Sequence[bytes]) -> tuple[int, Chose]:
    """Return (number of the question, choice)."""
    for number in range(len(choices), 0, -1):
        entry = read(choices[number - 1])
        assert isinstance(entry, Chose)
        if viewer in (entry.seat, OMNISCIENT):
            return number, entry
    raise NoDecision("these eyes have seen no choice by then")


def _laid_open(row: MatchSeat, number: int, chose: Chose, lines: Sequence[bytes], own: Own | None) -> Decision:
    opened = read(lines[0])
    assert isinstance(opened, Opened)
    rules = game_of(opened)
    state: Any = None
    for _, state in states(rules, lines[: chose.seq]):  # noqa: B007 - the last one is wanted
        pass
    menu = [encode(action) for action in rules.legal(state, chose.seat)]
    return Decision(
        chose.seq, chose.seat, row.version.label, number,
        msgspec.Raw(encode(rules.view(state, chose.seat))), [msgspec.Raw(item) for item in menu],
        menu.index(bytes(chose.action)), chose.excuse, chose.charged_us, _known(chose.idle_us), _known(chose.wall_us),
        _known(chose.queued_us), chose.bank_ms, own,
    )  # fmt: skip


def _known(value: int | msgspec.UnsetType) -> int | None:
    return None if isinstance(value, msgspec.UnsetType) else value


def _own(row: MatchSeat, number: int) -> Own:
    start = f"question {number}: "
    faults = [text.removeprefix(start) for text in row.faults if text.startswith(start)]
    notes = [text.removeprefix(start) for text in row.notes if text.startswith(start)]
    return Own(faults[0] if faults else "", notes, row.stderr)
