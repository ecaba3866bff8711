"""The referee: choices, excuses, clocks, resuming and rerunning."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from ftk_core.entries import Chose, Clock, Closed, Opened, read, write
from ftk_core.facts import Fact
from ftk_core.games import UnknownGame, game, shelf
from ftk_core.games.pig.rules import Hold, Roll
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import Answer, Ask, NoAnswer, Player, Quiet, RandomPlayer, ScriptedPlayer, SilentPlayer, TimeSpent
from ftk_core.referee import Referee, opening, play, rerun
from ftk_core.rng import seal_of, seed_of
from ftk_core.scribe import PAGE_ENTRIES, PAGE_SECONDS, Diverged, Scribe

PIG, SEED = game("pig"), seed_of("match")


class Fixed(Quiet):
    """Answers every question in the same way."""

    def __init__(self, answer: Answer | NoAnswer) -> None:
        super().__init__("fixed")
        self.answer = answer
        self.banks: list[int] = []

    def choose(self, ask: Ask, /) -> Answer:
        self.banks.append(ask.bank_ms)
        if isinstance(self.answer, NoAnswer):
            raise self.answer
        return self.answer


def logged(*players: Player, **extra: object) -> list[bytes]:
    log = MemoryLog()
    play(PIG, players, SEED, log=log, **extra)
    return list(lines_of(log))


def choices(lines: list[bytes], seat: int) -> list[Chose]:
    return [entry for line in lines if isinstance(entry := read(line), Chose) and entry.seat == seat]


def test_a_log_opens_with_the_seal_and_closes_with_the_seed() -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    first, last = read(lines[0]), read(lines[-1])
    assert isinstance(first, Opened)
    assert isinstance(last, Closed)
    assert first.seal == seal_of(SEED)
    assert bytes.fromhex(last.seed) == SEED
    assert [read(line).seq for line in lines] == list(range(len(lines)))


@pytest.mark.parametrize(
    ("answer", "excuse"),
    [
        (NoAnswer("timeout"), "timeout"),
        (NoAnswer("crash", "it ended"), "crash"),
        (Answer(-1), "nonsense"),
        (Answer(2), "nonsense"),
        (Answer(1 << 60), "nonsense"),
    ],
)
def test_whoever_gives_no_valid_answer_plays_the_mildest_item_with_an_excuse(
    answer: Answer | NoAnswer, excuse: str
) -> None:
    lines = logged(Fixed(answer), RandomPlayer(seed_of(2)))
    for choice in choices(lines, 0):
        assert choice.excuse == excuse
        assert msgspec.json.decode(choice.action) == {"kind": "hold"}


def test_the_bank_pays_for_what_goes_beyond_the_move_time() -> None:
    thinker = Fixed(Answer(0, TimeSpent(1_500_000)))
    lines = logged(thinker, RandomPlayer(seed_of(2)), clock=Clock(1000, 1200))
    assert thinker.banks[:4] == [1200, 700, 200, 0]
    assert [choice.bank_ms for choice in choices(lines, 0)][:3] == [700, 200, 0]


def test_a_menu_of_one_item_is_not_asked() -> None:
    watcher = Fixed(Answer(0))
    lines = logged(watcher, SilentPlayer("silent"))
    rolls = sum(b'"die_rolled","seat":0' in line for line in lines)
    assert rolls > len(watcher.banks) >= 1, "the first roll of a turn is forced"


def test_a_scripted_player_that_runs_out_falls_silent() -> None:
    lines = logged(ScriptedPlayer([Roll(), Hold()]), RandomPlayer(seed_of(2)))
    assert [choice.excuse for choice in choices(lines, 0)][-1] == "timeout"


def test_a_finished_log_reruns_to_the_same_bytes() -> None:
    lines = logged(RandomPlayer(seed_of(1)), SilentPlayer("silent"))
    assert rerun(PIG, lines).places


def test_a_log_whose_states_follow_from_more_than_its_facts_does_not_rerun() -> None:
    minted: list[object] = []

    def decide(*words: Any) -> tuple[Fact, ...]:
        minted.extend(facts := PIG.decide(*words))
        return tuple(facts)

    def apply(state: Any, fact: Fact) -> Any:
        return PIG.apply(state, fact) if any(fact is one for one in minted) else state

    secretive, log = replace(PIG, decide=decide, apply=apply), MemoryLog()
    play(secretive, [RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2))], SEED, log=log)
    with pytest.raises(Diverged):
        rerun(secretive, list(lines_of(log)))


@pytest.mark.parametrize("at", ["fact", "choice", "seed", "places", "cut", "more"])
def test_a_log_that_does_not_follow_names_the_entry(at: str) -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    if at == "cut":
        lines = lines[:-1]
    elif at == "more":
        lines.insert(-1, lines[-2])
    else:
        mark = {"fact": b'"face":4', "choice": b'"hold"', "seed": b'"seed":"', "places": b'"places":['}[at]
        number = next(n for n, line in enumerate(lines) if mark in line)
        swap = {"fact": b'"face":5', "choice": b'"roll"', "seed": b'"seed":"00', "places": b'"places":[9,'}[at]
        lines[number] = lines[number].replace(mark, swap)
    with pytest.raises((Diverged, ValueError)):
        rerun(PIG, lines)


def test_a_resumed_match_asks_again_and_notes_who_answers_otherwise() -> None:
    lines = logged(RandomPlayer(seed_of(1)), RandomPlayer(seed_of(2)))
    opened = opening(PIG, "match", ["random", "random"], SEED)
    log = MemoryLog()
    log.append([line + b"\n" for line in lines[:40]], 0)
    players = [RandomPlayer(seed_of(1)), RandomPlayer(seed_of("another"))]
    referee = Referee(PIG, opened, SEED, players, Scribe(log, lines[:40]))
    referee.play()
    assert list(lines_of(log))[:40] == lines[:40]
    assert referee.strays == {1}


def test_pages_are_written_when_entries_or_time_have_gathered() -> None:
    log, clock = MemoryLog(), iter(PAGE_SECONDS * part for part in (0.0, 0.2, 1.2, 1.2, 1.4))
    scribe = Scribe(log, now=lambda: next(clock))
    for seq in range(3):
        scribe.put(Closed(seq, (1,), (0,), ""))
    assert log.length == 2
    scribe.flush()
    assert log.length == 3
    many = Scribe(MemoryLog())
    for seq in range(PAGE_ENTRIES):
        many.put(Closed(seq, (1,), (0,), ""))
    assert many._log.length == PAGE_ENTRIES


def test_an_entry_is_one_line() -> None:
    entry = Chose(3, seat=1, action=msgspec.Raw(b'{"kind":"hold"}'), excuse="timeout", charged_us=1500, bank_ms=200)
    assert write(entry).count(b"\n") == 1
    assert read(write(entry)) == entry


def test_a_table_of_the_wrong_size_and_an_unknown_game_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 6, not by 1"):
        opening(PIG, "match", ["alone"], SEED)
    with pytest.raises(UnknownGame, match=f"there are {next(iter(shelf()))}"):
        game("chess")
