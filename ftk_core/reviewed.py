"""Review as one document: curve, choices with their options, turning points, accuracy and ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

import msgspec
from msgspec.structs import replace

from ftk_core.estimate import Estimate
from ftk_core.fold import decoder_of
from ftk_core.games import game
from ftk_core.review import ChoiceWeighed, ReviewClosed, ReviewFact, ReviewOpened, TableValued
from ftk_core.weighing import Option, Weighing
from ftk_core.words import LANGUAGES

MOST_TURNING_POINTS = 10
Swung = Literal["deal", "chance", "own", "other"]
"""Cause of a change in a seat's share: the deal, later luck, its own choice, or another seat's choice."""
Exact = str
"""Fraction as text: ``n/d`` or ``n``."""


class Point(msgspec.Struct, frozen=True):
    """One point of the curve: value of the position at a frame."""

    frame: int
    playouts: int
    """Number of playouts; 0 if the match is over."""
    shares: tuple[Exact, ...]
    """By seat: expected share of opponents left behind."""
    margins: tuple[Exact, ...]
    """By seat: half-width of the 95% interval."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Choice between two consecutive points of the curve."""

    frame: int
    """Number of the frame of its own fact; `until` is that of the last fact that followed."""
    until: int
    seat: int
    entry: int | None
    """Number of the entry in the log; null if nobody was asked, and for the public."""
    shares: tuple[Exact, ...]
    """By seat: expected share after the choice, before luck intervened."""
    weighing: Weighing | None
    """Options and cost; null if nobody was asked, and for the public."""


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One of the largest changes of a seat's share in a match."""

    frame: int
    seat: int
    """Seat whose share changed."""
    swing: Exact
    by: Swung
    of: int | None
    """Seat that chose; null for luck."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """Composition of a seat's final share: 1/2 plus the amounts listed here."""

    share: Exact
    """Final share."""
    seat: Exact
    """Amount from the position of the seat itself."""
    deal: Exact
    chance: Exact
    """Amount from all luck after the deal."""
    choices: tuple[Exact, ...]
    """By seat: amount from the choices of that seat."""


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """Quality of a seat's choices."""

    asked: int
    """Number of choices; 0 for the public, who does not know it."""
    cost: Exact
    """Total cost of its choices, see `Weighing.cost`."""
    accuracy: Exact | None
    """Part of the total stake that it kept, 1 is best; null if nothing was at stake."""


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """Complete review of a match."""

    schema: str = "ftk.review/1"
    match: str
    game: str
    version: int
    build: str
    seal: str
    players: tuple[str, ...]
    eyes: str
    policy: str
    playouts: int
    curve: tuple[Point, ...]
    """Points for the initial table, the dealt table, and after each choice."""
    choices: tuple[Choice, ...]
    """Choice i leads from point i + 1 to point i + 2."""
    turning_points: tuple[TurningPoint, ...]
    """Largest change first."""
    ledger: tuple[Account, ...]
    """Account of each seat."""
    play: tuple[Play, ...]
    """Quality of each seat's choices."""


def reviewed(facts: Iterable[ReviewFact]) -> Reviewed:
    """Build the document of a complete review; raise ValueError if incomplete, UnknownGame for unknown rules."""
    opened, closed, values, weighed = None, False, list[TableValued](), list[ChoiceWeighed]()
    for fact in facts:
        match fact:
            case ReviewOpened():
                opened = fact
            case TableValued():
                values.append(fact)
            case ChoiceWeighed():
                weighed.append(fact)
            case ReviewClosed():
                closed = True
    if opened is None or not closed:
        raise ValueError("the review is not complete")
    seats = range(len(opened.players))
    changes = _changes(values, weighed)
    return Reviewed(
        match=opened.match, game=opened.game, version=opened.version, build=opened.build, seal=opened.seal,
        players=opened.players, eyes=opened.eyes, policy=opened.policy, playouts=opened.playouts,
        curve=tuple(_point(valued.frame, valued.value) for valued in values),
        choices=tuple(
            _choice(choice, choice.value or behind.value, opened)
            for choice, behind in zip(weighed, values[2:], strict=True)
        ),
        turning_points=_turning_points(changes),
        ledger=tuple(_account(seat, values, changes) for seat in seats),
        play=tuple(_play([c.weighing for c in weighed if c.seat == seat and c.weighing]) for seat in seats),
    )  # fmt: skip


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Change of all seats' shares by one cause."""

    frame: int
    of: int | None
    """Seat that chose; None for luck."""
    deal: bool = False
    given: tuple[Fraction, ...]
    """Change of the share, by seat."""


def _changes(values: Sequence[TableValued], weighed: Sequence[ChoiceWeighed]) -> list[Change]:
    bare, dealt = values[0].value, values[1].value
    found = [Change(frame=values[1].frame, of=None, deal=True, given=_between(bare, dealt))]
    for choice, before, behind in zip(weighed, values[1:], values[2:], strict=False):
        middle = choice.value or behind.value
        found.append(Change(frame=choice.frame, of=choice.seat, given=_between(before.value, middle)))
        if choice.value is not None:
            found.append(Change(frame=choice.until, of=None, given=_between(middle, behind.value)))
    return found


def _between(one: Estimate, other: Estimate) -> tuple[Fraction, ...]:
    return tuple(after - before for before, after in zip(one.shares, other.shares, strict=True))


def _point(frame: int, value: Estimate) -> Point:
    return Point(frame, value.playouts, tuple(map(str, value.shares)), tuple(map(str, value.margins)))


def _choice(choice: ChoiceWeighed, value: Estimate, opened: ReviewOpened) -> Choice:
    return Choice(
        frame=choice.frame, until=choice.until, seat=choice.seat, entry=choice.entry,
        shares=tuple(map(str, value.shares)), weighing=choice.weighing and _said(choice.weighing, opened),
    )  # fmt: skip


def _said(weighing: Weighing, opened: ReviewOpened) -> Weighing:
    """Return a weighing with its options as the sentences shown to people who play."""
    rules = game(opened.game, opened.version)
    phrase, decode = rules.by_hand.phrase, decoder_of(rules.actions).decode

    def sentence(option: Option) -> Option:
        action = decode(option.action)
        return replace(option, said={tag: phrase(action, opened.players, tag) for tag in LANGUAGES})

    return replace(weighing, options=tuple(map(sentence, weighing.options)))


def _turning_points(changes: Sequence[Change]) -> tuple[TurningPoint, ...]:
    """Return for each change the seat that it affected most, largest changes first."""
    found = []
    for change in changes:
        seat = max(range(len(change.given)), key=lambda seat: (abs(change.given[seat]), -seat))
        by: Swung = "deal" if change.deal else "chance" if change.of is None else "other"
        by = "own" if change.of == seat else by
        swing = change.given[seat]
        if swing:
            point = TurningPoint(frame=change.frame, seat=seat, swing=str(swing), by=by, of=change.of)
            found.append((-abs(swing), change.frame, point))
    return tuple(point for *_, point in sorted(found, key=lambda row: row[:2])[:MOST_TURNING_POINTS])


def _account(seat: int, values: Sequence[TableValued], changes: Sequence[Change]) -> Account:
    """Add up the changes of one seat's share: with 1/2 they give its final share exactly."""
    deal = sum((change.given[seat] for change in changes if change.deal), Fraction())
    chance = sum((change.given[seat] for change in changes if change.of is None and not change.deal), Fraction())
    seats = range(len(values[0].value.shares))
    choices = (sum((change.given[seat] for change in changes if change.of == by), Fraction()) for by in seats)
    return Account(
        share=str(values[-1].value.shares[seat]), seat=str(values[0].value.shares[seat] - Fraction(1, 2)),
        deal=str(deal), chance=str(chance), choices=tuple(map(str, choices)),
    )  # fmt: skip


def _play(weighings: Sequence[Weighing]) -> Play:
    cost = sum((Fraction(weighing.cost) for weighing in weighings), Fraction())
    stake = sum((Fraction(weighing.stake) for weighing in weighings), Fraction())
    return Play(asked=len(weighings), cost=str(cost), accuracy=str(1 - cost / stake) if stake > 0 else None)
