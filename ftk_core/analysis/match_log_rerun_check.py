"""Replays of match logs that check each entry against the game's rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from gettext import gettext as _

import msgspec

from ftk_core.facts import Fact, encode
from ftk_core.game import MatchResult, Seat
from ftk_core.games import game_of
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.log_entries import (
    ChoiceMade,
    GameFactRecorded,
    MatchAbandoned,
    MatchFinished,
    MatchOpened,
    options_of,
    read,
)
from ftk_core.log_writer import LogDivergedError, LogWriter
from ftk_core.match_state_from_log import AnyGame, decoder_of, read_options, states
from ftk_core.native.native_game_rules import has_native_rules, rerun_entries
from ftk_core.random_streams import SEED_BYTES, seal_of
from ftk_core.referee import Referee

SEED_FORM = re.compile(f"[0-9a-f]{{{2 * SEED_BYTES}}}")


class NativeRulesMismatchError(Exception):
    """Raised if the C++ rules and the Python rules disagree about a log."""

    # One of the two has a bug.

    def __init__(self, game: str, native_verdict: object, python_verdict: object) -> None:
        super().__init__(f"{game}: the native rules say {native_verdict}, the Python rules {python_verdict}")


class _RerunReferee(Referee):
    """Referee that replays a match from its log and checks each entry.

    Raises LogDivergedError at the first difference.
    """

    def _record_facts(self, facts: Sequence[Fact]) -> None:
        entry_writer, apply, typed = self.entry_writer, self.game.apply, decoder_of(self.game.facts).decode
        for fact in facts:
            text = encode(fact)
            entry_writer.put(GameFactRecorded(entry_writer.seq, msgspec.Raw(text)))  # raises if the log's bytes differ
            self.state = apply(self.state, typed(text))


def rerun(game: AnyGame, lines: Sequence[bytes], *, thorough: bool = False) -> MatchResult:
    """Replay a finished match from its seed and choices, and return the result.

    Raises LogDivergedError for the first entry of the log that differs from the replay. `thorough` also runs the Python
    rules, and raises NativeRulesMismatchError if they disagree with the C++ rules.
    """
    # Without `thorough`, the slower Python rules run only if the native rules do not accept the log. They report the
    # entry.
    first, last = _read_ends(game, lines)
    native_result = _rerun_natively(game, first, last, lines)
    if native_result is not None and not thorough:
        return native_result
    try:
        result = _RerunReferee(game, first, bytes.fromhex(last.seed), (), LogWriter(InMemoryLog(), lines)).play()
    except LogDivergedError as error:
        if native_result is not None:
            raise NativeRulesMismatchError(game.name, native_result, error) from error
        raise
    if thorough and has_native_rules(game) and native_result != result:
        raise NativeRulesMismatchError(game.name, native_result or "that the log does not follow", result)
    return result


def check_unfinished(lines: Sequence[bytes], seed: bytes) -> None:
    """Check the log of an abandoned match by a replay from `seed` and the logged choices.

    Raises LogDivergedError if an entry differs from the replay, if the hash of the seed in the log is wrong, if the
    choices end the game, or if the log blames a seat that had nothing to choose. Raises UnknownGameError for an unknown
    game.
    """
    # The log of an abandoned match does not contain its seed. A match that the logged choices end has a result, so it
    # must not be abandoned.
    first, last = read(lines[0]), len(lines) - 1
    if not isinstance(first, MatchOpened) or seal_of(seed) != first.seal:
        raise LogDivergedError(
            0, lines[0], _("the seal {seed} of the revealed seed").format(seed=seal_of(seed)).encode()
        )
    game, end = game_of(first), read(lines[last])
    try:
        _RerunReferee(game, first, seed, (), LogWriter(InMemoryLog(), lines[:last])).play()
    except LogDivergedError as error:
        if error.seq < last:
            raise
    else:
        raise LogDivergedError(last, lines[last], b"the result of a match that was over")
    # All entries follow, and the referee now needs a choice that nobody made.
    blamed = end.seat if isinstance(end, MatchAbandoned) else None
    if isinstance(blamed, int) and blamed not in list_due_seats(game, lines):
        raise LogDivergedError(last, lines[last], _("a seat whose answer was due").encode())


def list_missing_entries(lines: Sequence[bytes], seed: bytes) -> list[bytes]:
    """Return the entries, each with a newline, that a log lacks after the last choice of the match.

    Return [] if a choice is missing, or if the log does not follow from the seed.
    """
    opened, log = read(lines[0]), InMemoryLog()
    assert isinstance(opened, MatchOpened)
    log.append([line + b"\n" for line in lines], 0)
    try:
        _RerunReferee(game_of(opened), opened, seed, (), LogWriter(log, lines)).play()
    except LogDivergedError:
        return []
    return [line + b"\n" for line in lines_of(log, len(lines) - 1)]


def list_due_seats(game: AnyGame, lines: Sequence[bytes]) -> list[Seat]:
    """Return the players that must choose next in an unfinished match."""
    return [seat for seat, _is_asked in _due_seats(game, lines)]


def list_asked_seats(game: AnyGame, lines: Sequence[bytes]) -> list[Seat]:
    """Return the players that must choose next and have more than one possible action."""
    # Only these seats are asked. An earlier release could blame a seat of `list_due_seats` that was never asked.
    return [seat for seat, is_asked in _due_seats(game, lines) if is_asked]


def _due_seats(game: AnyGame, lines: Sequence[bytes]) -> list[tuple[Seat, bool]]:
    *_, (_entry, state) = states(game, lines)
    chosen: set[Seat] = set()
    for line in reversed(lines):
        entry = read(line)
        if isinstance(entry, ChoiceMade):
            chosen.add(entry.seat)
        elif not isinstance(entry, MatchAbandoned):
            break
    return [(seat, len(game.legal(state, seat)) > 1) for seat in game.turn(state) if seat not in chosen]


def _read_ends(game: AnyGame, lines: Sequence[bytes]) -> tuple[MatchOpened, MatchFinished]:
    """Return the first and the last entry of a match log.

    Raises LogDivergedError if one of them is missing. Also raises it if the first entry names another game or version,
    or if the seed in the last entry is malformed or does not match its hash in the first entry.
    """
    if not lines:
        raise LogDivergedError(0, b"nothing", b"an opening")
    first, last = read(lines[0]), read(lines[-1])
    if not isinstance(first, MatchOpened) or not isinstance(last, MatchFinished):
        raise LogDivergedError(len(lines) - 1, lines[-1], b"a match that was opened and closed")
    if not SEED_FORM.fullmatch(last.seed):
        raise LogDivergedError(len(lines) - 1, lines[-1], b"a seed of 64 lower-case hexadecimal digits")
    seed = bytes.fromhex(last.seed)
    if seal_of(seed) != first.seal:
        raise LogDivergedError(
            0, lines[0], _("the seal {seed} of the revealed seed").format(seed=seal_of(seed)).encode()
        )
    if (first.game, first.version) != (game.name, game.version):
        raise LogDivergedError(
            0, lines[0], _("{name} version {version}").format(name=game.name, version=game.version).encode()
        )
    return first, last


def _rerun_natively(
    game: AnyGame, opened: MatchOpened, closed: MatchFinished, lines: Sequence[bytes]
) -> MatchResult | None:
    """Replay a match with the C++ rules. Return None if the game has none or the replay differs from the log."""
    # After None, the caller replays with the Python rules, which report the differing line.
    if not has_native_rules(game) or (encode(opened), encode(closed)) != (lines[0], lines[-1]):
        return None
    options = encode(read_options(game, options_of(opened) or "{}"))
    seed, text = bytes.fromhex(closed.seed), b"\n".join([*lines[1:-1], b""])
    result = rerun_entries(game, len(opened.players), options, seed, text)
    if result is None or (opened.seq, closed.seq) != (0, len(lines) - 1):
        return None
    return result if (result.places, result.scores) == (closed.places, closed.scores) else None
