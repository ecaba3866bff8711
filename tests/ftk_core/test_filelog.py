"""There is no byte in a log's file which could change unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.filelog import FileLog, dump, parse
from ftk_core.log import BrokenChain, MemoryLog, lines_of


def small_log() -> MemoryLog:
    log = MemoryLog()
    log.append([b'{"seq":0}\n', b'{"seq":1}\n'], 0)
    log.append([b'{"seq":2,"page":"no"}\n'], 2)
    log.append(['{"seq":3,"who":"zwölf"}\n'.encode()], 3)
    return log


FILE = b"".join(dump(small_log().pages()))
ENDS = [len(FILE[: FILE.index(b"\n", at) + 1]) for at in range(len(FILE)) if FILE.startswith(b'{"page":', at)]


def pages_of(file: bytes) -> list[bytes]:
    return [page.body for page in parse(file.splitlines(keepends=True))]


def test_a_file_is_the_pages_and_comes_back_as_the_pages() -> None:
    assert list(parse(FILE.splitlines(keepends=True))) == list(small_log().pages())


def test_any_changed_byte_is_caught_and_the_page_named() -> None:
    for at, was in enumerate(FILE):
        page = sum(end <= at for end in ENDS)
        for byte in {was ^ 1, was ^ 32, 0, 10, 13, 255} - {was}:
            with pytest.raises(BrokenChain, match=f"page {page}"):
                pages_of(FILE[:at] + bytes([byte]) + FILE[at + 1 :])


def test_any_byte_taken_out_or_put_in_is_caught() -> None:
    for at in range(len(FILE)):
        for forged in (FILE[:at] + FILE[at + 1 :], FILE[:at] + b" " + FILE[at:], FILE[:at] + b"\n" + FILE[at:]):
            with pytest.raises(BrokenChain):
                pages_of(forged)


def test_a_file_cut_off_within_a_page_is_caught() -> None:
    for at in set(range(1, len(FILE))) - set(ENDS):
        with pytest.raises(BrokenChain):
            pages_of(FILE[:at])


def test_pages_that_change_places_are_caught() -> None:
    first, second, third = (FILE[start:end] for start, end in zip([0, *ENDS], ENDS, strict=False))
    for order in ([second, first, third], [first, third], [first, second, second, third]):
        with pytest.raises(BrokenChain):
            pages_of(b"".join(order))


def test_a_log_in_a_file_is_carried_on_where_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(FILE)
    log = FileLog(path)
    log.append([b'{"seq":4}\n'], 4)
    log.close()
    again = FileLog(path)
    again.close()
    assert list(lines_of(again)) == [*lines_of(small_log()), b'{"seq":4}']


def test_a_spoilt_file_is_not_carried_on(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(FILE[:-1])
    with pytest.raises(BrokenChain, match="page 2"):
        FileLog(path)
