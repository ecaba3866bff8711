"""Narration of a log in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ftk_core.entries import Closed, Happened, Opened, read
from ftk_core.filelog import parse, split
from ftk_core.fold import fact_in
from ftk_core.games import game_of
from ftk_core.kit.verify import verify_lines


def stories_of(path: Path, language: str) -> Iterator[list[tuple[int, str]]]:
    """Yield (entry number, sentence) pairs for each match in a log file; raises Unsound, or OSError."""
    for log in split(path.read_bytes().splitlines(keepends=True)):
        verify_lines(log)
        yield list(_story(log, language))


def _story(log: list[bytes], language: str) -> Iterator[tuple[int, str]]:
    lines = [line for page in parse(log) for line in page.lines]
    opened = read(lines[0])
    assert isinstance(opened, Opened)
    rules = game_of(opened)
    for line in lines:
        match read(line):
            case Happened() as entry:
                yield entry.seq, rules.say(fact_in(rules, entry), opened.players, language)
            case Closed(seq=seq, places=places):
                ranking = sorted(zip(places, opened.players, strict=True))
                yield seq, ", ".join(f"{place}. {name}" for place, name in ranking)
            case _:
                pass
