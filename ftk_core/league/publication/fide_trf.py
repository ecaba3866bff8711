"""Export of a two-player league in FIDE's Tournament Report Format (TRF16, Handbook C.04 annex 2).

`XXR` and `XXS` lines are extensions by JaVaFo: the number of rounds, and the points of a bye.
"""
# Each line `001` holds one bot, in fixed columns. The first seat is written as White. `XXS` is only written if a
# pairing-allocated bye is worth less than a win.

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import msgspec

from ftk_core.league.league_facts import ResultRecorded, RoundPaired
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.scoring.entrant_stage_totals import rests_of
from ftk_core.league.standings import EntrantStanding, standings

MAX_NAME_CHARACTERS, MAX_ENTRIES = 33, 9999
"""Maximum length of a name and maximum number of bots that TRF's fixed columns can hold."""
HALF = Fraction(1, 2)
BYE_LETTERS = {HALF: "H", Fraction(0): "Z"}
"""Points -> TRF letter of a requested bye."""
Results = Mapping[tuple[int, int], ResultRecorded]
"""(round, bot) -> result of the bot's match."""


def trf_file(league: LeagueState) -> bytes:
    """Return the closed rounds of a league as a TRF16 file.

    Raises CommandRejected for a league of several stages, more than two seats, several matches of a bot per round, or
    too many bots.
    """
    stage = league.stages[0]
    seats = Counter(
        (drawn.round, entry) for drawn in league.rounds for table in drawn.tables for entry in table.seating
    )
    is_single = stage.seats == 2 and stage.games == 1 and max(seats.values(), default=1) == 1
    if len(league.stages) > 1 or not is_single or len(league.entrants) > MAX_ENTRIES:
        raise CommandRejected(
            "TRF is only for leagues of one stage, with one match of two bots at each table, one table for each bot in"
            " a round, and at most %(most)s bots; %(league)s is not such a league",
            most=MAX_ENTRIES,
            league=league.header.name,
        )
    results = {(one.round, entry): one for one in league.results for entry in one.seating}
    league = msgspec.structs.replace(league, rounds=league.rounds[: league.closed_rounds])
    standings_by_entry = sorted(standings(league), key=lambda standing: standing.entry)
    lines = [
        f"012 {_to_ascii(league.header.name, 80)}",
        f"062 {len(standings_by_entry)}",
        "092 Individual: Swiss-System",
    ]
    if stage.format != "swiss":
        lines[-1] = f"092 Individual: {stage.format}"
    lines += [
        _entry_line(league, standing, [_round_cell(league, standing.entry, one, results) for one in league.rounds])
        for standing in standings_by_entry
    ]
    lines.append(f"XXR {max(len(league.rounds), league.announced_rounds(league.stage_of(1)))}")
    if stage.rest != "win":
        lines.append(f"XXS PAB={0.5 if stage.rest == 'half' else 0.0}")
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def _entry_line(league: LeagueState, standing: EntrantStanding, rounds: list[tuple[str, Fraction]]) -> str:
    entrant = league.entrant(standing.entry)
    late = _late_byes(Fraction(entrant.points), min(entrant.since - 1, len(rounds)))
    cells = [*late, *(cell for cell, _ in rounds[len(late) :])]
    points = sum((one for _, one in rounds[len(late) :]), Fraction(entrant.points))
    if points != standing.points or points.denominator > 2:
        raise CommandRejected(
            "TRF can only state wins, draws and half points, not the %(points)s points of %(bot)s",
            points=standing.points,
            bot=entrant.name,
        )
    name = _to_ascii(entrant.name, MAX_NAME_CHARACTERS) or f"entry {standing.entry}"
    head = f"001 {standing.entry:4}      {name:{MAX_NAME_CHARACTERS}}{'':32}"
    return f"{head} {float(points):4.1f} {standing.place:4}" + "".join(f"  {cell}" for cell in cells)


def _late_byes(points: Fraction, missed: int) -> list[str]:
    """Return cells of a FIDE report: one bye for each round that a bot missed because it entered late."""
    # The letters F, H, Z stand for 1, 1/2 and 0 points. The byes add up to the points that the bot was granted.
    halves = int(points * 2)
    full = max(0, halves - missed)
    letters = "F" * full + "H" * (halves - 2 * full)
    return [f"0000 - {letter}" for letter in letters.ljust(missed, "Z")][:missed]


def _round_cell(league: LeagueState, entry: int, paired: RoundPaired, results: Results) -> tuple[str, Fraction]:
    """Return a bot's cell (eight characters) of a FIDE report for one round, and the bot's points in the round."""
    if result := results.get((paired.round, entry)):
        seat = result.seating.index(entry)
        mine, theirs = result.places[seat], result.places[1 - seat]
        points_won = HALF if mine == theirs else Fraction(mine < theirs)
        return f"{result.seating[1 - seat]:4} {'wb'[seat]} {'0=1'[int(2 * points_won)]}", points_won
    points = rests_of(paired, league.stages[0]).get(entry)
    is_requested = any(rest.entry == entry and rest.why == "absent" for rest in paired.rests)
    if points is None or is_requested:
        points = points or Fraction(0)
        return f"0000 - {BYE_LETTERS.get(points, 'F')}", points
    return "0000 - U", points


def _to_ascii(text: str, most: int) -> str:
    """Convert a text to ASCII, at most `most` characters: accents are removed, other letters become "?"."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    shown = "".join(one if " " <= one <= "~" else "?" for one in plain)
    return " ".join(shown.split())[:most]
