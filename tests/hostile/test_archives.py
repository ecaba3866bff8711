"""A bad upload is refused in few words that help, and in little memory, whatever it claims to be."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest

from ftk_core.kit.archive import BadUpload, read_upload
from ftk_core.kit.remedies import REMEDIES
from tests.support.hostile.archives import BAD, GOOD_UPLOADS, Bad
from tests.support.hostile.packing import Entry, archive

MEMORY = 24 * 1024 * 1024


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_bad_upload_is_refused_by_the_name_of_the_thing_and_with_a_remedy(bad: Bad) -> None:
    with pytest.raises(BadUpload) as refusal:
        read_upload(bad.filename, bad.body())
    said = str(refusal.value)
    assert (refusal.value.code, bad.says in said) == (bad.code, True), said
    assert said.endswith(REMEDIES[bad.code])
    assert len(said) < 400
    assert said.isprintable()


@pytest.mark.parametrize("bad", [bad for bad in BAD if "bomb" in bad.name or "giga" in bad.name], ids=str)
def test_a_bomb_is_refused_in_little_memory(bad: Bad) -> None:
    body = bad.body()
    tracemalloc.start()
    try:
        with pytest.raises(BadUpload):
            read_upload(bad.filename, body)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("filename", "body"), GOOD_UPLOADS.values(), ids=GOOD_UPLOADS)
def test_a_good_upload_is_taken(filename: str, body: Callable[[], bytes]) -> None:
    upload = read_upload(filename, body())
    assert upload.command[0] == "python"
    assert upload.command[1] in dict(upload.files)


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_archive_is_taken_or_refused_and_nothing_else(seed: int) -> None:
    draw, whole = (
        random.Random(seed),
        archive(Entry(), Entry("lib/a.py"), Entry("bot.toml", b'command="python bot.py"')),
    )
    for _ in range(300):
        body = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            body[draw.randrange(len(body))] = draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))
        with suppress(BadUpload):
            read_upload("bot.zip", bytes(body))
