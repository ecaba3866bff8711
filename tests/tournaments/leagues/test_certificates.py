"""Pairing certificates described as sentences."""

from __future__ import annotations

import pytest
from msgspec import structs

from ftk_core.league.event_fields import PairingQualityCertificate
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.leagues.pairing_quality_certificate_texts import describe_certificate
from tournaments.reports.league_page_queries import read_round

EVEN = PairingQualityCertificate(repeats=0, fewest=0, known="counting", siblings=0, floaters=0, seats=1, rested=0)


def test_a_pairing_certificate_without_repeated_meetings_says_that_no_two_bots_of_a_table_have_met() -> None:
    said = "No two bots at a table have met before. All bots of a table have equal points. "
    even = structs.replace(EVEN, seats=0)
    assert describe_certificate(even) == said + "Everybody has had each seat equally often."
    assert describe_certificate(EVEN) == said + "No bot has had one seat more than 1 time more often than another seat."


@pytest.mark.parametrize(
    ("repeats", "fewest", "known", "said"),
    [
        (1, 1, "counting", "1 pair met before; fewer is impossible, as shown by counting."),
        (
            3,
            3,
            "matching",
            "3 pairs met before; fewer is impossible, as shown by a proof that goes with the round.",
        ),
        (5, 2, "counting", "5 pairs met before; at least 2 could not be avoided, as shown by counting."),
        (5, 0, "counting", "5 pairs met before; it is not known whether fewer would have been possible."),
    ],
)
def test_a_pairing_certificate_states_how_many_pairs_meet_again_and_how_many_were_unavoidable(
    repeats: int, fewest: int, known: str, said: str
) -> None:
    weighed = PairingQualityCertificate(
        repeats=repeats,
        fewest=fewest,
        known=known,
        siblings=2,
        floaters=2,
        seats=2,
        rested=1,  # type: ignore[arg-type]  # one of both
    )
    aloud = describe_certificate(weighed)
    assert aloud.startswith(said)
    assert "2 bots at a table where somebody has more points. 2 pairs of one author could not be kept apart." in aloud
    assert aloud.endswith("No entry with a bye had more than 1 bye before.")


def test_the_description_of_a_missing_pairing_certificate_is_empty() -> None:
    assert describe_certificate(None) == ""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_league_page_shows_the_pairing_certificate_of_every_round() -> None:
    play_all(start_league(create_entrants(), rounds=2))
    rounds = [read_round("night", number)[1] for number in (1, 2)]
    assert [round_.certificate.split(".")[0] for round_ in rounds] == ["No two bots at a table have met before"] * 2
