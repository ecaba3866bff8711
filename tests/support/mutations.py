"""Random changes of an exported league's files, one at a time."""

from __future__ import annotations

from random import Random

from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.league.publication.league_export import ROOTS, STREAM
from ftk_core.match_log_file import dump_pages, parse_pages

Files = dict[str, bytes]


def replace_and_rehash(body: bytes, old: bytes, new: bytes) -> bytes:
    """Return a changed log with a recomputed hash chain, as a careful forger would write it."""
    log = InMemoryLog()
    for page in parse_pages(body.splitlines(keepends=True)):
        log.append(page.body.replace(old, new).splitlines(keepends=True), log.length)
    return b"".join(dump_pages(log.pages()))


def mutate_export(draw: Random, files: Files) -> tuple[str, set[str], Files]:
    """Return the name of a random change, the names of the files it concerns, and the changed files."""
    while True:
        change = draw.choice(CHANGES)
        where, forged = change(draw, dict(files))
        if list(forged.items()) != list(files.items()):
            return change.__name__, where, forged


def _one(draw: Random, files: Files) -> str:
    return draw.choice(sorted(files))


def change_byte(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    body = bytearray(files[name])
    body[draw.randrange(len(body))] ^= draw.randrange(1, 256)
    return {name}, {**files, name: bytes(body)}


def delete_bytes(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    at = draw.randrange(len(files[name]))
    return {name}, {**files, name: files[name][:at] + files[name][at + draw.randrange(1, 9) :]}


def delete_line(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    lines = files[name].splitlines(keepends=True)
    del lines[draw.randrange(len(lines))]
    return {name}, {**files, name: b"".join(lines)}


def duplicate_line(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    lines = files[name].splitlines(keepends=True)
    at = draw.randrange(len(lines))
    lines.insert(draw.randrange(len(lines) + 1), lines[at])
    return {name}, {**files, name: b"".join(lines)}


def swap_lines(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    lines = files[name].splitlines(keepends=True)
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return {name}, {**files, name: b"".join(lines)}


def truncate_file(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    return {name}, {**files, name: files[name][: draw.randrange(len(files[name]))]}


def truncate_pages(draw: Random, files: Files) -> tuple[set[str], Files]:
    """Truncate a log after a whole page, so that its chain is still valid."""
    name = draw.choice([name for name in sorted(files) if name.endswith(".jsonl")])
    lines = files[name].splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, 1) if line.startswith(b'{"page":')]
    return {name}, {**files, name: b"".join(lines[: draw.choice(ends)])}


def change_byte_and_rehash(draw: Random, files: Files) -> tuple[set[str], Files]:
    """Change a byte of a log and hash all its pages again, like a forger who knows the format."""
    name = draw.choice([name for name in sorted(files) if name.endswith(".jsonl")])
    pages = [page.body for page in parse_pages(files[name].splitlines(keepends=True))]
    number = draw.randrange(len(pages))
    body = bytearray(pages[number])
    at = draw.choice([at for at, byte in enumerate(body) if byte != ord("\n")])
    body[at] = draw.choice([byte for byte in b'0123456789abcxyz":,{}[]' if byte != body[at]])
    pages[number] = bytes(body)
    log = InMemoryLog()
    for page in pages:
        log.append(page.splitlines(keepends=True), log.length)
    return {name, STREAM, ROOTS}, {**files, name: b"".join(dump_pages(log.pages()))}


def delete_file(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    del files[name]
    return {name}, files


def add_file(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = draw.choice(["matches/0123456789ab.jsonl", "notes.txt", "matches/notes.txt"])
    return {name}, {**files, name: files[_one(draw, files)]}


def rename_file(draw: Random, files: Files) -> tuple[set[str], Files]:
    name = _one(draw, files)
    return {name}, {name + "x" if other == name else other: body for other, body in files.items()}


def swap_file_contents(draw: Random, files: Files) -> tuple[set[str], Files]:
    one, other = _one(draw, files), _one(draw, files)
    return {one, other}, {**files, one: files[other], other: files[one]}


def swap_file_positions(draw: Random, files: Files) -> tuple[set[str], Files]:
    """Swap the positions of two files in the archive."""
    names = list(files)
    one, other = draw.randrange(len(names)), draw.randrange(len(names))
    names[one], names[other] = names[other], names[one]
    return set(names[min(one, other) : max(one, other) + 1]), {name: files[name] for name in names}


CHANGES = (
    change_byte,
    delete_bytes,
    delete_line,
    duplicate_line,
    swap_lines,
    truncate_file,
    truncate_pages,
    change_byte_and_rehash,
    delete_file,
    add_file,
    rename_file,
    swap_file_contents,
    swap_file_positions,
)
