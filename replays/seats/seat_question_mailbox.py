"""Mailboxes, which store the current question to a remote bot or person and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from bots.remote_bots import REMOTE
from foundation.channel_group_notifications import notify_group
from ftk_core.facts import encode
from ftk_core.kit.protocol.protocol_lines import MatchOverLine, QuestionLine
from ftk_core.players import HelloMessage, QuestionToSeat
from people.account_erasure import TOMBSTONE_NAME
from replays.models import MatchSeat, SeatQuestionMailbox

ANSWERS_GROUP = "answers"
"""Channel group of all workers, which is notified of every answer."""
QUESTIONS_GROUP = "mailboxes"
"""Channel group of the server processes that serve remote bots, notified of questions and last messages to them."""


def group_of_bot(bot_id: int) -> str:
    """Return the name of the channel group for notifications to a person who plays by hand.

    Each person who plays has a `Bot` record. Its key is `bot_id`.
    """
    # The pages on which the person plays subscribe.
    return f"mailboxes.{bot_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatQuestionState:
    """State of the current question in a mailbox, its answer, and the connection of the bot's program."""

    number: int
    """Number of the question."""
    asked_at: datetime
    sent_at: datetime | None
    spent_ms: int
    answered: bool
    choice: int | None
    fault: str
    note: str
    took_ms: int
    connection: str
    """Id of the bot's newest connection; empty if the bot was never connected."""
    alive_until: datetime | None
    closed_at: datetime | None
    is_owner_erased: bool


def open_mailbox(seat: MatchSeat, hello: HelloMessage) -> None:
    """Create a seat's mailbox if needed, and store the greeting with game, seat and time limits."""
    line = encode(hello).decode()
    SeatQuestionMailbox.objects.get_or_create(seat=seat, defaults={"bot": seat.version.bot, "hello": line})
    SeatQuestionMailbox.objects.filter(seat=seat).exclude(hello=line).update(hello=line)


def put_question(seat: MatchSeat, ask: QuestionToSeat) -> None:
    """Store a question in a seat's mailbox, and notify the processes that deliver it.

    Do nothing if the mailbox already contains the same question.
    """
    line = encode(QuestionLine(id=ask.id, view=ask.view, news=ask.news, menu=ask.menu, bank_ms=ask.bank_ms)).decode()
    other = SeatQuestionMailbox.objects.filter(seat=seat).exclude(number=ask.id, line=line)
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
        _notify_readers(seat)


def _notify_readers(seat: MatchSeat) -> None:
    bot = seat.version.bot
    if bot.kind == REMOTE:
        notify_group(QUESTIONS_GROUP, bot=bot.pk)
    else:
        notify_group(group_of_bot(bot.pk))


MAILBOX_FIELDS = ("number", "asked_at", "sent_at", "spent_ms", "answered_at", "choice", "fault", "note", "took_ms")
PRESENCE_FIELDS = ("connection", "alive_until", "closed_at")


def read_state(seat: MatchSeat) -> SeatQuestionState:
    """Return the stored question and answer of a seat that a remote bot or a person plays."""
    there = [f"bot__attendance__{field}" for field in PRESENCE_FIELDS]
    fields = (*MAILBOX_FIELDS, "bot__owner__username", *there)
    row = SeatQuestionMailbox.objects.values_list(*fields).get(seat=seat)
    number, asked_at, sent_at, spent_ms, answered_at, choice, fault, note, took_ms, owner, *presence = row
    connection, alive_until, closed_at = presence
    return SeatQuestionState(
        number=number,
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
        is_owner_erased=owner == TOMBSTONE_NAME,
    )


def close_mailbox(seat: MatchSeat, places: MatchOverLine) -> None:
    """Store the last message of the match, with the final places, in a seat's mailbox."""
    closed = SeatQuestionMailbox.objects.filter(seat=seat, over="")
    # The worker has stored the private texts that it read. They must not stay here if the author is erased later.
    if closed.update(over=encode(places).decode(), sent_at=None, fault="", note=""):
        _notify_readers(seat)


def close_mailboxes(match_id: str) -> None:
    """Close all mailboxes of a match that ended without a result."""
    for mailbox in SeatQuestionMailbox.objects.filter(seat__match=match_id, over="").select_related(
        "seat__version__bot"
    ):
        close_mailbox(mailbox.seat, MatchOverLine(()))
