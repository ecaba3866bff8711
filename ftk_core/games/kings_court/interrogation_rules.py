"""Rules of the King's questions and the players' claims. Lying is allowed."""
# Each `apply_` function returns the new state after an event of one kind.

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from itertools import product

from msgspec.structs import replace

from ftk_core.facts import Action
from ftk_core.game import replace_at
from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AskAction,
    ClaimAction,
    ClaimMade,
    DontKnowAction,
    NothingSaid,
    PlayerQuestioned,
    SilenceAction,
)
from ftk_core.games.kings_court.player_claims import PlayerClaim, Topic
from ftk_core.games.kings_court.roles_and_options import CARDS, DIAMONDS, MAX_HIDDEN_DIAMONDS, THIEF, URCHIN
from ftk_core.games.kings_court.table_state import MAX_QUESTIONS_PER_SEAT, TableState, list_subjects, list_targets

QUESTIONS: tuple[Topic, ...] = (
    "received_diamonds",
    "received_cards",
    "passed_diamonds",
    "passed_cards",
    "took",
    "suspect",
)
FAKE_QUESTIONS: tuple[Topic, ...] = ("received_fake", "passed_fake")
"""Topics of additional questions if the fake diamond is in the box at first."""
SILENCE, DONT_KNOW = SilenceAction(), DontKnowAction()


@cache
def list_card_sets(cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return every combination of these cards, including no card."""
    counts = Counter(cards)
    kinds = [card for card in CARDS if counts[card]]
    return tuple(
        tuple(kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number))
        for numbers in product(*(range(counts[kind] + 1) for kind in kinds))
    )


@cache
def list_claimed_takes(cards: tuple[str, ...], fake: bool) -> tuple[PlayerClaim, ...]:
    """Return every claim that a seat can make about what it took."""
    claims = [PlayerClaim(topic="took", number=number) for number in range(DIAMONDS + 1)]
    claims += [PlayerClaim(topic="took", number=0, role=card) for card in dict.fromkeys(cards)]
    if fake:
        claims += [PlayerClaim(topic="took", number=number, fake=True) for number in range(DIAMONDS + 1)]
    return tuple(claims)


@cache
def list_claims(
    topic: Topic, cards: tuple[str, ...], fake: bool, seats: int, about: int | None = None
) -> tuple[PlayerClaim, ...]:
    """Return every claim that can be made on a topic, true or false.

    For the topic "role_of", `about` is the seat whose role is claimed.
    """
    match topic:
        case "received_diamonds" | "passed_diamonds" | "returned_diamonds" | "hid":
            most = MAX_HIDDEN_DIAMONDS if topic == "hid" else DIAMONDS
            return tuple(PlayerClaim(topic=topic, number=number) for number in range(most + 1))
        case "received_cards" | "passed_cards" | "returned_cards":
            return tuple(PlayerClaim(topic=topic, cards=some) for some in list_card_sets(cards))
        case "took":
            return list_claimed_takes(cards, fake)
        case "dismissed":
            return (PlayerClaim(topic=topic), *(PlayerClaim(topic=topic, role=card) for card in dict.fromkeys(cards)))
        case "role_of":
            roles = (*dict.fromkeys(cards), THIEF, URCHIN)
            return tuple(PlayerClaim(topic=topic, seat=about, role=role) for role in roles)
        case "received_fake" | "passed_fake" | "returned_fake":
            return tuple(PlayerClaim(topic=topic, fake=is_present) for is_present in (True, False)) if fake else ()
        case "suspect" | "vouch" | "trust":
            return tuple(PlayerClaim(topic=topic, seat=seat) for seat in range(1, seats))


def king_menu(table: TableState) -> tuple[Action, ...]:
    """Return the King's menu: accusations in seat order, then questions, then announcements (the King's own claims)."""
    menu: list[Action] = [AccuseAction(seat) for seat in list_targets(table)]
    if table.questions:
        for seat in list_subjects(table):
            if table.asked[seat] < MAX_QUESTIONS_PER_SEAT:
                menu += _questions_to(table.seats, seat, table.fake)
        menu += _announcements(table.cards, table.fake, table.seats)
    return tuple(menu)


@cache
def _questions_to(seats: int, seat: int, fake: bool) -> tuple[AskAction, ...]:
    asks = [AskAction(seat, topic) for topic in (*QUESTIONS, *(FAKE_QUESTIONS if fake else ()))]
    asks += [AskAction(seat, "dismissed")] if seat == 1 else []
    return (*asks, *(AskAction(seat, "role_of", other) for other in range(1, seats) if other != seat))


@cache
def _announcements(cards: tuple[str, ...], fake: bool, seats: int) -> tuple[ClaimAction, ...]:
    topics: tuple[Topic, ...] = ("hid", "returned_diamonds", "returned_cards", "returned_fake", "trust")
    return tuple(ClaimAction(claim) for topic in topics for claim in list_claims(topic, cards, fake, seats))


def answer_menu(table: TableState) -> tuple[Action, ...]:
    """Return all answers to a question: silence, "I do not know" and every claim."""
    question = table.answering
    assert question is not None
    return _answers(question, table.cards, table.fake, table.seats)


@lru_cache(4096)
def _answers(question: PlayerQuestioned, cards: tuple[str, ...], fake: bool, seats: int) -> tuple[Action, ...]:
    claims = [
        claim
        for claim in list_claims(question.topic, cards, fake, seats, question.about)
        if claim.seat != question.seat
    ]
    return (SILENCE, DONT_KNOW, *(ClaimAction(claim) for claim in claims))


@cache
def _statements(cards: tuple[str, ...], fake: bool, seats: int, seat: int) -> tuple[Action, ...]:
    topics: tuple[Topic, ...] = (*QUESTIONS, *FAKE_QUESTIONS, "vouch", *(("dismissed",) if seat == 1 else ()))
    claims = [claim for topic in topics for claim in list_claims(topic, cards, fake, seats) if claim.seat != seat]
    return (SILENCE, *(ClaimAction(claim) for claim in claims))


def statement_menu(table: TableState, seat: int) -> tuple[Action, ...]:
    """Return the actions of a player who may speak unasked: silence and every claim."""
    return _statements(table.cards, table.fake, table.seats, seat)


def allow_statements(table: TableState) -> TableState:
    """Let each subject make one statement, unless it has made its maximum number of statements."""
    # The King and exiled players make none. The others have `STATEMENTS_PER_SUBJECT` in a game.
    floor = tuple(seat for seat in list_subjects(table) if table.statements[seat])
    return replace(table, floor=floor)


def apply_asked(table: TableState, fact: PlayerQuestioned) -> TableState:
    """Record a question. The next choice is its answer."""
    count = replace_at(table.asked, fact.seat, table.asked[fact.seat] + 1)
    return replace(table, questions=table.questions - 1, asked=count, answering=fact, said=(*table.said, fact))


def apply_said(table: TableState, fact: ClaimMade) -> TableState:
    """Record a claim: an announcement of the King, an answer, or a statement without a question."""
    so_far = (*table.said, fact)
    if fact.seat == 0:
        return allow_statements(replace(table, said=so_far, questions=table.questions - 1))
    if table.answering:
        return allow_statements(replace(table, said=so_far, answering=None))
    left = replace_at(table.statements, fact.seat, table.statements[fact.seat] - 1)
    return replace(table, said=so_far, statements=left, floor=_without(table.floor, fact.seat))


def apply_said_nothing(table: TableState, fact: NothingSaid) -> TableState:
    """Record that a player gave no answer or made no statement."""
    if table.answering:
        return allow_statements(replace(table, answering=None, said=(*table.said, fact)))
    return replace(table, floor=_without(table.floor, fact.seat))


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple([other for other in seats if other != seat])
