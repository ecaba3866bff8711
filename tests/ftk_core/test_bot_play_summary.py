"""The summary of a bot's reviews: it agrees with the reviews."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from msgspec import structs
from typer.testing import CliRunner

from ftk_core.analysis.bot_play_summary import (
    BotPlaySummary,
    ChoiceGroupAccuracy,
    combine_summaries,
    costliest_choices,
    summarize_seat,
)
from ftk_core.analysis.match_review_document import MatchReviewDocument
from ftk_core.kit.cli import app
from ftk_core.kit.match_series.bot_play_summary_output import print_coaching
from tests.support.reviews import log_of, review_of, write_log

GAMES = ("pig", pytest.param("to_court_the_king", marks=pytest.mark.slow))
"""Games to review. Without native rules, the second takes minutes."""
BOT = "hers"


@cache
def reviews_of(name: str) -> tuple[tuple[MatchReviewDocument, int], ...]:
    return tuple((review_of(log_of(name, 3, number), playouts=12), 1) for number in range(1, 3))


def report_on(name: str) -> tuple[tuple[tuple[MatchReviewDocument, int], ...], BotPlaySummary]:
    reviews = reviews_of(name)
    (report,) = combine_summaries([summarize_seat(*review) for review in reviews], BOT)
    return reviews, report


@pytest.mark.parametrize("name", GAMES)
def test_costs_by_phase_and_costs_by_kind_each_add_up_to_the_total_cost_in_a_review_summary(name: str) -> None:
    reviews, report = report_on(name)
    play = [document.play[seat] for document, seat in reviews]
    cost = float(sum(Fraction(one.cost) for one in play)) / len(reviews)
    for groups in (report.phases, report.kinds):
        assert sum(group.choices for group in groups) == sum(one.asked for one in play) > 0
        assert sum(group.cost for group in groups) == pytest.approx(cost)
    assert [group.cost for group in report.kinds] == sorted((group.cost for group in report.kinds), reverse=True)


@pytest.mark.parametrize("name", GAMES)
def test_luck_and_choices_in_the_review_summary_of_a_bot_add_up_to_its_result(name: str) -> None:
    reviews, report = report_on(name)
    accounts = [document.ledger[seat] for document, seat in reviews]
    rest = [float(sum(map(Fraction, [*account.choices, account.unexplained]))) for account in accounts]
    assert report.matches == len(reviews)
    assert report.share == pytest.approx(0.5 + report.luck + sum(rest) / len(rest))


@pytest.mark.parametrize("name", GAMES)
def test_each_mistake_in_the_review_summary_of_a_bot_is_a_costly_choice_of_that_bot_in_a_review(name: str) -> None:
    reviews, report = report_on(name)
    documents = {document.match: (document, seat) for document, seat in reviews}
    assert report.mistakes
    for mistake in report.mistakes:
        document, seat = documents[mistake.match]
        (costly,) = (one for one in document.costliest if one.frame == mistake.frame)
        assert (costly.seat, mistake.seat) == (seat, seat)
        assert (mistake.loss, mistake.sure) == (float(Fraction(costly.loss)), costly.sure)
        assert mistake.loss > 0
        assert mistake.better != mistake.chosen
        assert mistake in costliest_choices(document, seat, 99)


@pytest.mark.slow
def test_reviews_of_matches_of_two_games_are_summarised_separately_for_each_game() -> None:
    reviews = [*reviews_of("pig"), *reviews_of("to_court_the_king"), *reviews_of("pig")]
    summaries = [summarize_seat(*review) for review in reviews]
    assert [(report.game, report.matches) for report in combine_summaries(summaries, BOT)] == [
        ("pig", 4),
        ("to_court_the_king", 2),
    ]


def test_two_seats_of_a_bot_in_one_match_count_as_one_match_in_its_review_summary() -> None:
    document = review_of(log_of("pig", 2), 12)
    (report,) = combine_summaries([summarize_seat(document, seat) for seat in range(2)], BOT)
    assert (report.matches, report.share, report.luck_margin) == (1, 0.5, 0)
    assert report.luck == pytest.approx(0), "the luck of one seat is the bad luck of the other"


def test_matches_with_the_same_name_in_two_logs_are_counted_separately_in_a_review_summary() -> None:
    document = review_of(log_of("pig", 2), 12)
    other = structs.replace(document, players=document.players[::-1])
    (report,) = combine_summaries([summarize_seat(document, 0), summarize_seat(other, 1)], BOT)
    assert report.matches == 2
    assert report.luck_margin > 0


def test_many_equal_matches_do_not_reduce_the_uncertainty_of_a_bots_luck_by_the_calibration() -> None:
    summary = structs.replace(summarize_seat(review_of(log_of("pig", 2), 12), 0), luck=0.1)
    summary = structs.replace(summary, luck_uncertainties=(0.15, -0.05))
    many = [structs.replace(summary, match=str(number)) for number in range(50)]
    (report,) = combine_summaries(many, BOT)
    assert report.luck_margin == pytest.approx(0.2), "the errors in two parts of a match do not cancel"
    older = structs.replace(summary, match="older", luck_uncertainties=())
    (report,) = combine_summaries([*many, older], BOT)
    assert report.luck_margin is None, "a summary of an older release does not tell it"


@pytest.mark.parametrize(("lowest", "sure"), [("0", False), ("-1/10", False), ("1/10", True)])
def test_the_accuracy_of_a_kind_of_choice_is_sure_if_its_stakes_exceed_zero_with_the_lowest_slopes(
    lowest: str, sure: bool
) -> None:
    document = review_of(log_of("pig", 2), 12)
    choices = tuple(structs.replace(choice, lowest_stake=lowest) for choice in document.choices)
    (report,) = combine_summaries([summarize_seat(structs.replace(document, choices=choices), 0)], BOT)
    assert {group.sure for group in (*report.kinds, *report.phases)} == {sure}


def test_the_review_summary_prints_a_dash_or_not_sure_if_the_accuracy_of_a_kind_of_choice_is_undefined_or_unsure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    groups = (
        ChoiceGroupAccuracy(name="roll", choices=3, cost=0.125, accuracy=0.75, sure=True),
        ChoiceGroupAccuracy(name="guess", choices=2, cost=0.5, accuracy=0.5, sure=False),
        ChoiceGroupAccuracy(name="hold", choices=1, cost=0, accuracy=None, sure=False),
    )
    print_coaching(structs.replace(report_on("pig")[1], kinds=groups))
    lines = [line.replace("│", " ").split() for line in capsys.readouterr().out.splitlines()]
    assert ["roll", "3", "0.125", "75%"] in lines
    assert ["guess", "2", "0.500", "50%,", "not", "sure"] in lines
    assert ["hold", "1", "0.000", "-"] in lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(2):
        write_log(tmp_path / f"{number}.jsonl", log_of("pig", number=number))
    return tmp_path


@pytest.mark.slow
def test_ftk_review_summarises_all_match_logs_in_a_folder_for_one_bot(folder: Path) -> None:
    run = CliRunner().invoke(app, ["review", str(folder), "--bot", "random", "--playouts", "4", "--json"])
    (report,) = json.loads(run.stdout)
    assert (report["schema"], report["bot"], report["matches"]) == ("ftk.coaching/1", "random", 2)
    printed = CliRunner().invoke(app, ["review", str(folder), "--bot", "random", "--playouts", "4"])
    assert "random in 2 matches of pig" in printed.stdout
    assert all(phase in printed.stdout for phase in ("first third", "second third", "last third"))


@pytest.mark.parametrize(
    ("options", "reason"), [([], "say by --bot"), (["--bot", "nobody"], "'nobody' plays in no match")]
)
def test_ftk_review_refuses_a_folder_whose_match_logs_do_not_contain_the_named_bot(
    folder: Path, options: list[str], reason: str
) -> None:
    run = CliRunner().invoke(app, ["review", str(folder), *options])
    assert run.exit_code == 2
    assert reason in run.stderr


def test_ftk_review_refuses_a_folder_without_match_logs(tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["review", str(tmp_path), "--bot", "random"])
    assert run.exit_code == 2
    assert "has no logs of matches" in run.stderr
