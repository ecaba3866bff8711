"""Build of the documentation site: `python -m deploy.release.handbook` writes it to dist/handbook.

The pages are Markdown files of the repository, the rules of each game, and a reference of the command `ftk` generated
from the program. A broken link, to a file or a heading, is an error. The site also offers the kit for bot authors as a
wheel, built from the same source tree.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from deploy.release.supply_chain import SupplyChainError, build_from_source
from frontend.drawing.shapes_and_fonts import BUILT_ASSETS, find_built_fonts
from ftk_core import __version__

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "dist" / "handbook"
DOCS = "docs"
VIEWER = "frontend/static/ui"
LOOK = "look"
"""Folder in the site with the style sheet, the logo and the fonts."""
COLOURS = re.compile(r"^:root \{.*?^\}", re.DOTALL | re.MULTILINE)
"""Pattern of the CSS rule in `tokens.css` that defines all colours of the arena."""
KIT = "kit"
"""Folder in the site with the wheel of the kit for bot authors."""
MOVED_PAGES = {
    "deploy/README.md": "operators.md",
    "deploy/SANDBOX.md": "cage.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "docs/languages.md": "tongues.md",
    "frontend/README.md": "frontend.md",
    "deploy/container/README.md": "container.md",
    "deploy/observe/README.md": "observe.md",
}
"""Path in the site of each page that is outside docs/ or was renamed after it was published."""
LINK = re.compile(r"(!?\[[^][]*\])\(([^)\s]+)\)")
NAVIGATION: list[Any] = [
    {"Home": "index.md"},
    {"Authors": [
        "tutorial.md", "bot-protocol.md", "engine.md", "local-arena.md", "remote.md", "agents.md", "learning.md",
        "review.md", "reliability.md", "webhooks.md", "fair-deals.md", "faq.md", {"All commands of ftk": "ftk.md"},
    ]},
    {"Games": []},
    {"Organisers": ["organisers.md", "adding-a-format.md"]},
    {"Operators": ["operators.md", "cage.md", "container.md", "scale.md", "observe.md", "threats.md", "security.md"]},
    {"How it is made": [
        "glossary.md", "tongues.md", "adding-a-game.md", "frontend.md", "contributing.md", "changelog.md",
        {"Decisions": []},
    ]},
]  # fmt: skip
"""Navigation menu of the site; `build_navigation` adds the pages of games and decisions."""


class HandbookError(RuntimeError):
    """Raised when the documentation site cannot be built; the message names the file and the fault."""


def list_pages() -> dict[str, str]:
    """Map each page or image in the repository to its path in the documentation site."""
    found = {str(path.relative_to(ROOT)): str(path.relative_to(ROOT / DOCS)) for path in _files()}
    rules = sorted((ROOT / "ftk_core" / "games").glob("*/RULES.md"))
    games = {str(path.relative_to(ROOT)): f"games/{path.parent.name}.md" for path in rules}
    return found | games | {file: page for file, page in MOVED_PAGES.items() if (ROOT / file).exists()}


def _files() -> list[Path]:
    return sorted(path for path in (ROOT / DOCS).rglob("*") if path.is_file())


def read_page(file: str, pages: dict[str, str]) -> str:
    """Return the Markdown of a page with its links adapted to the documentation site.

    A link to another page leads to that page of the site. A link to code becomes plain text. Raises HandbookError for a
    broken link.
    """

    def rewrite_link(match: re.Match[str]) -> str:
        text, target = match[1], match[2]
        if re.match(r"[a-z]+:|#|/", target):
            return match[0]
        path, _, heading = target.partition("#")
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        if meant in pages:
            way = posixpath.relpath(pages[meant], posixpath.dirname(pages[file]) or ".")
            return f"{text}({way}{'#' if heading else ''}{heading})"
        if not (ROOT / meant).exists():
            raise HandbookError(f"{file}: the link to {target} leads nowhere")
        return text.strip("[]") if text[1:2] == "`" else f"{text.strip('[]')} (`{meant}`)"

    return LINK.sub(rewrite_link, (ROOT / file).read_text("utf-8"))


def read_reference() -> str:
    """Return the Markdown reference of all `ftk` commands, generated from the program; raises HandbookError."""
    words = [sys.executable, "-m", "typer", "ftk_core.kit.cli", "utils", "docs", "--name", "ftk", "--title", "ftk"]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "TERM": "dumb"}
    )
    if done.returncode:
        raise HandbookError(f"the commands cannot be listed: {done.stderr.strip()[-300:]}")
    return done.stdout


def build_navigation(pages: dict[str, str]) -> list[Any]:
    """Return the navigation menu of the documentation site, with a link to each game's rules and each design decision.

    Other pages that are not in the menu can be found by the site's search.
    """
    every = sorted(pages.values())
    more = {"Games": [page for page in every if page.startswith("games/")]}
    more["Decisions"] = [page for page in every if page.startswith("decisions/")]

    def filled(row: Any) -> Any:
        if isinstance(row, str):
            return row
        ((title, below),) = row.items()
        return {title: below if isinstance(below, str) else [*map(filled, below), *more.get(title, ())]}

    return [filled(row) for row in NAVIGATION]


def copy_pages(folder: Path) -> None:
    """Write the pages and configuration of the documentation site into a folder; raises HandbookError."""
    pages = list_pages()
    for file, page in pages.items():
        target = folder / "pages" / page
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.endswith(".md"):
            target.write_text(read_page(file, pages), "utf-8")
        else:
            shutil.copy(ROOT / file, target)
    (folder / "pages" / "ftk.md").write_text(read_reference(), "utf-8")
    copy_look(folder / "pages" / LOOK)
    theme = {
        "font": False,  # the default loads fonts from a third party
        "logo": f"{LOOK}/crown.svg", "favicon": f"{LOOK}/crown.svg",
        "features": ["content.code.copy", "navigation.indexes", "navigation.tabs", "navigation.top", "toc.follow"],
        "palette": [
            {"media": f"(prefers-color-scheme: {name})", "scheme": scheme, "primary": "custom", "accent": "custom"}
            for name, scheme in (("light", "default"), ("dark", "slate"))
        ],
    }  # fmt: skip
    site = {
        "site_name": "The Court", "docs_dir": "pages", "site_dir": "site",
        "nav": build_navigation(pages), "theme": theme, "extra_css": [f"{LOOK}/court.css"],
        "copyright": f'<a href="/">To the arena</a> (version {__version__})',
        "extra": {"homepage": "/", "generator": False},
    }  # fmt: skip
    # zensical reads YAML, of which JSON is a subset
    (folder / "mkdocs.yml").write_bytes(msgspec.json.encode(site))


def copy_look(to: Path) -> None:
    """Copy the logo, the style sheet with the site's colours and, if the front end has been built, the web fonts."""
    to.mkdir()
    shutil.copy(ROOT / "frontend/static/crown.svg", to)
    tokens = (ROOT / "frontend/ui/src/styles/tokens.css").read_text("utf-8")
    style = Path(__file__).with_suffix(".css").read_text("utf-8")
    (to / "court.css").write_text(f"{COLOURS.findall(tokens)[0]}\n{style}", "utf-8")
    for face, path in find_built_fonts().items():
        shutil.copy(BUILT_ASSETS / path, to / f"{face}.woff2")


def build_handbook(to: Path = SITE) -> Path:
    """Build the documentation site and return its folder; on failure keep the old site and raise HandbookError."""
    to.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=to.parent) as draft:
        copy_pages(Path(draft))
        words = [sys.executable, "-m", "zensical", "build", "--strict"]
        done = subprocess.run(words, cwd=draft, capture_output=True, text=True, check=False)
        if done.returncode:
            raise HandbookError(done.stdout.strip() or done.stderr.strip()[-2000:])
        _add_kit(Path(draft))
        shutil.rmtree(to, ignore_errors=True)
        Path(draft, "site").rename(to)
    return to


def _add_kit(draft: Path) -> None:
    """Build the wheel of the kit for bot authors and add it to the documentation site; raises HandbookError."""
    source = draft / "source"
    shutil.copytree(ROOT / "ftk_core", source / "ftk_core", ignore=shutil.ignore_patterns("__pycache__"))
    if (ROOT / VIEWER / "manifest.json").is_file():  # for `ftk watch`
        shutil.copytree(ROOT / VIEWER, source / "ftk_core" / "kit" / "viewer")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    try:
        wheel = build_from_source("wheel", source, draft / "wheel")
    except SupplyChainError as error:
        raise HandbookError(str(error)) from error
    (draft / "site" / KIT).mkdir()
    shutil.move(wheel, draft / "site" / KIT / wheel.name)


def main() -> None:
    """Build the documentation site; exit with an error message if that fails."""
    try:
        sys.stdout.write(f"{build_handbook().relative_to(ROOT)}\n")
    except HandbookError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
