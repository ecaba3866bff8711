"""Interrogation: possible questions and statements. Lying is allowed (K29)."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import product

from msgspec.structs import replace

from ftk_core.facts import Action
from ftk_core.game import put
from ftk_core.games.kings_court.box import CARDS, DIAMONDS, MOST_HIDDEN, THIEF, URCHIN
from ftk_core.games.kings_court.claims import Claim, Topic
from ftk_core.games.kings_court.facts import Accuse, Ask, Asked, DontKnow, Said, SaidNothing, Say, Silence
from ftk_core.games.kings_court.state import ASKS_EACH, Table, subjects, targets

QUESTIONS: tuple[Topic, ...] = (
    "received_diamonds",
    "received_cards",
    "passed_diamonds",
    "passed_cards",
    "took",
    "suspect",
)
FAKE_QUESTIONS: tuple[Topic, ...] = ("received_fake", "passed_fake")
"""Additional questions in a court with the fake diamond."""
SILENCE, DONT_KNOW = Silence(), DontKnow()


@cache
def handfuls(cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return every combination of the cards, including none."""
    counts = Counter(cards)
    kinds = [card for card in CARDS if counts[card]]
    return tuple(
        tuple(kind for kind, number in zip(kinds, taken, strict=True) for _ in range(number))
        for taken in product(*(range(counts[kind] + 1) for kind in kinds))
    )


@cache
def takes_claimed(cards: tuple[str, ...], fake: bool) -> tuple[Claim, ...]:
    """Return every possible claim about what a seat took."""
    claims = [Claim(topic="took", number=number) for number in range(DIAMONDS + 1)]
    claims += [Claim(topic="took", number=0, role=card) for card in dict.fromkeys(cards)]
    if fake:
        claims += [Claim(topic="took", number=number, fake=True) for number in range(DIAMONDS + 1)]
    return tuple(claims)


@cache
def claims_on(
    topic: Topic, cards: tuple[str, ...], fake: bool, seats: int, about: int | None = None
) -> tuple[Claim, ...]:
    """Return every claim on a topic."""
    match topic:
        case "received_diamonds" | "passed_diamonds" | "returned_diamonds" | "hid":
            most = MOST_HIDDEN if topic == "hid" else DIAMONDS
            return tuple(Claim(topic=topic, number=number) for number in range(most + 1))
        case "received_cards" | "passed_cards" | "returned_cards":
            return tuple(Claim(topic=topic, cards=some) for some in handfuls(cards))
        case "took":
            return takes_claimed(cards, fake)
        case "dismissed":
            return (Claim(topic=topic), *(Claim(topic=topic, role=card) for card in dict.fromkeys(cards)))
        case "role_of":
            roles = (*dict.fromkeys(cards), THIEF, URCHIN)
            return tuple(Claim(topic=topic, seat=about, role=role) for role in roles)
        case "received_fake" | "passed_fake" | "returned_fake":
            return tuple(Claim(topic=topic, fake=there) for there in (True, False)) if fake else ()
        case "suspect" | "vouch" | "trust":
            return tuple(Claim(topic=topic, seat=seat) for seat in range(1, seats))


def king_menu(table: Table) -> tuple[Action, ...]:
    """Return accusations, the mildest (the first subject to the left) first, then questions and announcements."""
    menu: list[Action] = [Accuse(seat) for seat in targets(table)]
    if table.questions:
        for seat in subjects(table):
            if table.asked[seat] < ASKS_EACH:
                menu += _questions_to(table.seats, seat, table.fake)
        menu += _announcements(table.cards, table.fake, table.seats)
    return tuple(menu)


@cache
def _questions_to(seats: int, seat: int, fake: bool) -> tuple[Ask, ...]:
    asks = [Ask(seat, topic) for topic in (*QUESTIONS, *(FAKE_QUESTIONS if fake else ()))]
    asks += [Ask(seat, "dismissed")] if seat == 1 else []
    return (*asks, *(Ask(seat, "role_of", other) for other in range(1, seats) if other != seat))


@cache
def _announcements(cards: tuple[str, ...], fake: bool, seats: int) -> tuple[Say, ...]:
    topics: tuple[Topic, ...] = ("hid", "returned_diamonds", "returned_cards", "returned_fake", "trust")
    return tuple(Say(claim) for topic in topics for claim in claims_on(topic, cards, fake, seats))


def answer_menu(table: Table) -> tuple[Action, ...]:
    """Return silence, "I do not know", and every claim that answers the question."""
    asked = table.answering
    assert asked is not None
    return _answers(asked, table.cards, table.fake, table.seats)


@lru_cache(4096)
def _answers(asked: Asked, cards: tuple[str, ...], fake: bool, seats: int) -> tuple[Action, ...]:
    claims = [claim for claim in claims_on(asked.topic, cards, fake, seats, asked.about) if claim.seat != asked.seat]
    return (SILENCE, DONT_KNOW, *(Say(claim) for claim in claims))


@cache
def _statements(cards: tuple[str, ...], fake: bool, seats: int, seat: int) -> tuple[Action, ...]:
    topics: tuple[Topic, ...] = (*QUESTIONS, *FAKE_QUESTIONS, "vouch", *(("dismissed",) if seat == 1 else ()))
    claims = [claim for topic in topics for claim in claims_on(topic, cards, fake, seats) if claim.seat != seat]
    return (SILENCE, *(Say(claim) for claim in claims))


def floor_menu(table: Table, seat: int) -> tuple[Action, ...]:
    """Return silence and everything a subject may say unasked."""
    return _statements(table.cards, table.fake, table.seats, seat)


def open_floor(table: Table) -> Table:
    """Let every subject with statements left say something."""
    floor = tuple(seat for seat in subjects(table) if table.statements[seat])
    return replace(table, floor=floor)


def asked(table: Table, fact: Asked) -> Table:
    """Record a question and wait for the answer."""
    count = put(table.asked, fact.seat, table.asked[fact.seat] + 1)
    return replace(table, questions=table.questions - 1, asked=count, answering=fact, said=(*table.said, fact))


def said(table: Table, fact: Said) -> Table:
    """Record a claim: an answer, an announcement of the King, or a statement."""
    so_far = (*table.said, fact)
    if fact.seat == 0:
        return open_floor(replace(table, said=so_far, questions=table.questions - 1))
    if table.answering:
        return open_floor(replace(table, said=so_far, answering=None))
    left = put(table.statements, fact.seat, table.statements[fact.seat] - 1)
    return replace(table, said=so_far, statements=left, floor=_without(table.floor, fact.seat))


def said_nothing(table: Table, fact: SaidNothing) -> Table:
    """Record a silence."""
    if table.answering:
        return open_floor(replace(table, answering=None, said=(*table.said, fact)))
    return replace(table, floor=_without(table.floor, fact.seat))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple([other for other in seats if other != seat])
