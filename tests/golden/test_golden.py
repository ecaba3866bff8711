"""Golden logs still verify, rerun to the same bytes and read the same."""

from __future__ import annotations

import pytest

from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.kit.verify.match_log_verification import verify_matches
from ftk_core.log_entries import MatchOpened, read
from tests.golden.write import EVERY, FOLDER, path_of, transcript

EXTRA = [("to_court_the_king", 1, "tie"), ("kings_court", 1, "fake")]
"""(game, version, what is in it): kept for a case that the others do not have."""
ALL = [*EVERY, *EXTRA]


@pytest.mark.parametrize(("name", "version", "seats"), ALL)
def test_each_golden_log_passes_verification_and_replays_under_the_rules_version_it_names(
    name: str, version: int, seats: int | str
) -> None:
    log = path_of(name, version, seats, "jsonl")
    opened = read(log.read_bytes().splitlines()[0])
    assert isinstance(opened, MatchOpened)
    assert opened.version == version
    (verdict,) = verify_matches(log, thorough=True)
    assert verdict.game == name
    assert seats in (len(verdict.players), "tie", "fake")


@pytest.mark.parametrize(("name", "version", "seats"), ALL)
def test_each_golden_log_is_described_by_the_stored_sentences(name: str, version: int, seats: int | str) -> None:
    text = path_of(name, version, seats, "txt").read_text()
    assert transcript(path_of(name, version, seats, "jsonl").read_bytes()) == text


def test_no_golden_file_is_missing_or_superfluous() -> None:
    expected = {path_of(*row, suffix) for row in ALL for suffix in ("txt", "jsonl")}
    found = {path for folder in (FOLDER, FOLDER / "past") for path in folder.iterdir()}
    assert {path for path in found if path.suffix in (".txt", ".jsonl")} == expected


def test_the_golden_league_export_passes_verification() -> None:
    report = verify_export(FOLDER / "league", (FOLDER / "league" / "key.pem").read_bytes())
    assert report.flaws == ()
    assert report.summary == "night, a league of pig: 3 bots, 2 rounds, 2 matches"
