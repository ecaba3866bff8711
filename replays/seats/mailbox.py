"""Mailbox operations of the worker that plays the match: put a question, look for its answer, close."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from bots.outside import REMOTE
from foundation.poking import poke
from ftk_core.facts import encode
from ftk_core.kit.lines import AskLine, OverLine
from ftk_core.players import Ask, Hello
from replays.models import Mailbox, MatchSeat

ANSWERS = "answers"
"""Channel group of the workers, which is notified of every answer."""
MAILBOXES = "mailboxes"
"""Channel group of the processes with programs' connections, which is notified of every question."""


def group_of_bot(bot_id: int) -> str:
    """Return the channel group of the pages that show a person the questions to their bot."""
    return f"mailboxes.{bot_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A question with its answer so far and the presence of its bot."""

    asked_at: datetime
    sent_at: datetime | None
    spent_ms: int
    answered: bool
    choice: int | None
    fault: str
    note: str
    took_ms: int
    connection: str
    """Newest connection of its bot; empty without one."""
    alive_until: datetime | None
    closed_at: datetime | None


def open_mailbox(seat: MatchSeat, hello: Hello) -> None:
    """Create the mailbox of a seat, unless an earlier worker did, and store the greeting."""
    line = encode(hello).decode()
    Mailbox.objects.get_or_create(seat=seat, defaults={"bot": seat.version.bot, "hello": line})
    Mailbox.objects.filter(seat=seat).exclude(hello=line).update(hello=line)


def put(seat: MatchSeat, ask: Ask) -> None:
    """Put a question into the mailbox; the same question stays, with its answer if it has one."""
    line = encode(AskLine(id=ask.id, view=ask.view, news=ask.news, menu=ask.menu, bank_ms=ask.bank_ms)).decode()
    other = Mailbox.objects.filter(seat=seat).exclude(number=ask.id, line=line)
    new = other.update(
        number=ask.id,
        line=line,
        items=len(ask.menu),
        asked_at=timezone.now(),
        sent_at=None,
        spent_ms=0,
        answered_at=None,
        choice=None,
        fault="",
        note="",
        took_ms=0,
    )
    if new:
        _poke_readers(seat)


def _poke_readers(seat: MatchSeat) -> None:
    bot = seat.version.bot
    if bot.kind == REMOTE:
        poke(MAILBOXES, bot=bot.pk)
    else:
        poke(group_of_bot(bot.pk))


FIELDS = ("asked_at", "sent_at", "spent_ms", "answered_at", "choice", "fault", "note", "took_ms")
ATTENDANCE = ("connection", "alive_until", "closed_at")


def look(seat: MatchSeat) -> Letter:
    """Return the content of the mailbox."""
    there = [f"bot__attendance__{field}" for field in ATTENDANCE]
    row = Mailbox.objects.values_list(*FIELDS, *there).get(seat=seat)
    asked_at, sent_at, spent_ms, answered_at, choice, fault, note, took_ms, connection, alive_until, closed_at = row
    return Letter(
        asked_at=asked_at,
        sent_at=sent_at,
        spent_ms=spent_ms,
        answered=answered_at is not None,
        choice=choice,
        fault=fault,
        note=note,
        took_ms=took_ms,
        connection=connection or "",
        alive_until=alive_until,
        closed_at=closed_at,
    )


def close(seat: MatchSeat, places: OverLine) -> None:
    """Store the final places; no more questions follow."""
    closed = Mailbox.objects.filter(seat=seat, over="")
    if closed.update(over=encode(places).decode(), sent_at=None):
        _poke_readers(seat)


def close_all(match_id: str) -> None:
    """Close all mailboxes of a match without a result."""
    for mailbox in Mailbox.objects.filter(seat__match=match_id, over="").select_related("seat__version__bot"):
        close(mailbox.seat, OverLine(()))
