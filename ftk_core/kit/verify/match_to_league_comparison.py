"""Comparison of a match's log with the log of its league."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftk_core.analysis.match_log_rerun_check import check_unfinished
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.match_log_verification import VerifiedMatchLog
from ftk_core.league.event_audit import COMMAND_ERRORS
from ftk_core.league.match_seating_and_random_seeds import table_seed
from ftk_core.league.publication import league_export
from ftk_core.log_entries import TimeControl, stream_of
from ftk_core.log_writer import LogDivergedError


def compare_with_stream(stream: VerifiedLeagueEventStream, match_id: str, verdict: VerifiedMatchLog) -> Iterator[str]:
    """Yield a sentence for each difference between a match's log and the league's log."""
    seq, result = stream.results[match_id]
    league, header = stream.league, stream.league.header
    plan = stream.plan(result.round, result.table)
    try:
        players = league_export.players_of(league, result.seating)
    except LookupError:
        players = ()
    pairs: tuple[tuple[str, object, object], ...] = (
        ("match", verdict.match, stream_of(match_id)),
        ("game", verdict.game, header.game),
        ("players", verdict.players, players),
        ("clock", verdict.clock, TimeControl.of(header)),
        ("options", verdict.options, header.options),
    )
    seed = table_seed(stream.secret, result.round, plan, **stream.seed_arguments(result)) if plan else b""
    if verdict.unfinished:
        yield from _flaws_of_an_unfinished_log(verdict.unfinished, seed)
    if result.ruled:
        loser = verdict.blamed if header.ruling == "loss" else None
        places = tuple(len(players) if seat == loser else 1 for seat in range(len(players)))
        pairs += (("end", "void" if verdict.void else "regular", "void"), ("places by rule", places, result.places))
    else:
        pairs += (
            ("seed", verdict.seed, seed.hex() or "of no table"),
            ("places", verdict.places, result.places),
            ("scores", verdict.scores, result.scores),
            ("excuses", verdict.excuses if header.luck else (), result.excuses),  # old leagues record no excuses
        )
    for field, actual, expected in pairs:
        if actual != expected:
            yield f"its {field} is {actual}, but by entry {seq} of {league_export.STREAM} it is {expected}"


def _flaws_of_an_unfinished_log(lines: Sequence[bytes], seed: bytes) -> Iterator[str]:
    """Yield a sentence if an abandoned match, rerun from its random seed, differs from its log."""
    # The log does not contain the seed, which is known only after the league has revealed its secret.
    try:
        check_unfinished(lines, seed)
    except LogDivergedError as error:
        yield f"it does not follow from the seed of its table: {error}"
    except (*COMMAND_ERRORS, AssertionError) as error:  # rules may know no turn between two facts of the same choice
        yield f"it cannot be compared with the seed of its table: {error!r}"
