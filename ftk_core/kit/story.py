"""A log as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ftk_core.entries import Closed, Happened, Opened, read
from ftk_core.filelog import parse
from ftk_core.games import game_of
from ftk_core.match import fact_in


def story_of(path: Path, language: str) -> Iterator[tuple[int, str]]:
    """Yield (entry number, sentence) for every fact of a log file that has been verified."""
    lines = [line for page in parse(path.read_bytes().splitlines(keepends=True)) for line in page.lines]
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
