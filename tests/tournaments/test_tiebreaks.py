"""A tie-break is one object: its value, its place in the files and its column follow from the table of them."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from ftk_core.league.export import results_file
from ftk_core.league.standings import standings
from ftk_core.league.tiebreaks import TIEBREAKS
from tests.support.leagues import entrants, new_league, play_all
from tests.support.states import after, league_of, with_results
from tournaments import queries
from tournaments.models import Entrant

BY = {tiebreak.slug: tiebreak for tiebreak in TIEBREAKS}
TABLE = Path("ftk_core/league/tiebreaks.py")


def test_each_tiebreak_has_the_value_that_its_regulation_gives_it() -> None:
    """1 beats 2, 3 and 4 share; then 3 beats 1: points are 1, 0, 3/2 and 1/2."""
    rows = standings(with_results(((1, 2), (1, 2)), ((3, 4), (1, 1)), ((1, 3), (2, 1))))
    values = {row.entry: dict(zip(BY, row.tiebreaks, strict=True)) for row in rows}
    assert values[1] == {"wins": 1, "opposition": Fraction(3, 4), "quality": 0, "score": 0}
    assert values[3] == {"wins": Fraction(3, 2), "opposition": Fraction(3, 4), "quality": Fraction(5, 4), "score": 0}
    assert values[4] == {"wins": Fraction(1, 2), "opposition": Fraction(3, 2), "quality": Fraction(3, 4), "score": 0}


def test_a_league_can_be_ordered_by_a_list_of_its_own() -> None:
    folded = after(league_of(12, 4), 3)
    for chosen in ((), (BY["quality"],), (BY["score"], BY["wins"])):
        rows = standings(folded, chosen)
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
    ours = [path for path in sources if "migrations" not in path.parts and "ui" not in path.parts]
    assert [path for path in ours if named.search(path.read_text())] == [TABLE]


@pytest.mark.django_db(transaction=True)
def test_a_page_shows_every_tiebreak_with_what_it_is() -> None:
    play_all(new_league(entrants()))
    page = queries.read_league("night")
    assert page.tiebreak_names == [(tiebreak.name, tiebreak.what) for tiebreak in TIEBREAKS]
    assert {len(row.tiebreaks) for row in page.standings} == {len(TIEBREAKS)}


@pytest.mark.django_db(transaction=True)
def test_standings_that_were_four_columns_mean_the_same_as_a_list() -> None:
    play_all(new_league(entrants()))
    held = sorted(Entrant.objects.values_list("number", "tiebreaks"))
    assert len({tuple(values) for _, values in held}) > 1
    migrate("0005_sound_leagues")
    with connection.cursor() as cursor:
        cursor.execute("SELECT number, wins, opposition, quality, score FROM tournaments_entry ORDER BY number")
        assert [(number, list(map(str, values))) for number, *values in cursor.fetchall()] == held
    migrate(newest())
    assert sorted(Entrant.objects.values_list("number", "tiebreaks")) == held


def newest() -> str:
    ((_, name),) = MigrationExecutor(connection).loader.graph.leaf_nodes("tournaments")
    return name


def migrate(name: str) -> None:
    MigrationExecutor(connection).migrate([("tournaments", name)])
