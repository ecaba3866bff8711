"""The record of a series: recorded matches are not played again, and other files are not mistaken for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ftk_core.kit.match_series.local_matches import MatchSeries, PlayedMatch, create_series_match, play_all
from ftk_core.kit.match_series.match_series_result_file import MatchSeriesResultConflict, open_record

SERIES = MatchSeries(game="pig", bots=("random", "hold20"), seed="record")


def played(first: int = 0, last: int = 4) -> Iterator[PlayedMatch]:
    return play_all(SERIES, [create_series_match(SERIES, number) for number in range(first, last)], 1)


@pytest.fixture(scope="module")
def matches() -> list[PlayedMatch]:
    return list(played())


def kept(
    path: Path, log: Path | None, fresh: list[PlayedMatch], series: MatchSeries = SERIES, most: int = 99
) -> list[PlayedMatch]:
    with open_record("play", series, path, log, duplicate=False) as record:
        todo = fresh[len(record.matches) :][:most]
        return list(record.record_matches(todo))


def bare(matches: list[PlayedMatch]) -> list[PlayedMatch]:
    return [msgspec.structs.replace(match, log=b"") for match in matches]


@pytest.mark.slow
def test_matches_in_the_record_of_a_series_are_read_back_in_order(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    path = tmp_path / "record"
    assert kept(path, None, matches, most=3) == bare(matches)[:3]
    assert kept(path, None, []) == bare(matches)[:3]
    assert kept(path, None, matches) == bare(matches)


@pytest.mark.parametrize("logged_first", [True, False])
def test_a_log_that_lacks_some_matches_of_the_record_is_refused(
    tmp_path: Path, matches: list[PlayedMatch], logged_first: bool
) -> None:
    path, log = tmp_path / "record", tmp_path / "log.jsonl"
    if logged_first:
        kept(path, log, matches, most=1)
    kept(path, None, matches, most=2)
    log.touch()
    with pytest.raises(MatchSeriesResultConflict, match="lacks matches that the record has"):
        kept(path, log, matches)


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_match_with_a_truncated_line_in_the_record_of_a_series_is_played_again(
    tmp_path: Path, matches: list[PlayedMatch], cut: int
) -> None:
    path = tmp_path / "record"
    kept(path, None, matches)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert kept(path, None, matches) == bare(matches)
    assert path.read_bytes() == whole


def test_resuming_a_series_overwrites_log_lines_of_matches_that_are_not_in_its_record(
    tmp_path: Path, matches: list[PlayedMatch]
) -> None:
    path, log = tmp_path / "record", tmp_path / "log.jsonl"
    kept(path, log, matches, most=2)
    log.write_bytes(log.read_bytes() + matches[2].log[:100])
    kept(path, log, matches)
    assert log.read_bytes() == b"".join(match.log for match in matches)


def test_resuming_a_series_is_refused_if_its_log_lacks_matches_that_are_in_its_record(
    tmp_path: Path, matches: list[PlayedMatch]
) -> None:
    path = tmp_path / "record"
    kept(path, None, matches, most=2)
    with pytest.raises(MatchSeriesResultConflict, match="lacks matches"):
        kept(path, tmp_path / "log.jsonl", matches)


@pytest.mark.parametrize("other", [{"seed": "other"}, {"bots": ("hold20", "random")}, {"options": "{ }"}])
def test_the_record_of_another_series_is_refused_and_left_unchanged(
    tmp_path: Path, matches: list[PlayedMatch], other: dict[str, str]
) -> None:
    path = tmp_path / "record"
    kept(path, None, matches)
    before = path.read_bytes()
    with pytest.raises(MatchSeriesResultConflict, match=r"another series .*series"):
        kept(path, None, matches, msgspec.structs.replace(SERIES, **other))
    assert path.read_bytes() == before


def test_resuming_a_series_is_refused_if_a_bot_has_changed_since_the_series_began(
    tmp_path: Path, matches: list[PlayedMatch]
) -> None:
    bot, path = tmp_path / "bot.py", tmp_path / "record"
    bot.write_text("from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n")
    series = msgspec.structs.replace(SERIES, bots=("random", str(bot)))
    kept(path, None, matches, series)
    bot.write_text("from ftk_core.kit.bot import run\nrun(lambda ask: 1)\n")
    with pytest.raises(MatchSeriesResultConflict, match="digests differ"):
        kept(path, None, matches, series)


@pytest.mark.parametrize("content", [b"print('hello')\n", b"no line", b"[]\n", b'{"kind":"opened"}\n', b"\xff\n"])
def test_a_file_that_is_not_a_series_record_is_refused_and_left_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(content)
    with pytest.raises(MatchSeriesResultConflict, match=r"mine\.py is .*name another file"):
        kept(path, None, [])
    assert path.read_bytes() == content


def test_two_processes_cannot_write_the_same_series_record(tmp_path: Path, matches: list[PlayedMatch]) -> None:
    path = tmp_path / "record"
    with (
        open_record("play", SERIES, path, None, duplicate=False),
        pytest.raises(MatchSeriesResultConflict, match="another ftk"),
    ):
        kept(path, None, matches)
    assert kept(path, None, matches) == bare(matches)


@pytest.mark.parametrize("content", [b"", b"\0" * 4096], ids=["empty", "NUL bytes that a crash left"])
def test_an_empty_file_is_used_as_the_record_of_a_new_series(
    tmp_path: Path, matches: list[PlayedMatch], content: bytes
) -> None:
    path = tmp_path / "record"
    kept(path, None, matches, most=0)
    heading = path.read_bytes()
    path.write_bytes(content)
    assert kept(path, None, matches) == bare(matches)
    assert path.read_bytes().startswith(heading)


def test_a_series_resumes_if_its_record_and_log_are_in_the_folder_of_one_of_its_bots(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("from ftk_core.kit.bot import run\n\nrun(lambda ask: 0)\n")
    series = msgspec.structs.replace(SERIES, bots=(str(tmp_path), "hold20"))
    matches = list(play_all(series, [create_series_match(series, number) for number in range(2)], 1))
    path, log = tmp_path / "record.json", tmp_path / "log.jsonl"
    kept(path, log, matches, series, most=1)
    assert kept(path, log, matches, series) == bare(matches)
