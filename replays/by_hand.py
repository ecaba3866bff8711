"""Matches by hand: questions to a person, and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from bots.outside import PERSON
from foundation.doorbell import ring
from foundation.poking import poke
from replays.models import SEATS, Mailbox, Match
from replays.seats.mailbox import ANSWERS, group_of_bot


class NotAnswered(Exception):
    """Raised for an answer that is not accepted; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuestion:
    """The current question to a person."""

    number: int
    """0 before the first question."""
    line: str
    """The line that a bot would read: view, news and menu; empty before the first question."""
    asked_at: datetime | None
    answered: bool
    """True if the answer is stored and no new question exists yet."""
    due_at: datetime | None
    """Time until which the answer counts; None is unlimited."""
    over: bool


def hand_of(match_id: str, seat: int, person: User) -> Mailbox:
    """Return the mailbox of a seat that this person plays by hand, locked until the transaction ends.

    Raises Mailbox.DoesNotExist for any other seat, and before the match has begun.
    """
    own = Mailbox.objects.select_for_update(of=("self",)).select_related("seat", "seat__match")
    return own.get(seat__match=match_id, seat__seat=seat, bot__owner=person, bot__kind=PERSON)


@transaction.atomic
def read_question(match_id: str, seat: int, person: User) -> HandQuestion:
    """Return the question at a seat of this person; raises Mailbox.DoesNotExist."""
    row = hand_of(match_id, seat, person)
    return HandQuestion(
        number=row.number,
        line=row.line,
        asked_at=row.asked_at,
        answered=row.answered_at is not None,
        due_at=_due(row),
        over=row.over != "" or row.seat.match.ended,
    )


def _due(row: Mailbox) -> datetime | None:
    hand_ms = row.seat.match.hand_ms
    return None if hand_ms is None or row.asked_at is None else row.asked_at + timedelta(milliseconds=hand_ms)


@transaction.atomic
def answer(match_id: str, seat: int, number: int, index: int, person: User) -> None:
    """Store a person's answer, an index into the menu; it resumes an adjourned match.

    Raises Mailbox.DoesNotExist for another person's seat, NotAnswered for a question that is not open or an index that
    is not on the menu.
    """
    row = hand_of(match_id, seat, person)
    if row.over or row.seat.match.ended:
        raise NotAnswered("over", gettext("the match is over"))
    if number != row.number or row.answered_at is not None:
        raise NotAnswered(
            "not_asked", gettext("question %(number)s is not asked now; look at the match again") % {"number": number}
        )
    if not 0 <= index < row.items:
        raise NotAnswered(
            "not_on_the_menu",
            gettext("the menu has items 0 to %(items)s, and no %(index)s") % {"items": row.items - 1, "index": index},
        )
    now, due = timezone.now(), _due(row)
    if due is not None and due < now:
        raise NotAnswered(
            "too_late",
            gettext("question %(number)s was to be answered by %(due)s") % {"number": number, "due": f"{due:%H:%M:%S}"},
        )
    Mailbox.objects.filter(pk=row.pk).update(choice=index, answered_at=now)
    adjourned = Match.objects.filter(pk=match_id, status=Match.Status.ADJOURNED)
    resumed = adjourned.update(status=Match.Status.WAITING, resume_at=None)
    transaction.on_commit(lambda: _tell(row, resumed=bool(resumed)))


def _tell(row: Mailbox, *, resumed: bool) -> None:
    poke(ANSWERS, seats=[row.pk])
    poke(group_of_bot(row.bot_id))
    if resumed:
        ring("bots.work", SEATS, queue=SEATS)
