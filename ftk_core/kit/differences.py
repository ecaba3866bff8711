"""Comparison of a match's log with the stream of its league."""

from __future__ import annotations

from collections.abc import Iterator

from ftk_core.entries import Clock, stream_of
from ftk_core.kit.verify import Verdict
from ftk_core.kit.verify_stream import LeagueStream
from ftk_core.league import export
from ftk_core.league.deals import table_seed


def differences(stream: LeagueStream, match_id: str, verdict: Verdict) -> Iterator[str]:
    """Yield a sentence for each field in which a valid log differs from the league's stream."""
    seq, result = stream.results[match_id]
    league, header = stream.league, stream.league.header
    plan = stream.plan(result.round, result.table)
    try:
        players = export.players_of(league, result.seating)
    except LookupError:
        players = ()
    pairs: tuple[tuple[str, object, object], ...] = (
        ("match", verdict.match, stream_of(match_id)),
        ("game", verdict.game, header.game),
        ("players", verdict.players, players),
        ("clock", verdict.clock, Clock(header.move_ms, header.bank_ms)),
        ("options", verdict.options, header.options),
    )
    if result.ruled:  # the match did not end regularly, so its seed is still sealed
        loser = verdict.blamed if header.ruling == "loss" else None
        places = tuple(len(players) if seat == loser else 1 for seat in range(len(players)))
        pairs += (("end", "void" if verdict.void else "regular", "void"), ("places by rule", places, result.places))
    else:
        seed = table_seed(stream.secret, result.round, plan, **stream.dealt(result)).hex() if plan else "of no table"
        pairs += (
            ("seed", verdict.seed, seed),
            ("places", verdict.places, result.places),
            ("scores", verdict.scores, result.scores),
            ("excuses", verdict.excuses if header.luck else (), result.excuses),  # logs older than luck have no excuses
        )
    for field, found, expected in pairs:
        if found != expected:
            yield f"its {field} is {found}, but by entry {seq} of {export.STREAM} it is {expected}"
