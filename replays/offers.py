"""A question to a person in their language: the menu as sentences, with the pieces that each is about.

It is computed only from the menu that the seat was asked with, and from no state, so it cannot reveal anything else.
"""

from __future__ import annotations

import json
import runpy
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext

from ftk_core.fold import AnyGame, decoder_of
from ftk_core.games import game
from ftk_core.hands import kind_of_action
from ftk_core.kit.bot import Ask
from ftk_core.kit.house import house_bots
from replays.by_hand import HandQuestion, read_question
from replays.models import Mailbox, Match, MatchSeat


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An item of the menu."""

    say: str
    """Sentence for the item."""
    on: tuple[str, ...]
    """Pieces and zones of the seat's scene that it is about."""


class Guide(msgspec.Struct, frozen=True):
    """Explanation of one kind of item, for a person's first match."""

    kind: str
    say: str


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """Display of a question at a person's seat."""

    number: int = 0
    """Of the question; 0 before the first."""
    asked: bool = False
    """True while an answer is expected."""
    over: bool = False
    items: tuple[Item, ...] = ()
    guide: tuple[Guide, ...] = ()
    left_ms: int | None = None
    """Milliseconds left to answer; None is unlimited."""


def read_offer(match_id: str, seat: int, person: User, language: str) -> Offer:
    """Return the question at a person's seat; raises Match.DoesNotExist if it is not theirs."""
    own = MatchSeat.objects.filter(match=match_id, seat=seat, version__bot__owner=person, version__bot__kind="person")
    if not own.exists():
        raise Match.DoesNotExist(
            gettext("nobody sits at seat %(seat)s of %(match_id)s by hand who is you")
            % {"seat": seat, "match_id": match_id}
        )
    try:
        question = read_question(match_id, seat, person)
    except Mailbox.DoesNotExist:
        return Offer(over=Match.objects.get(pk=match_id).ended)
    if question.number == 0 or question.answered or question.over:
        return Offer(number=question.number, over=question.over)
    return _offer(game(Match.objects.get(pk=match_id).game), match_id, seat, question, language)


def _offer(rules: AnyGame, match_id: str, seat: int, question: HandQuestion, language: str) -> Offer:
    seats = MatchSeat.objects.filter(match=match_id).select_related("version__bot")
    names = [row.version.label for row in seats.order_by("seat")]
    decoder = decoder_of(rules.actions)
    menu = [decoder.decode(item) for item in msgspec.json.decode(question.line, type=_Line).menu]
    hands = rules.by_hand
    texts = hands.guide.get(language, hands.guide.get("en", {}))
    kinds = dict.fromkeys(kind_of_action(action) for action in menu)
    return Offer(
        number=question.number,
        asked=True,
        items=tuple(Item(say=hands.phrase(action, names, language), on=hands.touches(action, seat)) for action in menu),
        guide=tuple(Guide(kind, texts[kind]) for kind in kinds if kind in texts),
        left_ms=_left(question),
    )


class _Line(msgspec.Struct):
    menu: list[msgspec.Raw]


def _left(question: HandQuestion) -> int | None:
    if question.due_at is None:
        return None
    return max(0, int((question.due_at - timezone.now()).total_seconds() * 1000))


def read_hint(match_id: str, seat: int, person: User) -> int | None:
    """Return the index that a built-in bot would choose; None without a question or a bot that can answer.

    Raises Mailbox.DoesNotExist if the seat is not the person's.
    """
    question = read_question(match_id, seat, person)
    rules = game(Match.objects.get(pk=match_id).game)
    adviser = house_bots(rules.name).get(rules.by_hand.adviser)
    if question.number == 0 or question.answered or question.over or adviser is None:
        return None
    hello: dict[str, Any] = json.loads(Mailbox.objects.get(seat__match=match_id, seat__seat=seat).hello)
    choose = runpy.run_path(str(adviser))["choose"]  # our own code, and it reads only the seat's question
    return int(choose(Ask(hello, json.loads(question.line))))
