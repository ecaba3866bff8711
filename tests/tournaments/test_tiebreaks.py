"""A tie-break is one object: its value, its place in the files and its column follow from the table of them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test import Client

from ftk_core.kit.verify_league import verify_export
from ftk_core.league.export import results_file
from ftk_core.league.plans import Stage
from ftk_core.league.standings import standings
from ftk_core.league.tiebreaks import FORMER, TIEBREAKS, usual
from tests.support.factories import active_version
from tests.support.leagues import entrants, new_league, play_all
from tests.support.migrating import migrated_back
from tests.support.states import after, league_of, with_results
from tournaments import league_queries
from tournaments.league_overviews import DECIDED
from tournaments.models import Entrant, League
from tournaments.projections import load
from tournaments.services import export_league
from tournaments.terms import Terms, opening

BY = {slug: TIEBREAKS[slug] for slug in FORMER}
TABLE = Path("ftk_core/league/tiebreaks.py")
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)


def test_each_tiebreak_has_the_value_that_its_regulation_gives_it() -> None:
    """1 beats 2, 3 and 4 share; then 3 beats 1: points are 1, 0, 3/2 and 1/2."""
    rows = standings(with_results(((1, 2), (1, 2)), ((3, 4), (1, 1)), ((1, 3), (2, 1))))
    values = {row.entry: dict(zip(BY, row.tiebreaks, strict=True)) for row in rows}
    assert values[1] == {"wins": 1, "opposition": Fraction(3, 4), "quality": 0, "score": 0}
    assert values[3] == {"wins": Fraction(3, 2), "opposition": Fraction(3, 4), "quality": Fraction(5, 4), "score": 0}
    assert values[4] == {"wins": Fraction(1, 2), "opposition": Fraction(3, 2), "quality": Fraction(3, 4), "score": 0}


def test_a_league_can_be_ordered_by_a_list_of_its_own() -> None:
    folded = after(league_of(12, 4), 3)
    for chosen in (("quality",), ("score", "wins")):
        stage = msgspec.structs.replace(folded.stages[0], tiebreaks=chosen)
        opened = msgspec.structs.replace(folded.header, stages=(stage,))
        rows = standings(msgspec.structs.replace(folded, opened=opened))
        assert {len(row.tiebreaks) for row in rows} == {len(chosen)}
        assert [row.key for row in rows] == sorted((row.key for row in rows), reverse=True)


def test_a_line_of_an_export_has_every_tiebreak_by_its_slug() -> None:
    for line in json.loads(results_file(after(league_of(8, 4), 2)))["standings"]:
        assert list(line) == ["place", "entry", "name", "points", *BY, "played", "byes"]


def test_nothing_but_the_table_names_a_tiebreak() -> None:
    """`wins` and `score` mean other things too; whoever wrote out these two would have to write out the others."""
    named = re.compile(r"""["'.](opposition|quality)\b|\b(opposition|quality)=""")
    assert {"opposition", "quality"} <= set(BY)
    sources = [path for folder in ("ftk_core", "tournaments", "frontend") for path in Path(folder).rglob("*.py")]
    others = {"migrations", "ui", "drawing"}  # a clip has a quality of its own
    ours = [path for path in sources if others.isdisjoint(path.parts)]
    assert [path for path in ours if named.search(path.read_text())] == [TABLE]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_page_shows_every_tiebreak_with_what_it_is() -> None:
    play_all(new_league(entrants()))
    page = league_queries.read_league("night")
    assert page.standings.tiebreaks == [(TIEBREAKS[slug].name, TIEBREAKS[slug].what) for slug in usual(2)]
    assert {len(row.tiebreaks) for row in page.standings.rows} == {len(usual(2))}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_page_and_an_export_say_in_every_line_what_decided(client: Client) -> None:
    play_all(new_league(entrants()))
    _, folded = load(League.objects.get())
    rows = league_queries.read_league("night").standings.rows
    exported = json.loads(results_file(folded))
    assert exported["format"] == 2
    assert rows[0].decided == "–"
    for row, line in zip(rows[1:], exported["standings"][1:], strict=True):
        assert row.decided == (DECIDED.get(line["decided"]) or TIEBREAKS[line["decided"]].name)
        assert f'<td class="soft">{row.decided}</td>' in client.get("/leagues/night/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_how_often_a_bot_failed_is_said_in_the_stream_and_checked_against_the_matches(tmp_path: Path) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text("import sys\nfor line in sys.stdin: print('nonsense', flush=True)\n")
    play_all(new_league([*entrants(1), active_version(silent, slug="silent")], rounds=1, tiebreaks=("excuses",)))
    _, folded = load(League.objects.get())
    assert [(row.entry, *row.tiebreaks) for row in standings(folded) if row.entry == 1] == [(1, 0)]
    (failures,) = (-row.tiebreaks[0] for row in standings(folded) if row.entry == 2)
    assert failures > 0
    export_league("night", tmp_path / "night.tar")
    about = [str(flaw) for flaw in verify_export(tmp_path / "night.tar").flaws]
    assert not [flaw for flaw in about if "excuses" in flaw or "results.json" in flaw], about


def test_a_league_from_before_says_no_more_than_it_did() -> None:
    exported = json.loads(results_file(after(league_of(8, 4), 2)))
    assert exported["format"] == 1
    assert not any("decided" in line for line in exported["standings"])


def test_what_is_usual_is_written_into_the_league_that_is_announced() -> None:
    stages = (stage(seats=4, qualify=0), stage(seats=2, qualify=4), stage(seats=2, tiebreaks=("score",)))
    fact = opening(Terms(slug="cup", name="Cup", game="pig", seats=2, rounds=1, stages=stages), NOON, "", "")
    assert [one.tiebreaks for one in fact.stages] == [usual(4), usual(2), ("score",)]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_standings_that_were_four_columns_mean_the_same_as_a_list() -> None:
    play_all(new_league(entrants(), tiebreaks=FORMER))
    held = sorted(Entrant.objects.values_list("number", "tiebreaks"))
    assert len({tuple(values) for _, values in held}) > 1
    with migrated_back(("tournaments", "0005_sound_leagues")), connection.cursor() as cursor:
        cursor.execute("SELECT number, wins, opposition, quality, score FROM tournaments_entry ORDER BY number")
        assert [(number, list(map(str, values))) for number, *values in cursor.fetchall()] == held
    assert sorted(Entrant.objects.values_list("number", "tiebreaks")) == held


def stage(**terms: Any) -> Stage:
    return Stage(format="swiss", least=2, rounds=2, **terms)
