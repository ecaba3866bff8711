"""Write the golden transcripts again: ``python -m tests.golden.write``.

Do it when the version of a game's rules changes, and read the diff.
"""

from __future__ import annotations

from pathlib import Path

from ftk_core.entries import Closed, Happened, read
from ftk_core.filelog import dump
from ftk_core.games import shelf
from ftk_core.log import MemoryLog, lines_of
from ftk_core.match import fact_in, play
from ftk_core.players import Answer, Ask, RandomPlayer
from ftk_core.rng import seed_of

FOLDER = Path(__file__).parent
LONG = 30
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
EVERY = [(name, seats) for name, row in shelf().items() for seats in row.seats]


class ModestPlayer(RandomPlayer):
    """Chooses any of the first items of a short menu, the first or the second of a long one.

    So nobody bids what nobody has, most bids are paid, and the story can be followed.
    """

    def choose(self, ask: Ask, /) -> Answer:
        """Answer at random."""
        return Answer(self._draw.below(min(4, len(ask.menu)) if len(ask.menu) < LONG else 2))


def log_of(name: str, seats: int) -> MemoryLog:
    """Return the log of the golden match of a table size."""
    log = MemoryLog()
    players = [ModestPlayer(seed_of("golden", seat), NAMES[seat]) for seat in range(seats)]
    play(shelf()[name], players, seed_of("golden", name, seats), match=f"golden/{name}/{seats}", log=log)
    return log


def transcript(name: str, seats: int) -> str:
    """Return the golden match as sentences, as somebody would read it who sees everything."""
    game, log = shelf()[name], log_of(name, seats)
    text = [f"{game.title}, version {game.version}, {seats} players", ""]
    for line in lines_of(log):
        match read(line):
            case Happened(seq=seq) as entry:
                text.append(f"{seq:>5}  {game.say(fact_in(game, entry), NAMES, 'en')}")
            case Closed(seq=seq, places=places, scores=scores):
                rows = sorted(zip(places, NAMES, scores, strict=False))
                text.append(f"{seq:>5}  " + ", ".join(f"{place}. {who} ({score})" for place, who, score in rows))
            case _:
                pass
    heads = [page.head.hex() for page in log.pages()]
    return "\n".join([*text, "", "heads of the pages:", *heads, ""])


def path_of(name: str, seats: int, suffix: str) -> Path:
    """Return where a golden file lies."""
    return FOLDER / f"{name}-{seats}.{suffix}"


def main() -> None:
    """Write every transcript and every log."""
    for name, seats in EVERY:
        path_of(name, seats, "txt").write_text(transcript(name, seats))
        path_of(name, seats, "jsonl").write_bytes(b"".join(dump(log_of(name, seats).pages())))


if __name__ == "__main__":
    main()
