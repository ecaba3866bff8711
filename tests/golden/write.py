"""Command that writes missing golden matches: ``python -m tests.golden.write``."""

from __future__ import annotations

from pathlib import Path

from ftk_core.games import game_of, list_games, versions
from ftk_core.kit.built_in_bots import list_opponents
from ftk_core.kit.match_series.local_matches import MatchSeries, create_series_match, play_one
from ftk_core.log_entries import GameFactRecorded, MatchFinished, MatchOpened, read
from ftk_core.match_log_file import parse_pages
from ftk_core.match_state_from_log import fact_in

FOLDER = Path(__file__).parent
EVERY = [
    (name, version, seats) for name in list_games() for version, row in versions(name).items() for seats in row.seats
]
"""(game, version, seats): each has a golden match."""


def path_of(name: str, version: int, seats: int | str, suffix: str) -> Path:
    """Return where a golden file lies: ``pig-2.txt``, or that of an earlier version as ``past/pig-v1-2.txt``."""
    if version == list_games()[name].version:
        return FOLDER / f"{name}-{seats}.{suffix}"
    return FOLDER / "past" / f"{name}-v{version}-{seats}.{suffix}"


def played(name: str, seats: int) -> bytes:
    """Return the log of a match between bots of the house."""
    steady = list_opponents(name, ["house"])
    bots = tuple(steady[seat % len(steady)] for seat in range(seats))
    series = MatchSeries(game=name, bots=bots, seed=f"golden {seats}")
    return play_one(series, create_series_match(series, 0)).log


def transcript(log: bytes) -> str:
    """Return a log as sentences, as somebody would read it who sees everything."""
    pages = list(parse_pages(log.splitlines(keepends=True)))
    text: list[str] = []
    for line in (line for page in pages for line in page.lines):
        match read(line):
            case MatchOpened() as opened:
                rules, names = game_of(opened), opened.players
                text += [f"{rules.title}, version {rules.version}: {', '.join(names)}", ""]
            case GameFactRecorded(seq=seq) as entry:
                text.append(f"{seq:>5}  {rules.say(fact_in(rules, entry), names, 'en')}")
            case MatchFinished(seq=seq, places=places, scores=scores):
                rows = sorted(zip(places, names, scores, strict=True))
                text.append(f"{seq:>5}  " + ", ".join(f"{place}. {who} ({score})" for place, who, score in rows))
            case _:
                pass
    return "\n".join([*text, "", "heads of the pages:", *(page.head.hex() for page in pages), ""])


def main() -> None:
    """Write what is missing; what an earlier version played cannot be played again."""
    for name, row in list_games().items():
        for seats in row.seats:
            if not path_of(name, row.version, seats, "jsonl").exists():
                log = played(name, seats)
                path_of(name, row.version, seats, "jsonl").write_bytes(log)
                path_of(name, row.version, seats, "txt").write_text(transcript(log))


if __name__ == "__main__":
    main()
