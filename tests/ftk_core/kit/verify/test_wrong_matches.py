"""One-line errors of `ftk review`, `whatif`, `at` and `rerun` for a wrong match, entry, seat or bot."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.cli import app
from ftk_core.log_entries import ChoiceMade, read
from tests.support.reviews import log_of, write_log


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Logs of Pig (whole, truncated, of an unknown version), the number of a choice, and a bot of another game."""
    folder, lines = tmp_path_factory.mktemp("logs"), log_of("pig")
    past = [lines[0].replace(b'"version":1,', b'"version":9,'), *lines[1:]]
    files = {"whole": lines, "cut": lines[:20], "past": past}
    first = next(entry.seq for entry in map(read, lines) if isinstance(entry, ChoiceMade) and entry.seat == 0)
    written = {name: str(write_log(Path(folder / f"{name}.jsonl"), some)) for name, some in files.items()}
    return {**written, "choice": str(first), "stranger": str(list_built_in_bots("for_the_king")["greedy"])}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("review {whole} --seat 9", "the match has the seats 0 to 1"),
        ("review {whole} --policy accuser", "'accuser' is not a policy for Pig"),
        ("review {cut}", "has not ended"),
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
def test_each_command_that_reads_a_log_refuses_a_wrong_argument_with_a_one_line_error(
    logs: dict[str, str], words: str, says: str
) -> None:
    done = CliRunner().invoke(app, [word.format(**logs) for word in words.split()])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert says in done.stderr
    lines = [line for line in done.stderr.strip().splitlines() if "without native rules" not in line]
    assert len(lines) == 1


@pytest.mark.parametrize(
    "words", ["whatif {cut} --at {choice} -n 2", "at {cut} {choice}", "rerun {cut} --bot hold20 --seat 0"]
)
def test_commands_that_do_not_need_a_result_accept_the_log_of_an_unfinished_match(
    logs: dict[str, str], words: str
) -> None:
    done = CliRunner().invoke(app, [word.format(**logs) for word in words.split()])
    assert done.exit_code == 0, done.stderr
