"""A league exported by an older release still verifies and folds to the same state."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.scoring.tiebreaks import UNANNOUNCED_TIEBREAKS
from ftk_core.league.standings import standings

LEAGUE = Path("tests/golden/league.tar")
"""League of a release before stages: five bots, tables of two, and two rounds with a bye each."""


def read(name: str) -> bytes:
    with tarfile.open(LEAGUE) as tar:
        file = tar.extractfile(name)
        assert file
        return file.read()


def test_a_league_export_written_by_an_earlier_software_version_passes_verification() -> None:
    report = verify_export(LEAGUE)
    assert report.flaws == ()
    assert report.summary == "golden, a league of pig: 5 bots, 2 rounds, 4 matches"


def test_a_league_of_an_older_release_is_read_as_one_stage_with_its_original_standings() -> None:
    league = VerifiedLeagueEventStream(read("tournament.jsonl")).league
    assert [stage.format for stage in league.stages] == ["swiss"]
    told = json.loads(read("results.json"))["standings"]
    found = [(row.place, row.entry, str(row.points), row.byes) for row in standings(league)]
    assert found == [(line["place"], line["entry"], line["points"], line["byes"]) for line in told]
    assert [list(line)[4:-2] for line in told] == [list(UNANNOUNCED_TIEBREAKS)] * 5
    tiebreaks = [[str(value) for value in row.tiebreaks] for row in standings(league)]
    assert tiebreaks == [[str(line[name]) for name in UNANNOUNCED_TIEBREAKS] for line in told]
