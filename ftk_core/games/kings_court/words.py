"""Conversion of facts and claims into sentences; the templates are in the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ftk_core.facts import Fact
from ftk_core.game import Mark
from ftk_core.games.kings_court.catalogue import CLAIMS, ENDINGS, QUESTIONS, ROLES, TEMPLATES
from ftk_core.games.kings_court.claims import FAKE_TOPICS, Claim, Take
from ftk_core.games.kings_court.facts import (
    Asked,
    BoxReceived,
    CourtClosed,
    PocketsEmptied,
    Said,
    SaidNothing,
    ShareTaken,
)
from ftk_core.words import listed, sayer, seat_name

MARKS: Mapping[str, Mark] = {
    "box_received": "turn",
    "asked": "turn",
    "accused": "key",
    "pockets_emptied": "key",
    "court_closed": "phase",
}


AN = ("apprentice", "urchin")
"""Roles that take the article "an" instead of "a"."""


def _chinese(language: str) -> bool:
    return language == "zh-Hant"


def role_name(role: str | None, language: str) -> str:
    """Return the display name of a role; empty for None."""
    if role is None:
        return "無" if _chinese(language) else "nothing"
    return ROLES[role] if _chinese(language) else f"{'an' if role in AN else 'a'} {role}"


def diamonds(number: int | None, language: str) -> str:
    """Return a number of diamonds as words; "some" if unknown."""
    if number is None:
        return "一些鑽石" if _chinese(language) else "some diamonds"
    if _chinese(language):
        return f"{number} 顆鑽石"
    return f"{number} diamond" + ("" if number == 1 else "s")


def cards_in_words(cards: Sequence[str], language: str) -> str:
    """List cards with their numbers."""
    if not cards:
        return role_name(None, language)
    counted: Counter[str] = Counter(cards)
    chinese = _chinese(language)
    kinds = (f"{number} 名{ROLES[card]}" if chinese else f"{number} {card}" for card, number in counted.items())
    return listed(kinds, language)


def take_in_words(take: Take, language: str) -> str:
    """Describe a take in words."""
    fake = "假鑽石" if _chinese(language) else "the fake diamond"
    if take.card:
        return role_name(take.card, language)
    parts = [diamonds(take.diamonds, language)] if take.diamonds else []
    parts += [fake] if take.fake else []
    return " + ".join(parts) or role_name(None, language)


def claim_in_words(claim: Claim, names: Sequence[str], language: str) -> str:
    """Return a claim as a sentence."""
    took = Take(claim.number or 0, claim.role, claim.fake)
    fields = {
        "n": diamonds(claim.number, language),
        "cards": cards_in_words(claim.cards or (), language),
        "took": take_in_words(took, language),
        "who": "" if claim.seat is None else names[claim.seat],
        "role": role_name(claim.role, language),
    }
    absent = claim.topic in FAKE_TOPICS and not claim.fake
    return CLAIMS.get(language, CLAIMS["en"])[f"{claim.topic}_absent" if absent else claim.topic].format(**fields)


def _hidden(_value: Any, _names: Sequence[str], language: str) -> str:
    return diamonds(_value, language)


def _card(value: Any, _names: Sequence[str], language: str) -> str:
    return role_name(value, language)


def _seats(value: Any, names: Sequence[str], language: str) -> str:
    return listed((names[int(seat)] for seat in value), language) or role_name(None, language)


PLAIN = sayer(
    TEMPLATES,
    {"seat": seat_name, "count": _hidden, "card": _card, "winners": _seats, "between": _seats},
)


def say(fact: Fact, names: Sequence[str], language: str) -> str:
    """Return a fact as one sentence."""
    templates = TEMPLATES.get(language, TEMPLATES["en"])
    match fact:
        case BoxReceived(seat=seat):
            return templates["box_received"].format(seat=names[seat], contents=_contents(fact, language))
        case ShareTaken(seat=seat, diamonds=number):
            shown = Take(number or 0, fact.card, bool(fact.fake))
            unknown = "一份東西" if _chinese(language) else "a share"
            take = unknown if number is None else take_in_words(shown, language)
            return templates["share_taken"].format(seat=names[seat], take=take)
        case Asked(seat=seat, topic=topic, about=about):
            question = QUESTIONS.get(language, QUESTIONS["en"])[topic]
            asked = question.format(about="" if about is None else names[about])
            return templates["asked"].format(seat=names[seat], question=asked)
        case Said(seat=seat, claim=claim):
            return templates["said"].format(seat=names[seat], claim=claim_in_words(claim, names, language))
        case _:
            return _say_rest(fact, names, language)


def _say_rest(fact: Fact, names: Sequence[str], language: str) -> str:
    templates = TEMPLATES.get(language, TEMPLATES["en"])
    match fact:
        case SaidNothing(seat=seat, knows=knows):
            silence = (
                ("沒有說話" if knows else "說不知道")
                if _chinese(language)
                else "says nothing"
                if knows
                else "does not know"
            )
            return templates["said_nothing"].format(seat=names[seat], silence=silence)
        case CourtClosed(ending=ending, winners=winners):
            ends = ENDINGS.get(language, ENDINGS["en"])[ending]
            return templates["court_closed"].format(ending=ends, winners=_seats(winners, names, language))
        case PocketsEmptied(seat=seat, take=take, exiled=exiled):
            exile = ("，遭到放逐" if _chinese(language) else " and is exiled") if exiled else ""
            return templates["pockets_emptied"].format(
                seat=names[seat], take=take_in_words(take, language), exile=exile
            )
    return PLAIN(fact, names, language)


def _contents(fact: BoxReceived, language: str) -> str:
    if fact.diamonds is None:
        return "外人無從得知" if _chinese(language) else "nobody else knows what is in it"
    fake = ("、假鑽石" if _chinese(language) else ", the fake diamond") if fact.fake else ""
    joint = "；" if _chinese(language) else "; "
    return f"{diamonds(fact.diamonds, language)}{joint}{cards_in_words(fact.cards or (), language)}{fake}"
