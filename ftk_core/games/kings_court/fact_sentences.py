"""Translated sentences about the events and claims of a match of Kings Court."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ftk_core.facts import Fact
from ftk_core.games.kings_court.facts import (
    BoxContentsSeen,
    ClaimMade,
    DiamondsHidden,
    DismissalDecided,
    InvestigationEnded,
    NothingSaid,
    PlayerQuestioned,
    PocketsEmptied,
    SeatTookFromBox,
)
from ftk_core.games.kings_court.player_claims import FAKE_TOPICS, ItemsTakenFromBox, PlayerClaim
from ftk_core.games.kings_court.translatable_sentence_templates import (
    CLAIMS,
    COUNTED_CARDS,
    ENDINGS,
    HEADINGS,
    NOUNS,
    QUESTIONS,
    ROLE_NAMES,
    TEMPLATES,
)
from ftk_core.views.fact_sentences import heading_builder, join_list, seat_name, sentence_builder
from ftk_core.views.replay_frame_messages import Duration, Mark, Sound

MARKS: Mapping[str, Mark] = {
    "box_received": "turn",
    "asked": "turn",
    "accused": "key",
    "pockets_emptied": "key",
    "court_closed": "phase",
}
DURATIONS: Mapping[str, Duration] = {
    "box_received": "short",
    "box_considered": "short",
    "said_nothing": "short",
    "stood_by": "short",
    "halted": "long",
    "princess_courted": "long",
    "fake_shown": "long",
    "exiled": "long",
}
SOUNDS: Mapping[str, Sound] = {
    "share_taken": "card",
    "accused": "accusation",
    "halted": "accusation",
}


def role_name(role: str | None, language: str) -> str:
    """Return the display name of a role; "nothing" for None."""
    return NOUNS(language)["nothing"] if role is None else ROLE_NAMES(language)[role]


def diamonds_in_words(number: int | None, language: str) -> str:
    """Return the text for a number of diamonds. None stands for an unknown number."""
    nouns = NOUNS(language)
    if number is None:
        return nouns["some_diamonds"]
    return nouns["one_diamond" if number == 1 else "diamonds"].format(number=number)


def cards_in_words(cards: Sequence[str], language: str) -> str:
    """Return the text for a list of cards, with the number of cards of each kind."""
    if not cards:
        return role_name(None, language)
    counted = COUNTED_CARDS(language)
    return join_list((counted[card].format(number=number) for card, number in Counter(cards).items()), language)


def take_in_words(take: ItemsTakenFromBox, language: str) -> str:
    """Return the text for the things that a player took from the box."""
    if take.card:
        return role_name(take.card, language)
    parts = [diamonds_in_words(take.diamonds, language)] if take.diamonds else []
    parts += [NOUNS(language)["fake"]] if take.fake else []
    return " + ".join(parts) or role_name(None, language)


def claim_in_words(claim: PlayerClaim, names: Sequence[str], language: str) -> str:
    """Return the sentence for a claim."""
    took = ItemsTakenFromBox(claim.number or 0, claim.role, claim.fake)
    fields = {
        "n": diamonds_in_words(claim.number, language),
        "cards": cards_in_words(claim.cards or (), language),
        "took": take_in_words(took, language),
        "who": "" if claim.seat is None else names[claim.seat],
        "role": role_name(claim.role, language),
    }
    absent = claim.topic in FAKE_TOPICS and not claim.fake
    return CLAIMS(language)[f"{claim.topic}_absent" if absent else claim.topic].format(**fields)


def _hidden(_value: Any, _names: Sequence[str], language: str) -> str:
    return diamonds_in_words(_value, language)


def _card(value: Any, _names: Sequence[str], language: str) -> str:
    return role_name(value, language)


def _seats(value: Any, names: Sequence[str], language: str) -> str:
    return join_list((names[int(seat)] for seat in value), language) or role_name(None, language)


_FORMATS = {"seat": seat_name, "count": _hidden, "card": _card, "winners": _seats, "between": _seats}
say_plain_fact = sentence_builder(TEMPLATES, _FORMATS)
plain_heading = heading_builder(HEADINGS, _FORMATS)


def heading(fact: Fact, names: Sequence[str], language: str) -> str:
    """Return the heading to show above an event that begins a part of the match; "" for other events."""
    on_its_way = isinstance(fact, BoxContentsSeen) and fact.seat != 0
    return "" if on_its_way else plain_heading(fact, names, language)


def say(fact: Fact, names: Sequence[str], language: str) -> str:
    """Return the sentence that describes an event."""
    templates = TEMPLATES(language)
    match fact:
        case BoxContentsSeen():
            return _say_contents(fact, names, language)
        case SeatTookFromBox(seat=seat, diamonds=number):
            shown = ItemsTakenFromBox(number or 0, fact.card, bool(fact.fake))
            take = NOUNS(language)["share"] if number is None else take_in_words(shown, language)
            return templates["share_taken"].format(seat=names[seat], take=take)
        case PlayerQuestioned(seat=seat, topic=topic, about=about):
            question = QUESTIONS(language)[topic]
            question_text = question.format(about="" if about is None else names[about])
            return templates["asked"].format(seat=names[seat], question=question_text)
        case ClaimMade(seat=seat, claim=claim):
            return templates["said"].format(seat=names[seat], claim=claim_in_words(claim, names, language))
        case _:
            return _say_rest(fact, names, language)


def _say_rest(fact: Fact, names: Sequence[str], language: str) -> str:
    templates = TEMPLATES(language)
    match fact:
        case NothingSaid(seat=seat, knows=knows):
            return templates["said_nothing" if knows else "said_nothing_known"].format(seat=names[seat])
        case InvestigationEnded(ending=ending, winners=winners):
            ends = ENDINGS(language)[ending]
            return templates["court_closed"].format(ending=ends, winners=_seats(winners, names, language))
        case PocketsEmptied(seat=seat, take=take, exiled=exiled):
            template = templates["pockets_emptied_exiled" if exiled else "pockets_emptied"]
            return template.format(seat=names[seat], take=take_in_words(take, language))
        case DismissalDecided(seat=seat, card=None):  # no card, or a card that the viewer may not know
            return templates["box_considered_unseen"].format(seat=names[seat])
        case DiamondsHidden(seat=seat, count=None):
            return templates["diamonds_hidden_unseen"].format(seat=names[seat])
    return say_plain_fact(fact, names, language)


def _say_contents(fact: BoxContentsSeen, names: Sequence[str], language: str) -> str:
    templates, seat = TEMPLATES(language), names[fact.seat]
    if fact.diamonds is None:
        return templates["box_received_unseen"].format(seat=seat)
    diamonds, cards = diamonds_in_words(fact.diamonds, language), cards_in_words(fact.cards or (), language)
    return templates["box_received_fake" if fact.fake else "box_received"].format(
        seat=seat, diamonds=diamonds, cards=cards
    )


def format_score(score: int, language: str) -> str:
    """Return a final score in words: "won" for 1, "lost" for 0."""
    return NOUNS(language)["won" if score else "lost"]
