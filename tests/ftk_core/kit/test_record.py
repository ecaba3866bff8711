"""The record of a series: what was played is not played again, and nothing else is taken for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ftk_core.kit.arena import PlayedMatch, Series, fixture_of, play_all
from ftk_core.kit.record import NotThisSeries, keep

SERIES = Series(game="pig", bots=("random", "hold20"), seed="record")


def played(first: int = 0, last: int = 4) -> Iterator[PlayedMatch]:
    return play_all(SERIES, [fixture_of(SERIES, number) for number in range(first, last)], 1)


@pytest.fixture(scope="module")
def matches() -> list[PlayedMatch]:
    return list(played())


def kept(
    path: Path, log: Path | None, fresh: list[PlayedMatch], series: Series = SERIES, most: int = 99
) -> list[PlayedMatch]:
    with keep("play", series, path, log, duplicate=False) as record:
        todo = fresh[len(record.matches) :][:most]
        return list(record.keeping(todo))


def bare(matches: list[PlayedMatch]) -> list[PlayedMatch]:
    return [msgspec.structs.replace(match, log=b"") for match in matches]


def test_what_was_played_is_remembered_in_its_order(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    path = tmp_path / "record"
    assert kept(path, None, matches, most=3) == bare(matches)[:3]
    assert kept(path, None, matches) == bare(matches)


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path, matches: list[PlayedMatch], cut: int) -> None:
    path = tmp_path / "record"
    kept(path, None, matches)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert kept(path, None, matches) == bare(matches)
    assert path.read_bytes() == whole


def test_the_log_loses_what_its_record_does_not_know(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    path, log = tmp_path / "record", tmp_path / "log.jsonl"
    kept(path, log, matches, most=2)
    log.write_bytes(log.read_bytes() + matches[2].log[:100])
    kept(path, log, matches)
    assert log.read_bytes() == b"".join(match.log for match in matches)


def test_a_log_without_the_records_matches_is_not_gone_on_with(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    path = tmp_path / "record"
    kept(path, None, matches, most=2)
    with pytest.raises(NotThisSeries, match="lacks matches"):
        kept(path, tmp_path / "log.jsonl", matches)


@pytest.mark.parametrize("other", [{"seed": "other"}, {"bots": ("hold20", "random")}, {"options": "{ }"}])
def test_the_record_of_another_series_is_left_alone(
    tmp_path: Path, matches: list[PlayedMatch], other: dict[str, str]
) -> None:
    path = tmp_path / "record"
    kept(path, None, matches)
    before = path.read_bytes()
    with pytest.raises(NotThisSeries, match=r"another series .*series"):
        kept(path, None, matches, msgspec.structs.replace(SERIES, **other))
    assert path.read_bytes() == before


def test_a_bot_that_was_changed_in_between_is_noticed(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    bot, path = tmp_path / "bot.py", tmp_path / "record"
    bot.write_text("from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n")
    series = msgspec.structs.replace(SERIES, bots=("random", str(bot)))
    kept(path, None, matches, series)
    bot.write_text("from ftk_core.kit.bot import run\nrun(lambda ask: 1)\n")
    with pytest.raises(NotThisSeries, match="digests differ"):
        kept(path, None, matches, series)


@pytest.mark.parametrize("content", [b"print('hello')\n", b"no line", b"[]\n", b'{"kind":"opened"}\n', b"\xff\n"])
def test_a_file_that_is_no_record_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(content)
    with pytest.raises(NotThisSeries, match=r"mine\.py is .*name another file"):
        kept(path, None, [])
    assert path.read_bytes() == content


def test_two_do_not_write_one_record(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    path = tmp_path / "record"
    with keep("play", SERIES, path, None, duplicate=False), pytest.raises(NotThisSeries, match="another ftk"):
        kept(path, None, matches)
    assert kept(path, None, matches) == bare(matches)


def test_a_heading_that_was_never_finished_is_begun_again(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    path = tmp_path / "record"
    kept(path, None, matches, most=0)
    heading = path.read_bytes()
    path.write_bytes(b"")
    assert kept(path, None, matches) == bare(matches)
    assert path.read_bytes().startswith(heading)
