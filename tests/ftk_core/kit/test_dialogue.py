"""Dialogues by a script: what a bot may say and when, and what each question comes to, without a process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.games.pig.rules import Hold, Roll
from ftk_core.kit.lines import ANSWER_BYTES
from ftk_core.kit.pipe import IDLE_BANK_MS, IDLE_MS, PATIENCE, STARTUP_MS, WALL_MS, PipePlayer
from ftk_core.kit.wire import STDERR_BYTES, STDERR_LIMIT, STDOUT_LIMIT
from ftk_core.players import Ask, Hello, HostFault, NoAnswer
from tests.support.far_end import Closes, FarEnd, Mutters, Step, Takes, nothing_left_open, says

PIG = game("pig")
MOVE_MS = 200
TABLE = PIG.setup(2, PIG.options())
HELLO = Hello(game="pig", version=1, seat=0, seats=2, move_ms=MOVE_MS, bank_ms=0)
PIECE = 60_000
"""As much goes through a pipe at once."""
WHOLE = says(1, 1)

Came = int | str
"""What a question came to: the index that was chosen, or the beginning of what the author reads."""
NAMED = {"crashed", "flooded", "late", "malformed", "overtime", "refused"}
"""What docs/bot-protocol.md calls the ways to give no answer."""
DIALOGUES: dict[str, list[tuple[Sequence[Step], Came]]] = {
    "answers, each in its turn": [([says(1, 1)], 1), ([says(2, 0)], 0), ([says(3, 1)], 1)],
    "an answer that comes byte by byte": [([WHOLE[n : n + 1] for n in range(len(WHOLE))], 1)],
    "an answer with blanks and a carriage return": [([b' { "id" : 1 , "choose" : 1 } \r\n'], 1)],
    "an answer within its time": [([says(1, 1)], 1), ([Takes(computing=MOVE_MS), says(2, 1)], 1)],
    "an answer after its time": [
        ([says(1, 1)], 1),
        ([Takes(computing=MOVE_MS + 1), says(2, 1)], "overtime: no answer within 200 ms of computing"),
        ([says(3, 0)], 0),
    ],
    "an answer that comes when the next question is there": [
        ([says(1, 1)], 1),
        ([Takes(computing=MOVE_MS + 1)], "overtime"),
        ([says(2, 1), says(3, 0)], 0),
    ],
    "a first answer that takes the interpreter its time": [
        ([Takes(computing=STARTUP_MS + MOVE_MS), says(1, 1)], 1),
        ([Takes(computing=STARTUP_MS + MOVE_MS), says(2, 1)], "overtime"),
    ],
    "a sleep within what is idle": [([says(1, 1)], 1), ([Takes(asleep=IDLE_MS), says(2, 1)], 1)],
    "a sleep that is too long": [
        ([says(1, 1)], 1),
        ([Takes(asleep=IDLE_MS + 1), says(2, 1)], "late: asleep for 2000 ms"),
    ],
    "naps until the idle bank is empty": [
        ([says(1, 1)], 1),
        *(([Takes(asleep=1500), says(2 + nap, 1)], 1) for nap in range(IDLE_BANK_MS // 1500)),
        ([Takes(asleep=1)], "late: asleep for 0 ms"),
    ],
    "a wait for a processor, which is nobody's fault": [
        ([says(1, 1)], 1),
        ([Takes(queued=WALL_MS), says(2, 1)], 1),
    ],
    "a sleep while the worker waits for a processor, which is a sleep all the same": [
        ([says(1, 1)], 1),
        ([Takes(asleep=20, worker_queued=20)] * (IDLE_MS // 20 + 2), "late: asleep for 2000 ms"),
    ],
    "a wait of bot and worker at once, which is one wait": [
        ([says(1, 1)], 1),
        ([*[Takes(queued=20, worker_queued=20)] * 100, *[Takes(asleep=20)] * 102], "late: asleep for 2000 ms"),
    ],
    "an answer that lay there while the worker waited": [
        ([says(1, 1)], 1),
        ([says(2, 1), Takes(asleep=IDLE_BANK_MS, worker_queued=IDLE_BANK_MS)], 1),
        ([Takes(asleep=IDLE_MS), says(3, 1)], 1),
    ],
    "a loop on a machine so full that it takes minutes": [
        ([Takes(computing=50, queued=4000)] * (STARTUP_MS // 50 + 5), "overtime: no answer within 5200 ms"),
    ],
    "silence until patience is at its end": [
        ([says(1, 1)], 1),
        *(([Takes(asleep=IDLE_MS + 1)], "late") for _ in range(PATIENCE)),
        ([], "crashed: the process has ended"),
    ],
    "silences with an answer between": [
        ([says(1, 1)], 1),
        *(([Takes(asleep=IDLE_MS + 1)], "late") for _ in range(PATIENCE - 1)),
        ([says(4, 1)], 1),
        *(([Takes(asleep=IDLE_MS + 1)], "late") for _ in range(PATIENCE - 1)),
        ([says(7, 1)], 1),
    ],
    "an answer ahead of its question": [
        ([says(1, 1) + says(2, 0)], 1),
        ([], "malformed: question 2 was not yet asked"),
        ([says(3, 0)], 0),
    ],
    "an answer to a question that never comes": [([says(7, 1)], "malformed: question 7 was not yet asked")],
    "an answer said twice": [([says(1, 1) * 2], 1), ([says(2, 0)], 0)],
    "an answer to the past first": [([says(1, 1)], 1), ([says(1, 0), says(2, 0)], 0)],
    "a second thought": [([says(1, 1) + says(1, 0)], 1), ([says(2, 0)], 0)],
    "nonsense, and then sense": [([b"hello\n"], "malformed: b'hello'"), ([says(2, 1)], 1)],
    "nonsense between questions, which nobody reads": [([says(1, 1) + b"debugging\n"], 1), ([says(2, 1)], 1)],
    "an item that is not on the menu": [([says(1, 2)], "refused: choose is 2, the menu has items 0 to 1")],
    "an item from the end of the menu": [([says(1, -1)], "refused: choose is -1")],
    "a line that is as long as it may be": [([says(1, 1)[:-1].ljust(ANSWER_BYTES) + b"\n"], 1)],
    "a line that is too long": [([says(1, 1)[:-1].ljust(ANSWER_BYTES + 1) + b"\n"], "malformed: an answer is longer")],
    "a line that is too long and ends later": [
        ([b"x" * (ANSWER_BYTES + 1)], "malformed: an answer is longer than 4096 bytes"),
        ([b"x" * ANSWER_BYTES, b"\n" + says(2, 1)], 1),
    ],
    "a line that never ends": [
        ([b"x" * PIECE], "malformed: an answer is longer"),
        ([b"x" * PIECE] * (STDOUT_LIMIT // PIECE + 1), "flooded: more than 4 MiB on stdout"),
        ([], "crashed: the process has ended"),
    ],
    "old answers without end": [
        ([says(1, 1)], 1),
        ([says(1, 1) * (PIECE // len(WHOLE))] * (STDOUT_LIMIT // PIECE + 2), "flooded: more than 4 MiB on stdout"),
    ],
    "stderr without end": [
        ([Mutters("y" * PIECE)] * (STDERR_LIMIT // PIECE + 1), "flooded: more than 1 MiB on stderr"),
    ],
    "an end without a word": [([Closes()], "crashed: the process ended without a word"), ([], "crashed: the process")],
    "an end with last words": [
        ([says(1, 1)], 1),
        ([Mutters("Traceback\nValueError: out of ideas\n"), Closes()], "crashed: ValueError: out of ideas"),
    ],
    "an end in the middle of an answer": [([says(1, 1)[:-1], Closes()], "crashed")],
    "an answer and then the end": [([says(1, 1), Closes()], 1), ([Closes()], "crashed")],
}


def question(number: int) -> Ask:
    return Ask(PIG, TABLE, 0, (Hold(), Roll()), number=number, clock=Clock(move_ms=MOVE_MS, bank_ms=0))


@contextmanager
def dialogue(*script: Sequence[Step], before: bytes = b"") -> Iterator[tuple[PipePlayer, FarEnd]]:
    with nothing_left_open():
        far = FarEnd(script, before)
        with PipePlayer("bot", far.child, clocks=far) as player:
            player.greet(HELLO)
            yield player, far


def outcome(player: PipePlayer, number: int) -> Came:
    """Return what a question came to."""
    try:
        return player.choose(question(number)).index
    except NoAnswer as silence:
        return str(silence)


@pytest.mark.slow
@pytest.mark.parametrize("name", DIALOGUES)
def test_a_dialogue(name: str) -> None:
    turns = DIALOGUES[name]
    with dialogue(*(steps for steps, _ in turns)) as (player, _):
        for number, (_, wanted) in enumerate(turns, 1):
            came = outcome(player, number)
            assert came == wanted if isinstance(wanted, int) else str(came).startswith(wanted), f"question {number}"


def test_the_greeting_comes_before_the_first_question_and_the_places_after_the_last() -> None:
    with dialogue([says(1, 1)], [says(2, 0)]) as (player, far):
        assert far.heard == [], "nothing is sent before the first question"
        assert [outcome(player, number) for number in (1, 2)] == [1, 0]
        player.over((2, 1))
        hello, first, second, over = far.heard
    assert (hello["type"], hello["game"], hello["move_ms"]) == ("hello", "pig", MOVE_MS)
    assert [(line["type"], line["id"]) for line in (first, second)] == [("ask", 1), ("ask", 2)]
    assert len(first["menu"]) == 2
    assert over == {"type": "over", "places": [2, 1]}


def test_what_was_said_before_the_first_question_is_passed_over_but_for_an_answer_to_it() -> None:
    with dialogue([says(1, 1)], before=b"ready\n") as (player, _):
        assert outcome(player, 1) == 1
    with dialogue([says(1, 1)], before=says(1, 0)) as (player, _):
        assert outcome(player, 1) == "malformed: question 1 was not yet asked"


def test_notes_are_kept_with_their_question_and_only_those_of_answers_that_count() -> None:
    late = [Takes(computing=MOVE_MS + 1), says(2, 1, note="too late")]
    with dialogue([says(1, 1, note="a plan")], late, [says(3, 0, note="another")], [says(4, 0)]) as (player, _):
        for number in range(1, 5):
            outcome(player, number)
    assert player.notes == [(1, "a plan"), (3, "another")]
    assert [number for number, _ in player.faults] == [2]


def test_what_is_spent_is_told_apart_and_only_beyond_what_starting_takes() -> None:
    start = Takes(computing=STARTUP_MS + 20, asleep=STARTUP_MS + 30, queued=40)
    with dialogue([start, says(1, 1)], [Takes(computing=10, asleep=5, queued=7), says(2, 1)]) as (player, _):
        first, second = player.choose(question(1)).spent, player.choose(question(2)).spent
    assert (first.charged_us, first.idle_us, first.queued_us) == (20_000, 30_000, 40_000)
    assert (second.charged_us, second.idle_us, second.queued_us) == (10_000, 5_000, 7_000)


def test_where_neither_computing_nor_sleep_explains_the_time_the_machine_is_to_blame() -> None:
    with dialogue([says(1, 1)], [Takes(queued=WALL_MS + IDLE_MS + MOVE_MS + 1)]) as (player, _):
        assert outcome(player, 1) == 1
        with pytest.raises(HostFault, match="waited for a processor"):
            player.choose(question(2))


def test_stderr_is_kept_up_to_its_limit_from_its_beginning() -> None:
    with dialogue([Mutters("a" * 10_000), Mutters("b" * 10_000), says(1, 1)]) as (player, _):
        assert outcome(player, 1) == 1
        assert player.stderr == "a" * 10_000 + "b" * (STDERR_BYTES - 10_000)


SAID = st.one_of(
    st.binary(max_size=200),
    st.builds(says, st.integers(-1, 6), st.integers(-1, 2)),
    st.sampled_from([b"x" * (ANSWER_BYTES + 1), b"\n", b"{}\n", b"\xff\n"]),
    st.builds(Takes, st.integers(0, 300), st.integers(0, 3000), st.integers(0, 300)),
    st.builds(Mutters, st.text(max_size=50)),
    st.just(Closes()),
)


@pytest.mark.slow
@given(script=st.lists(st.lists(SAID, max_size=5), max_size=5), before=st.binary(max_size=50))
def test_whatever_is_said_every_question_ends_in_an_item_of_the_menu_or_a_named_excuse(
    script: list[list[Step]], before: bytes
) -> None:
    late = Takes(computing=60_000)
    with dialogue(*([*steps, late] for steps in script), before=before) as (player, _):
        for number in range(1, len(script) + 1):
            came = outcome(player, number)
            assert came in (0, 1) if isinstance(came, int) else came.partition(":")[0] in NAMED
