"""Commands and settings on the page for operators, `deploy/README.md`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.bare_server.units import read_unit

ROOT = Path(__file__).parents[2]
README = (ROOT / "deploy/README.md").read_text()


def test_the_documented_restore_creates_the_database_with_the_same_options_as_the_install_script() -> None:
    (command,) = re.findall(
        r"^ *(runuser -u postgres -- createdb .*)$", (ROOT / "deploy/install").read_text(), re.MULTILINE
    )
    assert command in README.splitlines()


def test_no_example_environment_file_has_a_comment_after_a_value_on_the_same_line() -> None:
    blocks = re.findall(r"```\n(.*?)```", README, re.DOTALL)
    texts = blocks + [path.read_text() for path in (ROOT / "deploy").rglob("*.env*")]
    lines = [line for text in texts for line in text.splitlines() if re.fullmatch(r"[A-Z_]+=\S*( +#.*)?", line)]
    assert len(lines) > 10
    assert [line for line in lines if " #" in line] == []


def test_every_temporary_setting_of_a_service_that_the_page_adds_is_removed_again() -> None:
    added = re.findall(r"^mkdir -p (/run/systemd/\S+)$", README, re.MULTILINE)
    assert added
    assert [folder for folder in added if f"rm -r {folder} " not in README] == []


def test_every_unit_has_a_user_a_limit_of_open_files_and_only_settings_that_the_installation_test_knows() -> None:
    files = sorted((ROOT / "deploy/systemd").glob("*.service"))
    units = [read_unit(file, lambda _path: "# a comment\nSECRET_KEY=x") for file in files]
    assert len(units) == 7
    assert {unit.user for unit in units} == {"ftk", "ftk-worker"}
    assert all(unit.open_files >= 4096 and unit.environment["SECRET_KEY"] == "x" for unit in units)
    assert all(unit.command[0].startswith("/opt/ftk/.venv/bin/") for unit in units)


def test_a_unit_with_a_setting_that_the_installation_test_does_not_know_is_refused(tmp_path: Path) -> None:
    unit = tmp_path / "ftk-web.service"
    unit.write_text((ROOT / "deploy/systemd/ftk-web.service").read_text() + "\nMemoryDenyWriteExecute=yes\n")
    with pytest.raises(AssertionError, match="MemoryDenyWriteExecute"):
        read_unit(unit, lambda _path: "")
