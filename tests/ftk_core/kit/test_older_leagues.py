"""A league that an older release exported verifies for ever, and folds as it did."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

from ftk_core.kit.verify_league import verify_export
from ftk_core.kit.verify_stream import LeagueStream
from ftk_core.league.standings import standings
from ftk_core.league.tiebreaks import FORMER

LEAGUE = Path("tests/golden/league.tar")
"""Five bots, pairs, two rounds with a bye each, from before there were stages."""


def read(name: str) -> bytes:
    with tarfile.open(LEAGUE) as tar:
        file = tar.extractfile(name)
        assert file
        return file.read()


def test_it_verifies() -> None:
    report = verify_export(LEAGUE)
    assert report.flaws == ()
    assert report.summary == "golden, a league of pig: 5 bots, 2 rounds, 4 matches"


def test_it_folds_to_one_stage_with_the_standings_that_it_had() -> None:
    league = LeagueStream(read("tournament.jsonl")).league
    assert [stage.format for stage in league.stages] == ["swiss"]
    told = json.loads(read("results.json"))["standings"]
    found = [(row.place, row.entry, str(row.points), row.byes) for row in standings(league)]
    assert found == [(line["place"], line["entry"], line["points"], line["byes"]) for line in told]
    assert [list(line)[4:-2] for line in told] == [list(FORMER)] * 5
