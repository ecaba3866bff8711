"""Scripted dialogues without a process: which lines a bot may send when, and the outcome of each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import given, strategies as st

from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction, RollAction
from ftk_core.kit.protocol.bot_pipes import MAX_STDERR_BYTES, MAX_STDOUT_BYTES, MAX_STORED_STDERR_BYTES
from ftk_core.kit.protocol.process_player import (
    IDLE_BANK_MS,
    IDLE_MS,
    MAX_CONSECUTIVE_TIMEOUTS,
    STARTUP_MS,
    WALL_MS,
    BotProcessPlayer,
)
from ftk_core.kit.protocol.protocol_lines import ANSWER_BYTES
from ftk_core.log_entries import TimeControl
from ftk_core.players import HelloMessage, HostOverloadError, NoAnswerError, QuestionToSeat
from tests.support.scripted_peer import Exit, ScriptedPeer, Stderr, Step, Wait, check_open_descriptors, reply_with

PIG = game("pig")
MOVE_MS = 200
TABLE = PIG.setup(2, PIG.options())
HELLO = HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=MOVE_MS, bank_ms=0)
PIECE = 60_000
"""Number of bytes that go through a pipe at once."""
WHOLE = reply_with(1, 1)

Came = int | str
"""Outcome of a question: the chosen index, or the beginning of the message to the author."""
NAMED = {"crashed", "flooded", "late", "malformed", "overtime", "refused"}
"""Names of the faults in docs/bot-protocol.md."""
DIALOGUES: dict[str, list[tuple[Sequence[Step], Came]]] = {
    "answers, each in its turn": [([reply_with(1, 1)], 1), ([reply_with(2, 0)], 0), ([reply_with(3, 1)], 1)],
    "an answer that comes byte by byte": [([WHOLE[n : n + 1] for n in range(len(WHOLE))], 1)],
    "an answer with blanks and a carriage return": [([b' { "id" : 1 , "choose" : 1 } \r\n'], 1)],
    "an answer within its time": [([reply_with(1, 1)], 1), ([Wait(computing=MOVE_MS), reply_with(2, 1)], 1)],
    "an answer after its time": [
        ([reply_with(1, 1)], 1),
        ([Wait(computing=MOVE_MS + 1), reply_with(2, 1)], "overtime: no answer within 200 ms of computing"),
        ([reply_with(3, 0)], 0),
    ],
    "an answer that comes when the next question is there": [
        ([reply_with(1, 1)], 1),
        ([Wait(computing=MOVE_MS + 1)], "overtime"),
        ([reply_with(2, 1), reply_with(3, 0)], 0),
    ],
    "a first answer that takes the interpreter its time": [
        ([Wait(computing=STARTUP_MS + MOVE_MS), reply_with(1, 1)], 1),
        ([Wait(computing=STARTUP_MS + MOVE_MS), reply_with(2, 1)], "overtime"),
    ],
    "a sleep within what is idle": [([reply_with(1, 1)], 1), ([Wait(asleep=IDLE_MS), reply_with(2, 1)], 1)],
    "a sleep that is too long": [
        ([reply_with(1, 1)], 1),
        ([Wait(asleep=IDLE_MS + 1), reply_with(2, 1)], "late: asleep for 2000 ms"),
    ],
    "naps until the idle bank is empty": [
        ([reply_with(1, 1)], 1),
        *(([Wait(asleep=1500), reply_with(2 + nap, 1)], 1) for nap in range(IDLE_BANK_MS // 1500)),
        ([Wait(asleep=1)], "late: asleep for 0 ms"),
    ],
    "a wait for a processor, which is nobody's fault": [
        ([reply_with(1, 1)], 1),
        ([Wait(queued=WALL_MS), reply_with(2, 1)], 1),
    ],
    "a sleep while the worker waits for a processor, which is a sleep all the same": [
        ([reply_with(1, 1)], 1),
        ([Wait(asleep=20, worker_queued=20)] * (IDLE_MS // 20 + 2), "late: asleep for 2000 ms"),
    ],
    "a wait of bot and worker at once, which is one wait": [
        ([reply_with(1, 1)], 1),
        ([*[Wait(queued=20, worker_queued=20)] * 100, *[Wait(asleep=20)] * 102], "late: asleep for 2000 ms"),
    ],
    "an answer that lay there while the worker waited": [
        ([reply_with(1, 1)], 1),
        ([reply_with(2, 1), Wait(asleep=IDLE_BANK_MS, worker_queued=IDLE_BANK_MS)], 1),
        ([Wait(asleep=IDLE_MS), reply_with(3, 1)], 1),
    ],
    "a loop on a machine so full that it takes minutes": [
        ([Wait(computing=50, queued=4000)] * (STARTUP_MS // 50 + 5), "overtime: no answer within 5200 ms")
    ],
    "silence until patience is at its end": [
        ([reply_with(1, 1)], 1),
        *(([Wait(asleep=IDLE_MS + 1)], "late") for _ in range(MAX_CONSECUTIVE_TIMEOUTS)),
        ([], "crashed: the process has ended"),
    ],
    "silences with an answer between": [
        ([reply_with(1, 1)], 1),
        *(([Wait(asleep=IDLE_MS + 1)], "late") for _ in range(MAX_CONSECUTIVE_TIMEOUTS - 1)),
        ([reply_with(4, 1)], 1),
        *(([Wait(asleep=IDLE_MS + 1)], "late") for _ in range(MAX_CONSECUTIVE_TIMEOUTS - 1)),
        ([reply_with(7, 1)], 1),
    ],
    "an answer ahead of its question": [
        ([reply_with(1, 1) + reply_with(2, 0)], 1),
        ([], "malformed: question 2 was not yet asked"),
        ([reply_with(3, 0)], 0),
    ],
    "an answer to a question that never comes": [([reply_with(7, 1)], "malformed: question 7 was not yet asked")],
    "an answer said twice": [([reply_with(1, 1) * 2], 1), ([reply_with(2, 0)], 0)],
    "an answer to the past first": [([reply_with(1, 1)], 1), ([reply_with(1, 0), reply_with(2, 0)], 0)],
    "a second thought": [([reply_with(1, 1) + reply_with(1, 0)], 1), ([reply_with(2, 0)], 0)],
    "nonsense, and then sense": [([b"hello\n"], "malformed: b'hello'"), ([reply_with(2, 1)], 1)],
    "nonsense between questions": [([reply_with(1, 1) + b"debug\n"], 1), ([reply_with(2, 1)], "malformed: b'debug'")],
    "a line that ends after the next question": [([(reply_with(1, 1) * 2)[:-1]], 1), ([b"\n" + reply_with(2, 1)], 1)],
    "an item that is not on the menu": [([reply_with(1, 2)], "refused: choose is 2, the menu has items 0 to 1")],
    "an item from the end of the menu": [([reply_with(1, -1)], "refused: choose is -1")],
    "a line that is as long as it may be": [([reply_with(1, 1)[:-1].ljust(ANSWER_BYTES) + b"\n"], 1)],
    "a line that is too long": [
        ([reply_with(1, 1)[:-1].ljust(ANSWER_BYTES + 1) + b"\n"], "malformed: an answer is longer")
    ],
    "a line that is too long and ends later": [
        ([b"x" * (ANSWER_BYTES + 1)], "malformed: an answer is longer than 4096 bytes"),
        ([b"x" * ANSWER_BYTES, b"\n" + reply_with(2, 1)], 1),
    ],
    "a line that never ends": [
        ([b"x" * PIECE], "malformed: an answer is longer"),
        ([b"x" * PIECE] * (MAX_STDOUT_BYTES // PIECE + 1), "flooded: more than 4 MiB on stdout"),
        ([], "crashed: the process has ended"),
    ],
    "old answers without end": [
        ([reply_with(1, 1)], 1),
        (
            [reply_with(1, 1) * (PIECE // len(WHOLE))] * (MAX_STDOUT_BYTES // PIECE + 2),
            "flooded: more than 4 MiB on stdout",
        ),
    ],
    "stderr without end": [
        ([Stderr("y" * PIECE)] * (MAX_STDERR_BYTES // PIECE + 1), "flooded: more than 1 MiB on stderr")
    ],
    "an end without a word": [([Exit()], "crashed: the process ended without a word"), ([], "crashed: the process")],
    "an end with last words": [
        ([reply_with(1, 1)], 1),
        ([Stderr("Traceback\nValueError: out of ideas\n"), Exit()], "crashed: ValueError: out of ideas"),
    ],
    "an end in the middle of an answer": [([reply_with(1, 1)[:-1], Exit()], "crashed")],
    "an answer and then the end": [([reply_with(1, 1), Exit()], 1), ([Exit()], "crashed")],
}
SLOW = ("a loop on a machine", "a sleep while the worker", "a wait of bot and worker", "old answers without end")


def question(number: int) -> QuestionToSeat:
    clock = TimeControl(move_ms=MOVE_MS, bank_ms=0)
    return QuestionToSeat(PIG, TABLE, 0, (HoldAction(), RollAction()), number=number, clock=clock)


@contextmanager
def dialogue(*script: Sequence[Step], before: bytes = b"") -> Iterator[tuple[BotProcessPlayer, ScriptedPeer]]:
    with check_open_descriptors():
        far = ScriptedPeer(script, before)
        with BotProcessPlayer("bot", far.child, clocks=far) as player:
            player.greet(HELLO)
            yield player, far


def outcome(player: BotProcessPlayer, number: int) -> Came:
    """Return the outcome of a question."""
    try:
        return player.choose(question(number)).index
    except NoAnswerError as silence:
        return str(silence)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name.startswith(SLOW) else ()) for name in DIALOGUES]
)
def test_each_scripted_dialogue_with_a_bot_ends_in_the_listed_answer_or_fault(name: str) -> None:
    turns = DIALOGUES[name]
    with dialogue(*(steps for steps, _ in turns)) as (player, _):
        for number, (_, wanted) in enumerate(turns, 1):
            came = outcome(player, number)
            assert came == wanted if isinstance(wanted, int) else str(came).startswith(wanted), f"question {number}"


def test_a_bot_receives_hello_before_the_first_question_and_the_final_places_after_the_last() -> None:
    with dialogue([reply_with(1, 1)], [reply_with(2, 0)]) as (player, far):
        assert far.heard == [], "nothing is sent before the first question"
        assert [outcome(player, number) for number in (1, 2)] == [1, 0]
        player.over((2, 1))
        hello, first, second, over = far.heard
    assert (hello["type"], hello["game"], hello["move_ms"]) == ("hello", "pig", MOVE_MS)
    assert [(line["type"], line["id"]) for line in (first, second)] == [("ask", 1), ("ask", 2)]
    assert len(first["menu"]) == 2
    assert over == {"type": "over", "places": [2, 1]}


def test_bot_output_before_the_first_question_is_ignored_unless_it_is_an_early_answer() -> None:
    with dialogue([reply_with(1, 1)], before=b"ready\n") as (player, _):
        assert outcome(player, 1) == 1
    with dialogue([reply_with(1, 1)], before=reply_with(1, 0)) as (player, _):
        assert outcome(player, 1) == "malformed: question 1 was not yet asked"


def test_notes_are_stored_with_the_question_if_the_answer_counts() -> None:
    late = [Wait(computing=MOVE_MS + 1), reply_with(2, 1, note="too late")]
    with dialogue([reply_with(1, 1, note="a plan")], late, [reply_with(3, 0, note="another")], [reply_with(4, 0)]) as (
        player,
        _,
    ):
        for number in range(1, 5):
            outcome(player, number)
    assert player.notes == [(1, "a plan"), (3, "another")]
    assert [number for number, _ in player.faults] == [2]


def test_processor_time_idle_time_and_queueing_time_are_measured_separately_without_startup_time() -> None:
    start = Wait(computing=STARTUP_MS + 20, asleep=STARTUP_MS + 30, queued=40)
    with dialogue([start, reply_with(1, 1)], [Wait(computing=10, asleep=5, queued=7), reply_with(2, 1)]) as (player, _):
        first, second = player.choose(question(1)).spent, player.choose(question(2)).spent
    assert (first.charged_us, first.idle_us, first.queued_us) == (20_000, 30_000, 40_000)
    assert (second.charged_us, second.idle_us, second.queued_us) == (10_000, 5_000, 7_000)


def test_waiting_for_a_processor_is_blamed_on_an_overloaded_host_and_not_on_the_bot() -> None:
    with dialogue([reply_with(1, 1)], [Wait(queued=WALL_MS + IDLE_MS + MOVE_MS + 1)]) as (player, _):
        assert outcome(player, 1) == 1
        with pytest.raises(HostOverloadError, match="waited for a processor"):
            player.choose(question(2))


def test_the_beginning_of_the_stderr_of_a_bot_is_stored_up_to_a_limit() -> None:
    with dialogue([Stderr("a" * 10_000), Stderr("b" * 10_000), reply_with(1, 1)]) as (player, _):
        assert outcome(player, 1) == 1
        assert player.stderr == "a" * 10_000 + "b" * (MAX_STORED_STDERR_BYTES - 10_000)


SAID = st.one_of(
    st.binary(max_size=200),
    st.builds(reply_with, st.integers(-1, 6), st.integers(-1, 2)),
    st.sampled_from([b"x" * (ANSWER_BYTES + 1), b"\n", b"{}\n", b"\xff\n"]),
    st.builds(Wait, st.integers(0, 300), st.integers(0, 3000), st.integers(0, 300)),
    st.builds(Stderr, st.text(max_size=50)),
    st.just(Exit()),
)


@pytest.mark.slow
@given(script=st.lists(st.lists(SAID, max_size=5), max_size=5), before=st.binary(max_size=50))
def test_every_question_ends_with_a_chosen_item_or_a_known_fault_code(script: list[list[Step]], before: bytes) -> None:
    late = Wait(computing=60_000)
    with dialogue(*([*steps, late] for steps in script), before=before) as (player, _):
        for number in range(1, len(script) + 1):
            came = outcome(player, number)
            assert came in (0, 1) if isinstance(came, int) else came.partition(":")[0] in NAMED
