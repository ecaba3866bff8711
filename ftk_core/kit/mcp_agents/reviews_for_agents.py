"""Match reviews as plain text, from which an AI agent learns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from ftk_core.analysis.analysis_build_ids import analysis_build_of
from ftk_core.analysis.match_review import review
from ftk_core.analysis.match_review_document import MatchReviewDocument, build_review_document
from ftk_core.kit.match_series.playout_policies import load_policy
from ftk_core.logged_decisions import questions
from ftk_core.match_log_file import parse_pages
from ftk_core.match_moves import moves_of
from ftk_core.views.question_text import describe_item

COSTLIEST_CHOICES = 5
"""Maximum number of costly choices in a review."""


def review_seat(log: list[bytes], seats: Sequence[int], playouts: int) -> str:
    """Return a text about the play of the given seats in a match.

    `playouts` is the number of simulated matches for each choice. Raises ValueError for a match without a result.
    """
    lines = [line for page in parse_pages(log) for line in page.lines]
    moves = moves_of(lines)
    policy = load_policy(moves.game, "", len(moves.opened.players), os.cpu_count() or 1)
    document = build_review_document(review(moves, policy, playouts, "own", analysis_build_of(moves.opened.game)))
    return "\n".join(line for seat in seats for line in _describe_seat(document, lines, seat))


def _describe_seat(document: MatchReviewDocument, lines: list[bytes], seat: int) -> Iterator[str]:
    account, play = document.ledger[seat], document.play[seat]
    accuracy = f"{_number(play.accuracy)}" if play.accuracy else "unknown, because nothing was at stake"
    yield f"Seat {seat} finished ahead of {_number(account.share)} of its opponents (a tie counts half)."
    yield (
        f"It began with an even 0.50; the seat changed that by {_change(account.seat)}, the deal by"
        f" {_change(account.deal)}, chance by {_change(account.chance)}, its own choices by"
        f" {_change(account.choices[seat])}. The accuracy of its choices was {accuracy} (1 is best)."
    )
    asked = {question.entry: question for question in questions(lines, seat)}
    costly = [choice for choice in document.costliest if choice.seat == seat][:COSTLIEST_CHOICES]
    for choice in costly:
        question = asked[choice.entry]
        menu = [describe_item(msgspec.json.decode(msgspec.json.encode(item))) for item in question.ask.menu]
        sure = "" if choice.sure else " That is not sure."
        yield (
            f"Question {question.ask.id}: you chose {menu[choice.chosen]!r}; {menu[choice.better]!r} seems better by"
            f" {_number(choice.loss)} (give or take {_number(choice.margin)}).{sure}"
        )
    if not costly:
        yield "No choice seems to have cost anything."


def _number(exact: str) -> str:
    return f"{float(Fraction(exact)):.2f}"


def _change(exact: str) -> str:
    return f"{float(Fraction(exact)):+.2f}"
