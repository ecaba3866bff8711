"""The review of a match: its ledger, the cost of its choices, and its reproducible digits."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction

import msgspec
import pytest

from ftk_core.analysis.match_review import review
from ftk_core.analysis.match_review_document import MatchReviewDocument, build_review_document
from ftk_core.analysis.match_review_facts import ReviewFact
from ftk_core.analysis.playouts import HiddenGameStateSampler, RandomPlayoutPolicy
from ftk_core.analysis.position_estimates import shares_of
from ftk_core.facts import PUBLIC, encode
from ftk_core.games import game, list_games
from ftk_core.log_entries import MatchFinished, read
from ftk_core.match_moves import moves_of
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.reviews import log_of, own_log_of, policy_for, review_of

SIZES = [(name, seats) for name in list_games() for seats in game(name).seats]
DIGITS = """
from hashlib import sha256
from ftk_core.facts import encode
from tests.support.reviews import log_of, review_of
print(sha256(encode([review_of(log_of(name), 6) for name in ("for_the_king", "kings_court", "pig")])).hexdigest())
"""


def sum_of(found: MatchReviewDocument, seat: int) -> Fraction:
    account = found.ledger[seat]
    named = (account.seat, account.deal, account.chance, account.unexplained, *account.choices)
    return Fraction(1, 2) + sum(map(Fraction, named), Fraction())


def check_ledger(found: MatchReviewDocument, lines: list[bytes]) -> None:
    closed = read(lines[-1])
    assert isinstance(closed, MatchFinished)
    for seat, share in enumerate(shares_of(closed.places)):
        assert sum_of(found, seat) == share == Fraction(found.ledger[seat].share)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), SIZES)
def test_in_a_match_review_the_contributions_of_choices_and_luck_add_up_to_the_result_exactly(
    name: str, seats: int
) -> None:
    lines = own_log_of(name, seats)
    check_ledger(review_of(lines, 2, options=False), lines)


@pytest.mark.slow
def test_choices_have_a_gain_of_0_in_a_review_if_the_playout_policy_would_choose_the_same() -> None:
    found = review_of(own_log_of("pig", 4), 8, options=False)  # the policy of Pig draws no random numbers
    assert {given for account in found.ledger for given in account.choices} == {"0"}


@pytest.mark.slow
@pytest.mark.parametrize("name", list_games())
def test_a_match_review_can_be_rebuilt_from_its_stored_events(name: str) -> None:

    facts = list(
        review(moves_of(log_of(name)), policy_for(name), 2, "all", "build", options=name != "to_court_the_king")
    )
    again = [msgspec.json.decode(encode(fact), type=ReviewFact) for fact in facts]
    assert build_review_document(again) == build_review_document(facts)


def test_building_the_document_of_an_incomplete_match_review_raises_an_error() -> None:
    facts = list(review(moves_of(log_of("pig")), RandomPlayoutPolicy(), 2, "all", "build"))
    with pytest.raises(ValueError, match="not complete"):
        build_review_document(facts[:9])


def test_each_choice_in_a_match_review_has_one_point_on_the_curve_of_expected_results() -> None:
    found = review_of(log_of("pig"), 4)
    assert [choice.until for choice in found.choices] == [point.frame for point in found.curve[2:]]
    assert all(sum(map(Fraction, point.shares)) == Fraction(len(point.shares), 2) for point in found.curve)


@pytest.mark.slow
def test_the_options_listed_in_a_match_review_were_legal_and_include_the_chosen_option() -> None:
    for choice in review_of(log_of("for_the_king"), 4).choices:
        if choice.weighing:
            items = [option.item for option in choice.weighing.options]
            assert choice.weighing.chosen in items
            assert items == sorted(set(items))
            assert items[-1] < choice.weighing.menu


@pytest.mark.nightly
def test_another_process_computes_an_identical_match_review() -> None:
    here = [review_of(log_of(name), 6) for name in ("for_the_king", "kings_court", "pig")]
    done = subprocess.run(
        [sys.executable, "-c", DIGITS],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hashlib.sha256(encode(here)).hexdigest()


@dataclass
class Attack:
    strength: int


@dataclass
class Defence:
    strength: int


@dataclass
class Duel:
    """State that msgspec cannot decode, as the two kinds of moves have no tags."""

    pending: Attack | Defence


def test_hidden_information_is_sampled_in_a_game_whose_state_cannot_be_decoded_from_json() -> None:
    rules = dataclasses.replace(game("pig"), resample=lambda state, _viewer, _chance: state)
    duel = Duel(Attack(3))
    sampler = HiddenGameStateSampler(rules, 2, duel, PUBLIC)
    assert sampler.sample(MatchRandomness(seed_of("duel"))) == duel
