"""The playout policy: stronger than the built-in bots, true to what its seat knows, and sensible in plain cases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from statistics import fmean

import pytest

from ftk_core.facts import Action
from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AskAction,
    ClaimAction,
    DontKnowAction,
    HideAction,
    SilenceAction,
    TakeAction,
)
from ftk_core.games.kings_court.player_claims import PlayerClaim
from ftk_core.games.kings_court.playout_policy import quick
from ftk_core.games.kings_court.roles_and_options import KingsCourtOptions
from ftk_core.games.kings_court.rules import GAME
from ftk_core.games.kings_court.suspicions.policy_thefts_and_stories import STATEMENTS
from ftk_core.games.kings_court.table_state import TableState, step, to_act
from ftk_core.players import PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import MatchRandomness, RandomBitStream, seed_of
from ftk_core.referee import play
from tests.support.games.kings_court import courts
from tests.support.games.kings_court.courts import A, P, U, build_court, list_menu
from tests.support.laws.twins import twin_questions
from tests.support.local import LocalPlayer

TWINS = 300
MATCHES = 24


def draw_for(*label: int | str) -> RandomBitStream:
    return MatchRandomness(seed_of("policy", *label)).at("policy")


class PolicyPlayer(StatelessPlayer):
    """Player that follows the playout policy."""

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        return PlayerAnswer(quick(ask.world, ask.seat, ask.menu, draw_for(ask.seat, ask.id)))


def victories_of_policy(seats: int, bot: str) -> tuple[float, float]:
    """Return the share of matches that the policy wins in every seat in turn, and that of the built-in bots."""
    own, others = list[float](), list[float]()
    for number in range(MATCHES):
        players = [
            PolicyPlayer("policy") if at == number % seats else LocalPlayer(GAME.name, bot) for at in range(seats)
        ]
        scores = play(GAME, players, seed_of("policy", seats, number), match=f"policy {seats} {number}").scores
        own.append(scores[number % seats])
        others.append((sum(scores) - own[-1]) / (seats - 1))
    return fmean(own), fmean(others)


def choose(table: TableState, number: int = 0) -> Action:
    """Return the action that the policy chooses for the lowest seat to act."""
    menu: Sequence[Action] = list_menu(table)
    return menu[quick(table, to_act(table)[0], menu, draw_for(number))]


def interrogate(table: TableState) -> TableState:
    """Let all seats follow the policy until the King accuses; return the table."""
    while step(table) != "king" or not isinstance(choose(table), AccuseAction):
        table = courts.play(table, choose(table))
    return table


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "bot"), [(6, "sleuth"), (8, "sleuth"), (6, "liar"), (8, "accuser"), (12, "random")])
def test_the_playout_policy_wins_more_often_than_the_built_in_bots_that_it_plays_against(seats: int, bot: str) -> None:
    own, others = victories_of_policy(seats, bot)
    assert own > others


@pytest.mark.slow
def test_the_playout_policy_makes_the_same_choice_in_game_states_that_its_player_cannot_distinguish() -> None:
    for twins in islice(twin_questions(GAME), TWINS):
        menu = GAME.legal(twins.here, twins.seat)
        choices = [quick(state, twins.seat, menu, draw_for()) for state in (twins.here, twins.there)]
        assert choices[0] == choices[1]


def test_the_playout_policy_as_king_keeps_three_diamonds() -> None:
    assert choose(GAME.setup(8, KingsCourtOptions())) == HideAction(3)


def test_the_playout_policy_as_king_asks_each_subject_each_question_exactly_once() -> None:
    table, asked = build_court((P, 6, P, A, 2, U, 0), hidden=3), set[tuple[int, str]]()
    while isinstance(question := choose(table), AskAction):
        assert (question.seat, question.topic) not in asked
        asked.add((question.seat, question.topic))
        table = courts.play(table, question, SilenceAction())
        table = courts.pass_until_king_acts(table)
    assert asked == {(seat, topic) for seat in range(1, 8) for topic in STATEMENTS}


def test_the_playout_policy_asks_three_questions_and_makes_all_statements_before_the_king_accuses() -> None:
    table = interrogate(build_court((P, 6, P, A, 2, U, 0), hidden=3))
    assert sum(table.asked) == len(STATEMENTS)
    assert not any(table.statements)


def test_the_playout_policy_as_king_accuses_the_player_who_took_diamonds_or_a_neighbour_of_theirs() -> None:
    table = interrogate(build_court((P, P, 6, P, A, U, 0), hidden=3))
    accusation = choose(table)
    assert isinstance(accusation, AccuseAction)
    assert accusation.seat in (2, 3, 4)


def test_the_playout_policy_tells_the_truth_when_it_plays_a_role_on_the_side_of_the_king() -> None:
    table = courts.play(build_court((P, 6, P, A, 2, U, 0), hidden=3), AskAction(3, "passed_diamonds"))
    assert choose(table) == ClaimAction(PlayerClaim(topic="passed_diamonds", number=4))


@pytest.mark.parametrize("number", range(8))
def test_a_thief_played_by_the_playout_policy_lies_consistently_and_claims_to_be_a_peasant(number: int) -> None:
    table, claims = build_court((P, 6, P, A, 2, U, 0), hidden=3), list[PlayerClaim]()
    for topic in ("received_diamonds", "passed_diamonds", "took"):
        table = courts.play(table, AskAction(2, topic))
        answer = choose(table, number)
        assert isinstance(answer, ClaimAction)
        claims.append(answer.claim)
        table = courts.pass_until_king_acts(courts.play(table, answer))
    assert claims[0].number == claims[1].number
    assert claims[0].number in (10, 4)
    assert claims[2] == PlayerClaim(topic="took", number=0, role=P)


def test_thieves_played_by_the_playout_policy_choose_between_two_different_lies() -> None:
    table = courts.play(build_court((P, 6, P, A, 2, U, 0), hidden=3), AskAction(2, "received_diamonds"))
    assert len({str(choose(table, number)) for number in range(16)}) == 2


def test_subjects_played_by_the_playout_policy_do_not_know_the_role_of_another_player() -> None:
    table = courts.play(build_court((P, 6, P, A, 2, U, 0), hidden=3), AskAction(3, "role_of", 2))
    assert choose(table) == DontKnowAction()


def test_the_playout_policy_in_seat_1_usually_takes_diamonds_if_the_king_hid_none_and_else_a_card() -> None:
    careless, careful = ([choose_first_share(hidden, number) for number in range(40)] for hidden in (0, 3))
    assert sum(share.diamonds > 6 for share in careless) > 20
    assert sum(share.card in (P, A) for share in careful) > 20


def choose_first_share(hidden: int, number: int) -> TakeAction:
    table = courts.play(GAME.setup(8, KingsCourtOptions()), HideAction(hidden))
    table = courts.play(table, choose(table, number))
    share = choose(table, number)
    assert isinstance(share, TakeAction)
    return share
