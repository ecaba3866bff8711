"""Log files, in which every changed byte is detected."""

from __future__ import annotations

import pytest

from ftk_core.hash_chained_log import BrokenHashChainError, InMemoryLog
from ftk_core.match_log_file import dump_pages, parse_pages


def small_log() -> InMemoryLog:
    log = InMemoryLog()
    log.append([b'{"seq":0}\n', b'{"seq":1}\n'], 0)
    log.append([b'{"seq":2,"page":"no"}\n'], 2)
    log.append(['{"seq":3,"who":"zwölf"}\n'.encode()], 3)
    return log


FILE = b"".join(dump_pages(small_log().pages()))
ENDS = [len(FILE[: FILE.index(b"\n", at) + 1]) for at in range(len(FILE)) if FILE.startswith(b'{"page":', at)]


def pages_of(file: bytes) -> list[bytes]:
    return [page.body for page in parse_pages(file.splitlines(keepends=True))]


def test_pages_written_to_a_log_file_are_read_back_unchanged() -> None:
    assert pages_of(FILE) == [page.body for page in small_log().pages()]


def test_any_changed_byte_of_a_log_file_is_detected_and_its_page_reported() -> None:
    for at, was in enumerate(FILE):
        page = sum(end <= at for end in ENDS)
        for byte in {was ^ 1, was ^ 32, 0, 10, 13, 255} - {was}:
            with pytest.raises(BrokenHashChainError, match=f"page {page}"):
                pages_of(FILE[:at] + bytes([byte]) + FILE[at + 1 :])


def test_any_removed_or_inserted_byte_of_a_log_file_is_detected() -> None:
    for at in range(len(FILE)):
        for forged in (FILE[:at] + FILE[at + 1 :], FILE[:at] + b" " + FILE[at:], FILE[:at] + b"\n" + FILE[at:]):
            with pytest.raises(BrokenHashChainError):
                pages_of(forged)


def test_a_log_file_truncated_within_a_page_is_detected() -> None:
    for at in set(range(1, len(FILE))) - set(ENDS):
        with pytest.raises(BrokenHashChainError):
            pages_of(FILE[:at])


def test_swapped_pages_of_a_log_file_are_detected() -> None:
    first, second, third = (FILE[start:end] for start, end in zip([0, *ENDS], ENDS, strict=False))
    for order in ([second, first, third], [first, third], [first, second, second, third]):
        with pytest.raises(BrokenHashChainError):
            pages_of(b"".join(order))
