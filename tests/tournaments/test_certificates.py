"""What a round weighed is said in words."""

from __future__ import annotations

import pytest
from msgspec import structs

from ftk_core.league.plans import Weighed
from tests.support.leagues import entrants, new_league, play_all
from tournaments.certificates import read_aloud
from tournaments.league_queries import read_round

EVEN = Weighed(repeats=0, fewest=0, known="counting", siblings=0, floaters=0, seats=1, rested=0)


def test_a_round_without_a_blemish_says_so() -> None:
    said = "All meet for the first time. Everybody sits with equals. "
    even = structs.replace(EVEN, seats=0)
    assert read_aloud(even) == said + "Everybody has had each seat equally often."
    assert read_aloud(EVEN) == said + "Nobody has had one seat more than 1 time more often than another."


@pytest.mark.parametrize(
    ("repeats", "fewest", "known", "said"),
    [
        (1, 1, "counting", "1 pair met before, and fewer is impossible, as is known by counting."),
        (
            3,
            3,
            "matching",
            "3 pairs met before, and fewer is impossible, as is known by a proof that goes with the round.",
        ),
        (5, 2, "counting", "5 pairs met before; at least 2 had to, as is known by counting."),
        (5, 0, "counting", "5 pairs met before; whether fewer had to is not known."),
    ],
)
def test_repeats_are_told_with_how_few_there_could_be(repeats: int, fewest: int, known: str, said: str) -> None:
    weighed = Weighed(
        repeats=repeats,
        fewest=fewest,
        known=known,
        siblings=2,
        floaters=2,
        seats=2,
        rested=1,  # type: ignore[arg-type]  # one of both
    )
    aloud = read_aloud(weighed)
    assert aloud.startswith(said)
    assert "2 bots at a table where somebody has more points. 2 pairs of one author could not be kept apart." in aloud
    assert aloud.endswith("Whoever rests had rested 1 time at most.")


def test_a_round_from_before_there_were_certificates_says_nothing() -> None:
    assert read_aloud(None) == ""


@pytest.mark.django_db(transaction=True)
def test_a_leagues_page_says_it_of_every_round() -> None:
    play_all(new_league(entrants(), rounds=2))
    rounds = [read_round("night", number)[1] for number in (1, 2)]
    assert [round_.certificate.split(".")[0] for round_ in rounds] == ["All meet for the first time"] * 2
