"""A person at a table: what they are asked, and what they answer."""

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
    """Raised for an answer that cannot be taken; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuestion:
    """What a person is asked."""

    number: int
    """0 before the first question."""
    line: str
    """As a bot reads it: view, news and menu; empty before the first question."""
    asked_at: datetime | None
    answered: bool
    """Whether the answer is there, and nothing new was asked yet."""
    due_at: datetime | None
    """Until when the answer counts; None is for ever."""
    over: bool


def hand_of(match_id: str, seat: int, person: User) -> Mailbox:
    """Return the mailbox of a seat that this person plays by hand, held until the transaction ends.

    Raises Mailbox.DoesNotExist for any other, and before the match has begun.
    """
    own = Mailbox.objects.select_for_update(of=("self",)).select_related("seat", "seat__match")
    return own.get(seat__match=match_id, seat__seat=seat, bot__owner=person, bot__kind=PERSON)


@transaction.atomic
def read_question(match_id: str, seat: int, person: User) -> HandQuestion:
    """Return what a person is asked at a seat of theirs; raises Mailbox.DoesNotExist."""
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
    """Take a person's answer to a question: the index into its menu; an adjourned match goes on with it.

    Raises Mailbox.DoesNotExist for a seat that is not theirs, NotAnswered for what is not asked or not on the menu.
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
