"""Export of a league of pairs in FIDE's Tournament Report Format (TRF16, Handbook C.04 annex 2).

Lines `001` hold one entry each, in fixed columns. `XXR` and `XXS` are extensions of JaVaFo: the number of rounds, and
the value of a rest that the pairing gave if it is not a win. The first seat has White.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from fractions import Fraction

from ftk_core.league.facts import ResultRecorded, RoundPaired
from ftk_core.league.standings import Row, standings
from ftk_core.league.state import LeagueState, NotNow
from ftk_core.league.tallies import rests_of

NAME, MOST = 33, 9999
"""Maximum length of a name and maximum number of entries that the columns hold."""
HALF = Fraction(1, 2)
BYES = {HALF: "H", Fraction(0): "Z"}
"""By points: letter of a requested bye."""
Results = Mapping[tuple[int, int], ResultRecorded]
"""Results by (round, entry)."""


def trf_file(league: LeagueState) -> bytes:
    """Return the closed rounds of a league as TRF16; raise NotNow with a sentence if TRF cannot express it."""
    stage, rows = league.stages[0], sorted(standings(league), key=lambda row: row.entry)
    if len(league.stages) > 1 or stage.seats != 2 or stage.games != 1 or len(rows) > MOST:
        raise NotNow(
            f"TRF says how pairs played one match a round, in one stage, {MOST} bots at most;"
            f" {league.header.name} is no such league"
        )
    results = {(one.round, entry): one for one in league.results for entry in one.seating}
    closed = league.rounds[: league.closed_rounds]
    lines = [f"012 {_text(league.header.name, 80)}", f"062 {len(rows)}", "092 Individual: Swiss-System"]
    if stage.format != "swiss":
        lines[-1] = f"092 Individual: {stage.format}"
    lines += [_player(league, row, [_round(league, row.entry, one, results) for one in closed]) for row in rows]
    lines.append(f"XXR {max(len(closed), league.stage_of(1).extended or stage.rounds)}")
    if stage.rest != "win":
        lines.append(f"XXS PAB={0.5 if stage.rest == 'half' else 0.0}")
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _player(league: LeagueState, row: Row, rounds: list[tuple[str, Fraction]]) -> str:
    entrant = league.entrant(row.entry)
    late = _late(Fraction(entrant.points), min(entrant.since - 1, len(rounds)))
    cells = [*late, *(cell for cell, _ in rounds[len(late) :])]
    points = sum((one for _, one in rounds[len(late) :]), Fraction(entrant.points) if late else Fraction(0))
    if points != row.points or points.denominator > 2:
        raise NotNow(f"TRF counts wins, draws and half points; the {row.points} points of {entrant.name} are others")
    name = _text(entrant.name, NAME) or f"entry {row.entry}"
    head = f"001 {row.entry:4}      {name:{NAME}}{'':32}"
    return f"{head} {float(points):4.1f} {row.place:4}" + "".join(f"  {cell}" for cell in cells)


def _late(points: Fraction, missed: int) -> list[str]:
    """Return byes for the rounds before an entry came, which add up to the points granted for them."""
    halves = int(points * 2)
    full = max(0, halves - missed)
    letters = "F" * full + "H" * (halves - 2 * full)
    return [f"0000 - {letter}" for letter in letters.ljust(missed, "Z")][:missed]


def _round(league: LeagueState, entry: int, paired: RoundPaired, results: Results) -> tuple[str, Fraction]:
    """Return the eight characters of a TRF line that describe an entry's round, and the points they are worth."""
    if found := results.get((paired.round, entry)):
        seat = found.seating.index(entry)
        mine, theirs = found.places[seat], found.places[1 - seat]
        made = HALF if mine == theirs else Fraction(mine < theirs)
        return f"{found.seating[1 - seat]:4} {'wb'[seat]} {'0=1'[int(2 * made)]}", made
    points = rests_of(paired, league.stages[0]).get(entry)
    asked = any(rest.entry == entry and rest.why == "absent" for rest in paired.rests)
    if points is None or asked:
        points = points or Fraction(0)
        return f"0000 - {BYES.get(points, 'F')}", points
    return "0000 - U", points


def _text(text: str, most: int) -> str:
    """Return a text in ASCII of at most this length: accents are removed, other letters become "?"."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    shown = "".join(one if " " <= one <= "~" else "?" for one in plain)
    return " ".join(shown.split())[:most]
