"""What can happen to an exported league on its way: one random change at a time."""

from __future__ import annotations

from random import Random

from ftk_core.filelog import dump, parse
from ftk_core.league.export import ROOTS, STREAM
from ftk_core.log import MemoryLog

Files = dict[str, bytes]


def mutated(draw: Random, files: Files) -> tuple[str, set[str], Files]:
    """Return what was done, the files that it was done to, and the files after it; never the same files."""
    while True:
        change = draw.choice(CHANGES)
        where, forged = change(draw, dict(files))
        if list(forged.items()) != list(files.items()):
            return change.__name__, where, forged


def _one(draw: Random, files: Files) -> str:
    return draw.choice(sorted(files))


def byte_changed(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    body = bytearray(files[name])
    body[draw.randrange(len(body))] ^= draw.randrange(1, 256)
    return {name}, {**files, name: bytes(body)}


def bytes_deleted(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    at = draw.randrange(len(files[name]))
    return {name}, {**files, name: files[name][:at] + files[name][at + draw.randrange(1, 9) :]}


def line_deleted(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    lines = files[name].splitlines(keepends=True)
    del lines[draw.randrange(len(lines))]
    return {name}, {**files, name: b"".join(lines)}


def line_doubled(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    lines = files[name].splitlines(keepends=True)
    at = draw.randrange(len(lines))
    lines.insert(draw.randrange(len(lines) + 1), lines[at])
    return {name}, {**files, name: b"".join(lines)}


def lines_swapped(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    lines = files[name].splitlines(keepends=True)
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return {name}, {**files, name: b"".join(lines)}


def file_cut_off(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    return {name}, {**files, name: files[name][: draw.randrange(len(files[name]))]}


def pages_cut_off(draw: Random, files: Files) -> tuple[set[str], Files]:
    """Cut a log off behind a whole page, where its chain is still sound."""
    name = draw.choice([name for name in sorted(files) if name.endswith(".jsonl")])
    lines = files[name].splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, 1) if line.startswith(b'{"page":')]
    return {name}, {**files, name: b"".join(lines[: draw.choice(ends)])}


def chained_anew(draw: Random, files: Files) -> tuple[set[str], Files]:
    """Change a byte within a log and hash all its pages again, as a forger would who knows how."""
    name = draw.choice([name for name in sorted(files) if name.endswith(".jsonl")])
    pages = [page.body for page in parse(files[name].splitlines(keepends=True))]
    number = draw.randrange(len(pages))
    body = bytearray(pages[number])
    at = draw.choice([at for at, byte in enumerate(body) if byte != ord("\n")])
    body[at] = draw.choice([byte for byte in b'0123456789abcxyz":,{}[]' if byte != body[at]])
    pages[number] = bytes(body)
    log = MemoryLog()
    for page in pages:
        log.append(page.splitlines(keepends=True), log.length)
    return {name, STREAM, ROOTS}, {**files, name: b"".join(dump(log.pages()))}


def file_deleted(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    del files[name]
    return {name}, files


def file_added(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = draw.choice(["matches/0123456789ab.jsonl", "notes.txt", "matches/notes.txt"])
    return {name}, {**files, name: files[_one(draw, files)]}


def file_renamed(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    return {name}, {name + "x" if other == name else other: body for other, body in files.items()}


def contents_swapped(draw: Random, files: Files) -> tuple[set[str], Files]:
    one, other = _one(draw, files), _one(draw, files)
    return {one, other}, {**files, one: files[other], other: files[one]}


def places_swapped(draw: Random, files: Files) -> tuple[set[str], Files]:
    """Let two files stand in each other's place in the archive."""
    names = list(files)
    one, other = draw.randrange(len(names)), draw.randrange(len(names))
    names[one], names[other] = names[other], names[one]
    return set(names[min(one, other) : max(one, other) + 1]), {name: files[name] for name in names}


CHANGES = (
    byte_changed,
    bytes_deleted,
    line_deleted,
    line_doubled,
    lines_swapped,
    file_cut_off,
    pages_cut_off,
    chained_anew,
    file_deleted,
    file_added,
    file_renamed,
    contents_swapped,
    places_swapped,
)
