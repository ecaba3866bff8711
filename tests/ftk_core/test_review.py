"""The review of a match: its ledger, its costs, and that its digits depend on nothing else."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from fractions import Fraction

import msgspec
import pytest

from ftk_core.entries import Closed, read
from ftk_core.estimate import AnyPolicy, shares_of
from ftk_core.facts import encode
from ftk_core.games import game, shelf
from ftk_core.moves import moves_of
from ftk_core.review import ReviewFact, review
from ftk_core.reviewed import Reviewed, reviewed
from tests.support.reviews import log_of, own_log_of, policy_for, review_of

SIZES = [(name, seats) for name in shelf() for seats in game(name).seats]
DIGITS = """
from hashlib import sha256
from ftk_core.facts import encode
from tests.support.reviews import log_of, review_of
print(sha256(encode([review_of(log_of(name), 6) for name in ("for_the_king", "kings_court", "pig")])).hexdigest())
"""


def sum_of(found: Reviewed, seat: int) -> Fraction:
    account = found.ledger[seat]
    named = (account.seat, account.deal, account.chance, *account.choices)
    return Fraction(1, 2) + sum(map(Fraction, named), Fraction())


def check_ledger(found: Reviewed, lines: list[bytes]) -> None:
    closed = read(lines[-1])
    assert isinstance(closed, Closed)
    for seat, share in enumerate(shares_of(closed.places)):
        assert sum_of(found, seat) == share == Fraction(found.ledger[seat].share)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), SIZES)
def test_what_the_ledger_names_adds_up_to_the_result_exactly(name: str, seats: int) -> None:
    lines = own_log_of(name, seats)
    check_ledger(review_of(lines, 2, options=False), lines)


@pytest.mark.slow
def test_choices_of_the_policy_itself_gave_nothing_and_all_was_luck() -> None:
    found = review_of(own_log_of("for_the_king", 4), 8, options=False)
    assert {given for account in found.ledger for given in account.choices} == {"0"}


@pytest.mark.slow
@pytest.mark.parametrize("name", shelf())
def test_a_review_is_gathered_from_its_facts_as_they_are_read_again(name: str) -> None:

    facts = list(
        review(moves_of(log_of(name)), policy_for(name), 2, "all", "build", options=name != "to_court_the_king")
    )
    again = [msgspec.json.decode(encode(fact), type=ReviewFact) for fact in facts]
    assert reviewed(again) == reviewed(facts)


def test_a_review_that_is_not_complete_is_no_document() -> None:
    facts = list(review(moves_of(log_of("pig")), AnyPolicy(), 2, "all", "build"))
    with pytest.raises(ValueError, match="not complete"):
        reviewed(facts[:9])


def test_choice_and_point_stand_beside_each_other() -> None:
    found = review_of(log_of("pig"), 4)
    assert [choice.until for choice in found.choices] == [point.frame for point in found.curve[2:]]
    assert all(sum(map(Fraction, point.shares)) == Fraction(len(point.shares), 2) for point in found.curve)


@pytest.mark.slow
def test_no_option_lies_outside_the_menu_and_the_chosen_one_is_among_them() -> None:
    for choice in review_of(log_of("for_the_king"), 4).choices:
        if choice.weighing:
            items = [option.item for option in choice.weighing.options]
            assert choice.weighing.chosen in items
            assert items == sorted(set(items))
            assert items[-1] < choice.weighing.menu


@pytest.mark.slow
def test_another_process_finds_the_same_digits() -> None:
    here = [review_of(log_of(name), 6) for name in ("for_the_king", "kings_court", "pig")]
    done = subprocess.run(
        [sys.executable, "-c", DIGITS],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hashlib.sha256(encode(here)).hexdigest()
