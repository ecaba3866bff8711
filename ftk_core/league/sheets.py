"""Spreadsheets of a league: standings, pairings, results, cross table and ratings, as CSV and JSON.

In JSON a count is a number and a fraction is exact text. In CSV, where a fraction would be read as a date, it is a
decimal with six digits.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from fractions import Fraction

import msgspec

from ftk_core.league.ledger import Exact
from ftk_core.league.own_court import intervals_of
from ftk_core.league.standings import standings
from ftk_core.league.state import LeagueState
from ftk_core.league.tallies import cross_table, rests_of
from ftk_core.league.tiebreaks import tiebreaks_of
from ftk_core.league.trf import trf_file

Line = Mapping[str, Exact | str]
"""Line of a sheet, by column. Lines of other stages may have other columns."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters that begin a formula in a spreadsheet."""
DIGITS = 6


def list_standings(league: LeagueState) -> list[Line]:
    """Return a line for each entry, from first to last."""
    lines: list[Line] = []
    for row in standings(league):
        slugs = (tiebreak.slug for tiebreak in tiebreaks_of(league.stages[row.stage - 1]))
        who: Line = {"place": row.place, "entry": row.entry, "name": league.entrant(row.entry).name, "stage": row.stage}
        values: Line = {"points": row.points, **dict(zip(slugs, row.tiebreaks, strict=True))}
        lines.append({**who, **values, "decided": row.decided, "played": row.played, "rests": row.byes})
    return lines


def list_pairings(league: LeagueState) -> list[Line]:
    """Return a line for each seat of each match and for each rest, by round; no place without a result."""
    results = {(one.round, one.table, one.game): one for one in league.results}
    lines: list[Line] = []
    for paired in league.rounds:
        stage = league.terms_of(paired.round)
        for table in paired.tables:
            for game in range(stage.games):
                found = results.get((paired.round, table.number, game))
                for seat, entry in enumerate(found.seating if found else table.seating):
                    at: Line = {"round": paired.round, "table": table.number, "match": game + 1, "seat": seat + 1}
                    came: Line = {"place": found.places[seat], "score": found.scores[seat]} if found else {}
                    lines.append({**at, "entry": entry, "name": league.entrant(entry).name, **came})
        for entry, points in rests_of(paired, stage).items():
            name = league.entrant(entry).name
            lines.append({"round": paired.round, "entry": entry, "name": name, "rest": points})
    return lines


def list_results(league: LeagueState) -> list[Line]:
    """Return a line for each seat of each match whose result counts, by round, with the id of the match."""
    lines: list[Line] = []
    for one in sorted(league.results, key=lambda one: (one.round, one.table, one.game)):
        at: Line = {"round": one.round, "table": one.table, "match": one.game + 1, "id": one.match}
        for seat, (entry, place, score) in enumerate(zip(one.seating, one.places, one.scores, strict=True), 1):
            name = league.entrant(entry).name
            lines.append({**at, "place": place, "entry": entry, "name": name, "seat": seat, "score": score})
    return lines


def list_cross(league: LeagueState) -> list[Line]:
    """Return a line for each entry and opponent, in standing order: its share and the number of matches.

    Pairs that never met have no line, so that the sheet of a large league is as long as its number of matches.
    """
    order = [row.entry for row in standings(league)]
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
    """Return a line for each entry, the strongest first: its court rating from this league alone, with 95% interval.

    Raise `own_court.NoNumbers` without numpy.
    """
    entries = [entrant.entry for entrant in league.entrants]
    found = sorted(intervals_of(league.results, entries).items(), key=lambda item: (-item[1][0], item[0]))
    return [
        {"entry": entry, "name": league.entrant(entry).name, "rating": rating, "low": low, "high": high}
        for entry, (rating, low, high) in found
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
    """Return one of `FILES`; raise KeyError for another name, NotNow for a league that TRF cannot express."""
    if name == FILES[-1]:
        return trf_file(league)
    sheet, _, kind = name.partition(".")
    lines = SHEETS[sheet](league)
    return {"csv": _csv, "json": _json}[kind](lines)


def _csv(lines: list[Line]) -> bytes:
    columns = list(dict.fromkeys(column for line in lines for column in line))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(line.get(column, "")) for column in columns] for line in lines)
    return text.getvalue().encode()


def _cell(value: Exact | str) -> str:
    """Return a cell; an apostrophe stops spreadsheets from evaluating text as a formula (OWASP, CSV injection)."""
    if isinstance(value, str):
        return f"'{value}" if value.lstrip().startswith(FORMULA) or value.startswith(FORMULA) else value
    if isinstance(value, Fraction):
        return f"{float(value):.{DIGITS}f}".rstrip("0").rstrip(".")
    return str(value)


def _json(lines: list[Line]) -> bytes:
    plain = [{key: str(one) if isinstance(one, Fraction) else one for key, one in line.items()} for line in lines]
    return msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"
