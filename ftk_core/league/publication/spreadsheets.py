"""Spreadsheets of a league as CSV and JSON, such as standings, results and ratings."""
# In JSON a fraction is exact text. In CSV it is a decimal with six digits: spreadsheets would read "1/2" as a date.

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from fractions import Fraction

import msgspec

from ftk_core.league.league_state import LeagueState
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.publication.fide_trf import trf_file
from ftk_core.league.scoring.entrant_stage_totals import cross_table, rests_of
from ftk_core.league.scoring.tiebreak_inputs import Exact
from ftk_core.league.scoring.tiebreaks import tiebreaks_of
from ftk_core.league.standings import standings
from ftk_core.league.statistics.stage_court_rating import intervals_of

Line = Mapping[str, Exact | str]
"""Line of a sheet: column -> value. Lines for different stages may have different columns."""
FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r")
"""Characters with which a formula in a spreadsheet can begin."""
CSV_DECIMAL_DIGITS = 6


def list_standings(league: LeagueState) -> list[Line]:
    """Return the sheet of standings: one line for each bot, from first to last."""
    lines: list[Line] = []
    for standing in standings(league):
        slugs = (tiebreak.slug for tiebreak in tiebreaks_of(league.stages[standing.stage - 1]))
        identity: Line = {
            "place": standing.place,
            "entry": standing.entry,
            "name": league.entrant(standing.entry).name,
            "stage": standing.stage,
        }
        values: Line = {"points": standing.points, **dict(zip(slugs, standing.tiebreaks, strict=True))}
        lines.append(
            {**identity, **values, "decided": standing.decided, "played": standing.played, "rests": standing.byes}
        )
    return lines


def list_pairings(league: LeagueState) -> list[Line]:
    """Return the sheet of pairings: one line for each seat of each match, and for each bye."""
    # The columns `place` (finishing place) and `score` are missing for a match without a result.
    results = {(one.round, one.table, one.game): one for one in league.results}
    lines: list[Line] = []
    for paired in league.rounds:
        stage = league.terms_of(paired.round)
        for table in paired.tables:
            for game in range(stage.games):
                result = results.get((paired.round, table.number, game))
                for seat, entry in enumerate(result.seating if result else rotate_seating(table.seating, game)):
                    at: Line = {"round": paired.round, "table": table.number, "match": game + 1, "seat": seat + 1}
                    came: Line = {"place": result.places[seat], "score": result.scores[seat]} if result else {}
                    lines.append({**at, "entry": entry, "name": league.entrant(entry).name, **came})
        for entry, points in rests_of(paired, stage).items():
            name = league.entrant(entry).name
            lines.append({"round": paired.round, "entry": entry, "name": name, "rest": points})
    return lines


def list_results(league: LeagueState) -> list[Line]:
    """Return the sheet of results: one line for each seat of each match that counts."""
    lines: list[Line] = []
    for one in sorted(league.results, key=lambda one: (one.round, one.table, one.game)):
        at: Line = {"round": one.round, "table": one.table, "match": one.game + 1, "id": one.match}
        for seat, (entry, place, score) in enumerate(zip(one.seating, one.places, one.scores, strict=True), 1):
            name = league.entrant(entry).name
            lines.append({**at, "place": place, "entry": entry, "name": name, "seat": seat, "score": score})
    return lines


def list_cross(league: LeagueState) -> list[Line]:
    """Return the cross table: one line for each bot and each opponent that it met.

    The column `won` counts the matches in which the bot finished ahead, and a tie as half a match. The column `of`
    counts all matches of the pair.
    """
    # Pairs that never met are left out, so that the sheet grows with the number of matches.
    order = [standing.entry for standing in standings(league)]
    cells = cross_table(league, frozenset(order))
    rank = {entry: at for at, entry in enumerate(order)}
    return [
        {
            "entry": one,
            "name": league.entrant(one).name,
            "opponent": other,
            "against": league.entrant(other).name,
            "won": won,
            "of": of,
        }
        for (one, other), (won, of) in sorted(cells.items(), key=lambda cell: (rank[cell[0][0]], rank[cell[0][1]]))
    ]


def list_ratings(league: LeagueState) -> list[Line]:
    """Return the sheet of ratings with their 95% intervals, the strongest bot first.

    Raises `stage_court_rating.NumpyMissingError` if numpy is not installed.
    """
    # The ratings are from this league alone.
    entries = [entrant.entry for entrant in league.entrants]
    intervals = sorted(intervals_of(league.results, entries).items(), key=lambda item: (-item[1][0], item[0]))
    return [
        {"entry": entry, "name": league.entrant(entry).name, "rating": rating, "low": low, "high": high}
        for entry, (rating, low, high) in intervals
    ]


SHEETS: Mapping[str, Callable[[LeagueState], list[Line]]] = {
    "standings": list_standings,
    "pairings": list_pairings,
    "results": list_results,
    "cross": list_cross,
    "ratings": list_ratings,
}
FILES = (*(f"{name}.{kind}" for name in SHEETS for kind in ("csv", "json")), "league.trf")
"""File names that `file_of` can write."""


def file_of(league: LeagueState, name: str) -> bytes:
    """Return the contents of the league's file `name`, which is one of `FILES`.

    Raises KeyError for another name. Raises CommandRejected for ``league.trf`` if FIDE's format does not support the
    league, for example because it has several stages.
    """
    if name == FILES[-1]:
        return trf_file(league)
    sheet, _, kind = name.partition(".")
    lines = SHEETS[sheet](league)
    return {"csv": write_csv, "json": _json}[kind](lines)


def write_csv(lines: list[Line]) -> bytes:
    """Return the bytes of a CSV file, with the keys of the lines as columns."""
    # No cell can be read as a formula, so that a spreadsheet runs no code from a bot's name.
    columns = list(dict.fromkeys(column for line in lines for column in line))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(line.get(column, "")) for column in columns] for line in lines)
    return text.getvalue().encode()


def _cell(value: Exact | str) -> str:
    """Return the text of a CSV cell."""
    # A leading apostrophe keeps spreadsheets from evaluating the text as a formula (OWASP, CSV injection).
    if isinstance(value, str):
        return (
            f"'{value}" if value.lstrip().startswith(FORMULA_PREFIXES) or value.startswith(FORMULA_PREFIXES) else value
        )
    if isinstance(value, Fraction):
        return f"{float(value):.{CSV_DECIMAL_DIGITS}f}".rstrip("0").rstrip(".")
    return str(value)


def _json(lines: list[Line]) -> bytes:
    plain = [{key: str(one) if isinstance(one, Fraction) else one for key, one in line.items()} for line in lines]
    return msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"
