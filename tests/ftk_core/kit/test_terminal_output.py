"""Tables that the `ftk` commands print on narrow terminals."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.table import Table

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


def _read_rows(text: str) -> list[list[str]]:
    rows = [line.replace("┃", "│").strip("│").split("│") for line in text.splitlines() if line[:1] in "┃│"]
    return [[cell.strip() for cell in row] for row in rows]
