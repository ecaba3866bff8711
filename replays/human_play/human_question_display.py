"""Display of a question to a person who plays by hand."""
# It is computed only from the question's menu of actions, so it cannot reveal hidden information of the match.

from __future__ import annotations

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext

from ftk_core.games import game
from ftk_core.match_state_from_log import AnyGame, decoder_of
from ftk_core.views.human_player_texts import kind_of_action
from replays.human_play.questions_to_humans import QuestionToHuman, read_question
from replays.models import Match, MatchSeat, SeatQuestionMailbox


class ActionMenuItem(msgspec.Struct, frozen=True, kw_only=True):
    """A possible action (item of the menu), as shown to a person."""

    say: str
    """Sentence that describes the action."""
    on: tuple[str, ...]
    """Ids of the pieces and zones that the action concerns; the page's picture of the game uses the same ids."""
    kind: str
    """Kind of the action; `HumanQuestionDisplay.guide` explains each kind."""


class ActionKindExplanation(msgspec.Struct, frozen=True):
    """Explanation of one kind of action on the menu of possible actions."""

    kind: str
    say: str


def are_hints_allowed() -> bool:
    """Return True if people who play by hand may ask for hints (setting ``FTK_SEATS_HINTS``)."""
    return bool(settings.SEATS["hints"])


class HumanQuestionDisplay(msgspec.Struct, frozen=True, kw_only=True):
    """Display of the current question at a person's seat; `items` is empty if no answer is expected."""

    number: int = 0
    """Number of the question; 0 before the first question."""
    asked: bool = False
    """True while an answer is expected."""
    over: bool = False
    """True once the match has ended."""
    items: tuple[ActionMenuItem, ...] = ()
    guide: tuple[ActionKindExplanation, ...] = ()
    left_ms: int | None = None
    """Milliseconds left for the answer; None is unlimited."""
    hints: bool = msgspec.field(default_factory=are_hints_allowed)
    """True if the person may ask what a strong player would choose (`read_hint`)."""


def read_question_display(match_id: str, seat: int, person: User, language: str) -> HumanQuestionDisplay:
    """Return the current question to a person who plays by hand, ready for display.

    Raises Match.DoesNotExist for a seat that the person does not play.
    """
    own = MatchSeat.objects.filter(match=match_id, seat=seat, version__bot__owner=person, version__bot__kind="person")
    if not own.exists():
        raise Match.DoesNotExist(
            gettext("you do not play seat %(seat)s of %(match_id)s by hand") % {"seat": seat, "match_id": match_id}
        )
    try:
        question = read_question(match_id, seat, person)
    except SeatQuestionMailbox.DoesNotExist:
        return HumanQuestionDisplay(over=Match.objects.get(pk=match_id).ended)
    if question.number == 0 or question.answered or question.over:
        return HumanQuestionDisplay(number=question.number, over=question.over)
    return _make_question_display(game(Match.objects.get(pk=match_id).game), match_id, seat, question, language)


def _make_question_display(
    rules: AnyGame, match_id: str, seat: int, question: QuestionToHuman, language: str
) -> HumanQuestionDisplay:
    seats = MatchSeat.objects.filter(match=match_id).select_related("version__bot")
    names = [row.version.label for row in seats.order_by("seat")]
    decoder = decoder_of(rules.actions)
    menu = [decoder.decode(item) for item in msgspec.json.decode(question.line, type=_Question).menu]
    hands = rules.by_hand
    texts = hands.guide(language)
    kinds = dict.fromkeys(kind_of_action(action) for action in menu)
    return HumanQuestionDisplay(
        number=question.number,
        asked=True,
        items=tuple(
            ActionMenuItem(
                say=hands.phrase(action, names, language),
                on=hands.touches(action, seat),
                kind=kind_of_action(action),
            )
            for action in menu
        ),
        guide=tuple(ActionKindExplanation(kind, texts[kind]) for kind in kinds if kind in texts),
        left_ms=_remaining_ms(question),
    )


class _Question(msgspec.Struct):
    menu: list[msgspec.Raw]


def _remaining_ms(question: QuestionToHuman) -> int | None:
    if question.due_at is None:
        return None
    return max(0, int((question.due_at - timezone.now()).total_seconds() * 1000))
