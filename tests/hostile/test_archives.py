"""Malformed uploads: each is refused with a helpful message and in little memory."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest

from ftk_core.kit.uploads.upload_error_hints import REMEDIES, InvalidUploadError
from ftk_core.kit.uploads.upload_validation import read_upload
from tests.support.hostile.archives import BAD_ARCHIVES, GOOD_ARCHIVES, BadCase
from tests.support.hostile.packing import Entry, archive

MEMORY = 24 * 1024 * 1024


@pytest.mark.parametrize("bad", BAD_ARCHIVES, ids=str)
def test_a_malicious_upload_is_refused_with_the_reason_and_a_remedy(bad: BadCase) -> None:
    with pytest.raises(InvalidUploadError) as refusal:
        read_upload(bad.filename, bad.body())
    said = str(refusal.value)
    assert (refusal.value.code, bad.says in said) == (bad.code, True), said
    assert said.endswith(REMEDIES[bad.code])
    assert len(said) < 400
    assert said.isprintable()


@pytest.mark.parametrize("bad", [bad for bad in BAD_ARCHIVES if "bomb" in bad.name or "giga" in bad.name], ids=str)
def test_a_zip_bomb_is_refused_in_little_memory(bad: BadCase) -> None:
    body = bad.body()
    tracemalloc.start()
    try:
        with pytest.raises(InvalidUploadError):
            read_upload(bad.filename, body)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("filename", "body"), GOOD_ARCHIVES.values(), ids=GOOD_ARCHIVES)
def test_a_valid_upload_is_accepted(filename: str, body: Callable[[], bytes]) -> None:
    upload = read_upload(filename, body())
    assert upload.command[0] == "python"
    assert upload.command[1] in dict(upload.files)


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_archive_is_accepted_or_refused_without_a_crash(seed: int) -> None:
    draw, whole = (
        random.Random(seed),
        archive(Entry(), Entry("lib/a.py"), Entry("bot.toml", b'command="python bot.py"')),
    )
    for _ in range(300):
        body = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            body[draw.randrange(len(body))] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
        with suppress(InvalidUploadError):
            read_upload("bot.zip", bytes(body))
