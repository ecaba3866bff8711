"""Questions to a person who plays a match by hand, and the person's answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from bots.remote_bots import PERSON
from foundation.celery_task_messages import enqueue_task
from foundation.channel_group_notifications import notify_group
from replays.models import SEATS, Match, SeatQuestionMailbox
from replays.seats.seat_question_mailbox import ANSWERS_GROUP, group_of_bot


class HumanAnswerRefusedError(Exception):
    """Raised if an answer is not accepted. `code` tells API clients the reason, such as ``too_late``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionToHuman:
    """The current question to a person at a seat."""

    number: int
    """Number of the question; 0 before the first question."""
    line: str
    """Question as the JSON line that a bot reads, with the game state, new events and menu; empty before the first."""
    asked_at: datetime | None
    answered: bool
    """True if the question is answered and the next question does not exist yet."""
    due_at: datetime | None
    """Time until which an answer is accepted; None is unlimited."""
    over: bool
    """True once the match has ended."""


def find_own_mailbox(match_id: str, seat: int, person: User) -> SeatQuestionMailbox:
    """Return and lock the mailbox (question and answer) of a person's seat. The lock ends with the transaction.

    Raises SeatQuestionMailbox.DoesNotExist if the person does not play the seat, or before the match begins.
    """
    own = SeatQuestionMailbox.objects.select_for_update(of=("self",)).select_related("seat", "seat__match")
    return own.get(seat__match=match_id, seat__seat=seat, bot__owner=person, bot__kind=PERSON)


@transaction.atomic
def read_question(match_id: str, seat: int, person: User) -> QuestionToHuman:
    """Return the current question to a person who plays by hand.

    Raises SeatQuestionMailbox.DoesNotExist for another seat, or before the match begins.
    """
    row = find_own_mailbox(match_id, seat, person)
    return QuestionToHuman(
        number=row.number,
        line=row.line,
        asked_at=row.asked_at,
        answered=row.answered_at is not None,
        due_at=_due_time(row),
        over=row.over != "" or row.seat.match.ended,
    )


def _due_time(row: SeatQuestionMailbox) -> datetime | None:
    hand_ms = row.seat.match.hand_ms
    return None if hand_ms is None or row.asked_at is None else row.asked_at + timedelta(milliseconds=hand_ms)


@transaction.atomic
def store_answer(match_id: str, seat: int, number: int, index: int, person: User) -> None:
    """Store the menu item `index` as a person's answer to the question `number`. Resume the match if it was adjourned.

    Raises SeatQuestionMailbox.DoesNotExist if the person does not play the seat, and HumanAnswerRefusedError for a late
    or wrong answer.
    """
    row = find_own_mailbox(match_id, seat, person)
    if row.over or row.seat.match.ended:
        raise HumanAnswerRefusedError("over", gettext("the match is over"))
    if number != row.number or row.answered_at is not None:
        raise HumanAnswerRefusedError(
            "not_asked", gettext("question %(number)s is not asked now; look at the match again") % {"number": number}
        )
    if not 0 <= index < row.items:
        raise HumanAnswerRefusedError(
            "not_on_the_menu",
            gettext("the menu has items 0 to %(items)s, and no %(index)s") % {"items": row.items - 1, "index": index},
        )
    now, due = timezone.now(), _due_time(row)
    if due is not None and due < now:
        raise HumanAnswerRefusedError(
            "too_late",
            gettext("question %(number)s was to be answered by %(due)s") % {"number": number, "due": f"{due:%H:%M:%S}"},
        )
    SeatQuestionMailbox.objects.filter(pk=row.pk).update(choice=index, answered_at=now)
    adjourned = Match.objects.filter(pk=match_id, status=Match.Status.ADJOURNED)
    resumed = adjourned.update(status=Match.Status.WAITING, resume_at=None)
    transaction.on_commit(lambda: _notify_worker(row, resumed=bool(resumed)))


def _notify_worker(row: SeatQuestionMailbox, *, resumed: bool) -> None:
    notify_group(ANSWERS_GROUP, seats=[row.pk])
    notify_group(group_of_bot(row.bot_id))
    if resumed:
        enqueue_task("bots.work", SEATS, queue=SEATS)


def resume_matches_of_erased_people(bot_ids: Collection[int], **_kwargs: object) -> None:
    """Let workers continue the adjourned matches of people whose accounts were erased."""
    # Mailboxes are locked before matches, as in `store_answer` and `match_leases.adjourn`.
    open_mailboxes = SeatQuestionMailbox.objects.filter(bot__in=bot_ids, bot__kind=PERSON, over="").order_by("pk")
    match_ids = list(open_mailboxes.select_for_update(of=("self",)).values_list("seat__match", flat=True))
    adjourned = Match.objects.filter(pk__in=match_ids, status=Match.Status.ADJOURNED)
    if adjourned.update(status=Match.Status.WAITING, resume_at=None):
        transaction.on_commit(lambda: enqueue_task("bots.work", SEATS, queue=SEATS))
