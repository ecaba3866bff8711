"""The site of all that is written: made without a link that leads nowhere, and served as it is."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from deploy import handbook
from ftk_core.games import shelf

pytestmark = pytest.mark.django_db


def test_every_page_of_the_repository_is_on_the_site() -> None:
    pages = {page for page in handbook.places().values() if page.endswith(".md")}
    assert {f"games/{name}.md" for name in shelf()} <= pages
    for page in pages | {"ftk.md"}:
        place = page.removesuffix(".md").removesuffix("index").removesuffix("README")
        assert (handbook.SITE / place / "index.html").is_file(), page


def test_every_page_stands_somewhere_beside_the_others() -> None:
    pages = {page for page in handbook.places().values() if page.endswith(".md")}
    assert pages | {"ftk.md"} == set(listed(handbook.navigation(handbook.places())))


def listed(rows: list[Any]) -> list[str]:
    found = []
    for row in rows:
        if isinstance(row, str):
            found.append(row)
            continue
        for below in row.values():
            found += [below] if isinstance(below, str) else listed(below)
    return found


@pytest.mark.slow
def test_every_command_is_in_the_reference() -> None:
    from ftk_core.kit.cli import app

    names = [command.name or command.callback.__name__ for command in app.registered_commands if command.callback]
    assert names
    assert [name for name in names if f"## `ftk {name}`" not in handbook.reference()] == []


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("[a](fair-deals.md)", "[a](fair-deals.md)"),
        ("[a](../deploy/CAGE.md#x)", "[a](cage.md#x)"),
        ("[rules](../ftk_core/games/pig/RULES.md)", "[rules](games/pig.md)"),
        ("[the code](../ftk_core/game.py)", "the code (`ftk_core/game.py`)"),
        ("[`ftk_core/game.py`](../ftk_core/game.py)", "`ftk_core/game.py`"),
        ("[a](https://example.com/x)", "[a](https://example.com/x)"),
        ("[a](/api/)", "[a](/api/)"),
        ("[a](#here)", "[a](#here)"),
    ],
)
def test_a_link_leads_where_the_site_has_the_file(
    target: str, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = handbook.places() | {"docs/some.md": "some.md"}
    there = {"deploy/CAGE.md", "ftk_core/game.py"}
    for file in (*pages, *there):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / "docs/some.md").write_text(target)
    monkeypatch.setattr(handbook, "ROOT", tmp_path)
    assert handbook.page_of("docs/some.md", pages) == page


def test_a_link_to_a_file_that_is_not_there_stops_it_and_leaves_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("[a](gone.md)")
    (tmp_path / "site").mkdir()
    monkeypatch.setattr(handbook, "ROOT", tmp_path)
    with pytest.raises(handbook.NotMade, match=r"docs/index\.md: the link to gone\.md leads nowhere"):
        handbook.build(tmp_path / "site")
    assert (tmp_path / "site").is_dir()


def test_pages_are_served_with_the_arenas_own_address_and_run_no_script_but_their_own(client: Client) -> None:
    said = client.get("/docs/tutorial/", headers={"host": "127.0.0.1:8123"})
    page = said.content.decode()
    assert "http://127.0.0.1:8123/docs/kit/" in page
    assert "arena.example" not in page
    policy = said["Content-Security-Policy"]
    scripts = re.findall(r"script-src ([^;]+)", policy)[0].split()
    assert scripts[0] == "'self'"
    assert all(re.fullmatch(r"'sha256-[\w+/]+='", word) for word in scripts[1:])
    assert len(scripts) - 1 == len(set(re.findall(r"<script>(.*?)</script>", page, re.DOTALL)))


def test_a_folder_without_its_slash_is_led_to_its_page(client: Client) -> None:
    said = client.get("/docs/tutorial")
    assert (said.status_code, said["Location"]) == (HTTPStatus.FOUND, "tutorial/")


@pytest.mark.parametrize(
    "path", ["nowhere/", "../manage.py", "%2e%2e/manage.py", "..%2fmanage.py", "assets", "//etc/passwd", "x" * 300]
)
def test_what_is_no_page_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/docs/{path}", follow=True).status_code == HTTPStatus.NOT_FOUND


def test_where_nobody_has_made_it_the_remedy_is_told(client: Client, settings: LazySettings, tmp_path: Path) -> None:
    settings.HANDBOOK = str(tmp_path / "none")
    said = client.get("/docs/")
    assert said.status_code == HTTPStatus.NOT_FOUND
    assert "make docs" in said.content.decode()
    assert "pip install .\n" in client.get("/write-a-bot/").content.decode()


def test_what_the_questions_quote_a_program_says() -> None:
    files = [path for folder in ("ftk_core", "bots", "frontend/templates") for path in Path(folder).rglob("*.*")]
    sources = "\n".join(path.read_text() for path in files if path.suffix in (".py", ".html"))
    quoted = re.findall(r"\*\*`([^`]+)`\*\*", Path("docs/faq.md").read_text())
    assert len(quoted) > 10
    assert [quote for quote in quoted if quote not in sources] == []
