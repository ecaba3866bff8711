"""Exports of a league: CSV and JSON sheets, and TRF for chess programs."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from py4swiss.trf import TrfParser
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_command_handlers import record
from ftk_core.league.league_facts import BotEntered, LeagueFact, LeagueOpened
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.publication.fide_trf import trf_file
from ftk_core.league.publication.spreadsheets import FILES, file_of, list_pairings
from ftk_core.league.scoring.entrant_stage_totals import cross_table
from ftk_core.league.standings import standings
from tests.support.results import build_result
from tests.support.stages import LeagueRun, stage
from tests.support.states import build_league_state, play_rounds
from tests.support.ties.leagues import TieLeague

ODD = ("=1+1", "+A1", "-2+3", "@SUM(A1)", "\tTab", '"quoted", and more', "Ünïcode 王 \u202e", "a\nb", " =1", "x" * 60)


def pairs(number: int, **terms: object) -> list[LeagueFact]:
    """Return a league of pairs, one match a round, whose entries have odd names."""
    made = TieLeague(number, seats=2, games=1, **terms)
    return [
        msgspec.structs.replace(fact, name=ODD[fact.entry % len(ODD)]) if isinstance(fact, BotEntered) else fact
        for fact in made.facts
    ]


def play_gauntlet_that_its_challenger_loses() -> LeagueState:
    """Return a league whose challenger has lost its matches at three tables of one round."""
    run = LeagueRun(stage("gauntlet", rounds=1), entries=4)
    run.pair()
    tables = run.league.rounds[0].tables
    ((challenger, _),) = Counter(entry for table in tables for entry in table.seating).most_common(1)
    forms = [{entry: int(entry != challenger) for entry in table.seating} for table in tables]
    run.append(*record(run.league, *(build_result(1, one, 0, form) for one, form in zip(tables, forms, strict=True))))
    return run.league


def read_trf(league: LeagueState, folder: Path) -> TrfParser:
    target = folder / "league.trf"
    target.write_bytes(trf_file(league))
    return TrfParser.parse(target, strict=True)


@pytest.mark.parametrize("number", range(40))
def test_py4swiss_reads_the_trf_file_of_a_two_player_league_and_counts_the_same_points(
    number: int, tmp_path: Path
) -> None:
    league = fold_facts(pairs(number, worth="places", thirds=False))
    trf = read_trf(league, tmp_path)
    rows = {row.entry: row for row in standings(league)}
    assert {one.starting_number for one in trf.player_sections} == set(rows)
    for one in trf.player_sections:
        row = rows[one.starting_number]
        assert Fraction(one.points_times_ten, 10) == row.points
        assert one.rank == row.place
        assert len(one.results) == league.closed_rounds
        met = [result.id for result in one.results if result.id]
        played = [match for match in league.results if row.entry in match.seating]
        assert met == [next(e for e in match.seating if e != row.entry) for match in played]
        assert [result.color.value for result in one.results if result.id] == [
            "wb"[match.seating.index(row.entry)] for match in played
        ]


@pytest.mark.parametrize(
    ("league", "said"),
    [
        (play_rounds(build_league_state(8, 4), 1), "not such a league"),
        (play_rounds(build_league_state(8, 2, games=2), 1), "not such a league"),
        (fold_facts(pairs(3, worth="places", thirds=True)), "points of"),
        (play_gauntlet_that_its_challenger_loses(), "not such a league"),
    ],
)
def test_a_trf_export_is_refused_if_the_trf_format_cannot_express_the_league(league: LeagueState, said: str) -> None:
    with pytest.raises(CommandRejected, match=said):
        trf_file(league)


def test_the_sheet_of_pairings_shows_the_seats_of_matches_without_a_result_as_they_are_played() -> None:
    run = LeagueRun(stage("swiss", rounds=1, games=2), entries=4)
    run.pair()
    planned = [(line["table"], line["match"], line["seat"], line["entry"]) for line in list_pairings(run.league)]
    run.play()
    assert [
        (line["table"], line["match"], line["seat"], line["entry"]) for line in list_pairings(run.league)
    ] == planned


def test_a_league_of_two_stages_has_no_trf_file() -> None:
    league = play_rounds(build_league_state(4, 2), 1)
    stage = StageSettings(format="swiss", seats=2, least=2, rounds=2)
    opened: LeagueOpened = msgspec.structs.replace(league.header, stages=(stage, stage))
    with pytest.raises(CommandRejected, match="one stage"):
        trf_file(msgspec.structs.replace(league, opened=opened))


@pytest.mark.slow
def test_names_in_csv_sheets_can_be_read_back_and_are_not_interpreted_as_formulas() -> None:
    league = fold_facts(pairs(5, worth="places"))
    for name in ("standings.csv", "pairings.csv", "results.csv", "cross.csv", "ratings.csv"):
        lines = list(csv.DictReader(io.StringIO(file_of(league, name).decode(), newline="")))
        assert lines
        for line in lines:
            assert not line["name"].lstrip().startswith(("=", "+", "-", "@"))
            assert line["name"].removeprefix("'") == league.entrant(int(line["entry"])).name


def test_standings_in_csv_and_json_sheets_equal_the_computed_standings() -> None:
    league = fold_facts(TieLeague(5).facts)
    rows, lines = standings(league), json.loads(file_of(league, "standings.json"))
    cells = list(csv.DictReader(io.StringIO(file_of(league, "standings.csv").decode(), newline="")))
    for row, line, cell in zip(rows, lines, cells, strict=True):
        assert (line["place"], line["entry"], Fraction(line["points"])) == (row.place, row.entry, row.points)
        assert float(cell["points"]) == pytest.approx(float(row.points), abs=1e-6)
        for tiebreak, value in zip(TieLeague(5).stage.tiebreaks, row.tiebreaks, strict=True):
            assert Fraction(line[tiebreak]) == value
            assert float(cell[tiebreak]) == pytest.approx(float(value), abs=1e-6)
        assert line["decided"] == row.decided


def test_the_sheet_of_pairings_lists_every_seat_and_every_bye_once() -> None:
    league = fold_facts(TieLeague(9).facts)
    lines = json.loads(file_of(league, "pairings.json"))
    seats = [line for line in lines if "seat" in line]
    rests = [(line["round"], line["entry"], line["rest"]) for line in lines if "rest" in line]
    assert rests == [(p.round, rest.entry, str(Fraction(rest.points))) for p in league.rounds for rest in p.rests]
    played = {
        (one.round, one.table, one.game + 1, seat + 1): (entry, one.places[seat])
        for one in league.results
        for seat, entry in enumerate(one.seating)
    }
    said = {(x["round"], x["table"], x["match"], x["seat"]): (x["entry"], x["place"]) for x in seats if "place" in x}
    assert said == played
    assert len(seats) == sum(len(t.seating) for p in league.rounds for t in p.tables) * league.stages[0].games


def test_the_sheet_of_results_lists_every_counted_result_with_its_match_id() -> None:
    league = fold_facts(TieLeague(9).facts)
    lines = json.loads(file_of(league, "results.json"))
    said = [(x["round"], x["table"], x["match"], x["id"], x["entry"], x["place"], x["score"]) for x in lines]
    assert said == sorted(said, key=lambda line: line[:3])
    assert set(said) == {
        (one.round, one.table, one.game + 1, one.match, entry, place, score)
        for one in league.results
        for entry, place, score in zip(one.seating, one.places, one.scores, strict=True)
    }


def test_the_cross_table_file_lists_the_points_of_each_entry_against_each_opponent_once() -> None:
    league = fold_facts(TieLeague(9).facts)
    lines = json.loads(file_of(league, "cross.json"))
    won = {(line["entry"], line["opponent"]): (Fraction(line["won"]), line["of"]) for line in lines}
    assert won == cross_table(league, {entrant.entry for entrant in league.entrants})
    assert len(won) == len(lines)
    assert all(mine + won[two, one][0] == of for (one, two), (mine, of) in won.items())


@pytest.mark.slow
def test_the_sheet_of_ratings_is_sorted_by_strength_with_each_rating_within_its_interval() -> None:
    league = fold_facts(TieLeague(5).facts)
    lines = json.loads(file_of(league, "ratings.json"))
    assert {line["entry"] for line in lines} == {entrant.entry for entrant in league.entrants}
    assert [line["rating"] for line in lines] == sorted((line["rating"] for line in lines), reverse=True)
    assert all(line["low"] < line["rating"] < line["high"] for line in lines)


@pytest.mark.parametrize("name", FILES)
def test_ftk_sheets_prints_the_sheets_of_an_exported_league(name: str) -> None:
    done = CliRunner().invoke(app, ["league", "sheet", "tests/golden/league", name])
    assert done.exit_code == 0, done.output
    assert "b1-1" in done.stdout


def test_an_unknown_sheet_is_refused_with_the_names_of_the_existing_sheets() -> None:
    done = CliRunner().invoke(app, ["league", "sheet", "tests/golden/league", "standings.xls"])
    assert done.exit_code == 2
    assert all(name in done.output for name in FILES)


def test_a_trf_file_does_not_change_while_a_round_is_played() -> None:
    run = LeagueRun(stage("swiss", seats=2, rounds=3), entries=4)
    run.pair()
    run.play()
    before = trf_file(run.league)
    run.pair()
    table = run.league.rounds[-1].tables[0]
    run.append(*record(run.league, build_result(2, table, 0, dict(zip(table.seating, (0, 1), strict=True)))))
    assert trf_file(run.league) == before
