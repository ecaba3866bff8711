"""Narration of match logs: each event as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import gettext as _
from pathlib import Path

from ftk_core.games import game_of
from ftk_core.kit.verify.match_log_verification import InvalidLogError, verify_lines
from ftk_core.log_entries import GameFactRecorded, MatchFinished, MatchOpened, read
from ftk_core.match_log_file import parse_pages, split_logs
from ftk_core.match_state_from_log import fact_in


def narrate_matches(path: Path, language: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the numbered sentences that tell each match of a log file. Raises InvalidLogError, OSError.

    Each log is verified first.
    """
    for log in split_logs(path.read_bytes().splitlines(keepends=True)):
        verify_lines(log)
        try:
            sentences = list(narrate_log(log, language))
        except (LookupError, TypeError, ValueError) as error:  # the facts of an abandoned match may be invented
            raise InvalidLogError(_("the log cannot be read: {error}").format(error=error)) from error
        yield sentences


def narrate_log(log: list[bytes], language: str) -> Iterator[tuple[int, str]]:
    """Yield (entry number, sentence) for each event, then for the final ranking. Raises BrokenHashChainError."""
    lines = [line for page in parse_pages(log) for line in page.lines]
    opened = read(lines[0])
    assert isinstance(opened, MatchOpened)
    rules = game_of(opened)
    for line in lines:
        match read(line):
            case GameFactRecorded() as entry:
                yield entry.seq, rules.say(fact_in(rules, entry), opened.players, language)
            case MatchFinished(seq=seq, places=places):
                ranking = sorted(zip(places, opened.players, strict=True))
                yield seq, ", ".join(f"{place}. {name}" for place, name in ranking)
            case _:
                pass
