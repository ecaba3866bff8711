"""Documentation site: built without broken links, and served unchanged."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from deploy.release import handbook
from ftk_core.games import list_games

MAKEFILE = Path("Makefile").read_text()
pytestmark = pytest.mark.django_db


def test_every_markdown_page_of_the_repository_is_on_the_site() -> None:
    pages = {page for page in handbook.list_pages().values() if page.endswith(".md")}
    assert {f"games/{name}.md" for name in list_games()} <= pages
    for page in pages | {"ftk.md"}:
        place = page.removesuffix(".md").removesuffix("index").removesuffix("README")
        assert (handbook.SITE / place / "index.html").is_file(), page


def test_every_handbook_page_is_in_the_navigation() -> None:
    pages = {page for page in handbook.list_pages().values() if page.endswith(".md")}
    assert pages | {"ftk.md"} == set(listed(handbook.build_navigation(handbook.list_pages())))


def listed(rows: list[Any]) -> list[str]:
    found = []
    for row in rows:
        if isinstance(row, str):
            found.append(row)
            continue
        for below in row.values():
            found += [below] if isinstance(below, str) else listed(below)
    return found


@pytest.mark.nightly
def test_every_ftk_command_is_in_the_reference_page_of_the_handbook() -> None:
    from ftk_core.kit.cli import FtkCommands

    names = [entry.name for entries in FtkCommands.sections.values() for entry in entries if entry.name != "league"]
    assert names
    assert [name for name in names if f"## `ftk {name}`" not in handbook.read_reference()] == []


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("[a](fair-deals.md)", "[a](fair-deals.md)"),
        ("[a](../deploy/SANDBOX.md#x)", "[a](cage.md#x)"),
        ("[rules](../ftk_core/games/pig/RULES.md)", "[rules](games/pig.md)"),
        ("[the code](../ftk_core/game.py)", "the code (`ftk_core/game.py`)"),
        ("[`ftk_core/game.py`](../ftk_core/game.py)", "`ftk_core/game.py`"),
        ("[a](https://example.com/x)", "[a](https://example.com/x)"),
        ("[a](/api/)", "[a](/api/)"),
        ("[a](#here)", "[a](#here)"),
    ],
)
def test_links_between_markdown_files_become_links_between_handbook_pages(
    target: str, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = handbook.list_pages() | {"docs/some.md": "some.md"}
    there = {"deploy/SANDBOX.md", "ftk_core/game.py"}
    for file in (*pages, *there):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / "docs/some.md").write_text(target)
    monkeypatch.setattr(handbook, "ROOT", tmp_path)
    assert handbook.read_page("docs/some.md", pages) == page


def test_a_broken_link_fails_the_handbook_build_and_leaves_the_previous_build_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("[a](gone.md)")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text("the previous build")
    monkeypatch.setattr(handbook, "ROOT", tmp_path)
    with pytest.raises(handbook.DocumentationBuildError, match=r"docs/index\.md: the link to gone\.md leads nowhere"):
        handbook.build_handbook(tmp_path / "site")
    assert (tmp_path / "site/index.html").read_text() == "the previous build"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "site"], "no draft is left"


def test_handbook_pages_show_the_address_of_their_server_and_run_only_their_own_scripts(client: Client) -> None:
    said = client.get("/docs/tutorial/", headers={"host": "127.0.0.1:8123"})
    page = said.content.decode()
    assert "http://127.0.0.1:8123/docs/kit/" in page
    assert "arena.example" not in page
    policy = said["Content-Security-Policy"]
    scripts = re.findall(r"script-src ([^;]+)", policy)[0].split()
    assert scripts[0] == "'self'"
    assert all(re.fullmatch(r"'sha256-[\w+/]+='", word) for word in scripts[1:])
    assert len(scripts) - 1 == len(set(re.findall(r"<script>(.*?)</script>", page, re.DOTALL)))


def test_handbook_pages_have_the_colours_fonts_and_logo_of_the_website(client: Client) -> None:
    page = client.get("/docs/tutorial/").content.decode()
    assert '<link rel="stylesheet" href="../look/court.css">' in page
    assert '<img src="../look/crown.svg"' in page
    assert "indigo" not in page
    style = client.get("/docs/look/court.css").content.decode()
    tokens = Path("frontend/ui/src/styles/tokens.css").read_text()
    named = dict(re.findall(r"(--(?:page|surface|ink|soft|line|gold\w*)): ([^;]+);", tokens))
    assert {"--page", "--ink", "--gold"} <= set(named)
    assert [name for name, colour in named.items() if f"{name}: {colour};" not in style] == []
    used = set(re.findall(r"var\((--(?!md-)[\w-]+)\)", style))
    assert [name for name in used if f"  {name}:" not in style] == []
    files = re.findall(r"url\('(\w+\.woff2)'\)", style)
    assert [client.get(f"/docs/look/{file}").status_code for file in files] == [HTTPStatus.OK] * 2


def test_the_url_of_a_handbook_folder_without_trailing_slash_is_redirected(client: Client) -> None:
    said = client.get("/docs/tutorial")
    assert (said.status_code, said["Location"]) == (HTTPStatus.FOUND, "tutorial/")


@pytest.mark.parametrize(
    "path",
    [
        *("nowhere/", "../../manage.py", "%2e%2e/%2e%2e/manage.py", "..%2f..%2fmanage.py", "assets", "//etc/passwd"),
        "x" * 300,
    ],
)
def test_an_unknown_page_of_the_handbook_is_404(client: Client, path: str) -> None:
    assert client.get(f"/docs/{path}", follow=True).status_code == HTTPStatus.NOT_FOUND


def test_the_handbook_url_explains_how_to_build_the_handbook_if_no_handbook_was_built(
    client: Client, settings: LazySettings, tmp_path: Path
) -> None:
    settings.HANDBOOK = str(tmp_path / "none")
    said = client.get("/docs/")
    assert said.status_code == HTTPStatus.NOT_FOUND
    page = said.content.decode()
    assert said["Content-Type"] == "text/html; charset=utf-8"
    assert "<code>make docs</code>" in page
    assert '<a class="brand" href="/">' in page
    assert client.get("/docs/tutorial/").status_code == HTTPStatus.NOT_FOUND
    assert "pip install .\n" in client.get("/write-a-bot/").content.decode()


def test_every_make_target_that_starts_a_server_builds_the_handbook_first() -> None:
    targets = dict(re.findall(r"^(\w+): ([\w ]+) ##[^\n]*\n\t@?exec \$\(RUN\) manage\.py up", MAKEFILE, re.MULTILINE))
    assert set(targets) == {"run", "demo"}
    assert all("docs" in needed.split() for needed in targets.values())


def test_messages_quoted_in_the_faq_exist_in_the_source() -> None:
    files = [path for folder in ("ftk_core", "bots", "frontend/templates") for path in Path(folder).rglob("*.*")]
    sources = "\n".join(path.read_text() for path in files if path.suffix in (".py", ".html"))
    quoted = re.findall(r"\*\*`([^`]+)`\*\*", Path("docs/faq.md").read_text())
    assert len(quoted) > 10
    assert [quote for quote in quoted if quote not in sources] == []
