"""Tie-breaks: one table defines the value, the export field and the column of each."""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.publication.league_export import STREAM, build_results_file
from ftk_core.league.scoring.tiebreaks import UNANNOUNCED_TIEBREAKS, default_tiebreaks, find_tiebreak
from ftk_core.league.standings import standings
from ftk_core.tar_files import pack, unpack
from tests.support.factories import create_active_version
from tests.support.leagues import create_entrants, play_all, start_league
from tests.support.mutations import replace_and_rehash
from tests.support.states import build_league_state, build_league_with_results, play_rounds
from tournaments.leagues.finished_league_export import export_league
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.league_settings import LeagueSettings, make_opening_fact
from tournaments.models import League
from tournaments.reports import league_page_queries
from tournaments.summaries.league_overviews import DECISION_NAMES

BY = {slug: find_tiebreak(slug) for slug in UNANNOUNCED_TIEBREAKS}
TABLE = Path("ftk_core/league/scoring/tiebreaks.py")
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)


def test_tiebreak_values_of_an_example_league_equal_those_computed_by_hand() -> None:
    """Entry 1 beats 2, 3 ties with 4, and then 3 beats 1: the points are 1, 0, 3/2 and 1/2."""
    rows = standings(build_league_with_results(((1, 2), (1, 2)), ((3, 4), (1, 1)), ((1, 3), (2, 1))))
    values = {row.entry: dict(zip(BY, row.tiebreaks, strict=True)) for row in rows}
    assert values[1] == {"wins": 1, "opposition": Fraction(3, 4), "quality": 0, "score": 0}
    assert values[3] == {"wins": Fraction(3, 2), "opposition": Fraction(3, 4), "quality": Fraction(5, 4), "score": 0}
    assert values[4] == {"wins": Fraction(1, 2), "opposition": Fraction(3, 2), "quality": Fraction(3, 4), "score": 0}


def test_a_league_can_choose_its_list_of_tiebreaks() -> None:
    folded = play_rounds(build_league_state(12, 4), 3)
    values = {row.entry: dict(zip(BY, row.tiebreaks, strict=True)) for row in standings(folded)}
    for chosen in (("quality",), ("score", "wins")):
        stage = msgspec.structs.replace(folded.stages[0], tiebreaks=chosen)
        opened = msgspec.structs.replace(folded.header, stages=(stage,))
        rows = standings(msgspec.structs.replace(folded, opened=opened))
        for row in rows:
            assert row.tiebreaks == tuple(values[row.entry][slug] for slug in chosen)
        assert [row.key for row in rows] == sorted((row.key for row in rows), reverse=True)


def test_each_standing_in_a_league_export_has_every_tiebreak_by_name() -> None:
    for line in json.loads(build_results_file(play_rounds(build_league_state(8, 4), 2)))["standings"]:
        assert list(line) == ["place", "entry", "name", "points", *BY, "played", "byes"]


def test_the_names_of_tiebreaks_occur_in_one_module_only() -> None:
    """The test searches for two of the names only, because `wins` and `score` have other meanings too."""
    named = re.compile(r"""["'.](opposition|quality)\b|\b(opposition|quality)=""")
    assert {"opposition", "quality"} <= set(BY)
    sources = [path for folder in ("ftk_core", "tournaments", "frontend") for path in Path(folder).rglob("*.py")]
    others = {"migrations", "ui", "drawing"}  # in these folders, `quality` is that of a clip
    ours = [path for path in sources if others.isdisjoint(path.parts)]
    assert [path for path in ours if named.search(path.read_text())] == [TABLE]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_standings_page_shows_and_explains_every_tiebreak() -> None:
    play_all(start_league(create_entrants()))
    page = league_page_queries.read_league("night")
    announced = [find_tiebreak(slug) for slug in default_tiebreaks(2)]
    assert page.standings.tiebreaks == [(rule.name, rule.what) for rule in announced]
    assert {len(row.tiebreaks) for row in page.standings.rows} == {len(default_tiebreaks(2))}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_in_a_league_whose_stages_have_different_tiebreaks_each_value_is_in_the_column_of_its_tiebreak() -> None:
    stages = (StageSettings(format="swiss", seats=4, rounds=1), StageSettings(format="knockout", seats=2, qualify=4))
    league = start_league(create_entrants(8), stages=stages)
    play_all(league)
    state, page = load(league)[1], league_page_queries.read_league("night").standings
    columns = [name for name, _ in page.tiebreaks]
    assert columns == [find_tiebreak(slug).name for slug in default_tiebreaks(2)]
    for row, shown in zip(standings(state), page.rows, strict=True):
        own = [find_tiebreak(slug).name for slug in default_tiebreaks(4 if row.stage == 1 else 2)]
        values = {name: float(value) for name, value in zip(own, row.tiebreaks, strict=True)}
        told = {name: float(text) for name, text in zip(columns, shown.tiebreaks, strict=True) if text != "–"}
        assert told == pytest.approx(values, abs=0.01)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_standings_page_and_export_name_the_deciding_tiebreak_of_every_entry(client: Client) -> None:
    play_all(start_league(create_entrants()))
    _, folded = load(League.objects.get())
    rows = league_page_queries.read_league("night").standings.rows
    exported = json.loads(build_results_file(folded))
    assert exported["format"] == 2
    assert rows[0].decided == "–"
    for row, line in zip(rows[1:], exported["standings"][1:], strict=True):
        assert row.decided == (DECISION_NAMES.get(line["decided"]) or find_tiebreak(line["decided"]).name)
        assert f'<td class="soft">{row.decided}</td>' in client.get("/leagues/night/").content.decode()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_verification_of_a_league_checks_recorded_fault_counts_against_the_match_logs(tmp_path: Path) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text("import sys\nfor line in sys.stdin: print('nonsense', flush=True)\n")
    play_all(
        start_league(
            [*create_entrants(1), create_active_version(silent, slug="silent")], rounds=1, tiebreaks=("excuses",)
        )
    )
    _, folded = load(League.objects.get())
    assert [(row.entry, *row.tiebreaks) for row in standings(folded) if row.entry == 1] == [(1, 0)]
    (failures,) = (-row.tiebreaks[0] for row in standings(folded) if row.entry == 2)
    assert failures > 0
    export_league("night", tmp_path / "night.tar")
    about = [str(flaw) for flaw in verify_export(tmp_path / "night.tar").flaws]
    assert not [flaw for flaw in about if "excuses" in flaw or "results.json" in flaw], about
    files = dict(unpack(io.BytesIO((tmp_path / "night.tar").read_bytes())))
    (excuses,) = (result.excuses for result in folded.results)
    recorded, forged = (b'"excuses":[%d,%d]' % order for order in (excuses, excuses[::-1]))
    files[STREAM] = replace_and_rehash(files[STREAM], recorded, forged)
    (tmp_path / "forged.tar").write_bytes(b"".join(pack(files.items())))
    assert any("its excuses is" in str(flaw) for flaw in verify_export(tmp_path / "forged.tar").flaws)


def test_the_export_of_a_league_by_an_older_release_names_no_deciding_tiebreak() -> None:
    exported = json.loads(build_results_file(play_rounds(build_league_state(8, 4), 2)))
    assert exported["format"] == 1
    assert not any("decided" in line for line in exported["standings"])


def test_the_default_tiebreaks_are_stored_in_the_terms_of_a_new_league() -> None:
    stages = (stage(seats=4, qualify=0), stage(seats=2, qualify=4), stage(seats=2, tiebreaks=("score",)))
    fact = make_opening_fact(
        LeagueSettings(slug="cup", name="Cup", game="pig", seats=2, rounds=1, stages=stages), NOON, "", ""
    )
    assert [one.tiebreaks for one in fact.stages] == [default_tiebreaks(4), default_tiebreaks(2), ("score",)]


def stage(**terms: Any) -> StageSettings:
    return StageSettings(format="swiss", least=2, rounds=2, **terms)
