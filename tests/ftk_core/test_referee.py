"""The referee: choices, excuses, clocks, resuming and rerunning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from ftk_core.analysis.match_log_rerun_check import rerun
from ftk_core.facts import Fact, encode
from ftk_core.games import UnknownGameError, game, list_games
from ftk_core.games.pig.rules import HoldAction, RollAction
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.log_entries import ChoiceMade, MatchFinished, MatchOpened, TimeControl, read, write
from ftk_core.log_writer import MAX_PAGE_DELAY_SECONDS, MAX_PAGE_ENTRIES, LogDivergedError, LogWriter
from ftk_core.players import (
    DecisionTime,
    NoAnswerError,
    Player,
    PlayerAnswer,
    QuestionToSeat,
    RandomPlayer,
    StatelessPlayer,
)
from ftk_core.random_streams import seal_of, seed_of
from ftk_core.referee import Referee, build_opening, play
from tests.support.players import ScriptedPlayer

PIG, SEED = game("pig"), seed_of("match")


class Fixed(StatelessPlayer):
    """Player that answers every question in the same way."""

    def __init__(self, answer: PlayerAnswer | NoAnswerError) -> None:
        super().__init__("fixed")
        self.answer = answer
        self.banks: list[int] = []

    def choose(self, ask: QuestionToSeat, /) -> PlayerAnswer:
        self.banks.append(ask.bank_ms)
        if isinstance(self.answer, NoAnswerError):
            raise self.answer
        return self.answer


def logged(*players: Player, **extra: object) -> list[bytes]:
    log = InMemoryLog()
    play(PIG, players, SEED, log=log, **extra)
    return list(lines_of(log))


def choices(lines: list[bytes], seat: int) -> list[ChoiceMade]:
    return [entry for line in lines if isinstance(entry := read(line), ChoiceMade) and entry.seat == seat]


def test_a_log_begins_with_the_hash_of_the_random_seed_and_ends_with_the_seed() -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    first, last = read(lines[0]), read(lines[-1])
    assert isinstance(first, MatchOpened)
    assert isinstance(last, MatchFinished)
    assert first.seal == seal_of(SEED)
    assert bytes.fromhex(last.seed) == SEED
    assert [read(line).seq for line in lines] == list(range(len(lines)))


@pytest.mark.parametrize(
    ("answer", "excuse"),
    [
        (NoAnswerError("timeout"), "timeout"),
        (NoAnswerError("crash", "it ended"), "crash"),
        (PlayerAnswer(-1), "nonsense"),
        (PlayerAnswer(2), "nonsense"),
        (PlayerAnswer(1 << 60), "nonsense"),
    ],
)
def test_menu_item_0_is_played_for_a_player_without_a_valid_answer_and_the_fault_is_logged(
    answer: PlayerAnswer | NoAnswerError, excuse: str
) -> None:
    lines = logged(Fixed(answer), RandomPlayer(seed_of(2)))
    assert {choice.excuse for choice in choices(lines, 0)} == {excuse}
    assert {bytes(choice.action) for choice in choices(lines, 0)} == {b'{"kind":"hold"}'}


def test_time_used_beyond_the_move_time_is_deducted_from_the_players_time_bank() -> None:
    thinker = Fixed(PlayerAnswer(0, DecisionTime(1_500_000)))
    lines = logged(thinker, RandomPlayer(seed_of(2)), clock=TimeControl(1000, 1200))
    assert thinker.banks[:4] == [1200, 700, 200, 0]
    assert [choice.bank_ms for choice in choices(lines, 0)][:3] == [700, 200, 0]


def test_a_player_is_not_asked_about_a_forced_first_roll_in_pig() -> None:
    watcher = Fixed(PlayerAnswer(0))
    lines = logged(watcher, Fixed(NoAnswerError("timeout")))
    rolls = sum(b'"die_rolled","seat":0' in line for line in lines)
    assert rolls > len(watcher.banks) >= 1, "the first roll of a turn is forced"


def test_a_scripted_test_player_without_remaining_choices_counts_as_timed_out() -> None:
    lines = logged(ScriptedPlayer([RollAction(), HoldAction()]), RandomPlayer(seed_of(2)))
    first, second, *others = [choice.excuse for choice in choices(lines, 0)]
    assert (first, second) == (None, None)
    assert {*others} == {"timeout"}


def test_replaying_a_finished_match_from_its_log_gives_the_same_bytes() -> None:
    lines = logged(RandomPlayer(seed_of(1)), Fixed(NoAnswerError("timeout")))
    last = read(lines[-1])
    assert isinstance(last, MatchFinished)
    result = rerun(PIG, lines, thorough=True)
    assert (result.places, result.scores) == (last.places, last.scores)


@pytest.mark.parametrize("spent", [DecisionTime(0, wall_us=5000), DecisionTime(1, 2, 3, 4), DecisionTime()])
def test_python_and_native_rules_replay_a_log_with_or_without_each_optional_time_field(spent: DecisionTime) -> None:
    lines = logged(Fixed(PlayerAnswer(0, spent)), RandomPlayer(seed_of(2)))
    assert rerun(PIG, lines, thorough=True) == rerun(PIG, lines)


def test_a_log_whose_revealed_seed_is_not_hexadecimal_is_refused() -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    closed = read(lines[-1])
    assert isinstance(closed, MatchFinished)
    lines[-1] = encode(msgspec.structs.replace(closed, seed="zz" * 32))
    with pytest.raises(LogDivergedError, match="64 lower-case hexadecimal digits"):
        rerun(PIG, lines)


@pytest.mark.parametrize("seed", ["01", "00" * 33, "AB" * 32, " " + "ab" * 32])
def test_a_log_whose_revealed_seed_is_not_in_canonical_form_is_refused_even_if_its_hash_matches(seed: str) -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    opened, closed = read(lines[0]), read(lines[-1])
    assert isinstance(opened, MatchOpened)
    assert isinstance(closed, MatchFinished)
    lines[0] = encode(msgspec.structs.replace(opened, seal=seal_of(bytes.fromhex(seed))))
    lines[-1] = encode(msgspec.structs.replace(closed, seed=seed))
    with pytest.raises(LogDivergedError, match="64 lower-case hexadecimal digits"):
        rerun(PIG, lines)


def test_a_log_with_more_players_than_the_game_allows_is_refused() -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    opened = read(lines[0])
    assert isinstance(opened, MatchOpened)
    lines[0] = encode(msgspec.structs.replace(opened, players=("bot",) * PIG.seats.stop))
    with pytest.raises(ValueError, match=rf"Pig is played by .*, not by {PIG.seats.stop}"):
        rerun(PIG, lines, thorough=True)


def test_replaying_a_match_fails_if_the_game_state_depends_on_anything_that_is_not_in_the_log() -> None:
    minted: list[object] = []

    def decide(*words: Any) -> tuple[Fact, ...]:
        minted.extend(facts := PIG.decide(*words))
        return tuple(facts)

    def apply(state: Any, fact: Fact) -> Any:
        return PIG.apply(state, fact) if any(fact is one for one in minted) else state

    secretive, log = replace(PIG, decide=decide, apply=apply), InMemoryLog()
    play(secretive, [RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2))], SEED, log=log)
    with pytest.raises(LogDivergedError):
        rerun(secretive, list(lines_of(log)))


@pytest.mark.parametrize("at", ["fact", "choice", "seed", "places", "cut", "more"])
def test_the_error_about_a_log_that_diverges_on_replay_names_the_entry(at: str) -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    last = len(lines) - 1
    if at == "cut":
        lines, named = lines[:-1], last - 1
    elif at == "more":
        lines.insert(-1, lines[-2])
        named = last
    else:
        mark = {"fact": b'"face":4', "choice": b'"hold"', "seed": b'"seed":"', "places": b'"places":['}[at]
        number = next(n for n, line in enumerate(lines) if mark in line)
        swap = {"fact": b'"face":5', "choice": b'"roll"', "seed": b'"seed":"00', "places": b'"places":[9,'}[at]
        lines[number] = lines[number].replace(mark, swap)
        named = {"choice": number + 1}.get(at, number)  # the facts of another choice differ
    with pytest.raises(LogDivergedError, match=f"entry {named} "):
        rerun(PIG, lines)


def test_a_resumed_match_keeps_its_log_and_reports_seats_that_now_answer_differently() -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    opened = build_opening(PIG, "match", ["random", "random"], SEED)
    log = InMemoryLog()
    log.append([line + b"\n" for line in lines[:40]], 0)
    players = [RandomPlayer(seed_of(1)), RandomPlayer(seed_of("another"))]
    referee = Referee(PIG, opened, SEED, players, LogWriter(log, lines[:40]))
    referee.play()
    assert list(lines_of(log))[:40] == lines[:40]
    assert referee.diverged_seats == {1}


def test_a_log_page_is_written_after_enough_entries_or_enough_time() -> None:
    log, clock = InMemoryLog(), iter(MAX_PAGE_DELAY_SECONDS * part for part in (0.0, 0.2, 1.2, 1.2, 1.4))
    entry_writer = LogWriter(log, now=lambda: next(clock))
    for seq in range(3):
        entry_writer.put(MatchFinished(seq, (1,), (0,), ""))
    assert log.length == 2
    entry_writer.flush()
    assert log.length == 3
    many = LogWriter(InMemoryLog())
    for seq in range(MAX_PAGE_ENTRIES):
        many.put(MatchFinished(seq, (1,), (0,), ""))
    assert many._log.length == MAX_PAGE_ENTRIES


def test_a_log_entry_is_encoded_in_one_line_and_decoded_unchanged() -> None:
    entry = ChoiceMade(
        3, seat=1, action=msgspec.Raw(b'{"kind":"hold"}'), excuse="timeout", charged_us=1500, bank_ms=200
    )
    assert write(entry).count(b"\n") == 1
    assert read(write(entry)) == entry


def test_a_wrong_number_of_players_and_an_unknown_game_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 6, not by 1"):
        build_opening(PIG, "match", ["alone"], SEED)
    with pytest.raises(UnknownGameError, match=f"known games: {next(iter(list_games()))}"):
        game("chess")
