"""What `ftk review`, `whatif`, `at` and `rerun` say of a match, an entry, a seat or a bot that cannot be: one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.entries import Chose, read
from ftk_core.kit.cli import app
from ftk_core.kit.house import house_bots
from tests.support.reviews import log_of, write_log

STRANGER = str(house_bots("for_the_king")["greedy"])


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A whole match of Pig, one cut off, one of a version that is not on the shelf, and a choice in each of them."""
    folder, lines = tmp_path_factory.mktemp("logs"), log_of("pig")
    past = [lines[0].replace(b'"version":1,', b'"version":9,'), *lines[1:]]
    files = {"whole": lines, "cut": lines[:20], "past": past}
    first = next(entry.seq for entry in map(read, lines) if isinstance(entry, Chose) and entry.seat == 0)
    written = {name: str(write_log(Path(folder / f"{name}.jsonl"), some)) for name, some in files.items()}
    return {**written, "choice": str(first), "stranger": STRANGER}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("review {whole} --seat 9", "the match has the seats 0 to 1"),
        ("review {whole} --policy accuser", "'accuser' is no policy for Pig"),
        ("review {cut}", "not at its end"),
        ("review {past}", "there is no version 9 of 'pig' here"),
        ("whatif {whole} --at 99999", "the log has the entries 0 to"),
        ("whatif {whole} --at 0", "nobody was asked there"),
        ("whatif {whole} --at {choice} --bot {stranger} --eyes all -n 2", "is it for another game than Pig?"),
        ("whatif {past} --at {choice}", "there is no version 9 of 'pig' here"),
        ("at {whole} 99999", "the log has the entries 0 to"),
        ("at {whole} 0", "nobody was asked there"),
        ("at {cut} 20", "the log has the entries 0 to 19"),
        ("at {past} {choice}", "there is no version 9 of 'pig' here"),
        ("rerun {whole} --bot random --seat 9", "the match has the seats 0 to 1"),
        ("rerun {whole} --bot {stranger} --seat 0", "is it for another game than Pig?"),
        ("rerun {past} --bot random --seat 0", "there is no version 9 of 'pig' here"),
    ],
)
def test_what_cannot_be_is_said_in_one_line_by_each_command(logs: dict[str, str], words: str, says: str) -> None:
    done = CliRunner().invoke(app, [word.format(**logs) for word in words.split()])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "words", ["whatif {cut} --at {choice} -n 2", "at {cut} {choice}", "rerun {cut} --bot hold20 --seat 0"]
)
def test_what_needs_no_end_is_answered_of_a_match_that_goes_on(logs: dict[str, str], words: str) -> None:
    done = CliRunner().invoke(app, [word.format(**logs) for word in words.split()])
    assert done.exit_code == 0, done.stderr
