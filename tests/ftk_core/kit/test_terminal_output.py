"""Tables that the `ftk` commands print on narrow terminals."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.table import Table

from ftk_core.kit.commands import verify_and_story
from ftk_core.kit.terminal_output import LocalizedRichConsole

NAMES = ("a-bot-with-a-long-name-1", "國王的機器人-2")


@pytest.mark.parametrize("columns", [2, 4, 10, 16])
@pytest.mark.parametrize("width", [8, 20, 40, 60, 80])
def test_tables_lose_no_character_of_a_cell_on_a_narrow_terminal(columns: int, width: int) -> None:
    table = Table(*(f"heading{number}" for number in range(columns)))
    table.add_row(*(NAMES[number % 2] for number in range(columns)))
    output = StringIO()
    LocalizedRichConsole(file=output, width=width, soft_wrap=True).print(table)
    cells = ["".join(column).replace(" ", "") for column in zip(*_read_rows(output.getvalue()), strict=True)]
    assert cells == [f"heading{number}{NAMES[number % 2]}" for number in range(columns)]


@pytest.mark.parametrize("hidden", ["\x1b[2K\x1b[1A", "\x1b[8m", "a\nok: forged line"])
def test_control_characters_in_the_reason_of_a_league_event_cannot_hide_or_forge_output_lines_of_ftk_verify(
    hidden: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"Results overruled: 1, by ada, because: {hidden}"
    report = SimpleNamespace(acts=(text,), flaws=(text,), notes=(text,), skipped=(), summary=text)
    monkeypatch.setattr(verify_and_story, "verify_export", lambda *_, **__: report)
    assert verify_and_story._verify_league(Path("night.tar"), "", None, thorough=False) == 1
    output = "".join(capsys.readouterr())
    assert "\x1b" not in output
    assert not any(line.startswith("ok: forged") for line in output.splitlines())
    assert output.count("because: ") == 3


def _read_rows(text: str) -> list[list[str]]:
    rows = [line.replace("┃", "│").strip("│").split("│") for line in text.splitlines() if line[:1] in "┃│"]
    return [[cell.strip() for cell in row] for row in rows]
