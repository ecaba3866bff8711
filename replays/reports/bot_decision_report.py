"""Report on one decision of a match: the question, the answer, and the time it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext

from bots.access.teams import is_author
from ftk_core.facts import OMNISCIENT, Viewer, encode
from ftk_core.games import game_of
from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import ChoiceMade, MatchOpened, read
from ftk_core.match_replay_frames import is_shown
from ftk_core.match_state_from_log import states
from replays.event_stream_storage import EventAppender
from replays.match_access import admitted_viewer
from replays.models import MatchSeat
from replays.private_bot_diagnostics import read_record


class DecisionMissing(LookupError):
    """Raised if the seat whose decision was requested made no choice up to the requested frame."""


class AuthorOnlyDecisionDetails(msgspec.Struct, frozen=True):
    """Details of a decision that only the bot's authors may read."""

    fault: str
    """Description of an invalid or missing answer; empty for a valid answer."""
    notes: list[str]
    stderr: str
    """First part of the bot's stderr in the whole match."""


class BotDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's choice in a match: the question, the chosen action, and the times measured."""

    at: int
    """Number of the first frame that shows the consequences of the choice."""
    seat: int
    bot: str
    question: int
    """Number of the question, counted separately for each seat."""
    view: msgspec.Raw
    """State of the game as the seat may know it, as JSON."""
    menu: list[msgspec.Raw]
    chosen: int
    """Index of the choice in `menu`, from 0."""
    excuse: str | None
    """Reason why the default `menu[0]` was chosen for the bot; None if the bot chose."""
    charged_us: int
    """Microseconds of the decision that are charged to the seat's time limit and time bank."""
    idle_us: int | None
    """Microseconds that the bot slept. `idle_us`, `wall_us` and `queued_us` are None if CPU time was not measured."""
    wall_us: int | None
    """Microseconds from the question to the answer."""
    queued_us: int | None
    """Microseconds in which the bot or the worker waited for a CPU."""
    bank_ms: int
    """Milliseconds left in the seat's time bank after the decision."""
    own: AuthorOnlyDecisionDetails | None
    """Details for the bot's authors; None for everybody else."""


def read_decision(match_id: str, eyes: str, at: int, user_id: int | None) -> BotDecision:
    """Return the last choice up to the frame `at` that can be seen from the viewpoint `eyes`, with its question.

    Raises DecisionMissing, InvalidViewpointError, Match.DoesNotExist, or MatchViewForbiddenError if the user may not
    use the viewpoint.
    """
    match, viewer = admitted_viewer(match_id, eyes, user_id)
    rows = list(match.seats.select_related("version__bot").order_by("seat"))
    lines = _lines_up_to_frame(at, lines_of(EventAppender(match.stream_id)))
    number, chose = _last_choice(viewer, [line for line in lines if not is_shown(line)])
    row = rows[chose.seat]
    own = _own_notes(row, number) if is_author(user_id, row.version.bot.slug) else None
    return _decision_of(row, number, chose, lines, own)


def _lines_up_to_frame(at: int, lines: Iterable[bytes]) -> list[bytes]:
    """Return the log's lines up to and including the line that is shown as frame `at`."""
    found: list[bytes] = []
    for line in lines:
        found.append(line)
        at -= is_shown(line)
        if at < 0:
            break
    return found


def _last_choice(viewer: Viewer, choices: Iterable[bytes]) -> tuple[int, ChoiceMade]:
    """Return (number of the question, choice) for the last choice that the viewer may see. Raises DecisionMissing."""
    # OMNISCIENT sees the choices of all seats.
    asked: Counter[int] = Counter()
    last: ChoiceMade | None = None
    for line in choices:
        entry = read(line)
        assert isinstance(entry, ChoiceMade)
        asked[entry.seat] += 1
        if viewer in (entry.seat, OMNISCIENT):
            last = entry
    if last is None:
        raise DecisionMissing(gettext("no choice up to this frame can be seen from this viewpoint"))
    return asked[last.seat], last


def _decision_of(
    row: MatchSeat, number: int, chose: ChoiceMade, lines: Sequence[bytes], own: AuthorOnlyDecisionDetails | None
) -> BotDecision:
    opened = read(lines[0])
    assert isinstance(opened, MatchOpened)
    rules = game_of(opened)
    state: Any = None
    for _, state in states(rules, lines[: chose.seq]):  # noqa: B007 - the last state is wanted
        pass
    menu = [encode(action) for action in rules.legal(state, chose.seat)]
    return BotDecision(
        at=sum(map(is_shown, lines[: chose.seq])),
        seat=chose.seat,
        bot=row.version.label,
        question=number,
        view=msgspec.Raw(encode(rules.view(state, chose.seat))),
        menu=[msgspec.Raw(item) for item in menu],
        chosen=menu.index(bytes(chose.action)),
        excuse=chose.excuse,
        charged_us=chose.charged_us,
        idle_us=_set_or_none(chose.idle_us),
        wall_us=_set_or_none(chose.wall_us),
        queued_us=_set_or_none(chose.queued_us),
        bank_ms=chose.bank_ms,
        own=own,
    )


def _set_or_none(value: int | msgspec.UnsetType) -> int | None:
    return None if isinstance(value, msgspec.UnsetType) else value


def _own_notes(row: MatchSeat, number: int) -> AuthorOnlyDecisionDetails:
    start = f"question {number}: "
    record = read_record(row)
    faults = [text.removeprefix(start) for text in record.faults if text.startswith(start)]
    notes = [text.removeprefix(start) for text in record.notes if text.startswith(start)]
    return AuthorOnlyDecisionDetails(faults[0] if faults else "", notes, record.stderr)
