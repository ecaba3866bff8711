"""Covert channels between two bots at a table: answer times, and the processor cache."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log2
from pathlib import Path

import pytest

from bots.sandbox.bot_start_settings import BotStartCommand
from bots.sandbox.sandboxed_bot_start import start_all_in_sandbox
from ftk_core.kit.protocol.answer_time_rounding import release_time_us
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE
from ftk_core.players import HelloMessage
from tests.support.hostile.programs import put_program
from tests.support.lengths import short_or_long
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.sandbox.bots import question

HELLO = HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0)
QUESTIONS = short_or_long(128, 800)
SYMBOLS = 8
SPEAKS = """
import json, sys, time
for line in sys.stdin:
    began = time.monotonic()
    ask = json.loads(line)
    if ask["type"] == "ask":
        while time.monotonic() - began < {times}[ask["id"] * 7 % {symbols}]:
            pass
        print(json.dumps({{"id": ask["id"], "choose": 0}}), flush=True)
"""
HEARS = """
import json, sys, time
last = time.monotonic()
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        note = str(int((time.monotonic() - last) * 1e6))
        last = time.monotonic()
        print(json.dumps({"id": ask["id"], "choose": 0, "note": note}), flush=True)
"""
STEPS_MS = tuple(5 + 8 * symbol for symbol in range(SYMBOLS))
"""Answer times that are easy to tell apart if the arena does not round them."""
SHUFFLES = 20
BIAS_BITS = 0.35
"""Information in bits that chance alone can show in this number of questions."""


def plain_information(pairs: Sequence[tuple[int, int]]) -> float:
    """Return the mutual information of sent and received symbols in a sample, in bits."""
    both, said, heard = Counter(pairs), Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    whole = len(pairs)
    return sum(n / whole * log2(n * whole / (said[one] * heard[other])) for (one, other), n in both.items())


def information(pairs: Sequence[tuple[int, int]]) -> float:
    """Return the mutual information, minus the amount that chance alone gives in a sample of this size."""
    draw = random.Random(1)
    said, heard = zip(*pairs, strict=True)
    shuffled = [list(zip(draw.sample(said, len(said)), heard, strict=True)) for _ in range(SHUFFLES)]
    return plain_information(pairs) - statistics.mean(map(plain_information, shuffled))


def nearest(value: float, centres: dict[int, float]) -> int:
    return min(centres, key=lambda symbol: abs(centres[symbol] - value))


def decoded(said: Sequence[int], measured: Sequence[float]) -> list[tuple[int, int]]:
    """Return (sent, received) for a receiver that was trained on the first half of the sample."""
    half = len(said) // 2
    centres = {
        symbol: statistics.median(
            value for one, value in zip(said[:half], measured[:half], strict=True) if one == symbol
        )
        for symbol in set(said[:half])
    }
    return [(one, nearest(value, centres)) for one, value in zip(said[half:], measured[half:], strict=True)]


def through_time(folder: Path, grid: int, times_ms: Sequence[float]) -> float:
    """Return the bits per question that one bot sends to another by the time of its answers."""
    bots = []
    for name, source in {
        "speaks": SPEAKS.format(times=[ms / 1000 for ms in times_ms], symbols=len(times_ms)),
        "hears": HEARS,
    }.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "bot.py").write_text(source)
        bots.append((name, BotStartCommand(folder / name, ("python", "bot.py"))))
    with start_all_in_sandbox(replace(sandbox_config(working_backends()[0]), grid=grid), bots) as (speaker, hearer):
        for player in (speaker, hearer):
            player.greet(HELLO)
        for number in range(1, QUESTIONS + 3):
            speaker.choose(question(number))
            hearer.choose(question(number))
    said = [number * 7 % len(times_ms) for number in range(3, QUESTIONS + 3)]
    return information(decoded(said, [float(text) for _, text in hearer.notes[2:]]))


@pytest.mark.nightly
def test_rounding_answer_times_limits_how_many_bits_a_bot_can_leak_through_its_answer_times(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    points = {release_time_us(ms * 1000 + 500, 1000, 4) for ms in STEPS_MS}
    bits = through_time(tmp_path, 4, STEPS_MS)
    record_property("bits", bits)
    assert bits <= log2(len(points) + 1) + BIAS_BITS


@pytest.mark.nightly
@pytest.mark.skipif(not has_programs("cc"), reason="there is no compiler")
def test_a_processor_cache_side_channel_between_bots_carries_at_most_one_bit_per_question(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    bots = []
    for way in ("speaks", "hears"):
        (tmp_path / way).mkdir()
        put_program(tmp_path / way, "cache.c")
        bots.append((way, BotStartCommand(tmp_path / way, ("c", COMPILED_BOT_FILE, way))))
    with start_all_in_sandbox(sandbox_config(working_backends()[0]), bots) as (speaker, hearer):
        for player in (speaker, hearer):
            player.greet(HELLO)
        for number in range(1, QUESTIONS + 3):
            speaker.choose(question(number))
            hearer.choose(question(number))
    notes = [text.split() for _, text in hearer.notes[2:]]
    bits = information(decoded([int(level) for _, level in notes], [float(time) for time, _ in notes]))
    record_property("bits", bits)
    assert bits <= 1
